import CycleCore

/// The level of one element of a card's mixer.
public struct MixerLevel: Equatable, Sendable, Codable {
  /// Perceived volume, 0 to 1: half of it sounds half as loud.
  public var volume: Double
  public var isMuted: Bool

  public init(volume: Double, isMuted: Bool = false) {
    self.volume = volume
    self.isMuted = isMuted
  }
}

/// The interface between ``CardVolume`` and a backend: one element of a card's mixer.
///
/// `ALSAMixer` is a real one through libasound, `SimulatedMixer` one in memory. Opening, reading and writing may take
/// long: a worker makes these calls, one at a time. An implementation throws an error of kind `absent` or `lost` if the
/// card is gone.
public protocol MixerControl: AnyObject {
  /// Whether calls wait for real hardware and so need a separate thread. If not, they are made on the cycle's thread.
  var needsThread: Bool { get }

  /// Stores the waker of a control that needs no thread: it must wake the driver whenever the element was changed from
  /// outside, or the card is back. Called once, on the cycle's thread, before all other calls. A control with a thread
  /// uses ``descriptors`` instead.
  func wake(with waker: DriverWaker)

  /// Opens the element.
  /// - Parameter clock: a control without hardware sleeps on it for the time of its calls.
  func open(on clock: WorkClock) throws(DriverError)

  /// Descriptors to poll for changes by other programs; empty while it is closed.
  var descriptors: [PolledDescriptor] { get }

  /// Reads the current level, and acknowledges the change for which ``descriptors`` became ready.
  func read() throws(DriverError) -> MixerLevel

  /// Sets the level, as closely as the hardware can.
  ///
  /// - Throws: kind `unsupported` for a setting that the hardware doesn't have; the others are still written.
  func write(_ level: MixerLevel) throws(DriverError)

  /// Wakes the watcher when a card that was lost may be back; nil if nothing announces that. Called on the cycle's
  /// thread.
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)?

  /// Closes the element without changing it. Does nothing when it is closed.
  func close()
}
