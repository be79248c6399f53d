import CycleCore
import HardwareDrivers

/// One element of a sound card's mixer in memory; ``turn(to:)`` changes it like another program.
public final class SimulatedMixer: MixerControl, SimulatedHardware {
  public private(set) var level: MixerLevel
  /// The number of steps between silence and the loudest volume.
  private let steps: Double
  public private(set) var isPlugged = true
  /// The number of writes, including failed ones.
  public private(set) var writes = 0
  /// Whether a program has opened it.
  public private(set) var isOpen = false
  private let hasSwitch: Bool
  private var waker: DriverWaker?
  /// The clock of the caller that opened the element.
  private var clock: WorkClock?

  /// - Parameters:
  ///   - steps: the number of steps, at least 1.
  ///   - hasSwitch: whether it can be muted.
  ///   - volume: the initial volume, 0 to 1.
  public init(volume: Double = 1, steps: Int = 1000, hasSwitch: Bool = true) {
    level = MixerLevel(volume: volume)
    self.steps = Double(max(1, steps))
    self.hasSwitch = hasSwitch
  }

  // MARK: The world's side

  /// The duration of each call: more than zero as with a sound server.
  public var callDuration = Duration.zero

  /// The next attempt to open it fails with this error, once.
  public var nextOpeningError: DriverError?
  /// The next write fails with this error, once, and changes nothing.
  public var nextWriteError: DriverError? {
    didSet { if nextWriteError == nil { writesBeforeError = 0 } }
  }
  /// The number of writes that succeed before the one that fails with ``nextWriteError``.
  public var writesBeforeError = 0
  /// Every write fails with this error, and changes nothing, until it is set to nil.
  public var lastingWriteError: DriverError?
  /// Whether a write that fails takes effect nevertheless.
  public var failedWritesTakeEffect = false

  /// Changes the level like another program, and wakes the driver.
  public func turn(to level: MixerLevel) {
    self.level = level
    waker?.wake()
  }

  public func unplug() {
    isPlugged = false
    waker?.wake()
  }

  public func plug() {
    isPlugged = true
    waker?.wake()
  }

  // MARK: The program's side

  public var needsThread: Bool { false }

  public func wake(with waker: DriverWaker) { self.waker = waker }

  public func open(on clock: WorkClock) throws(DriverError) {
    self.clock = clock
    try check(.absent)
    if let error = nextOpeningError {
      nextOpeningError = nil
      throw error
    }
    isOpen = true
  }

  public var descriptors: [PolledDescriptor] { [] }

  public func read() throws(DriverError) -> MixerLevel {
    try check(.lost)
    return level
  }

  public func write(_ level: MixerLevel) throws(DriverError) {
    writes += 1
    try check(.lost)
    var failure: DriverError?
    if nextWriteError != nil, writesBeforeError > 0 {
      writesBeforeError -= 1
    } else if let error = nextWriteError ?? lastingWriteError {
      nextWriteError = nil
      guard failedWritesTakeEffect else { throw error }
      failure = error
    }
    self.level = MixerLevel(
      volume: (min(1, max(0, level.volume)) * steps).rounded() / steps, isMuted: level.isMuted && hasSwitch)
    if let failure { throw failure }
    if level.isMuted, !hasSwitch {
      throw DriverError(
        .unsupported, of: "simulated", cannot: "mute the sound card \"simulated\"", reason: "its volume has no switch",
        remedy: "Set the volume to 0, or mute AudioPlayer.")
    }
  }

  private func check(_ kind: DriverError.Kind) throws(DriverError) {
    clock?.sleep(for: callDuration)
    guard isPlugged else {
      throw DriverError(
        kind, of: "simulated", cannot: "use the mixer of the sound card \"simulated\"", reason: "there is no such card",
        remedy: "Plug it in, or name another card.")
    }
  }

  /// Returns nil: ``plug()`` wakes the driver with the waker from ``wake(with:)``.
  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }

  public func close() { isOpen = false }
}
