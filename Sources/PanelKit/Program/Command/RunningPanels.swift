import CycleCore
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import Terminal

/// The panels of this machine that run as services, by name.
struct RunningPanels {
  static let folder = "/run/panel"
  static let runOption = CommandSyntax.Option(
    "--run", value: "FOLDER", help: "Folder of the running panels' sockets (default: \(folder)).")
  static let filesOption = CommandSyntax.Option(
    "--panels", value: "FOLDER", help: "Folder of the panel files (default: \(PanelInstallation.folder)).")

  /// The folder with a folder for each running panel, which contains its socket.
  let run: String
  /// The folder of the panel files.
  let files: String

  /// Lists a folder: ``HardwareLinux/Folder/entries(of:)``, or the replacement of a test.
  private let list: (String) throws(SystemFailure) -> [String]
  /// Runs a program and returns its output; nil if it fails. It is that of ``LinuxMachine``, or the replacement of a
  /// test.
  private let printed: ([String]) -> String?

  /// The state of systemd. After one request without a reply, it is not asked again.
  private final class Manager {
    var isSilent = false
  }
  private let manager = Manager()

  init(_ arguments: ParsedArguments) {
    self.init(
      run: arguments.value(of: "--run") ?? Self.folder,
      files: arguments.value(of: "--panels") ?? PanelInstallation.folder)
  }

  init(
    run: String, files: String, list: @escaping (String) throws(SystemFailure) -> [String] = Folder.entries(of:),
    printed: @escaping ([String]) -> String? = { LinuxMachine().printed(by: $0) }
  ) {
    (self.run, self.files, self.list, self.printed) = (run, files, list, printed)
  }

  func socket(of name: String) -> String { "\(run)/\(name)/control" }

  /// The names of the panels that have a file, and of those that run.
  ///
  /// - Throws: ``CommandEnd`` if this user may not read the folders.
  func names() throws -> [String] {
    // A stop during a restart leaves a folder without a socket. Such a panel is not running.
    let running = try entries(of: run).filter { name in
      guard PanelInstallation.isName(name) else { return false }
      do throws(SystemFailure) { return try list("\(run)/\(name)").contains("control") } catch {
        return error.kind == .notPermitted
      }
    }
    return Set(try named() + running).filter(PanelInstallation.isName).sorted()
  }

  /// The names of the panels that have a file.
  private func named() throws -> [String] {
    try entries(of: files).filter { $0.hasSuffix(PanelInstallation.suffix) }
      .map { String($0.dropLast(PanelInstallation.suffix.count)) }
  }

  /// The entries of a folder; empty if it doesn't exist.
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

  /// Connects to a panel; returns nil if it doesn't run.
  ///
  /// - Parameter span: the time limit for the connection and its reply.
  func connect(to name: String, within span: Duration = ControlClient.patience) throws -> ControlClient? {
    try Self.check(name)
    return try ControlClient(to: socket(of: name), within: span)
  }

  /// Throws if the text can't be the name of a panel.
  static func check(_ name: String) throws(CommandEnd) {
    guard PanelInstallation.isName(name) else {
      throw CommandEnd(
        "panel: \(quoted(name)) is not a panel name; `panel status` lists the panels", status: ExitStatus.wrongUsage)
    }
  }

  /// The message about a panel that doesn't run: its file is missing, or a hint to its journal.
  func absence(of name: String) -> String {
    let known = (try? named()) ?? []
    guard !known.isEmpty, !known.contains(name) else {
      return "not running\(restarts(of: name)); journal: journalctl -u panel@\(name) -n 20"
    }
    let near = nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
    return "not running, and there is no \(files)/\(name)\(PanelInstallation.suffix)\(near)"
  }

  /// The part of the message about a panel that systemd will start again after a failure; empty if it won't.
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
