import CycleCore

/// Plays a film of a panel without devices.
struct PanelReplay {
  private let film: Film
  private let application: PanelApplication

  /// - Parameters:
  ///   - path: the film.
  ///   - panelFile: the panel file to play it on; nil for the one in the film.
  ///   - kinds: the kinds of devices that the file can name.
  init(path: String, panelFile: String?, kinds: KindList) throws {
    let panel = try FilmedPanel(path: path, panelFile: panelFile, kinds: kinds)
    (film, application) = (try panel.film(), try panel.application())
  }

  func run(_ options: ReplayOptions) throws -> ReplayReport { try application.cycle.replay(film, options) }
}
