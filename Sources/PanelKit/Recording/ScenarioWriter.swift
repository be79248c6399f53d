import CycleCore
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// Writes a scenario during the resimulation of an edited recording's world: its steps, and an expectation at each
/// moment at which the panel's view has changed.
final class ScenarioWriter: ResimulationWatcher {
  private let session: PanelSession
  private let names: Names
  private let texts: StepText
  private let from: Duration
  private lazy var changes = ViewDiff(of: session)
  private lazy var shownChanges = ViewDiff(of: session, shownOnly: true)
  /// The number of events so far that the panel's file names.
  private var heardCount = 0
  /// The moment of the first visible or audible change or named event after the last item; nil if there was none.
  private var noise: Moment?
  /// The application whose frames are observed. A power cut creates another one.
  private var observed: AnyObject?
  private var start: [String] = []
  private var busy: [String] = []
  private var items: [String] = []
  /// The time of the scenario after the last item.
  private var clock = Moment.zero
  private var beginning = Moment.zero
  private var isStarted = false
  private var isPerforming = false
  /// The changes since the last expectation, by name, in the order of the view.
  private var pending: [(subject: PanelView.Subject, text: String)] = []
  /// The outputs that have changed while their device was not finished, such as a display that is being written.
  private var unsettled: Set<Int> = []
  /// Whether one of these changes is more than a value.
  private var mustExpect = false
  private var isHaltTold = false
  private var fault: RecordingTextFault?

  /// - Parameters:
  ///   - session: the session of the resimulation, not started.
  ///   - from: the start of the expectations, as time since the start.
  init(_ session: PanelSession, from: Duration) {
    (self.session, self.from) = (session, from)
    names = Names(session.panel)
    texts = StepText(of: session.panel)
  }

  // MARK: - ResimulationWatcher

  func willPerform(_ step: Step) {
    guard isStarted else { return addToStart(step) }
    guard let item = texts.item(step) else { return }
    wait()
    add(item)
    isPerforming = true
  }

  func didPerform(_ failures: [String]) {
    guard isStarted else { return }
    isPerforming = false
    clock = session.now
    observe()
    // A step that could not be done would fail the scenario.
    if !failures.isEmpty, !items.isEmpty { items.removeLast() }
    look()
  }

  func didStart() {
    isStarted = true
    (clock, beginning) = (session.now, session.now)
    addKept()
    if session.panel.usesChance { seed() }
    observe()
    look(all: true)
  }

  func didStep() { look() }

  func didEnd() {
    settle(atEnd: true)
    mustExpect = mustExpect || !pending.isEmpty
    look()
    wait()
  }

  // MARK: - Steps

  private func add(_ item: String) {
    items.append(item)
    guard items.count > RecordedScenario.mostSteps else { return }
    fault = RecordingTextFault(
      "the scenario would have more than \(RecordedScenario.mostSteps) steps; choose a shorter part, for example --from 2s --to 10s"
    )
    items.removeAll()
    session.application.cycle.requestStop()
  }

  /// Adds waits to the scenario for the time that has passed in the resimulation. For the time without a change, it
  /// adds `nothing`, so that the scenario fails if a change occurs.
  private func wait() {
    let now = session.now
    guard now > clock else { return }
    var quiet = now - clock
    if let noise { quiet = noise == now ? quiet + (.zero - Self.shortest) : .zero }
    if quiet >= Self.shortest {
      add("nothing: \(Quantity.text(quiet))")
      clock = clock + quiet
    }
    if now > clock { add("wait: \(Quantity.text(now - clock))") }
    clock = now
    forgetNoise()
  }

  /// The shortest time of a step.
  private static let shortest = Duration.milliseconds(1)

  /// Observes the frames of the application from now on.
  private func observe() {
    let cycle = session.application.cycle
    if observed !== cycle {
      observed = cycle
      cycle.observe { [weak self] _, _ in self?.listen() }
    }
    forgetNoise()
  }

  private func forgetNoise() {
    noise = nil
    heardCount = session.record?.heardCount ?? 0
    _ = shownChanges.next()
  }

  /// Keeps the current moment if something visible or audible has changed, or a named event has occurred.
  private func listen() {
    guard noise == nil, !isPerforming else { return }
    if session.record?.heardCount != heardCount || !shownChanges.next().isEmpty { noise = session.now }
  }

  /// Adds the seed if it differs from the default seed of a scenario.
  private func seed() {
    let chance = session.chance
    guard chance != 0 else { return }
    guard UInt64(bitPattern: Int64(session.frame.stream)) == chance else {
      fault = RecordingTextFault(
        "the panel draws a number at its start, which no scenario can set; record it with panel simulate")
      return
    }
    add("seed: \(chance)")
  }

  private func addToStart(_ step: Step) {
    let panel = session.panel
    func position(_ input: Int, _ place: Int) -> String {
      "\(panel.inputs[input].name): \(panel.inputs[input].device.positions[place])"
    }
    switch step {
    case .press(let inputs): start += inputs.map { position($0, 1) }
    case .switch(let input, let isOn): start.append(position(input, isOn ? 1 : 0))
    case .event(let input, let event, _) where type(of: panel.inputs[input].device).control == .selector:
      if let place = panel.inputs[input].device.position(after: event) { start.append(position(input, place)) }
    case .sense(let input, let number):
      start.append("\(panel.inputs[input].name): \(panel.inputs[input].device.scale?.text(of: number) ?? "\(number)")")
    case .unplug(let hardware): start.append("\(panel.name(of: hardware)): lost")
    case .busy: if let line = texts.line(step) { busy.append(String(line.dropFirst("busy ".count))) }
    case .release: break
    case .clock(var time):
      if let zone = time.zone { start.append("zone: \"\(zone)\"") }
      time.zone = nil
      start.append("clock: \"\(time.text)\"")
    default:
      fault = RecordingTextFault("\(texts.line(step) ?? "a step") before the start: no scenario can begin with it")
    }
  }

  /// Adds the kept values to the start of the scenario.
  private func addKept() {
    guard let kept = session.kept else { return }
    start += session.panel.startTexts(of: kept.numbers).map { "\($0.name): \($0.text)" }
  }

  // MARK: - Expectations

  /// Adds an expectation if more than values has changed.
  private func look(all: Bool = false) {
    guard isStarted, !isPerforming, fault == nil else { return }
    listen()
    for change in changes.next() {
      if case .value = change.subject, all { continue }
      if case .output(let output) = change.subject, isUnfinished(output) {
        unsettled.insert(output)
        pending.removeAll { $0.subject == change.subject }
        continue
      }
      if case .value = change.subject {} else { mustExpect = true }
      pending.removeAll { $0.subject == change.subject }
      pending.append(change)
    }
    settle()
    let isHalted = session.halt != nil && !isHaltTold
    guard mustExpect || isHalted, session.now - beginning >= from else { return }
    var (parts, others) = expectations
    if isHalted {
      parts.append("ended: \(session.exitStatus)")
      isHaltTold = true
    }
    pending = []
    mustExpect = false
    if !parts.isEmpty || !others.isEmpty { wait() }
    for parts in [parts, others] where !parts.isEmpty { add("expect: { \(parts.joined(separator: ", ")) }") }
  }

  /// Whether an output's device needs time for what it shows, and is not finished.
  private func isUnfinished(_ output: Int) -> Bool {
    session.panel.outputs[output].device.observed.lag > .zero && session.worlds[output] != nil
      && !session.application.cycle.isAtRest
  }

  /// Takes the looks of devices that have finished.
  private func settle(atEnd: Bool = false) {
    for output in unsettled.sorted() where atEnd || !isUnfinished(output) {
      unsettled.remove(output)
      let subject = PanelView.Subject.output(output)
      pending.removeAll { $0.subject == subject }
      pending.append((subject, "\(session.look(of: output))"))
      mustExpect = true
    }
  }

  /// The pending changes in the form of an expectation, without those that can't be expressed. The states of regions
  /// with names need their own expectation if the region without a name has a state, too.
  private var expectations: (parts: [String], others: [String]) {
    var (state, states) = (String?.none, [String]())
    var parts: [String] = []
    for (subject, text) in pending {
      switch subject {
      case .state(let region):
        guard let name = self.state(of: region) else { continue }
        if let region = session.panel.regions[region].name { states.append("\(region): \(name)") } else { state = name }
      case .output(let output):
        let (name, device) = (session.panel.outputs[output].name, session.panel.outputs[output].device)
        guard device.look(named: text) == session.look(of: output) else { continue }
        parts.append("\(name): \(Self.scalar(text))")
      case .value(let value):
        let isList = session.panel.values[value].list != nil
        parts.append("\(session.panel.values[value].name): \(isList ? text : Self.scalar(text))")
      case .playing:
        let sounds = session.application.show.audible(in: session.frame).map { session.panel.sounds[$0].name }
        parts.append("playing: \(sounds.isEmpty ? "[]" : "[ \(sounds.joined(separator: ", ")) ]")")
      case .sent:
        parts.append("sent: [ \(session.sent.words.map { Self.scalar($0) }.joined(separator: ", ")) ]")
        session.sent.forget()
      case .power: parts.append("power: \(text)")
      case .hardware(let hardware):
        parts.append("\(session.panel.name(of: hardware)): \(text == "lost" ? "lost" : "there")")
      }
    }
    let regions = states.isEmpty ? [] : ["state: { \(states.joined(separator: ", ")) }"]
    guard let state else { return (regions + parts, []) }
    return (["state: \(state)"] + parts, regions)
  }

  /// The current state of a region, if its name is unique in the region; nil if the region isn't current.
  private func state(of region: Int) -> String? {
    let state = session.application.show.toldState(of: region, in: session.frame)
    guard state >= 0 else { return nil }
    let name = session.panel.states[state].name
    guard names.regions.indices.contains(region), names.regions[region].index[name] == state else { return nil }
    return name
  }

  /// A text as a YAML scalar inside braces.
  private static func scalar(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: ".")
    }
    guard !isPlain || text.isEmpty else { return text }
    return ScenarioYAML.scalar(text)
  }

  // MARK: - The file

  /// The scenario file.
  func text(named name: String) throws(RecordingTextFault) -> String {
    if let fault { throw fault }
    guard !items.isEmpty else {
      throw RecordingTextFault("nothing happens in this part of the recording; choose a different part")
    }
    if !busy.isEmpty { start.append("busy: [ \(busy.joined(separator: ", ")) ]") }
    return ScenarioYAML.text(named: name, start: start, items: items)
  }
}
