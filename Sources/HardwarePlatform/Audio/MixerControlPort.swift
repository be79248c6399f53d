import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// One element of a sound card's mixer: ``HardwareLinux/ALSAMixer``, or ``HardwareSimulation/SimulatedMixer``.
public struct MixerControlPort: Port {
  public static let name = "mixer"
  public static let help = "Use the volume control of this machine, or a simulated one."

  /// The real card's control device: `default`, `hw:CARD=Headphones`.
  public var card: String
  /// The name of the element, as in `amixer scontrols`; nil for the card's main volume.
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
  /// The main volume of the default card: ``MixerControlPort``.
  public var mixer: any MixerControl { hardware(at: MixerControlPort()) }
}
