import CycleCore
import HardwareDrivers

/// A PWM channel in memory. The program uses it like any ``HardwareDrivers/PWMChannel``; the world's side unplugs it,
/// takes it away, makes writes fail and reads the waves.
///
///     let pwm = SimulatedPWM(bench, PWMPort(line: "GPIO18"))
///     pwm.share                                 // the part of the time for which the line is high now
///     pwm.isHigh(at: moment)                    // the level of the line
///
/// The channel keeps its wave when a program ends without ``HardwareDrivers/PWMConnection/close()``, as that of the
/// kernel does.
public final class SimulatedPWM: PWMChannel, SimulatedHardware, SimulatedOutput {
  /// A wave, from a moment on.
  public struct Change: Equatable, Sendable, CustomStringConvertible {
    public let moment: Moment
    /// The wave; nil while the channel is not driven.
    public let wave: PWMWave?

    /// `2.5s 1000000/20000000`: the time since the bench's start, and the nanoseconds of high and of the period.
    public var description: String {
      let text = wave.map { "\($0.high.wholeNanoseconds)/\($0.period.wholeNanoseconds)" } ?? "off"
      return "\(moment) \(text)"
    }
  }

  public let bench: Bench
  /// The name of the channel in messages.
  public let name: String
  /// The wave that the hardware shows; nil while it is not driven.
  public private(set) var wave: PWMWave?
  /// The shortest span that the hardware can make: each wave is rounded down to a multiple of it. Default: 1 ns.
  public var quantum = Duration.nanoseconds(1)
  /// The longest period that the hardware can make.
  public var longestPeriod = Duration.seconds(4)
  public private(set) var isPlugged: Bool
  /// Whether this user may use the channel.
  public var isPermitted = true
  /// Whether another program or a driver of the kernel has the channel.
  public var isBusy = false
  /// The next write fails with this error, once, and changes nothing.
  public var nextError: DriverError? {
    didSet { if nextError == nil { writesBeforeError = 0 } }
  }
  /// The number of writes that succeed before the one that fails with ``nextError``.
  public var writesBeforeError = 0
  /// Every write fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// Whether a write that fails with one of these errors takes effect nevertheless.
  public var failedWritesTakeEffect = false
  /// The next opening fails with this error, once.
  public var nextOpenError: DriverError?

  /// The number of writes, including failed ones and openings.
  public private(set) var writeCount = 0
  /// Whether a program has taken the channel.
  public private(set) var isOpen = false
  /// The waves that were shown, the newest last.
  public var changes: [Change] { log.entries }
  /// The number of the oldest changes that were dropped from ``changes``. At least the newest 4 096 are kept.
  public var forgottenChanges: Int { log.forgottenCount }

  private let fault: PWMErrorFactory
  private var log = RecentEntries<Change>()
  private(set) var listeners = Listeners<() -> Void>()
  /// The moment at which the first period of the wave began.
  private var began = Moment.zero
  /// The number of times that the channel was unplugged: connections from before are lost.
  private(set) var unplugCount = 0
  /// The other channels of a chip with one period.
  private var siblings: [WeakPWM] = []
  private let returns = ReturnWatchers()
  private var waker: DriverWaker?

  /// - Parameters:
  ///   - bench: the bench.
  ///   - port: the name of the channel in messages.
  ///   - isPlugged: whether it is there initially.
  public convenience init(_ bench: Bench, _ port: PWMPort, isPlugged: Bool = true) {
    self.init(bench, PWMErrorFactory(port), isPlugged)
  }

  /// Makes a lamp of the kernel, whose brightness is the share of its wave.
  ///
  /// - Parameters:
  ///   - bench: the bench.
  ///   - port: the name of the lamp.
  ///   - isPlugged: whether it is there initially.
  public convenience init(_ bench: Bench, _ port: KernelLightPort, isPlugged: Bool = true) {
    self.init(bench, PWMErrorFactory(port), isPlugged)
  }

  private init(_ bench: Bench, _ fault: PWMErrorFactory, _ isPlugged: Bool) {
    self.bench = bench
    self.isPlugged = isPlugged
    self.fault = fault
    name = fault.subject
  }

  // MARK: - The world's side

  /// The part of the time for which the line is high now, 0 to 1.
  public var share: Double { wave?.share ?? 0 }

  /// Whether the line is high at a moment that is not before the last change.
  public func isHigh(at moment: Moment) -> Bool {
    guard let wave else { return false }
    let elapsed = max(0, moment.nanoseconds - began.nanoseconds)
    return elapsed % wave.period.wholeNanoseconds < wave.high.wholeNanoseconds
  }

  /// Makes the channels those of one chip with one period, such as a PCA9685: a wave is refused if another channel has
  /// a wave with another period.
  public static func sharePeriod(_ channels: [SimulatedPWM]) {
    for channel in channels { channel.siblings = channels.filter { $0 !== channel }.map { WeakPWM(channel: $0) } }
  }

  /// Calls `listener` at each change of the wave.
  ///
  /// - Parameters:
  ///   - owner: the object that the listener is called for, and that it must not retain. The listener ends with it. Nil
  ///     for one that lives as long as the channel.
  ///   - listener: called after the change.
  public func onChange(for owner: AnyObject? = nil, _ listener: @escaping () -> Void) {
    listeners.add(listener, for: owner)
  }

  /// Removes the chip of the channel. The line is not driven any more.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    unplugCount += 1
    isOpen = false
    set(nil)
    waker?.wake()
    waker = nil
  }

  public func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    returns.wake()
  }

  // MARK: - The program's side

  public var isPresent: Bool { isPlugged }

  public func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection {
    if let error = nextOpenError {
      nextOpenError = nil
      throw error
    }
    guard isPlugged else { throw fault.absent() }
    guard !isBusy, !isOpen else { throw fault.busy() }
    guard isPermitted else { throw fault.notPermitted() }
    try write(wave)
    isOpen = true
    return SimulatedPWMConnection(self, fault)
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { returns.add(watcher) }

  func write(_ wave: PWMWave) throws(DriverError) {
    writeCount += 1
    var failure: DriverError?
    if nextError != nil, writesBeforeError > 0 {
      writesBeforeError -= 1
    } else if let error = nextError ?? lastingError {
      nextError = nil
      guard failedWritesTakeEffect else { throw error }
      failure = error
    }
    let made = PWMWave(period: rounded(wave.period), high: rounded(wave.high))
    guard wave.period <= longestPeriod, wave.period >= quantum else { throw fault.unsupported(wave) }
    guard siblings.allSatisfy({ ($0.channel?.wave?.period ?? made.period) == made.period }) else {
      throw fault.otherPeriod(wave)
    }
    set(made)
    if let failure { throw failure }
  }

  func watch(_ watcher: Watcher) { waker = watcher.makeWaker() }

  func close() {
    leave()
    set(nil)
  }

  func leave() {
    isOpen = false
    waker = nil
  }

  private func rounded(_ span: Duration) -> Duration {
    let unit = max(1, quantum.wholeNanoseconds)
    return .nanoseconds(span.wholeNanoseconds / unit * unit)
  }

  private func set(_ wave: PWMWave?) {
    guard self.wave != wave else { return }
    if self.wave?.period != wave?.period { began = bench.now }
    self.wave = wave
    log.append(Change(moment: bench.now, wave: wave))
    for listener in listeners.all { listener() }
  }
}

private struct WeakPWM {
  weak var channel: SimulatedPWM?
}

/// A simulated channel that a program has taken.
private final class SimulatedPWMConnection: PWMConnection {
  private let pwm: SimulatedPWM
  private let fault: PWMErrorFactory
  private let unplugCount: Int
  private var isClosed = false

  init(_ pwm: SimulatedPWM, _ fault: PWMErrorFactory) {
    self.pwm = pwm
    self.fault = fault
    unplugCount = pwm.unplugCount
  }

  func show(_ wave: PWMWave) throws(DriverError) {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    try check()
    try pwm.write(wave)
  }

  func watch(_ watcher: Watcher) { pwm.watch(watcher) }

  func check() throws(DriverError) {
    guard pwm.unplugCount == unplugCount else { throw fault.lost() }
  }

  func close() {
    if !isClosed, pwm.unplugCount == unplugCount { pwm.close() }
    isClosed = true
  }

  func leave() {
    if !isClosed, pwm.unplugCount == unplugCount { pwm.leave() }
    isClosed = true
  }
}
