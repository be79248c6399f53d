import HardwareDrivers
import HardwareLinux
import HardwareSimulation

extension Platform {
  /// The chip that the application's lines are on, found automatically: ``HardwareDrivers/GPIOChipPort`` with its
  /// default choice.
  public var chip: any GPIOChip { hardware(at: GPIOChipPort()) }
  /// The simulated chip of ``chip``, to press its contacts and read its lines; nil if the chip is not simulated.
  public var simulatedChip: SimulatedChip? { simulated(at: GPIOChipPort()) }

  /// The card that the application plays on: ``HardwareDrivers/SoundCardPort`` with ALSA's default.
  public var card: any SoundCard { hardware(at: SoundCardPort()) }
  /// The simulated card of ``card``, to read the played samples and to unplug it; nil if the card is not simulated.
  public var simulatedCard: SimulatedCard? { simulated(at: SoundCardPort()) }

  /// The main volume of the default card: ``HardwareDrivers/MixerControlPort``.
  public var mixer: any MixerControl { hardware(at: MixerControlPort()) }

  /// The bus on a Raspberry Pi's header: ``HardwareDrivers/I2CBusPort``.
  public var i2c: any I2CBus { hardware(at: I2CBusPort()) }

  /// The source of the number at a place of this machine, or a simulated one: ``HardwareDrivers/NumberSourcePort``.
  public func number(at place: some NumberLocation) -> any NumberSource { hardware(at: NumberSourcePort(place)) }

  /// The simulated source at a place, for a test to set; nil if sensors are not simulated.
  public func simulatedNumber(at place: some NumberLocation) -> SimulatedNumberSource? {
    simulated(at: NumberSourcePort(place))
  }
}
