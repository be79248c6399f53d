import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelLanguage

extension PanelApplication {
  /// A panel whose drivers are never started, for the replay of recordings.
  ///
  /// - Parameters:
  ///   - chance: the seed of the random numbers.
  ///   - kept: the kept numbers by name; all others have their initial values.
  package static func undriven(
    _ panel: PanelDefinition, chance: UInt64 = 0, kept: [String: Int] = [:]
  ) throws -> PanelApplication {
    let platform = try Platform(.simulated)
    return PanelApplication(
      panel, on: platform,
      chips: PanelChips(of: panel, own: platform.hardware(at: GPIOChipPort(of: panel)), on: platform),
      card: platform.hardware(at: SoundCardPort(device: panel.audio.device)), sounds: PanelSound.silent(panel.sounds),
      chance: chance, kept: PanelKeptValues(of: panel, in: .simulated(kept)))
  }
}
