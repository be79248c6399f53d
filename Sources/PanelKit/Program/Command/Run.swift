import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import PanelEngine
import PanelLanguage
import PanelNetwork
import PanelRecording
import PanelRun
import Terminal

enum Run: Subcommand {
  static let syntax = CommandSyntax(
    "panel run", "Run a panel on the devices of this machine.",
    discussion: """
      Ctrl-C, SIGTERM, SIGHUP and SIGQUIT stop the panel. Whenever it stops, it sets all outputs to their safe state. To run a \
      panel as a service that starts at boot, use systemctl: sudo systemctl enable --now panel@lamp
      """,
    examples: """
      $ panel run lamp.panel.yaml
      $ panel run lamp.panel.yaml --simulated
      $ panel run lamp --record lamp.recording --monitor
      """,
    operands: [
      .init("PANEL", help: "A panel file, or a panel's name (lamp: ./lamp.panel.yaml or /etc/panel/lamp.panel.yaml).")
    ],
    options: [
      CommandSyntax.Option(
        "--wait", help: "Wait for a GPIO chip or a line that is missing or busy, instead of ending with 69."),
      CommandSyntax.Option(
        "--mqtt-insecure", help: "Accept any certificate of the MQTT broker. Use this for tests only."),
    ] + RecordingSession.all + MonitorSession.all + [
      RecordingSession.edges, Diagnostics.levelOption, PanelService.option, PanelSession.stateOption,
    ])

  static func ports(in kinds: KindList) -> [any Port.Type] { kinds.ports }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(arguments)
    return perform(diagnostics, waitingAtMost: Output.patience) {
      var file = try PanelFile.find(arguments.operands[0])
      let text = try PanelFile.text(path: file)
      var panel = try PanelFile.read(
        text, file: file, folder: PanelFile.folder(of: file), kinds: kinds,
        checkSound: SoundFileCheck.finding)
      let platform = try Platform(portOptions(arguments, kinds, others: .real), usesRealClock: true)
      guard let loop = platform.bench.loop as? LinuxLoop else { programmerError("a panel runs in real time") }
      let service = PanelService(arguments, diagnostics, on: loop)
      // First make sure that no other panel uses the folder; until then nothing is changed.
      try service.takeFolder()
      let place =
        arguments.value(of: PanelSession.stateOption.name).map { PanelKeptValues.Location.folder($0) } ?? .nowhere
      let stateClaim = try place.claim(for: panel)
      try service.prepare(text)
      // From here on an orderly end, even with an error, is not a crash.
      var wasAtWork = false
      defer { service.noteEnd(isGood: wasAtWork) }
      if service.isSafeMode {
        guard let content = try stayInSafeMode(panel, file, kinds, on: platform, loop, service, diagnostics) else {
          wasAtWork = true
          return ExitStatus.success
        }
        (file, panel) = (content.file, content.panel)
        try service.endSafeMode(content.text)
      }
      let chance = UInt64.random(in: .min ... .max)
      if panel.usesChance { diagnostics.write(.info, "\(panel.name): what is drawn depends on seed \(chance)") }
      if panel.mqtt != nil, arguments.has("--mqtt-insecure") {
        diagnostics.write(
          .warning,
          "\(panel.name): --mqtt-insecure: any machine between the panel and its broker can read messages and send commands"
        )
      }
      let network = MQTTEnvironment(
        ofFile: file, text, on: MQTTEnvironment.thisMachine, acceptsAnyCertificate: arguments.has("--mqtt-insecure"),
        variable: MQTTEnvironment.variable)
      if panel.osc != nil, let fault = network.idFault {
        diagnostics.write(.warning, "\(panel.name): \(fault); its addresses begin with /panel/\(network.id)")
      }
      let session = try PanelSession(
        panel, on: platform, chance: chance, isSoundRequired: arguments.has("--audio"),
        waitsForLines: arguments.has("--wait"),
        keeping: place, keepsObservations: false, network: network, isReloadable: service.isAsked)
      session.settings.stateClaim = try stateClaim ?? place.claim(for: panel)
      defer { session.settings.stateClaim = nil }
      session.logKept(to: diagnostics)
      session.log(to: diagnostics, changesLevel: service.isAsked)
      let monitor = try MonitorSession(arguments, of: syntax, diagnostics)
      let recording = try session.record(
        arguments, of: syntax, panelFile: file, diagnostics, shownBy: monitor)
      defer { recording.abandon() }
      let signals = try StopSignals(on: loop) { _ in
        session.recorder?.endReason = .signal
        session.application.cycle.requestStop()
      }
      defer { signals.end() }
      let requests = try recording.watchRequests(on: loop)
      defer { requests?.end() }
      // From here on a thread writes the log, so that a slow reader doesn't block the panel.
      Output.errors.detach()
      try run(session, diagnostics, service, audio: platform.options[SoundCardPort.name]) { () throws(DriverError) in
        try service.start(session, file: file, kinds: kinds) { source in
          next(recording, monitor, source, on: loop, session, diagnostics)
        } noteReload: { file in
          do throws(DriverError) { try monitor.serve(session, file: file, on: loop) } catch {
            diagnostics.write(.error, "\(error)")
          }
        }
        try monitor.serve(session, file: file, on: loop)
        return monitor
      }
      wasAtWork = true
      if let halt = session.halt { return recording.end(halt.exitStatus, session.recorder) }
      diagnostics.write(.info, "\(panel.name): stopped")
      return recording.end(ExitStatus.success, session.recorder)
    }
  }

  /// Runs until the cycle is asked to stop. The outputs are in their safe state afterwards, also after an error.
  private static func run(
    _ session: PanelSession, _ diagnostics: Diagnostics, _ service: PanelService, audio: PortChoice,
    monitored serve: () throws(DriverError) -> MonitorSession
  ) throws(DriverError) {
    try session.start()
    defer {
      session.stop()
      session.logTroubles(isLast: true)
    }
    let monitor = try serve()
    defer {
      monitor.end()
      service.end()
    }
    // In a terminal, always print that the panel runs: otherwise nothing is visible until a problem occurs.
    let isSeen = isatty(STDERR_FILENO) == 1
    diagnostics.write(
      isSeen ? .warning : .info,
      "\(session.panel.name): running: \(description(of: session, audio))\(isSeen ? "; Ctrl-C ends" : "")")
    let bench = session.bench
    var isTold = false
    func logNews() {
      guard let halt = session.logTroubles(), !isTold else { return }
      isTold = true
      diagnostics.write(.error, "\(session.panel.name): \(halt.line(of: session.panel))")
      if !halt.stays { session.application.cycle.requestStop() }
    }
    // The start may have reported problems already, and the next event may be far away.
    logNews()
    // A reload replaces the application, so it is read each time.
    while !session.application.cycle.isStopRequested {
      try bench.step(until: [session.nextLogMoment, service.nextMoment].compactMap { $0 }.min())
      monitor.turn()
      service.turn()
      logNews()
    }
  }

  /// Returns the recording of a panel that replaces the one before; nil if there was none.
  private static func next(
    _ recording: RecordingSession, _ monitor: MonitorSession, _ source: RecordingHeader.Source, on loop: LinuxLoop,
    _ session: PanelSession, _ diagnostics: Diagnostics
  ) -> RecordingSetup? {
    guard !recording.sinks.isEmpty || monitor.isAsked else { return nil }
    monitor.beginAnew(on: loop)
    do throws(DriverError) { try recording.beginAnew() } catch {
      diagnostics.write(.error, "\(session.panel.name): recording stopped: \(error)")
      return monitor.isAsked ? RecordingSetup(sinks: monitor.sinks, source: source, hasEdges: false) : nil
    }
    return RecordingSetup(sinks: recording.sinks + monitor.sinks, source: source, hasEdges: recording.hasEdges)
  }

  /// Sets the outputs to their safe state until a signal or a reload. The statechart does not start; the control socket
  /// works.
  ///
  /// - Returns: the panel file of the reload that ended safe mode; nil after a signal.
  private static func stayInSafeMode(
    _ panel: PanelDefinition, _ file: String, _ kinds: KindList, on platform: Platform, _ loop: LinuxLoop,
    _ service: PanelService, _ diagnostics: Diagnostics
  ) throws(DriverError) -> BackgroundReload.Content? {
    var content: BackgroundReload.Content?
    var isStopRequested = false
    let signals = try StopSignals(on: loop) { _ in isStopRequested = true }
    defer { signals.end() }
    Output.errors.detach()
    for error in SafeStateSetter(of: panel).show(on: platform) { diagnostics.write(.error, "\(panel.name): \(error)") }
    try service.startSafeMode(of: panel, file: file, kinds: kinds) { content = $0 }
    // After a reload the service continues. A stop message here would make systemd kill the process.
    defer { if content == nil { service.end() } }
    var ready = ReadyList()
    while !isStopRequested, content == nil {
      try loop.wait(until: service.nextMoment, ready: &ready)
      service.turn()
    }
    return isStopRequested ? nil : content
  }

  /// Describes the devices and their hardware: `4 inputs and 3 outputs on gpiochip0 (pinctrl-bcm2711), sound on
  /// default`.
  private static func description(of session: PanelSession, _ audio: PortChoice) -> String {
    let panel = session.panel
    let devices = "\(counted(panel.writtenInputCount, "input")) and \(counted(panel.outputs.count, "output"))"
    let real = session.chips == nil ? session.realChipsInUse : nil
    let chips = real.map { $0.isEmpty ? "no chip yet" : $0.joined(separator: ", ") }
    let sound: String
    if panel.sounds.isEmpty {
      sound = "no sound"
    } else if session.card != nil {
      sound = "sound on a simulated card"
    } else {
      sound = "sound on \(audio.path ?? panel.audio.device)"
    }
    return visible("\(devices) on \(chips ?? "a simulated chip"), \(sound)")
  }
}
