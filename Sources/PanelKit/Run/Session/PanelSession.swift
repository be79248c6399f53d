import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelKinds
import PanelLanguage
import PanelNetwork
import Terminal

/// Runs a panel on its devices: performs steps on its simulated inputs, reads the looks of its outputs, lists changes,
/// and logs trouble.
package final class PanelSession: ConditionWorld {
  // Properties that are accessed at each event are not checked for exclusivity. These accesses never overlap.
  @exclusivity(unchecked) package var application: PanelApplication
  let platform: Platform
  /// The panel's chips if they are simulated, else nil; likewise its card.
  package var chips: SimulatedChips?
  package var card: SimulatedCard?
  @exclusivity(unchecked) package var world: PanelWorld
  @exclusivity(unchecked) package var outputs: OutputLooks!
  @exclusivity(unchecked) package var journal: PanelJournal
  /// The record of the rules; nil for a session that keeps no observations.
  @exclusivity(unchecked) package var record: RuleTrace?
  /// The messages that the panel has sent; empty for a session that keeps no observations.
  package let sent = SentLog()
  package private(set) var beginning = Moment.zero
  package lazy var view = PanelView(of: self)
  lazy var told = ViewDiff(of: self)
  lazy var traced = ViewDiff(of: self)
  private var isEntryTold = true
  @exclusivity(unchecked) package var settings: PanelApplicationFactory
  /// Called at each frame while a step waits for something.
  private var watch: (() -> Void)?
  /// Called with each line of a trace: an event with its state changes, or the changes of the view.
  var trace: ((String) -> Void)?
  /// The simulated device of each output; nil for an output without one.
  package var worlds: [(any SimulatedOutput)?]
  /// The kept values; nil for a panel without any.
  package var kept: PanelKeptValues? { settings.kept }
  private var log: Diagnostics?
  private var canTell = false
  package var recorder: Recorder?
  /// The number of troubles that have been logged.
  @exclusivity(unchecked) var loggedTroubleCount = 0
  @exclusivity(unchecked) var losses: LostEdgeLog

  /// Creates the drivers and the cycle. It opens no device yet.
  ///
  /// - Parameters:
  ///   - chance: the seed of the random numbers.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened. It is true for a device that was
  ///     chosen on the command line. If false, the failure is trouble, and is retried.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is trouble, and is retried. If false, the
  ///     start fails.
  ///   - sounds: the panel's sounds; nil for those of its file.
  ///   - place: the place of values that are kept over restarts.
  ///   - keepsObservations: whether ``outputs``, ``journal`` and ``record`` are kept up to date.
  ///   - network: the panel's broker, and its identity there; nil for a broker in memory.
  ///   - coverage: counts what the rules do.
  ///   - isReloadable: whether another panel can replace this one: ``reload(to:sounds:)``.
  package init(
    _ panel: PanelDefinition, on platform: Platform, chance: UInt64 = 0, isSoundRequired: Bool = false,
    waitsForLines: Bool = false, sounds: [PanelSound]? = nil, keeping place: PanelKeptValues.Location = .simulated(),
    keepsObservations: Bool = true, network: MQTTEnvironment? = nil, coverage: Coverage? = nil,
    isReloadable: Bool = false
  ) throws(DriverError) {
    self.platform = platform
    let audio = SoundCardPort(device: panel.audio.device)
    chips = SimulatedChips(of: panel, on: platform)
    card = platform.simulated(at: audio)
    let sounds = sounds ?? PanelSound.all(panel.sounds)
    settings = PanelApplicationFactory(
      platform: platform, sounds: sounds, card: platform.hardware(at: audio), chance: chance,
      isSoundRequired: isSoundRequired, waitsForLines: waitsForLines, network: network, isReloadable: isReloadable,
      keeping: place)
    settings.kept = PanelKeptValues(of: panel, in: place)
    record = keepsObservations ? RuleTrace(of: panel, coverage: coverage) : nil
    application = settings.application(of: panel, record)
    journal = PanelJournal(of: application.journals)
    losses = LostEdgeLog(of: panel)
    worlds = panel.outputs.map { [chips] output in
      output.device.driven.world(on: chips?[panel.chip(of: output.device)], platform)
    }
    world = PanelWorld(of: panel, on: platform, chips: chips, card: card, outputs: worlds)
  }

  /// The chips of this machine on which lines have been requested.
  package var realChipsInUse: [String] {
    let others = panel.chips.indices.compactMap { panel.chips[$0].kind.driven.port(with: panel.lines(on: $0)) }
    var chips: [String] = []
    for chip in ([GPIOChipPort(of: panel)] + others).flatMap({
      (platform.hardware(at: $0) as? LinuxGPIO)?.chipsInUse ?? []
    })
    where !chips.contains(chip) { chips.append(chip) }
    return chips
  }

  package var panel: PanelDefinition { application.panel }
  /// The panel's own chip if it is simulated, else nil.
  package var chip: SimulatedChip? { chips?.own }
  package var bench: Bench { platform.bench }
  /// The seed of the random numbers.
  package var chance: UInt64 { settings.chance }
  package var now: Moment { bench.now }
  /// Time since the start.
  package var elapsed: Duration { now - beginning }

  /// Logs trouble as warnings from now on, and all other events at the level `info`.
  ///
  /// - Parameter changesLevel: whether the level may become `info` while the panel runs.
  package func log(to diagnostics: Diagnostics, changesLevel: Bool = false) {
    log = diagnostics
    canTell = changesLevel || diagnostics.level >= .info
  }

  /// The moment at which ``logTroubles(isLast:)`` must be called to log summed losses, even without an event; nil if
  /// there are none.
  package var nextLogMoment: Moment? { losses.nextLogMoment }

  /// The log lines about lost edges that are due, at most one report every 10 s.
  func dueLossLines(isLast: Bool = false) -> [String] {
    losses.lines(application.reportCounts.lostEdges, in: application.frame, at: now, isLast: isLast)
  }

  /// Logs the trouble since the last call. Called once per turn of the cycle.
  ///
  /// - Parameter isLast: whether this is the last call, after the panel has stopped.
  /// - Returns: the reason why the panel has stopped; nil while it works.
  @discardableResult
  package func logTroubles(isLast: Bool = false) -> HaltReason? {
    let counts = application.reportCounts
    logTroubles(counts, isLast: isLast)
    return halt(counts)
  }

  private func logTroubles(_ counts: TroubleSnapshot, isLast: Bool) {
    guard counts.troubles != loggedTroubleCount || counts.lostEdges != losses.loggedCount else { return }
    for line in dueLossLines(isLast: isLast) { log?.write(.warning, "\(panel.name): \(line)") }
    let count = counts.troubles
    guard count != loggedTroubleCount else { return }
    for trouble in application.frame.troubles.suffix(count - loggedTroubleCount) {
      log?.write(.warning, "\(panel.name): \(trouble.text)")
    }
    let untold = count - loggedTroubleCount - PanelTrouble.capacity
    if untold > 0 { log?.write(.warning, "\(panel.name): \(untold) more before that") }
    loggedTroubleCount = count
  }

  /// Logs drivers that block the cycle for too long. A driver is logged again only if it takes at least twice its
  /// longest time.
  private func logOverruns() {
    var longest: [Int: Duration] = [:]
    application.cycle.onOverrun { [unowned self] overrun in
      guard overrun.took >= (longest[overrun.lens] ?? .zero) * 2 else { return }
      longest[overrun.lens] = overrun.took
      log?.write(
        .info,
        "\(panel.name): \(overrun.name) held the panel up for \(Self.rounded(overrun.took)) (\(overrun.call.rawValue); allowed are \(Self.rounded(overrun.call.allowed)))"
      )
    }
  }

  /// `12.1 ms`.
  private static func rounded(_ time: Duration) -> String {
    let tenths = (time.wholeNanoseconds + 50_000) / 100_000
    return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") ms"
  }

  package func start() throws(DriverError) {
    beginning = firstFrame
    try run()
    // The first frame is created when the inputs are known.
    beginning = application.cycle.firstFrameMoment ?? beginning
    if record != nil { _ = changes() }
  }

  /// Records a recording from the later start of the panel on, with the options of a command.
  ///
  /// - Parameters:
  ///   - panelFile: the panel file's path; nil for the sample panel.
  ///   - monitor: shows the recording too.
  package func record(
    _ arguments: ParsedArguments, of syntax: CommandSyntax, panelFile: String?, _ diagnostics: Diagnostics,
    shownBy monitor: MonitorSession
  ) throws -> RecordingSession {
    let recording = try RecordingSession(arguments, of: syntax, diagnostics)
    let sinks = recording.sinks + monitor.sinks
    guard !sinks.isEmpty else { return recording }
    let text = try panelFile.map { path throws(Problems) in
      String(decoding: try TextFile.read(path: path, what: "a panel file"), as: UTF8.self)
    }
    try self.record(
      to: sinks, source: .init(file: panelFile ?? "", text: text ?? SamplePanel.text), withEdges: recording.hasEdges)
    return recording
  }

  /// Records a recording of the panel and its simulated world, from the later start of the panel to its end.
  ///
  /// - Parameters:
  ///   - sinks: the destinations of the recording.
  ///   - source: the panel file, which the recording contains.
  ///   - withEdges: whether the recording contains the edges of the panel's own chip, too.
  package func record(
    to sinks: [any RecordingSink], source: RecordingHeader.Source, withEdges: Bool = false
  ) throws(DriverError) {
    let recording = RecordingSetup(sinks: sinks, source: source, hasEdges: withEdges)
    let recorder = recording.recorder(of: panel)
    if withEdges {
      settings.edgeRecorder = recorder
      application = settings.application(of: panel, record)
    }
    try record(with: recorder)
  }

  func record(with recorder: Recorder) throws(DriverError) {
    try application.cycle.record(with: recorder)
    self.recorder = recorder
    bench.recorder = recorder
  }

  /// Runs and observes the application.
  func run() throws(DriverError) {
    if log != nil { logOverruns() }
    application.network?.commands.done = { [unowned self] in world.noteAsked($0) }
    application.osc?.commands?.done = { [unowned self] in world.noteAsked($0) }
    application.osc?.refusals.write = { [unowned self] in log?.write(.warning, "\(panel.name): \($0)") }
    let keepsObservations = record != nil
    if keepsObservations || canTell {
      application.cycle.tap(
        PanelTap { [unowned self] event, lens, moment in
          if keepsObservations { note(event, lens, moment) }
          kept?.note(event, at: moment)
          if let log, log.level >= .info, let text = journal.textBesidesTrouble(of: event, of: lens) {
            log.write(.info, "\(panel.name): \(text)")
          }
        })
    }
    guard keepsObservations else { return try bench.run(application.cycle) }
    application.cycle.observe { [unowned self] frame, moment in
      outputs?.note(frame, at: moment)
      sent.note(frame, of: application)
      closeEntry()
      tellFrame()
      watch?()
    }
    outputs = nil
    sent.restart()
    let onFirstFrame = application.onFirstFrame
    application.onFirstFrame = { [unowned self] frame in
      onFirstFrame(frame)
      record?.start(in: frame)
    }
    try bench.run(application.cycle)
    // A panel that stopped before its first frame has shown nothing.
    let start = application.cycle.firstFrameMoment ?? now
    sent.note(application.frame, of: application)
    outputs = OutputLooks(application, chips: chips, worlds: worlds, at: start)
    outputs.note(application.frame, at: start)
    tellFrame()
  }

  /// The moment of the first frame, or an estimate before it.
  private var firstFrame: Moment { max(now, bench.earliestFirstFrame ?? now) }

  private func note(_ event: Any, _ lens: Int, _ moment: Moment) {
    closeEntry()
    tellEntry()
    journal.note(event, of: lens, at: moment)
    isEntryTold = false
  }

  /// Adds the consequences of the last event to its entry in the journal.
  private func closeEntry() {
    if let consequences = record?.takeConsequences(), !consequences.isEmpty { journal.add(consequences) }
  }

  package func stop() {
    if halt != nil { recorder?.endReason = .error }
    bench.stop()
  }

  // MARK: - Trace

  /// Writes the last event to the trace, unless it has been written already.
  func tellEntry() {
    guard let trace, !isEntryTold else { return }
    isEntryTold = true
    if let entry = journal.newest { trace(line(of: entry)) }
  }

  private func tellFrame() {
    guard let trace, outputs != nil else { return }
    tellEntry()
    let changes = traced.next()
    if !changes.isEmpty { trace(view.line(changes)) }
  }

  /// An event with its time and its state changes.
  private func line(of entry: PanelJournal.Entry) -> String {
    [seconds(at: entry.moment), view.text(of: entry), view.text(of: entry.consequences.changes)].filter { !$0.isEmpty }
      .joined(separator: "  ")
  }

  /// The reason why the panel has stopped; nil while it works.
  package var halt: HaltReason? { halt(application.reportCounts) }

  private func halt(_ counts: TroubleSnapshot) -> HaltReason? {
    counts.isStopped ? application.frame.stop : nil
  }

  /// The exit status of `panel run` if it ended now.
  package var exitStatus: Int32 { halt?.exitStatus ?? ExitStatus.success }

  /// The first lens that has lost events, with their number; nil if none has.
  package var lensThatLost: (number: Int, name: String, count: Int)? {
    guard let cycle = application.cycle as? any InspectableApplication,
      let lens = cycle.accounts.indices.first(where: { cycle.accounts[$0].lost > 0 })
    else { return nil }
    return (lens, cycle.lensNames[lens], cycle.accounts[lens].lost)
  }

  // MARK: - View

  package var frame: PanelFrame { application.frame }

  package func look(of output: Int) -> ObservedOutput { outputs.look(of: output, at: now) }

  /// The subjects that have changed since the last call, with their texts; all of them at the first call.
  package func changes() -> [(subject: PanelView.Subject, text: String)] { told.next() }

  /// Whether a condition holds now.
  func holds(_ condition: Condition) -> Bool { condition.holds(in: ObservedPanel(session: self, frame: observedFrame)) }

  /// The frame as a scenario checks it. A panel reads the clock only at the times that it uses; here, the clock has its
  /// present time.
  var observedFrame: PanelFrame {
    guard let clock = panel.clock, let time = clock.inputs[.time], let reading = world.clockReading,
      frame[position: time] != PanelFrame.unknownPosition
    else { return frame }
    var frame = frame
    clock.setNumbers(to: reading, in: &frame)
    return frame
  }

  private struct ObservedPanel: ConditionWorld {
    let session: PanelSession
    let frame: PanelFrame

    func look(of output: Int) -> ObservedOutput { session.look(of: output) }
  }

  /// Seconds since the start, with three decimals.
  package func seconds(at moment: Moment) -> String { SecondsText.text(of: moment - beginning) }

  // MARK: - Steps

  /// Performs the step; returns the expectations that failed, as text.
  package func perform(_ step: Step) throws(DriverError) -> [String] { try StepRun(session: self).perform(step) }

  /// Advances time by `span`, or until after the moment at which `isOver` returns true. It calls `isOver` at each frame
  /// and each time the clock moves.
  func advance(by span: Duration, until isOver: @escaping () -> Bool) throws(DriverError) {
    var hasEnded = isOver()
    watch = { if !hasEnded { hasEnded = isOver() } }
    defer { watch = nil }
    try bench.advance(to: now + span) {
      if !hasEnded { hasEnded = isOver() }
      return !hasEnded
    }
    // An output may change at the last moment without an event of the panel.
    if !hasEnded { _ = isOver() }
  }

  /// Sets the seed of all random numbers.
  func seed(_ seed: UInt64) throws(DriverError) {
    try world.seed(seed, application.control)
  }

  /// Appends results for the next random draws.
  func prescribe(_ results: [Int]) throws(DriverError) {
    try world.draw(results, application.control)
  }

  /// Cuts the power of the panel for `span`, without a regular stop, and then starts it again. Its contacts keep their
  /// positions.
  ///
  /// - Parameter isNoted: whether the recording has the step already.
  func cutPower(for span: Duration, isNoted: Bool = false) throws(DriverError) {
    kept?.cutPower()
    recorder?.goOnWithAnother()
    try world.cutPower(for: span, isNoted: isNoted) { bench.stop() }
    kept?.restorePower(using: &bench.random)
    try startAnew()
  }

  /// Stops the panel like `systemctl restart`, and starts it again immediately.
  func restart() throws(DriverError) {
    recorder?.goOnWithAnother()
    bench.stop()
    kept?.read()
    try startAnew()
  }

  private func startAnew() throws(DriverError) {
    record?.restart()
    world.restart()
    // A started service retries until it has its lines.
    settings.waitsForLines = true
    application = settings.application(of: panel, record, draws: frame.prescribedDraws)
    if let recorder { try application.cycle.record(with: recorder) }
    loggedTroubleCount = 0
    losses = LostEdgeLog(of: panel)
    try run()
  }
}
