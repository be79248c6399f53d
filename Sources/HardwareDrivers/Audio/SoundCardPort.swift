/// A sound card: `ALSACard`, `WAVFileCard`, or `SimulatedCard`.
public struct SoundCardPort: Port {
  public typealias Hardware = any SoundCard
  public static let name = "audio"
  public static let help =
    "Use the sound card of this machine, a simulated one, or a WAV file. An existing file is replaced."
  public static let fileSuffix: String? = ".wav"
  public static let deviceNodes: DeviceNodes? = DeviceNodes("snd/", driver: "char-alsa", group: "audio")

  /// The PCM to open when the port is real, by its ALSA name: `default`, `plughw:CARD=Headphones`.
  public var device: String

  public init(device: String = "default") {
    self.device = device
  }
}
