import CycleCore
import HardwareLinux
import Terminal

/// A panel that has crashed again and again: its outputs are safe, its states are not begun, and it says so to whoever asks.
final class SafeMode: ControlService {
  private let panel: PanelDefinition
  /// The name of its service.
  private let name: String
  private let crashes: Int
  private let beginning: Moment
  private let now: () -> Moment
  private let reloader: PanelReloader

  /// - Parameters:
  ///   - panel: whose outputs are safe.
  ///   - name: of its service.
  ///   - crashes: how many starts before this one have not come to an end.
  ///   - reloader: reads the file with which safe mode ends.
  ///   - now: the loop's clock.
  init(
    _ panel: PanelDefinition, name: String, crashes: Int, reloader: PanelReloader, now: @escaping () -> Moment
  ) {
    (self.panel, self.name, self.crashes, self.now) = (panel, name, crashes, now)
    self.reloader = reloader
    beginning = now()
  }

  /// What it is called in each status.
  static let name = "safe mode"
  /// What it is, and what to do.
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
        "uptime_s": .number(uptime), "version": .text(PanelCommand.version), "crashes": .number(crashes),
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
