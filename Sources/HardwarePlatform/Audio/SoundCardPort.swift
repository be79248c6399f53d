import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A sound card: ``HardwareLinux/ALSACard``, ``HardwareLinux/WAVFileCard``, or ``HardwareSimulation/SimulatedCard``.
public struct SoundCardPort: Port {
  public static let name = "audio"
  public static let help =
    "Use the sound card of this machine, a simulated one, or a WAV file. An existing file is replaced."
  public static let fileSuffix: String? = ".wav"

  /// The PCM to open when the port is real, by its ALSA name: `default`, `plughw:CARD=Headphones`.
  public var device: String

  public init(device: String = "default") {
    self.device = device
  }

  public func makeReal() -> any SoundCard { ALSACard(device: device) }
  public func makeSimulated(on bench: Bench) -> SimulatedCard { SimulatedCard() }
  public func makeFile(at path: String) -> any SoundCard { WAVFileCard(path: path) }
  public static func hardware(_ simulated: SimulatedCard) -> any SoundCard { simulated }
}

extension Platform {
  /// The card that the application plays on: ``SoundCardPort`` with ALSA's default.
  public var card: any SoundCard { hardware(at: SoundCardPort()) }
  /// The simulated card of ``card``, to read the played samples and to unplug it; nil if the card is not simulated.
  public var simulatedCard: SimulatedCard? { simulated(at: SoundCardPort()) }
}
