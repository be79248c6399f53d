import CycleCore

/// A mixer's element in memory, with somebody who turns it.
public final class SimulatedMixer: MixerControl {
  public private(set) var level: MixerLevel
  /// How many steps there are between silence and the loudest.
  private let steps: Double
  public private(set) var isPlugged = true
  /// How often it was written to.
  public private(set) var writes = 0
  private var waker: Waker?

  /// - Parameter steps: at least 1.
  public init(volume: Double = 1, steps: Int = 1000) {
    level = MixerLevel(volume: volume)
    self.steps = Double(max(1, steps))
  }

  // MARK: The world's side

  /// Somebody else turns it.
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

  public func open(_ watcher: Watcher) throws(DriverError) {
    try check(.absent)
    waker = watcher.makeWaker()
  }

  public func read() throws(DriverError) -> MixerLevel {
    try check(.lost)
    return level
  }

  public func write(_ level: MixerLevel) throws(DriverError) {
    try check(.lost)
    writes += 1
    self.level = MixerLevel(
      volume: (min(1, max(0, level.volume)) * steps).rounded() / steps, isMuted: level.isMuted)
  }

  private func check(_ kind: DriverError.Kind) throws(DriverError) {
    guard isPlugged else {
      throw DriverError(
        kind, cannot: "use the mixer of the sound card \"simulated\"", reason: "there is no such card",
        remedy: "Plug it in, or name another card.")
    }
  }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    waker = watcher.makeWaker()
    return Watch()
  }

  public func close() {}

  /// The waker is the same, open or lost.
  private final class Watch: ReturnWatch {
    func acknowledge() -> Bool { true }
    func release() {}
  }
}
