import HardwareLinux
import Terminal

/// The panels of this machine that run as services, by their names.
struct RunningPanels {
  static let folder = "/run/panel"
  static let runOption = CommandSyntax.Option(
    "--run", value: "FOLDER", help: "Where the folders of running panels are; \(folder) unless given.")
  static let filesOption = CommandSyntax.Option(
    "--panels", value: "FOLDER", help: "Where the panel files are; \(ExaminedPanel.folder) unless given.")

  /// Where each running panel has a folder, with its socket in it.
  let run: String
  /// Where the panel files are.
  let files: String

  init(_ arguments: ParsedArguments) {
    run = arguments.value(of: "--run") ?? Self.folder
    files = arguments.value(of: "--panels") ?? ExaminedPanel.folder
  }

  func socket(of name: String) -> String { "\(run)/\(name)/control" }

  /// The names of the panels that have a file, or that run.
  var names: [String] {
    let files = ((try? Folder.entries(of: files)) ?? []).filter { $0.hasSuffix(ExaminedPanel.suffix) }
      .map { String($0.dropLast(ExaminedPanel.suffix.count)) }
    let running = ((try? Folder.entries(of: run)) ?? []).filter { name in
      Self.isName(name) && (try? Folder.entries(of: "\(run)/\(name)")) != nil
    }
    return Set(files + running).filter(Self.isName).sorted()
  }

  /// Whether it can be the name of a service: no path, and nothing that a line or a label would take for its end.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64 && !text.hasPrefix(".")
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || [0x2D, 0x2E, 0x5F].contains($0)
      }
  }

  /// A connection to a panel; nil if it doesn't run.
  func connect(to name: String) throws -> ControlClient? {
    guard Self.isName(name) else {
      throw CommandEnd(
        "panel: \(quoted(name)) is no name of a panel; `panel status` lists them", status: ExitStatus.wrongUsage)
    }
    return try ControlClient(to: socket(of: name))
  }

  /// What is said of a panel that doesn't run.
  static func absence(of name: String) -> String { "not running; journal: journalctl -u panel@\(name) -n 20" }
}
