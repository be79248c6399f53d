import CycleCore

/// A line of a GPIO chip as a channel that is only ever high or low: the direction of a motor beside its PWM.
///
/// A wave that is high for a part of its period is refused with the kind `unsupported`.
public final class SwitchedLine: PWMChannel {
  private let chip: any GPIOChip
  private let line: LineName
  private let isActiveLow: Bool

  /// - Parameters:
  ///   - chip: the chip that the line is on.
  ///   - line: the line's name.
  ///   - isActiveLow: whether the line is low while the wave is high.
  public init(_ chip: any GPIOChip, line: LineName, isActiveLow: Bool = false) {
    (self.chip, self.line, self.isActiveLow) = (chip, line, isActiveLow)
  }

  public var isPresent: Bool { true }

  public func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection {
    let isOn = try SwitchedLineConnection.value(of: wave, on: line)
    let configuration = LineConfiguration(line, .output(isOn, .pushPull), isActiveLow: isActiveLow)
    return SwitchedLineConnection(try chip.request([configuration]), line)
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try chip.watchForReturn(watcher)
  }
}

private final class SwitchedLineConnection: PWMConnection {
  private let request: any LineRequest
  private let line: LineName
  private var isReleased = false

  init(_ request: any LineRequest, _ line: LineName) { (self.request, self.line) = (request, line) }

  static func value(of wave: PWMWave, on line: LineName) throws(DriverError) -> LineValue {
    guard wave.high == .zero || wave.high == wave.period else {
      throw DriverError(
        .unsupported, of: line.description, cannot: "set a level of \(line)", reason: "the line is only on or off",
        remedy: "Use the PWM channel of the line.")
    }
    return LineValue(wave.high > .zero)
  }

  func show(_ wave: PWMWave) throws(DriverError) {
    let value = try Self.value(of: wave, on: line)
    try request.write(value == .active ? .first(1) : [], mask: .first(1))
  }

  func watch(_ watcher: Watcher) throws(DriverError) { try request.watch(watcher) }

  func check() throws(DriverError) {
    // An output has no edges, but a wake of the chip is cleared by reading them.
    let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 1)
    defer { edges.deallocate() }
    _ = try request.readEdges(into: edges)
    _ = try request.readValues()
  }

  func close() {
    if !isReleased { try? request.write([], mask: .first(1)) }
    leave()
  }

  func leave() {
    request.release()
    isReleased = true
  }
}
