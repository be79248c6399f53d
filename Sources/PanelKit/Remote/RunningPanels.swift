import HardwareLinux
import Terminal

/// The panels of this machine that run as services, by their names.
struct RunningPanels {
  static let folder = "/run/panel"
  static let runOption = CommandSyntax.Option(
    "--run", value: "FOLDER", help: "Folder of the running panels' sockets (default: \(folder)).")
  static let filesOption = CommandSyntax.Option(
    "--panels", value: "FOLDER", help: "Folder of the panel files (default: \(ExaminedPanel.folder)).")

  /// Where each running panel has a folder, with its socket in it.
  let run: String
  /// Where the panel files are.
  let files: String

  /// Lists a folder: ``HardwareLinux/Folder/entries(of:)``, or a test's own.
  private let list: (String) throws(SystemFailure) -> [String]
  /// Runs a program, and returns what it prints; nil if it fails: that of ``LinuxMachine``, or a test's own.
  private let printed: ([String]) -> String?

  /// systemd, which is not asked again once it hasn't answered.
  private final class Manager {
    var isSilent = false
  }
  private let manager = Manager()

  init(_ arguments: ParsedArguments) {
    self.init(
      run: arguments.value(of: "--run") ?? Self.folder, files: arguments.value(of: "--panels") ?? ExaminedPanel.folder)
  }

  init(
    run: String, files: String, list: @escaping (String) throws(SystemFailure) -> [String] = Folder.entries(of:),
    printed: @escaping ([String]) -> String? = { LinuxMachine().printed(by: $0) }
  ) {
    (self.run, self.files, self.list, self.printed) = (run, files, list, printed)
  }

  func socket(of name: String) -> String { "\(run)/\(name)/control" }

  /// The names of the panels that have a file, or that run.
  ///
  /// - Throws: ``CommandEnd`` where this user may not look for them.
  func names() throws -> [String] {
    // What a stop amid a restart leaves of a panel is no panel that runs: its socket is gone.
    let running = try entries(of: run).filter { name in
      guard Self.isName(name) else { return false }
      do throws(SystemFailure) { return try list("\(run)/\(name)").contains("control") } catch {
        return error.kind == .notPermitted
      }
    }
    return Set(try named() + running).filter(Self.isName).sorted()
  }

  /// The names of the panels that have a file.
  private func named() throws -> [String] {
    try entries(of: files).filter { $0.hasSuffix(ExaminedPanel.suffix) }
      .map { String($0.dropLast(ExaminedPanel.suffix.count)) }
  }

  /// What is in a folder; nothing where there is none.
  private func entries(of folder: String) throws -> [String] {
    do throws(SystemFailure) {
      return try list(folder)
    } catch {
      guard error.kind == .notPermitted else { return [] }
      throw CommandEnd(
        "cannot look for panels in \(folder): permission denied (EACCES). Join the panel's group and log in again: "
          + "`sudo adduser $USER panel`.", status: ExitStatus.notPermitted)
    }
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
  ///
  /// - Parameter span: how long the connection and its answer may take.
  func connect(to name: String, within span: Duration = ControlClient.patience) throws -> ControlClient? {
    try Self.check(name)
    return try ControlClient(to: socket(of: name), within: span)
  }

  /// Throws for what can't be the name of a panel.
  static func check(_ name: String) throws(CommandEnd) {
    guard isName(name) else {
      throw CommandEnd(
        "panel: \(quoted(name)) is no name of a panel; `panel status` lists them", status: ExitStatus.wrongUsage)
    }
  }

  /// What is said of a panel that doesn't run: that it has no file, where its folder can be looked at, or where its journal is.
  func absence(of name: String) -> String {
    let known = (try? named()) ?? []
    guard !known.isEmpty, !known.contains(name) else {
      return "not running\(restarts(of: name)); journal: journalctl -u panel@\(name) -n 20"
    }
    let near = nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
    return "not running, and there is no \(files)/\(name)\(ExaminedPanel.suffix)\(near)"
  }

  /// That systemd waits to start it again, as it does after each failure: empty where it doesn't.
  private func restarts(of name: String) -> String {
    guard !manager.isSilent else { return "" }
    let words = ["systemctl", "show", "panel@\(name)", "--property", "SubState,NRestarts"]
    guard let text = printed(words) else {
      manager.isSilent = true
      return ""
    }
    let values = text.split(separator: "\n")
    guard values.contains("SubState=auto-restart"), let value = values.first(where: { $0.hasPrefix("NRestarts=") }),
      let count = Int(value.dropFirst("NRestarts=".count))
    else { return "" }
    return count < 2
      ? ": it has failed, and is started again" : ": it fails again and again, \(counted(count, "restart")) so far"
  }
}
