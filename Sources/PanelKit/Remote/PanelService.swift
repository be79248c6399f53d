import CycleCore
import HardwareLinux
import Terminal

/// What `panel run` does for those who ask it from outside: its control socket.
final class PanelService {
  static let option = CommandSyntax.Option(
    "--socket", value: "PATH",
    help: "Answers requests there, as those of panel status; its owner and its group may ask.")

  private let path: String?
  private let diagnostics: Diagnostics
  private var listener: ControlListener?

  init(_ arguments: ParsedArguments, _ diagnostics: Diagnostics) {
    path = arguments.value(of: Self.option.name)
    self.diagnostics = diagnostics
  }

  /// Whether anybody can ask.
  var isAsked: Bool { path != nil }

  /// Listens from now on. Does nothing without the option.
  ///
  /// - Parameters:
  ///   - session: of a panel that has started.
  ///   - file: the panel file's path.
  ///   - loop: the panel's.
  func start(_ session: PanelSession, file: String, on loop: LinuxLoop) throws(DriverError) {
    guard let path else { return }
    let more: [JSON.Member] = [
      .init(name: "file", value: .text(file)), .init(name: "version", value: .text(PanelCommand.version)),
    ]
    let desk = ControlDesk(ControlledPanel(session, diagnostics, more: more))
    desk.onNotice = { [diagnostics] text in diagnostics.write(.warning, text) }
    listener = try ControlListener(at: path, on: loop, desk)
  }

  /// When ``turn()`` has to be called if nothing happens before; nil if it hasn't.
  var nextMoment: Moment? { listener?.nextMoment }

  /// Does what is to be done; called after each turn of the panel.
  func turn() { listener?.turn() }

  func end() {
    listener?.end()
    listener = nil
  }
}
