import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a driver on simulated PWM channels.
///
///     setup: { bench in PWMLawHarness([SimulatedPWM(bench, PWMPort(line: "GPIO18"))]) }
public final class PWMLawHarness: LawHarness {
  public let channels: [SimulatedPWM]
  public let settlingTime: Duration
  public let stampsEvents = false
  private let draw: (() -> String)?
  private var listeners: [() -> Void] = []

  /// - Parameters:
  ///   - channels: the driver's channels, at least one.
  ///   - picture: describes the hardware on the channels, instead of their waves.
  ///   - settlingTime: the time that the hardware takes to show a model.
  public init(_ channels: [SimulatedPWM], picture: (() -> String)? = nil, settlingTime: Duration = .zero) {
    self.channels = channels
    self.settlingTime = settlingTime
    draw = picture
  }

  public var bench: Bench { channels[0].bench }
  public var names: [String] { channels.map(\.name) }
  public var writeCount: Int { channels.reduce(0) { $0 + $1.writeCount } }
  public var heldCount: Int { channels.filter(\.isOpen).count }
  public var picture: String {
    draw?() ?? channels.map { "\(Int(($0.share * 1_000).rounded()))" }.joined(separator: " ")
  }

  public func failNextRequest() -> Bool {
    channels[0].nextOpenError = failure("open")
    return true
  }

  public func failWrite(after count: Int?) -> Bool { failWrite(after: count, takesEffect: false) }
  public func failWriteWithEffect(after count: Int?) -> Bool { failWrite(after: count, takesEffect: true) }

  private func failWrite(after count: Int?, takesEffect: Bool) -> Bool {
    guard channels.count == 1 || count == nil else { return false }
    for channel in channels {
      channel.failedWritesTakeEffect = takesEffect
      channel.nextError = count.map { _ in failure("set") }
      channel.writesBeforeError = count ?? 0
    }
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    for channel in channels {
      channel.failedWritesTakeEffect = false
      channel.lastingError = fail ? failure("set") : nil
    }
    return true
  }

  public func watchOutputs() -> () -> String? {
    let log = PictureLog(self)
    for channel in channels { channel.onChange { log.note() } }
    return { log.end() }
  }

  public func onAccess(_ listener: @escaping () -> Void) {
    for channel in channels { channel.onChange(listener) }
  }

  public func unplug() -> Bool {
    for channel in channels { channel.unplug() }
    return true
  }

  public func plug() { for channel in channels { channel.plug() } }

  public func stimulate() throws(DriverError) {}

  private func failure(_ operation: String) -> DriverError {
    DriverError(
      .failed, of: names.joined(separator: ", "), cannot: "\(operation) the PWM of \(names.joined(separator: ", "))",
      reason: "input/output error", remedy: "This failure was asked for.")
  }
}
