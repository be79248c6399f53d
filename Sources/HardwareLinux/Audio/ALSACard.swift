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

  /// Watches `/dev/snd`, where the node of a card that is plugged in appears. The folder exists while the sound system
  /// is loaded; without it this returns nil, and the device has to be tried from time to time.
  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    try? FolderWatch("/dev/snd", for: "a sound card", watcher)
  }

  /// Opens the PCM, and closes it again without playing: what an application would meet. Calls `snd_pcm_open`.
  ///
  /// - Throws: as ``PCMSink/open(_:on:)``.
  package func tryOut() throws(DriverError) {
    let sink = ALSASink(device: device)
    _ = try sink.open(PCMPreferences(), on: WorkClock(at: .zero))
    sink.close()
  }
}
