import CycleCore
import HardwareDrivers

/// A PCM of ALSA, by its name: `default`, `plughw:CARD=Headphones`, `hdmi:CARD=vc4hdmi0`.
///
/// Cards are named by their id, never by their number: numbers change with what is plugged in.
public final class ALSACard: SoundCard {
  private let device: String

  /// Opens nothing yet.
  public init(device: String = "default") {
    self.device = device
  }

  public var needsThread: Bool { true }

  public func makeSink() -> any PCMSink { ALSASink(device: device) }

  /// `/dev/snd` has a node for each card: one that comes is seen there. The folder itself is there as long as the sound
  /// system is loaded; where it isn't, the device is tried from time to time.
  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    try? FolderWatch("/dev/snd", for: "a sound card", watcher)
  }
}
