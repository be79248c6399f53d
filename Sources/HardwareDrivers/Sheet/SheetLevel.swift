import CycleCore

/// An output of a chip with a ``Sheet``, such as a digital-to-analog converter: a level of 0 to 1 that is steady, fades,
/// or follows keys.
///
///     let chip = SheetChip(.named("mcp4725")!, I2CDevice(bus, at: 0x60))
///     Lens(SheetLevel(chip, output: "out"), show: { .level($0.heat) })
///
/// **Timing.** A thread makes the writes. A new level is written immediately. While the level changes, it is written
/// when the chip's number changes, at most 50 times a second. An output at rest wakes its thread each
/// 10 minutes.
///
/// **Loss.** The chip is tried again after 1 s, 2 s … 60 s, and then has the level of that moment. The level is written
/// again each 10 minutes, because a chip whose power was cut has another one.
public struct SheetLevel: OutputWorkerDriver {
  public var worker: OutputWorker<Begun<Light<Brightness>>>

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - chip: the chip. Several outputs can have the same.
  ///   - output: the name of an output of its sheet; one that the sheet lacks is a programmer's mistake.
  ///   - settings: the settings that the sheet has; the others have their defaults.
  ///   - check: the level is written again at each multiple of this time on the loop's clock; nil for never.
  ///   - since: the moment at which the output began to show the first model, in an application that replaces another.
  public init(
    _ chip: SheetChip, output: String, settings: SheetSettings = SheetSettings(),
    check: Duration? = OutputProgress.checkInterval,
    since: Moment? = nil
  ) {
    guard let found = chip.sheet.outputs.first(where: { $0.name == output }) else {
      preconditionFailure("\(chip.sheet.name) has no output \(output)")
    }
    worker = OutputWorker(for: "the \(chip.name)", onThread: chip.needsThread, watch: chip.watchForReturn) {
      SheetLevelWork(chip, found, settings, check: check, since: since)
    }
  }

  public var safeModel: Light<Brightness> { .off }

  public func workModel(of model: Light<Brightness>, at moment: Moment) -> Begun<Light<Brightness>> {
    Begun(model, at: moment)
  }
}

/// Writes the numbers of an output, one per step.
private struct SheetLevelWork: OutputWork {
  private let chip: SheetChip
  private let output: Sheet.Output
  private let settings: SheetSettings
  private var course: LightCourse<Brightness>
  /// The number that was written last; nil if unknown.
  private var written: Int?
  private let check: Duration?
  /// The moment at which the number is written again.
  private var due = Moment.distantFuture

  init(_ chip: SheetChip, _ output: Sheet.Output, _ settings: SheetSettings, check: Duration?, since: Moment?) {
    (self.chip, self.output, self.settings, self.check) = (chip, output, settings, check)
    course = LightCourse(since: since)
  }

  private func number(of look: Brightness) -> Int { output.number(of: look.share) }

  mutating func show(_ model: Begun<Light<Brightness>>) {
    let output = output
    course.begin(model.model, at: model.start) { output.number(of: $0.share) == output.number(of: $1.share) }
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    let output = output
    course.follow(clock.now) { output.number(of: $0.share) == output.number(of: $1.share) }
    let number = number(of: course.look)
    if number != written || clock.now >= due {
      try chip.set(output, to: number, settings, on: clock)
      written = number
      due = check.map { clock.now.next(multipleOf: $0) } ?? .distantFuture
    }
    let next = min(course.alarm ?? .distantFuture, due)
    return .shown(check: next == .distantFuture ? nil : next)
  }

  mutating func forget() { written = nil }

  mutating func close() { chip.close() }
}

extension Sheet {
  /// The bytes that set an output to a number; nil if a formula divides by zero.
  package func bytes(of output: Output, number: Int, _ settings: SheetSettings) -> [UInt8]? {
    var values = values(settings)
    values[output.slot] = Int128(number)
    return try? output.write.map { UInt8(truncatingIfNeeded: try $0.value(values)) }
  }
}
