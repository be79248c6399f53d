import CycleCore
import HardwareLinux
import Terminal

/// What `panel run` does for those around it: its control socket, the folder that the socket is in, and the manager of services.
final class PanelService {
  static let option = CommandSyntax.Option(
    "--socket", value: "PATH", "the path of a socket",
    help: "Serve the control socket at PATH (mode 0660) for `panel status` and other commands.")

  private let path: String?
  private let diagnostics: Diagnostics
  private let folder: RunFolder?
  private var claim: FolderClaim?
  private let manager: ServiceManager?
  private var listener: ControlListener?
  private var reloader: PanelReloader?
  private var report: ServiceReport?
  private var status: () -> String = { "" }
  private var lanes: () -> [LaneAccount] = { [] }
  private var frameNumber: () -> Int = { 0 }
  /// Of the frame that was looked at last.
  private var seenFrame = 0
  private let loop: LinuxLoop
  /// How many starts within ``RunFolder/span`` before this one have not come to an end.
  private(set) var crashes = 0

  /// - Parameters:
  ///   - arguments: of the command, with or without ``option``.
  ///   - diagnostics: where requests are logged.
  ///   - loop: the panel's.
  ///   - manager: who has started this process; nil for nobody.
  init(
    _ arguments: ParsedArguments, _ diagnostics: Diagnostics, on loop: LinuxLoop,
    manager: ServiceManager? = ServiceManager()
  ) {
    path = arguments.value(of: Self.option.name)
    (self.diagnostics, self.manager, self.loop) = (diagnostics, manager, loop)
    folder = path.map { RunFolder(path: PanelFile.folder(of: $0)) }
  }

  /// Whether anybody can ask.
  var isAsked: Bool { path != nil }

  /// The name of the service: that of the folder that the socket is in.
  var name: String { folder.flatMap { $0.path.split(separator: "/").last.map(String.init) } ?? "NAME" }

  /// Whether the panel has crashed so often that it must not begin its work.
  var isSafeMode: Bool { crashes >= RunFolder.mostStarts - 1 }

  /// Has the folder of the socket for this panel alone, before anything is changed there. Does nothing without the option.
  ///
  /// - Throws: ``Problems`` where the folder can't be written, `DriverError` of kind `busy` where another panel runs with it.
  func takeFolder() throws {
    try folder?.check()
    claim = try folder?.claim()
  }

  /// Before any hardware is touched: notes the start, and keeps the panel file for ``Safe``. Does nothing without the option.
  ///
  /// - Parameter text: of the panel file, which was accepted.
  /// - Throws: ``Problems`` where the folder can't be written.
  func prepare(_ text: [UInt8]) throws(Problems) {
    guard let folder else { return }
    crashes = try folder.noteStart(at: loop.now)
    try folder.keep(text)
  }

  /// The panel has come to an end without a crash.
  ///
  /// - Parameter isGood: whether it was at work, and was asked to end.
  func noteEnd(isGood: Bool) {
    folder?.noteEnd(isGood: isGood, at: loop.now)
  }

  /// Somebody has ended safe mode with this panel file: the crashes are forgotten, and the file is kept for ``Safe``.
  func endSafeMode(_ text: [UInt8]) throws(Problems) {
    try folder?.forgetCrashes(at: loop.now)
    try folder?.keep(text)
    crashes = 0
  }

  /// Listens from now on, and tells the manager that the panel is ready.
  ///
  /// - Parameters:
  ///   - session: of a panel that shows its first frame.
  ///   - file: the panel file's path.
  ///   - kinds: those that the panel file was read with.
  ///   - film: returns the film of a panel that takes the place of the one before, by its file and text; nil for none.
  ///   - noteReload: is called with the file when another panel has taken the place of the one before.
  func start(
    _ session: PanelSession, file: String, kinds: KindList, film: @escaping (FilmHeader.Source) -> SessionFilm?,
    noteReload: @escaping (_ file: String) -> Void
  ) throws(DriverError) {
    let reloader = makeReloader(file, kinds)
    let panel = ControlledPanel(
      session, diagnostics,
      more: { [crashes, unowned reloader] in
        [
          .init(name: "file", value: .text(reloader.file)), .init(name: "version", value: .text(PanelCommand.version)),
          .init(name: "crashes", value: .number(crashes)),
        ]
      }, crashes: crashes, reloader: reloader)
    reloader.exchange = { [unowned self, unowned panel] (content) throws(RemoteRefusal) in
      let source = FilmHeader.Source(file: content.file, text: String(decoding: content.text, as: UTF8.self))
      let before = session.application
      // Where the next panel can't be started, the one before is begun anew: who watches goes on with that.
      defer { if session.application !== before { panel.noteReload() } }
      let lines = try session.reload(to: content.panel, sounds: content.sounds, text: content.text) { film(source) }
      noteReload(content.file)
      keep(content)
      return lines
    }
    status = { PanelStatus(of: session).sentence }
    lanes = { PanelStatus(of: session).accounts.map(\.account) }
    frameNumber = { session.application.cycle.frameNumber }
    try start(panel)
  }

  /// What reads panel files while the loop goes on.
  private func makeReloader(_ file: String, _ kinds: KindList) -> PanelReloader {
    let bell = loop.makeDoorbell()
    let reloader = PanelReloader(of: file, kinds: kinds, done: { bell.ring() }, now: { [loop] in loop.now })
    reloader.log = { [diagnostics] in diagnostics.write(.warning, $0) }
    self.reloader = reloader
    return reloader
  }

  /// Keeps the file that is at work now for ``Safe``.
  private func keep(_ content: ReloadReading.Content) {
    diagnostics.write(.info, "\(content.panel.name): reloaded from \(content.file)")
    do throws(Problems) { try folder?.keep(content.text) } catch {
      for line in error.lines { diagnostics.write(.warning, line) }
    }
  }

  /// Serves a panel in safe mode.
  ///
  /// - Parameters:
  ///   - panel: whose outputs are safe.
  ///   - file: the panel file's path.
  ///   - kinds: those that the panel file was read with.
  ///   - leave: is called with the panel file with which safe mode is to end.
  func startSafeMode(
    of panel: PanelDefinition, file: String, kinds: KindList, leave: @escaping (ReloadReading.Content) -> Void
  ) throws(DriverError) {
    let reloader = makeReloader(file, kinds)
    reloader.exchange = { (content) throws(RemoteRefusal) in
      leave(content)
      return ["safe mode left"]
    }
    let mode = SafeMode(panel, name: name, crashes: crashes, reloader: reloader) { [loop] in loop.now }
    diagnostics.write(.error, "\(panel.name): \(mode.sentence)")
    status = { mode.sentence }
    try start(mode as any ControlService)
  }

  private func start(_ answers: any ControlService) throws(DriverError) {
    if let path {
      let desk = ControlDesk(answers)
      desk.onNotice = { [diagnostics] text in diagnostics.write(.warning, text) }
      reloader?.answer = { [loop] connection, answer in desk.finish(connection, with: answer, at: loop.now) }
      // After safe mode the socket is there already: who asks meanwhile waits, and is not told that nothing runs.
      if let listener { listener.serve(desk) } else { listener = try ControlListener(at: path, on: loop, desk) }
    }
    guard let manager else { return }
    var report = ServiceReport(watchdog: manager.watchdog) { manager.tell($0) }
    seenFrame = frameNumber()
    report.begin(status(), at: loop.now)
    self.report = report
  }

  /// When ``turn()`` has to be called if nothing happens before; nil if it hasn't.
  var nextMoment: Moment? { [listener?.nextMoment, report?.nextMoment].compactMap { $0 }.min() }

  /// Does what is to be done; called after each turn of the panel.
  func turn() {
    listener?.turn()
    reloader?.turn()
    guard report != nil else { return }
    if case let frame = frameNumber(), frame != seenFrame {
      seenFrame = frame
      report?.change()
    }
    report?.turn(at: loop.now, lanes: lanes(), status: status())
  }

  /// The panel begins to end: tells the manager so, and listens no more.
  func end() {
    report?.end()
    report = nil
    listener?.end()
    (listener, reloader) = (nil, nil)
  }
}
