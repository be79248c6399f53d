import CycleCore
import HardwareDrivers
import HardwarePlatform

/// Plays a film of a panel without devices.
struct PanelReplay {
  private let film: Film
  private let application: PanelApplication

  /// - Parameters:
  ///   - path: the path of the film.
  ///   - panelFile: the panel file for the replay; nil for the one in the film.
  ///   - kinds: the kinds of devices that the file can name.
  init(path: String, panelFile: String?, kinds: KindList) throws {
    let panel = try FilmedPanel(path: path, panelFile: panelFile, kinds: kinds)
    (film, application) = (try panel.film(), try panel.application())
  }

  func run(_ options: ReplayOptions) throws -> ReplayReport { try application.cycle.replay(film, options) }
}

extension PanelApplication {
  /// A panel whose drivers are never started, for the replay of films.
  ///
  /// - Parameters:
  ///   - chance: the seed of the random numbers.
  ///   - kept: the kept numbers by name; all others have their initial values.
  static func undriven(
    _ panel: PanelDefinition, chance: UInt64 = 0, kept: [String: Int] = [:]
  ) throws -> PanelApplication {
    let platform = try Platform(.simulated)
    return PanelApplication(
      panel, on: platform,
      chips: PanelChips(of: panel, own: platform.hardware(at: PanelSession.port(of: panel)), on: platform),
      card: platform.hardware(at: SoundCardPort(device: panel.audio.device)), sounds: PanelSound.silent(panel.sounds),
      chance: chance, kept: PanelKept(of: panel, in: .simulated(kept)))
  }
}
