import CycleCore
import HardwareDrivers
import HardwareSimulation

/// The devices that an application runs on: real ones, simulated ones, or some of each.
public final class Devices {
  public let options: DeviceOptions
  /// Where the application runs: its clock is virtual if nothing is real, unless real time is asked for.
  public let bench: Bench
  public let chip: any GPIOChip
  public let card: any SoundCard
  /// The chip's other side; nil for a real one.
  public let simulatedChip: SimulatedChip?
  /// The card's other side; nil unless it is simulated.
  public let simulatedCard: SimulatedCard?

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - chip: which real chip.
  ///   - soundDevice: which real PCM, in ALSA's words.
  ///   - lines: the lines of the simulated chip; those of a Pi's header if nil.
  ///   - isLive: whether simulated devices run in real time too, as for somebody who watches.
  ///   - seed: where the chance of simulated devices begins.
  public init(
    _ options: DeviceOptions, chip: LinuxGPIO.ChipChoice = .auto, soundDevice: String = "default",
    lines: [LineName]? = nil,
    isLive: Bool, seed: UInt64 = 0
  ) throws(DriverError) {
    self.options = options
    let loop: any EventLoop
    if isLive || !options.isSimulated { loop = try LinuxLoop() } else { loop = VirtualLoop() }
    bench = Bench(seed: seed, loop: loop)
    switch options.gpio {
    case .real:
      simulatedChip = nil
      self.chip = LinuxGPIO(chip)
    case .simulated:
      let simulated = SimulatedChip(bench, names: lines)
      simulatedChip = simulated
      self.chip = simulated
    }
    switch options.audio {
    case .real:
      simulatedCard = nil
      card = ALSACard(device: soundDevice)
    case .simulated:
      let simulated = SimulatedCard()
      simulatedCard = simulated
      card = simulated
    case .file(let path):
      simulatedCard = nil
      card = WAVFileCard(path: path)
    }
  }
}
