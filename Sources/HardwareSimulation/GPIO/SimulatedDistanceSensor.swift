import CycleCore
import HardwareDrivers

/// An ultrasonic distance sensor like the HC-SR04 at lines of a simulated chip. After a trigger pulse of at least 10 µs
/// its echo line is high for the time that sound takes to the nearest object and back.
///
///     let sensor = SimulatedDistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24")
///     sensor.distanceMillimetres = 1_500
///
/// **Source.** ElecFreaks, Ultrasonic Ranging Module HC-SR04, data sheet.
public final class SimulatedDistanceSensor {
  /// A trigger that the program gave.
  public struct Trigger: Equatable, Sendable {
    public var start: Moment
    public var width: Duration
  }

  /// The shortest trigger to which the sensor responds.
  public static let shortestTrigger = Duration.microseconds(10)
  /// The shortest time from the end of a trigger to the start of the next.
  public static let shortestCycle = Duration.milliseconds(60)
  /// The time from the end of the trigger to the rise of the echo line.
  public static let answerTime = Duration.microseconds(450)

  /// The distance of the nearest object; nil if nothing is in range.
  public var distanceMillimetres: Double? = 1_000
  /// The largest error of a measurement: each gets a random one between minus and plus this.
  public var noiseMillimetres = 0.0
  /// The length of the echo if nothing is in range: 38 ms; with some sensors 200 ms.
  public var emptyEcho = Duration.milliseconds(38)
  /// Whether the sensor ignores triggers: it has no power, or a wire is broken.
  public var isSilent = false
  /// Whether the echo line, once it is high, stays high until this is set to false.
  public var isStuck = false {
    didSet { if !isStuck, isOverdue { fall() } }
  }
  public var soundMetresPerSecond = 343.2
  /// The triggers, the newest last: at least the newest 4 096.
  public var triggers: [Trigger] { triggerLog.entries }
  private var triggerLog = RecentEntries<Trigger>()
  /// One sentence for each violation of the data sheet; only the first 100.
  public private(set) var faults: [String] = []

  private let chip: SimulatedChip
  private let echo: SimulatedLine
  private var start: Moment?
  /// Whether a measurement is under way: from the end of a trigger to the end of its echo.
  private var isBusy = false
  /// Whether the echo should have ended but is held high.
  private var isOverdue = false

  public init(_ chip: SimulatedChip, trigger: LineName, echo: LineName) {
    self.chip = chip
    self.echo = chip.line(echo)
    self.echo.drive(.low)
    chip.line(trigger).onChange(for: self) { [weak self] level, moment in
      if level == .high { self?.begin(at: moment) } else { self?.end(at: moment) }
    }
  }

  private func begin(at moment: Moment) {
    if let last = triggers.last, moment - (last.start + last.width) < Self.shortestCycle {
      complain("a trigger \(moment - last.start - last.width) after the last one, and \(Self.shortestCycle) are needed")
    }
    start = moment
  }

  private func end(at moment: Moment) {
    guard let start else { return }
    self.start = nil
    // Unplugging the chip makes the trigger line fall, too, but this is not a trigger of the program.
    guard chip.isPlugged else { return }
    let width = moment - start
    triggerLog.append(Trigger(start: start, width: width))
    guard width >= Self.shortestTrigger else {
      return complain("a trigger of \(width), and \(Self.shortestTrigger) are needed")
    }
    guard !isSilent, !isBusy else { return }
    isBusy = true
    chip.bench.plan(at: moment + Self.answerTime) { [weak self] in self?.rise() }
  }

  private func rise() {
    echo.drive(.high)
    var span = emptyEcho
    if var distance = distanceMillimetres {
      if noiseMillimetres > 0 {
        distance += .random(in: -noiseMillimetres...noiseMillimetres, using: &chip.bench.random)
      }
      span = .nanoseconds(Int64((max(0, distance) * 2 / soundMetresPerSecond * 1e6).rounded()))
    }
    chip.bench.plan(at: chip.bench.now + span) { [weak self] in self?.fall() }
  }

  private func fall() {
    isOverdue = isStuck
    guard !isStuck else { return }
    echo.drive(.low)
    isBusy = false
  }

  private func complain(_ sentence: String) {
    if faults.count < 100 { faults.append(sentence) }
  }
}
