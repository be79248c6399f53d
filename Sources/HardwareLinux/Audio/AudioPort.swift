import HardwareDrivers
import HardwareSimulation

/// A sound card: ``ALSACard``, ``WAVFileCard``, or ``HardwareSimulation/SimulatedCard``.
public struct AudioPort: Port {
  public static let name = "audio"
  public static let help =
    "Where sound goes: to this machine's card, to a simulated one, or into a WAV file. A file that is there is replaced, also where a link leads."
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

/// One element of a sound card's mixer: ``ALSAMixer``, or ``HardwareSimulation/SimulatedMixer``.
public struct MixerPort: Port {
  public static let name = "mixer"
  public static let help = "Where the volume is set: on this machine's card, or on a simulated one."

  /// The real card's control device: `default`, `hw:CARD=Headphones`.
  public var card: String
  /// As `amixer scontrols` names it; nil for the card's main volume.
  public var element: String?

  public init(card: String = "default", element: String? = nil) {
    self.card = card
    self.element = element
  }

  public func makeReal() -> any MixerControl { ALSAMixer(card: card, element: element) }
  public func makeSimulated(on bench: Bench) -> SimulatedMixer { SimulatedMixer() }
  public static func hardware(_ simulated: SimulatedMixer) -> any MixerControl { simulated }
}

extension Platform {
  /// The card that the application plays on: ``AudioPort`` with ALSA's default.
  public var card: any SoundCard { hardware(at: AudioPort()) }
  /// The simulated card behind ``card``, to read what was played and to unplug it; nil if the card is not simulated.
  public var simulatedCard: SimulatedCard? { simulated(at: AudioPort()) }
  /// The main volume of the default card: ``MixerPort``.
  public var mixer: any MixerControl { hardware(at: MixerPort()) }
}
