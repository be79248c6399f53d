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
/// `ALSAMixer` is a real one through libasound, `SimulatedMixer` one in memory. Whoever writes his own: an error of the kind
/// `absent` or `lost` says that the card is gone.
public protocol MixerControl: AnyObject {
  /// Takes the element, and has the watcher woken whenever somebody changes it.
  func open(_ watcher: Watcher) throws(DriverError)

  /// How it is now. Forgets what the watcher was woken by.
  func read() throws(DriverError) -> MixerLevel

  /// Makes it so, as nearly as the hardware can.
  func write(_ level: MixerLevel) throws(DriverError)

  /// Has the watcher woken when a card that was lost may be back; nil if nobody tells.
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)?

  /// Gives the element back as it is. Does nothing when it is closed.
  func close()
}
