import CycleCore
import Glibc
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

  /// Watches `/dev/snd`, where the node of a card appears when it is plugged in, and the sockets of PipeWire and
  /// PulseAudio in `$XDG_RUNTIME_DIR`, which appear when the sound server has started. If neither folder exists, this
  /// returns nil, and the device must be retried at intervals.
  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    return try? FolderWatch(Self.places(runtimeFolder: runtime), for: "a sound card", watcher)
  }

  /// 500 ms. The socket of a sound server appears before the server can link a stream to a card. A stream that is made in
  /// between may never be linked, and the call that prepares it hangs.
  public var settlingTime: Duration { .milliseconds(500) }

  /// The folders in which cards and sound servers appear.
  static func places(runtimeFolder: String?) -> [FolderWatch.Place] {
    let cards = [FolderWatch.Place(folder: "/dev/snd")]
    guard let runtimeFolder else { return cards }
    return cards + [
      .init(folder: runtimeFolder, names: ["pipewire-0", "pulse"]),
      .init(folder: "\(runtimeFolder)/pulse", names: ["native"]),
    ]
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
