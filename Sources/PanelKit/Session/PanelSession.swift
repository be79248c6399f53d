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
  private var contacts: [Int: Contact] = [:]
  private var knobs: [Int: Knob] = [:]
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
  ///   - isSoundRequired: whether the start fails if the sound device can't be opened: for a device that was chosen on
  ///     the command line. Otherwise that is trouble, and is retried.
  ///   - waitsForLines: whether a chip or a line that can't be requested yet is trouble and retried, too; otherwise the
  ///     start fails.
  init(
    _ panel: PanelDefinition, on platform: Platform, isSoundRequired: Bool = false, waitsForLines: Bool = false
  ) throws(DriverError) {
    self.platform = platform
    let (gpio, audio) = (Self.port(of: panel), SoundCardPort(device: panel.audio.device))
    chip = platform.simulated(at: gpio)
    card = platform.simulated(at: audio)
    application = PanelApplication(
      panel, on: platform.hardware(at: gpio), card: platform.hardware(at: audio),
      sounds: try PanelSound.load(panel.sounds),
      isSoundRequired: isSoundRequired, waitsForLines: waitsForLines)
    journal = PanelJournal(of: panel)
    losses = LossLog(of: panel)
    subjects =
      panel.regions.indices.map { .state(region: $0) } + panel.outputs.indices.map { .output($0) }
      + panel.values.indices.map { .value($0) } + (panel.sounds.isEmpty ? [] : [.playing])
    if let chip { wire(panel, to: chip) }
  }

  /// The chip that a panel's devices are on; where it is simulated it has the panel's lines.
  static func port(of panel: PanelDefinition) -> GPIOChipPort {
    GPIOChipPort(panel.chip == "auto" ? .auto : .named(panel.chip), simulatedLines: lines(of: panel))
  }

  private static func lines(of panel: PanelDefinition) -> [LineName] {
    let inputs = panel.inputs.flatMap { input -> [String] in
      switch input.device {
      case .button(let line, _), .switch(let line, _): [line]
      case .encoder(let a, let b, _): [a, b]
      }
    }
    let outputs = panel.outputs.flatMap { output -> [String] in
      switch output.device {
      case .led(let line), .relay(let line): [line]
      case .bar(let lines): lines
      }
    }
    return (inputs + outputs).map { LineName($0) }
  }

  private func wire(_ panel: PanelDefinition, to chip: SimulatedChip) {
    for (index, input) in panel.inputs.enumerated() {
      switch input.device {
      case .button(let line, let settings):
        contacts[index] = self.contact(settings.contact, at: line, of: chip)
      case .switch(let line, let contact):
        contacts[index] = self.contact(contact, at: line, of: chip)
      case .encoder(let a, let b, let pull):
        knobs[index] = Knob(
          bench, a: chip.line(LineName(a)), b: chip.line(LineName(b)), closed: pull == .down ? .high : .low,
          open: pull == .none ? .high : nil)
      }
    }
  }

  private func contact(_ contact: PanelDefinition.Contact, at line: String, of chip: SimulatedChip) -> Contact {
    chip.contact(at: LineName(line), closed: Level(contact.active), open: contact.inactive.map { Level($0) })
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
        PanelTap(nameOf: { [unowned self] in application.cycle.name(of: $0) }) { [unowned self] event, moment in
          if keepsObservations { journal.note(event, at: moment) }
          if tells, let text = journal.textBesidesTrouble(of: event) { log?.write(.info, "\(panel.name): \(text)") }
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

  // MARK: - Steps

  /// Performs the step; returns the expectations that failed, as text.
  func perform(_ step: Step) throws(DriverError) -> [String] {
    switch step {
    case .press(let input): try contacts[input]?.press()
    case .release(let input): try contacts[input]?.release()
    case .click(let input): try hold(input, for: Self.clickLength(of: panel.inputs[input]))
    case .hold(let input, let span): try hold(input, for: span)
    case .turn(let input, let detents): try knobs[input]?.turn(by: detents)
    case .switch(let input, let isOn):
      if isOn { try contacts[input]?.press() } else { try contacts[input]?.release() }
    case .wait(let span): try bench.advance(by: span)
    case .bounce(let input, let span): contacts[input]?.bounce = span
    case .seed(let seed): bench.random = SeededGenerator(seed: seed)
    case .unplug(let hardware): try plug(hardware, false)
    case .plug(let hardware): try plug(hardware, true)
    case .show: break
    case .expect(let expectations): return expectations.compactMap(failure)
    }
    return []
  }

  /// How long a click is pressed: 50 ms, but at least twice the debounce period, so that the press counts.
  private static func clickLength(of input: PanelDefinition.Input) -> Duration {
    guard case .button(_, let settings) = input.device else { return .zero }
    return max(.milliseconds(50), settings.contact.debounce * 2)
  }

  private func hold(_ input: Int, for span: Duration) throws(DriverError) {
    try contacts[input]?.press()
    try bench.advance(by: span)
    try contacts[input]?.release()
    // The release counts only when the contact has been stable for the debounce period.
    if case .button(_, let settings) = panel.inputs[input].device {
      try bench.advance(by: settings.contact.debounce + (contacts[input]?.bounce ?? .zero))
    }
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
    case .press, .release, .click, .hold, .turn, .switch, .bounce, .unplug(.gpio), .plug(.gpio):
      chip == nil ? "the inputs are real: press them by hand, or use --gpio simulated" : nil
    case .unplug(.audio), .plug(.audio):
      card == nil ? "the sound card is not simulated: use --audio simulated" : nil
    case .wait, .expect, .show, .seed: nil
    }
  }

  // MARK: - What is seen

  private func failure(_ expectation: Expectation) -> String? {
    let frame = application.frame
    switch expectation {
    case .output(let output, let wanted):
      let seen = outputs.look(of: output, at: now)
      return matches(seen, wanted, output) ? nil : "expected \(panel.outputs[output].name) \(wanted), it is \(seen)"
    case .value(let value, let wanted):
      let seen = frame[value: value]
      return seen == wanted ? nil : "expected \(panel.values[value].name) \(wanted), it is \(seen)"
    case .state(let target):
      let region = panel.regions[target.region]
      let seen = frame[state: target.region]
      guard seen != target.state else { return nil }
      let name = region.name.map { "state.\($0)" } ?? "state"
      return "expected \(name) \(region.states[target.state].name), it is \(region.states[seen].name)"
    case .playing(let wanted):
      let seen = application.show.audible(in: frame)
      guard Set(seen) != Set(wanted) else { return nil }
      return "expected playing \(list(wanted)), it is \(list(seen))"
    }
  }

  private func matches(_ seen: ObservedOutput, _ wanted: ObservedOutput, _ output: Int) -> Bool {
    guard case .bar(let lines) = panel.outputs[output].device else { return seen == wanted }
    switch wanted {
    case .off: return seen == .count(0)
    case .on: return seen == .count(lines.count)
    default: return seen == wanted
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

  private func shown(_ subject: Subject, in frame: PanelFrame, at now: Moment) -> Shown {
    switch subject {
    case .state(let region): .state(frame[state: region])
    case .output(let output): .look(outputs.look(of: output, at: now))
    case .value(let value): .value(frame[value: value])
    case .playing: .playing(application.show.audible(in: frame))
    case .hardware: preconditionFailure("hardware is told when it is lost")
    }
  }

  private func text(_ shown: Shown, of subject: Subject) -> String {
    switch (shown, subject) {
    case (.state(let state), .state(let region)): panel.regions[region].states[state].name
    case (.look(let look), _): "\(look)"
    case (.value(let value), _): "\(value)"
    case (.playing(let sounds), _): list(sounds)
    case (.state, _): preconditionFailure("a region is in a state")
    }
  }

  private func lostSeams(in frame: PanelFrame) -> [PluggableHardware] {
    var hardware: [PluggableHardware] = []
    if frame.missing.contains(.audio) { hardware.append(.audio) }
    if !frame.missing.isDisjoint(with: .gpio) { hardware.append(.gpio) }
    return hardware
  }

  /// All subjects with their texts, then the hardware that is lost.
  var view: [(subject: Subject, text: String)] {
    let (frame, now) = (application.frame, now)
    return subjects.map { ($0, text(shown($0, in: frame, at: now), of: $0)) }
      + lostSeams(in: frame).map { (.hardware($0), "lost") }
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
    let losses = lostSeams(in: frame)
    for hardware in losses where !toldLosses.contains(hardware) { changes.append((.hardware(hardware), "lost")) }
    for hardware in PluggableHardware.allCases where toldLosses.contains(hardware) && !losses.contains(hardware) {
      changes.append((.hardware(hardware), "restored"))
    }
    toldLosses = losses
    return changes
  }

  /// The subject's name in an `expect`. `audio` and `gpio` are reserved: nothing in a file has these names.
  func name(of subject: Subject) -> String {
    switch subject {
    case .state(let region): panel.regions[region].name.map { "state.\($0)" } ?? "state"
    case .output(let output): panel.outputs[output].name
    case .value(let value): panel.values[value].name
    case .playing: "playing"
    case .hardware(let hardware): hardware.rawValue
    }
  }
}

/// Calls `note` with each event of the drivers, and with each trouble as a ``PanelTrouble`` that names the kind of
/// device.
private final class PanelTap: EventTap {
  private let nameOf: (Int) -> String
  private let note: (_ event: Any, _ moment: Moment) -> Void

  init(nameOf: @escaping (Int) -> String, note: @escaping (_ event: Any, _ moment: Moment) -> Void) {
    self.nameOf = nameOf
    self.note = note
  }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note(event, moment) }

  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) {
    note(PanelTrouble.trouble(trouble, .named(nameOf(lens))), moment)
  }
}

extension Level {
  init(_ level: PanelDefinition.Level) {
    self = level == .low ? .low : .high
  }
}
