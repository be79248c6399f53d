import CycleCore

/// How loud one element of a card's mixer is.
public struct MixerLevel: Equatable, Sendable {
  /// 0 to 1, as it is heard: half of it sounds half as loud.
  public var volume: Double
  public var isMuted: Bool

  public init(volume: Double, isMuted: Bool = false) {
    self.volume = volume
    self.isMuted = isMuted
  }
}

/// The seam below ``Mixer``: one element of a card's mixer.
///
/// `ALSAMixer` is a real one through libasound, `SimulatedMixer` one in memory. Opening, reading and writing may take long: a worker
/// does that, one call at a time. Whoever writes his own: an error of the kind `absent` or `lost` says that the card is gone.
public protocol MixerControl: AnyObject {
  /// Whether its calls wait for real hardware and so want a thread of their own; others are made on the cycle's thread.
  var needsThread: Bool { get }

  /// Where there is no thread: wake the driver with this whenever somebody has turned the element, or the card is back. Called once, on
  /// the cycle's thread, before anything else. A control with a thread has ``descriptors`` for that.
  func wake(with waker: Waker)

  /// Takes the element.
  /// - Parameter clock: a control without hardware behind it sleeps on it for as long as its calls take.
  func open(on clock: WorkClock) throws(DriverError)

  /// Descriptors to poll until somebody has turned the element; empty while it is closed.
  var descriptors: [PolledDescriptor] { get }

  /// How it is now. Acknowledges what ``descriptors`` told.
  func read() throws(DriverError) -> MixerLevel

  /// Makes it so, as nearly as the hardware can.
  ///
  /// - Throws: kind `unsupported` for what the hardware hasn't got; the rest is done all the same.
  func write(_ level: MixerLevel) throws(DriverError)

  /// Has the watcher woken when a card that was lost may be back; nil if nobody tells. Called on the cycle's thread.
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)?

  /// Gives the element back as it is. Does nothing when it is closed.
  func close()
}
