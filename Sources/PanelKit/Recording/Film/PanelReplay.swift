import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelLanguage
import PanelRun

/// Plays a film of a panel without devices.
package struct PanelReplay {
  private let film: Film
  private let application: PanelApplication

  /// - Parameters:
  ///   - path: the path of the film.
  ///   - panelFile: the panel file for the replay; nil for the one in the film.
  ///   - kinds: the kinds of devices that the file can name.
  package init(path: String, panelFile: String?, kinds: KindList) throws {
    let panel = try FilmedPanel(path: path, panelFile: panelFile, kinds: kinds)
    (film, application) = (try panel.film(), try panel.application())
  }

  package func run(_ options: ReplayOptions) throws -> ReplayReport { try application.cycle.replay(film, options) }
}
