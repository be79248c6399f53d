import CycleCore
import HardwareDrivers

/// A PCM of ALSA, by its name: `default`, `plughw:CARD=Headphones`, `hdmi:CARD=vc4hdmi0`.
///
/// Name cards by their id, never by their number: numbers depend on the other connected cards.
public final class ALSACard: SoundCard {
  private let device: String

  /// Doesn't open the device.
  public init(device: String = "default") {
    self.device = device
  }

  public var needsThread: Bool { true }

  public func makeSink() -> any PCMSink { ALSASink(device: device) }

  /// Watches `/dev/snd`, where the node of a card appears when it is plugged in. The folder exists while the sound
  /// system is loaded. Without it this returns nil, and the device must be retried at intervals.
  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    try? FolderWatch("/dev/snd", for: "a sound card", watcher)
  }

  /// Opens the PCM, and closes it again without playing, to detect the errors that an application would get. Calls
  /// `snd_pcm_open`.
  ///
  /// - Throws: as ``PCMSink/open(_:on:)``.
  package func tryOut() throws(DriverError) {
    let sink = ALSASink(device: device)
    _ = try sink.open(PCMPreferences(), on: WorkClock(at: .zero))
    sink.close()
  }
}
