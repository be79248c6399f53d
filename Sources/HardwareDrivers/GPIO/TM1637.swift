import CycleCore

/// A TM1637 with up to six seven-segment digits on two lines: the board with four digits and a colon.
///
/// **Wiring.** CLK and DIO to two lines of a GPIO chip, VCC to 3.3 V, ground. The board has resistors from both lines to
/// VCC, so a supply of 5 V would put 5 V on the lines. The lines are open-drain, with the pull-up resistors of the GPIO
/// chip, so that a missing board gives no acknowledgement.
///
/// **Timing.** A text of four digits takes about 220 steps on the lines, in turns of half a millisecond between which other
/// drivers run. The chip takes each byte with an acknowledgement. Without one, the text is written again after 1 s,
/// 2 s … 60 s, and the missing acknowledgement is reported as trouble. Each 10 minutes the text is written again, because
/// the chip can't be asked whether its power was cut.
///
/// **Source.** Titan Micro Electronics TM1637, V2.4.
///
///     Lens(TM1637(platform.chip, clock: "GPIO20", data: "GPIO21"), show: { SegmentText("\($0.count)") })
public struct TM1637: LineDevice, StepReader, AlarmReceiver {
  public typealias Model = SegmentText
  public typealias Event = Never

  private static let clockLine = LineValues(rawValue: 1)
  private static let dataLine = LineValues(rawValue: 2)
  /// Half a period of the clock; the chip takes 250 kHz.
  private static let half = Duration.microseconds(2)
  private static let longestPause = Duration.seconds(60)

  private static let writeMemory: UInt8 = 0x40
  private static let firstAddress: UInt8 = 0xC0
  private static let displayOn: UInt8 = 0x88
  private static let displayOff: UInt8 = 0x80

  public let chip: any GPIOChip
  /// The number of digits, 1 to 6.
  public let digitCount: Int
  private let names: [LineName]
  private let check: Duration?
  private var wanted: SegmentFrame
  /// The segments that the chip shows; nil if unknown.
  private var shown: SegmentFrame?
  /// The segments that the present steps write.
  private var writing: SegmentFrame?
  private var isAcknowledged = true
  /// The time until the next try without an acknowledgement.
  private var pause = Duration.seconds(1)
  public private(set) var alarm: Moment?
  public private(set) var fault: DriverError?

  /// - Parameters:
  ///   - chip: the chip that the lines belong to.
  ///   - clock: the line at CLK.
  ///   - data: the line at DIO.
  ///   - digitCount: 1 to 6. A board with 4 digits has a colon between them.
  ///   - check: the text is written again at each multiple of this time on the loop's clock; nil for never.
  public init(
    _ chip: any GPIOChip, clock: LineName, data: LineName, digitCount: Int = 4,
    check: Duration? = OutputProgress.checkInterval
  ) {
    precondition((1...6).contains(digitCount), "a TM1637 has 1 to 6 digits")
    self.chip = chip
    self.digitCount = digitCount
    self.check = check
    names = [clock, data]
    wanted = Self.frame(of: .blank, digitCount: digitCount)
  }

  /// The segments that a board shows for a text. Boards with four digits have a colon in the middle, which is connected as
  /// the point of the second digit, and no points.
  package static func frame(of text: SegmentText, digitCount: Int) -> SegmentFrame {
    let frame = text.frame(count: digitCount, hasColon: digitCount == 4)
    return digitCount == 4 ? frame.withColonOnly : frame
  }

  public var safeModel: SegmentText { .blank }

  public var lines: [LineConfiguration] { names.map { LineConfiguration($0, .output(.active, .openDrain, .pullUp)) } }

  /// Both lines are high between two texts.
  public var outputs: LineValues { .first(2) }

  public mutating func render(_ model: SegmentText, at moment: Moment) {
    wanted = Self.frame(of: model, digitCount: digitCount)
  }

  public var isAtRest: Bool { shown == wanted || fault != nil }

  // MARK: - Steps

  public mutating func addSteps(to steps: inout LineSteps) {
    guard writing == nil, fault == nil, shown != wanted else { return }
    writing = wanted
    isAcknowledged = true
    var digits = wanted.digits
    if wanted.showsColon { digits[digitCount / 2 - 1] |= SegmentFrame.point }
    let brightness = UInt8((min(1, max(0, wanted.brightness)) * 7).rounded())
    // Steps that failed may have left the chip in the middle of a byte: a stop ends it.
    steps.write([], mask: [], hold: Self.half)
    addStop(to: &steps)
    // The memory is written before the display is on: after a power-up it is random.
    add([Self.writeMemory], to: &steps)
    add([Self.firstAddress] + digits, to: &steps)
    add([wanted.isDark ? Self.displayOff : Self.displayOn | brightness], to: &steps)
  }

  /// One command: a start, the bytes with the lowest bit first, and a stop. The chip reads a change of DIO while CLK is
  /// high as a start or a stop, so DIO changes only after CLK is low.
  private func add(_ bytes: [UInt8], to steps: inout LineSteps) {
    let (high, clock, data) = (LineValues.first(2), Self.clockLine, Self.dataLine)
    steps.write(high, hold: Self.half)
    steps.write(clock, hold: Self.half)
    for byte in bytes {
      for bit in 0..<8 {
        steps.write([], mask: clock)
        steps.write(byte >> UInt8(bit) & 1 == 1 ? data : [], mask: data, hold: Self.half)
        steps.write(clock, mask: clock, hold: Self.half)
      }
      // The chip pulls DIO low from here to the next falling edge.
      steps.write([], mask: clock)
      steps.write(data, mask: data, hold: Self.half)
      steps.write(clock, mask: clock, hold: Self.half)
      steps.read()
    }
    addStop(to: &steps)
  }

  private func addStop(to steps: inout LineSteps) {
    steps.write([], mask: Self.clockLine)
    steps.write([], mask: Self.dataLine, hold: Self.half)
    steps.write(Self.clockLine, mask: Self.clockLine, hold: Self.half)
    steps.write(Self.dataLine, mask: Self.dataLine, hold: Self.half)
  }

  public mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
    if values[1].isActive { isAcknowledged = false }
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    defer { writing = nil }
    guard isAcknowledged else {
      shown = nil
      alarm = clock + pause
      pause = min(pause * 2, Self.longestPause)
      fault = DriverError(
        .failed, of: names.map(\.description).joined(separator: ", "),
        cannot: "write to the TM1637 on \(names[0]) and \(names[1])", reason: "it gives no acknowledgement",
        remedy: "Check its supply, and that CLK is at \(names[0]) and DIO at \(names[1]).")
      return
    }
    fault = nil
    pause = .seconds(1)
    shown = writing
    alarm = check.map { clock.next(multipleOf: $0) }
  }

  public mutating func abandonSteps() {
    (writing, shown) = (nil, nil)
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    (alarm, shown, fault) = (nil, nil, nil)
  }

  public mutating func loseLines() {
    (writing, shown, fault, alarm) = (nil, nil, nil, nil)
    pause = .seconds(1)
  }
}
