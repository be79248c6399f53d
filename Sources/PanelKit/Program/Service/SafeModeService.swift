import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelRun
import Terminal

/// A panel that has crashed repeatedly. Its outputs are safe, its statechart does not start, and it reports this to
/// clients.
final class SafeModeService: ControlService {
  private let panel: PanelDefinition
  /// The name of the service.
  private let name: String
  private let crashes: Int
  private let beginning: Moment
  private let now: () -> Moment
  private let reloader: PanelReloader

  /// - Parameters:
  ///   - panel: the panel with safe outputs.
  ///   - name: the name of its service.
  ///   - crashes: the number of earlier starts that have not ended.
  ///   - reloader: reads the file that ends safe mode.
  ///   - now: returns the time of the loop's clock.
  init(
    _ panel: PanelDefinition, name: String, crashes: Int, reloader: PanelReloader, now: @escaping () -> Moment
  ) {
    (self.panel, self.name, self.crashes, self.now) = (panel, name, crashes, now)
    self.reloader = reloader
    beginning = now()
  }

  /// The name of the mode in each status.
  static let name = "safe mode"
  /// A description of the mode, with the command that ends it.
  var sentence: String {
    "\(Self.name) after \(crashes) crashes; panel reload \(name) leaves it"
  }

  private var uptime: Int { Int((now() - beginning).components.seconds) }

  func answer(_ request: String, on connection: ControlConnection) -> ControlAnswer {
    let words = request.split(separator: " ").map(String.init)
    switch (words[0], words.count) {
    case ("reload", _): return reloader.begin(request, like: [], for: connection)
    case ("status", 1):
      let status = JSON.object([
        "panel": .text(panel.name), "mode": .text("safe"), "trouble": .object(["panel": .text(sentence)]),
        "uptime_s": .number(uptime), "version": .text(PanelInstallation.version), "crashes": .number(crashes),
      ])
      return .done([status.line])
    case ("status", 2) where words[1] == "brief": return .done(["\(Self.name)\t\(uptime)\t0\t\(sentence)\t\(uptime)"])
    case ("status", 3) where words[1] == "prometheus":
      let label = "{panel=\"\(words[2])\"}"
      return .done(["panel_up\(label) 1", "panel_safe_mode\(label) 1", "panel_crashes\(label) \(crashes)"])
    default: return .refused(code: ExitStatus.propertyViolated, sentence)
    }
  }

  func ended(_ connection: ControlConnection) {}
}
