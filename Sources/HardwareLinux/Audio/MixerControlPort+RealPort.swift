import HardwareDrivers

extension MixerControlPort: RealPort {
  public func makeReal() -> any MixerControl { ALSAMixer(card: card, element: element) }
}
