import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// Runs a panel on its devices: performs steps on its simulated inputs, reads how its outputs look, lists what changed,
/// and logs trouble.
final class PanelSession {
  let application: PanelApplication
  let platform: Platform
  /// The panel's chip and card if they are simulated, else nil.
  let chip: SimulatedChip?
  let card: SimulatedCard?
  private(set) var outputs: OutputObserver!
  private(set) var journal: PanelJournal
  /// The world's side of each input; empty on a real chip.
  private var worlds: [InputWorld] = []
  private(set) var beginning = Moment.zero
  /// Everything that can be seen or heard: states, outputs, values and what is playing, each in the order of the file.
  private let subjects: [Subject]
  /// For each subject what ``changes()`` last returned; empty before its first call.
  private var told: [Shown] = []
  private var toldLosses: [PluggableHardware] = []
  private var log: Diagnostics?
  /// How many troubles have been logged.
  @exclusivity(unchecked) private var loggedTroubleCount = 0
  @exclusivity(unchecked) private var losses: LossLog

  /// Loads the sounds and makes the drivers and the cycle; opens no device yet.
  ///
  /// - Parameters:
  ///   - chance: what the numbers that are drawn depend on.
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened: for a device that was chosen on
  ///     the command line. Otherwise that is trouble, and is retried.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is trouble and retried, too; otherwise the
  ///     start fails.
  init(
    _ panel: PanelDefinition, on platform: Platform, chance: UInt64 = 0, isSoundRequired: Bool = false,
    waitsForLines: Bool = false
  ) throws(DriverError) {
    self.platform = platform
    let (gpio, audio) = (Self.port(of: panel), SoundCardPort(device: panel.audio.device))
    chip = platform.simulated(at: gpio)
    card = platform.simulated(at: audio)
    application = PanelApplication(
      panel, on: platform, chip: platform.hardware(at: gpio), card: platform.hardware(at: audio),
      sounds: try PanelSound.load(panel.sounds), chance: chance,
      isSoundRequired: isSoundRequired, waitsForLines: waitsForLines)
    journal = PanelJournal(of: application.journals)
    losses = LossLog(of: panel)
    subjects =
      application.show.toldRegions.map { .state(region: $0) } + panel.outputs.indices.map { .output($0) }
      + panel.values.indices.map { .value($0) } + (panel.sounds.isEmpty ? [] : [.playing])
    if let chip {
      worlds = panel.inputs.map { ($0.device as? any DrivenInputKind)?.world(on: chip, platform) ?? .none }
    }
    // A simulated sensor is away until somebody senses something with it.
    for case .source(let source) in worlds {
      source.unplug()
      source.tellsChanges = true
    }
  }

  /// The chip that a panel's devices are on; where it is simulated it has the panel's lines.
  static func port(of panel: PanelDefinition) -> GPIOChipPort {
    GPIOChipPort(panel.chip == "auto" ? .auto : .named(panel.chip), simulatedLines: lines(of: panel))
  }

  private static func lines(of panel: PanelDefinition) -> [LineName] {
    (panel.inputs.flatMap(\.device.lines) + panel.outputs.flatMap(\.device.lines)).map { LineName($0) }
  }

  var panel: PanelDefinition { application.panel }
  var bench: Bench { platform.bench }
  var now: Moment { bench.now }
  /// Time since the start.
  var elapsed: Duration { now - beginning }

  /// Logs trouble as warnings from now on, and every other event at the level `info`.
  func log(to diagnostics: Diagnostics) {
    log = diagnostics
  }

  /// When ``logTroubles(isLast:)`` must be called to log summed losses, even if no event comes; nil if there are none.
  var nextLogMoment: Moment? { losses.nextLogMoment }

  /// The log lines about lost edges that are due; at most every 10 s.
  func dueLossLines(isLast: Bool = false) -> [String] {
    losses.lines(application.reportCounts.lostEdges, in: application.frame, at: now, isLast: isLast)
  }

  /// Logs the trouble since the last call. Called once per turn of the cycle.
  ///
  /// - Parameter isLast: whether this is the last call, after the panel has stopped.
  func logTroubles(isLast: Bool = false) {
    let counts = application.reportCounts
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

  /// Logs drivers that block the cycle for longer than allowed; each again only when it takes twice as long as ever
  /// before.
  private func logOverruns() {
    var longest: [Int: Duration] = [:]
    application.cycle.onOverrun { [unowned self] overrun in
      guard overrun.took >= (longest[overrun.lens] ?? .zero) * 2 else { return }
      longest[overrun.lens] = overrun.took
      log?.write(
        .info,
        "\(panel.name): \(overrun.name) held the panel up for \(overrun.took) (\(overrun.call.rawValue); allowed are \(overrun.call.allowed))"
      )
    }
  }

  /// - Parameter keepsObservations: whether ``outputs`` and ``journal`` are read; otherwise neither is kept up to date.
  func start(keepsObservations: Bool = true) throws(DriverError) {
    beginning = now
    if log != nil { logOverruns() }
    let tells = log.map { $0.level >= .info } ?? false
    if keepsObservations || tells {
      application.cycle.tap(
        PanelTap { [unowned self] event, lens, moment in
          if keepsObservations { journal.note(event, of: lens, at: moment) }
          if tells, let text = journal.textBesidesTrouble(of: event, of: lens) {
            log?.write(.info, "\(panel.name): \(text)")
          }
        })
    }
    guard keepsObservations else { return try bench.run(application.cycle) }
    application.cycle.observe { [unowned self] frame, moment in outputs?.note(frame, at: moment) }
    try bench.run(application.cycle)
    outputs = OutputObserver(application, chip: chip, at: beginning)
    outputs.note(application.frame, at: beginning)
    _ = changes()
  }

  func stop() {
    bench.stop()
  }

  /// Why nothing happens on the panel any more; nil while it works.
  var endless: String? {
    guard application.frame.isEndless else { return nil }
    let states =
      application.frame.troubles.lazy.compactMap { trouble -> [Int]? in
        if case .endless(let states) = trouble { states } else { nil }
      }.first ?? []
    return "\"when\" without end: \(states.map { panel.states[$0].name }.joined(separator: ", "))"
  }

  // MARK: - Steps

  /// Performs the step; returns the expectations that failed, as text.
  func perform(_ step: Step) throws(DriverError) -> [String] {
    switch step {
    case .press(let input): try contact(input)?.press()
    case .release(let input): try contact(input)?.release()
    case .click(let input): try hold(input, for: max(.milliseconds(50), panel.inputs[input].device.debounce * 2))
    case .hold(let input, let span): try hold(input, for: span)
    case .turn(let input, let detents):
      if case .knob(let knob) = worlds[input] { try knob.turn(by: detents) }
    case .switch(let input, let isOn):
      if isOn { try contact(input)?.press() } else { try contact(input)?.release() }
    case .wait(let span): try bench.advance(by: span)
    case .bounce(let input, let span): contact(input)?.bounce = span
    case .seed(let seed):
      bench.random = SeededGenerator(seed: seed)
      application.control.seed(seed)
      try bench.settle()
    case .sense(let input, let number):
      guard case .source(let source) = worlds[input], let scale = panel.inputs[input].device.scale else { break }
      source.set(Double(number) / Double(Quantity.powerOfTen(scale.decimals)))
      source.plug()
      try bench.settle()
    case .unplugSensor(let input), .plugSensor(let input):
      guard case .source(let source) = worlds[input] else { break }
      if case .plugSensor = step { source.plug() } else { source.unplug() }
      try bench.settle()
    case .draw(let results): application.control.prescribe(results)
    case .unplug(let hardware): try plug(hardware, false)
    case .plug(let hardware): try plug(hardware, true)
    case .show: break
    case .expect(let expectations): return expectations.compactMap(failure)
    }
    return []
  }

  private func contact(_ input: Int) -> Contact? {
    if worlds.indices.contains(input), case .contact(let contact) = worlds[input] { contact } else { nil }
  }

  private func hold(_ input: Int, for span: Duration) throws(DriverError) {
    guard let contact = contact(input) else { return }
    try contact.press()
    try bench.advance(by: span)
    try contact.release()
    // The release counts only when the contact has been stable for the debounce period.
    try bench.advance(by: panel.inputs[input].device.debounce + contact.bounce)
  }

  private func plug(_ hardware: PluggableHardware, _ isPlugged: Bool) throws(DriverError) {
    for simulated in platform.simulated(named: hardware.rawValue) {
      if isPlugged { simulated.plug() } else { simulated.unplug() }
    }
    try bench.settle()
  }

  /// An error message if the step needs hardware to be simulated that isn't; nil if the step can be performed.
  func obstacle(to step: Step) -> String? {
    switch step {
    case .press, .release, .click, .hold, .turn, .switch, .bounce, .unplug(.gpio), .plug(.gpio), .sense,
      .unplugSensor, .plugSensor:
      chip == nil ? "the inputs are real: press them by hand, or use --gpio simulated" : nil
    case .unplug(.audio), .plug(.audio):
      card == nil ? "the sound card is not simulated: use --audio simulated" : nil
    case .wait, .expect, .show, .seed, .draw: nil
    }
  }

  // MARK: - What is seen

  private func failure(_ expectation: Expectation) -> String? {
    let frame = application.frame
    switch expectation {
    case .output(let output, let wanted):
      let seen = outputs.look(of: output, at: now)
      return seen == wanted ? nil : "expected \(panel.outputs[output].name) \(wanted), it is \(seen)"
    case .value(let value, let wanted):
      let seen = frame[value: value]
      guard seen != wanted else { return nil }
      let definition = panel.values[value]
      return "expected \(definition.name) \(definition.text(of: wanted)), it is \(definition.text(of: seen))"
    case .state(let target, let region):
      guard frame[state: target.region] != target.state else { return nil }
      let (show, told) = (application.show, region ?? application.show.toldRegions[0])
      let seen = show.path(of: show.toldState(of: told, in: frame), in: told)
      return "expected \(stateName(of: told)) \(panel.states[target.state].name), it is \(seen)"
    case .playing(let wanted):
      let seen = application.show.audible(in: frame)
      guard Set(seen) != Set(wanted) else { return nil }
      return "expected playing \(list(wanted)), it is \(list(seen))"
    }
  }

  private func list(_ sounds: [Int]) -> String {
    sounds.isEmpty ? "nothing" : sounds.map { panel.sounds[$0].name }.joined(separator: ", ")
  }

  /// What an item of the view is about. Names from the file and this program's own words are separate cases, because an
  /// output in the file may have any name.
  enum Subject: Hashable {
    case state(region: Int)
    case output(Int)
    case value(Int)
    case playing
    case hardware(PluggableHardware)
  }

  /// How a subject looks or sounds. It is converted to text only to be printed: of thousands of values a step changes a
  /// few.
  private enum Shown: Equatable {
    case state(Int)
    case look(ObservedOutput)
    case value(Int)
    case playing([Int])
  }

  // Inlined: called for each of thousands of values, most of which have not changed.
  @inline(__always)
  private func shown(_ subject: Subject, in frame: PanelFrame, at now: Moment) -> Shown {
    switch subject {
    case .state(let region): .state(application.show.toldState(of: region, in: frame))
    case .output(let output): .look(outputs.look(of: output, at: now))
    case .value(let value): .value(frame[value: value])
    case .playing: .playing(application.show.audible(in: frame))
    case .hardware: preconditionFailure("hardware is told when it is lost")
    }
  }

  private func text(_ shown: Shown, of subject: Subject) -> String {
    switch (shown, subject) {
    case (.state(let state), .state(let region)): application.show.path(of: state, in: region)
    case (.look(let look), _): "\(look)"
    case (.value(let number), .value(let value)): panel.values[value].text(of: number)
    case (.playing(let sounds), _): list(sounds)
    case (.state, _), (.value, _): preconditionFailure("a region is in a state, and a value has a number")
    }
  }

  /// All subjects with their texts, then the hardware that is lost.
  var view: [(subject: Subject, text: String)] {
    let (frame, now) = (application.frame, now)
    return subjects.map { ($0, text(shown($0, in: frame, at: now), of: $0)) }
      + frame.missing.map { (.hardware($0), "lost") }
  }

  /// The subjects that have changed since the last call, with their texts; all of them at the first call.
  func changes() -> [(subject: Subject, text: String)] {
    let (frame, now) = (application.frame, now)
    var changes: [(subject: Subject, text: String)] = []
    let isFirst = told.isEmpty
    for place in 0..<subjects.count {
      let subject = subjects[place]
      let shown = shown(subject, in: frame, at: now)
      if isFirst {
        told.append(shown)
      } else if told[place] != shown {
        told[place] = shown
      } else {
        continue
      }
      changes.append((subject, text(shown, of: subject)))
    }
    let losses = frame.missing
    for hardware in losses where !toldLosses.contains(hardware) { changes.append((.hardware(hardware), "lost")) }
    for hardware in PluggableHardware.allCases where toldLosses.contains(hardware) && !losses.contains(hardware) {
      changes.append((.hardware(hardware), "restored"))
    }
    toldLosses = losses
    return changes
  }

  private func stateName(of region: Int) -> String { panel.regions[region].name.map { "state.\($0)" } ?? "state" }

  /// The subject's name in an `expect`. `audio` and `gpio` are reserved: nothing in a file has these names.
  func name(of subject: Subject) -> String {
    switch subject {
    case .state(let region): stateName(of: region)
    case .output(let output): panel.outputs[output].name
    case .value(let value): panel.values[value].name
    case .playing: "playing"
    case .hardware(let hardware): hardware.rawValue
    }
  }
}

/// Calls `note` with each event and each ``Trouble``, and with the number of its lens.
private final class PanelTap: EventTap {
  private let note: (_ event: Any, _ lens: Int, _ moment: Moment) -> Void

  init(note: @escaping (_ event: Any, _ lens: Int, _ moment: Moment) -> Void) {
    self.note = note
  }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note(event, lens, moment) }
  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { note(trouble, lens, moment) }
}
