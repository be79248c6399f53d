import CycleCore
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import PanelNetwork
import PanelRun
import Terminal

/// The service side of `panel run`: its control socket, the folder of the socket, and the reports to systemd.
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
  private var report: ServiceNotifier?
  private var status: () -> String = { "" }
  private var lanes: () -> [LaneEventCounts] = { [] }
  private var frameNumber: () -> Int = { 0 }
  /// The number of the last frame that was checked.
  private var seenFrame = 0
  private let loop: LinuxLoop
  /// The number of earlier starts within ``StartRecord/span`` that did not end cleanly.
  private(set) var crashes = 0

  /// - Parameters:
  ///   - arguments: the arguments of the command, with or without ``option``.
  ///   - diagnostics: the log for requests.
  ///   - loop: the panel's loop.
  ///   - manager: the service manager that started this process; nil if there is none.
  init(
    _ arguments: ParsedArguments, _ diagnostics: Diagnostics, on loop: LinuxLoop,
    manager: ServiceManager? = ServiceManager()
  ) {
    path = arguments.value(of: Self.option.name)
    (self.diagnostics, self.manager, self.loop) = (diagnostics, manager, loop)
    folder = path.map { RunFolder(path: PanelFile.folder(of: $0)) }
  }

  /// Whether the control socket is enabled.
  var isAsked: Bool { path != nil }

  /// The name of the service, which is the name of the socket's folder.
  var name: String { folder.flatMap { $0.path.split(separator: "/").last.map(String.init) } ?? "NAME" }

  /// Whether the panel has crashed too often to run.
  var isSafeMode: Bool { crashes >= StartRecord.mostStarts - 1 }

  /// Claims the socket's folder for this panel, before anything in it is changed. Does nothing without the option.
  ///
  /// - Throws: ``Problems`` if the folder can't be written, `DriverError` of kind `busy` if another panel uses it.
  func takeFolder() throws {
    try folder?.check()
    claim = try folder?.claim()
  }

  /// Records the start, and keeps the panel file for ``Safe``. Call this before any hardware is used. Does nothing
  /// without the option.
  ///
  /// - Parameter text: the text of the accepted panel file.
  /// - Throws: ``Problems`` if the folder can't be written.
  func prepare(_ text: [UInt8]) throws(Problems) {
    guard let folder else { return }
    crashes = try folder.starts.noteStart(at: loop.now)
    try folder.keep(text)
  }

  /// Records that the panel ended without a crash.
  ///
  /// - Parameter isGood: whether it was running, and was asked to stop.
  func noteEnd(isGood: Bool) {
    folder?.starts.noteEnd(isGood: isGood, at: loop.now)
  }

  /// Records that a reload with this panel file ended safe mode: clears the crashes, and keeps the file for ``Safe``.
  func endSafeMode(_ text: [UInt8]) throws(Problems) {
    try folder?.starts.forgetCrashes(at: loop.now)
    try folder?.keep(text)
    crashes = 0
  }

  /// Starts to listen, and reports to the manager that the panel is ready.
  ///
  /// - Parameters:
  ///   - session: the session of a panel that shows its first frame.
  ///   - file: the panel file's path.
  ///   - kinds: the kinds for reading panel files.
  ///   - recording: returns the recording of a new panel by its file and text; nil for none.
  ///   - noteReload: called with the file after a reload.
  func start(
    _ session: PanelSession, file: String, kinds: KindList,
    recording: @escaping (RecordingHeader.Source) -> RecordingSetup?,
    noteReload: @escaping (_ file: String) -> Void
  ) throws(DriverError) {
    let reloader = makeReloader(file, kinds)
    let panel = PanelControlService(
      session, diagnostics,
      more: { [crashes, unowned reloader] in
        [
          .init(name: "file", value: .text(reloader.file)),
          .init(name: "version", value: .text(PanelInstallation.version)),
          .init(name: "crashes", value: .number(crashes)),
        ]
      }, crashes: crashes, reloader: reloader)
    reloader.exchange = { [unowned self, unowned panel] (content) throws(RemoteRefusal) in
      let source = RecordingHeader.Source(file: content.file, text: String(decoding: content.text, as: UTF8.self))
      let before = session.application
      // If the next panel can't be started, the previous one is started again. Clients that watch continue with that
      // one.
      defer { if session.application !== before { panel.noteReload() } }
      let lines = try session.reload(to: content.panel, sounds: content.sounds, text: content.text) {
        recording(source)
      }
      noteReload(content.file)
      keep(content)
      return lines
    }
    status = { PanelStatus(of: session).sentence }
    lanes = { PanelStatus(of: session).accounts.map(\.account) }
    frameNumber = { session.application.cycle.frameNumber }
    try start(panel)
  }

  /// Makes the reader of panel files, which runs beside the loop.
  private func makeReloader(_ file: String, _ kinds: KindList) -> PanelReloader {
    let bell = loop.makeDoorbell()
    let reloader = PanelReloader(of: file, kinds: kinds, done: { bell.ring() }, now: { [loop] in loop.now })
    reloader.log = { [diagnostics] in diagnostics.write(.warning, $0) }
    self.reloader = reloader
    return reloader
  }

  /// Keeps the current panel file for ``Safe``.
  private func keep(_ content: BackgroundReload.Content) {
    diagnostics.write(.info, "\(content.panel.name): reloaded from \(content.file)")
    do throws(Problems) { try folder?.keep(content.text) } catch {
      for line in error.lines { diagnostics.write(.warning, line) }
    }
  }

  /// Serves a panel in safe mode.
  ///
  /// - Parameters:
  ///   - panel: the panel with safe outputs.
  ///   - file: the panel file's path.
  ///   - kinds: the kinds for reading panel files.
  ///   - leave: called with the panel file that ends safe mode.
  func startSafeMode(
    of panel: PanelDefinition, file: String, kinds: KindList, leave: @escaping (BackgroundReload.Content) -> Void
  ) throws(DriverError) {
    let reloader = makeReloader(file, kinds)
    reloader.exchange = { (content) throws(RemoteRefusal) in
      leave(content)
      return ["safe mode left"]
    }
    let mode = SafeModeService(panel, name: name, crashes: crashes, reloader: reloader) { [loop] in loop.now }
    diagnostics.write(.error, "\(panel.name): \(mode.sentence)")
    status = { mode.sentence }
    try start(mode as any ControlService)
  }

  private func start(_ answers: any ControlService) throws(DriverError) {
    if let path {
      let server = ControlServer(answers)
      server.onNotice = { [diagnostics] text in diagnostics.write(.warning, text) }
      reloader?.answer = { [loop] connection, answer in server.finish(connection, with: answer, at: loop.now) }
      // After safe mode the socket exists already: clients wait instead of getting an error.
      if let listener { listener.serve(server) } else { listener = try ControlListener(at: path, on: loop, server) }
    }
    guard let manager else { return }
    var report = ServiceNotifier(watchdog: manager.watchdog) { manager.tell($0) }
    seenFrame = frameNumber()
    report.begin(status(), at: loop.now)
    self.report = report
  }

  /// The moment at which ``turn()`` must be called at the latest; nil for no limit.
  var nextMoment: Moment? { [listener?.nextMoment, report?.nextMoment].compactMap { $0 }.min() }

  /// Handles requests and due reports. Called after each turn of the panel.
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

  /// Reports to the manager that the panel is stopping, and closes the socket.
  func end() {
    report?.end()
    report = nil
    listener?.end()
    (listener, reloader) = (nil, nil)
  }
}
