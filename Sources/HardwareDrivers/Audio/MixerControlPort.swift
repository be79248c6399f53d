/// One element of a sound card's mixer: `ALSAMixer`, or `SimulatedMixer`.
public struct MixerControlPort: Port {
  public typealias Hardware = any MixerControl
  public static let name = "mixer"
  public static let help = "Use the volume control of this machine, or a simulated one."
  public static let deviceNodes: DeviceNodes? = DeviceNodes("snd/", driver: "char-alsa", group: "audio")

  /// The real card's control device: `default`, `hw:CARD=Headphones`.
  public var card: String
  /// The name of the element, as in `amixer scontrols`; nil for the card's main volume.
  public var element: String?

  public init(card: String = "default", element: String? = nil) {
    self.card = card
    self.element = element
  }
}
