import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// A panel at work on its devices, with somebody in front of it: takes steps, sees what is shown, and tells what changed.
final class PanelSession {
  let application: PanelApplication
  let platform: Platform
  /// The world's side of the panel's chip and card; nil where they are not simulated.
  let chip: SimulatedChip?
  let card: SimulatedCard?
  private(set) var sight: PanelSight!
  private(set) var journal: PanelJournal
  private var contacts: [Int: Contact] = [:]
  private var knobs: [Int: Knob] = [:]
  private(set) var beginning = Moment.zero
  /// What can be seen or heard, in the order of the file.
  private let subjects: [Subject]
  /// What of each has been told; empty before the first time.
  private var told: [Shown] = []
  private var toldLosses: [Seam] = []
  private var log: Diagnostics?
  /// How much trouble has been told.
  @exclusivity(unchecked) private var toldTroubles = 0
  @exclusivity(unchecked) private var losses: LossLog

  /// Loads the sounds and puts the panel on the devices; opens nothing yet.
  ///
  /// - Parameters:
  ///   - isSoundRequired: whether a sound device that can't be opened ends the start: one that somebody asks for on the
  ///     command line. Otherwise it is trouble, and is tried again.
  ///   - waitsForLines: whether a chip or a line that can't be had yet is trouble as well.
  init(
    _ panel: PanelDefinition, on platform: Platform, isSoundRequired: Bool = false, waitsForLines: Bool = false
  ) throws(DriverError) {
    self.platform = platform
    let (gpio, audio) = (Self.port(of: panel), AudioPort(device: panel.audio.device))
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
  static func port(of panel: PanelDefinition) -> GPIOPort {
    GPIOPort(panel.chip == "auto" ? .auto : .named(panel.chip), simulatedLines: lines(of: panel))
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

  /// Has trouble told on standard error as a warning, and every other event as information.
  func log(to diagnostics: Diagnostics) {
    log = diagnostics
  }

  /// When ``tellTroubles()`` has something to tell although nothing happens; nil if it has not.
  var nextTelling: Moment? { losses.nextTelling }

  /// Edges that were lost and not told yet, in lines, at most every 10 s.
  func takeLosses(isLast: Bool = false) -> [String] {
    losses.lines(application.reportCounts.lostEdges, in: application.frame, at: now, isLast: isLast)
  }

  /// Tells of the trouble that there has been since the last time, once per turn of the cycle.
  ///
  /// - Parameter isLast: whether this is the end.
  func tellTroubles(isLast: Bool = false) {
    let counts = application.reportCounts
    guard counts.troubles != toldTroubles || counts.lostEdges != losses.toldCount else { return }
    for line in takeLosses(isLast: isLast) { log?.write(.warning, "\(panel.name): \(line)") }
    let count = counts.troubles
    guard count != toldTroubles else { return }
    for trouble in application.frame.troubles.suffix(count - toldTroubles) {
      log?.write(.warning, "\(panel.name): \(trouble.text)")
    }
    let untold = count - toldTroubles - PanelTrouble.capacity
    if untold > 0 { log?.write(.warning, "\(panel.name): \(untold) more before that") }
    toldTroubles = count
  }

  /// Logs drivers that hold the panel up for longer than they may: each when it takes twice as long as ever before.
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

  /// - Parameter isWatched: whether somebody asks what is to be seen and what has happened; otherwise that isn't kept.
  func start(isWatched: Bool = true) throws(DriverError) {
    beginning = now
    if log != nil { logOverruns() }
    let tells = log.map { $0.level >= .info } ?? false
    if isWatched || tells {
      application.cycle.tap(
        PanelTap(nameOf: { [unowned self] in application.cycle.name(of: $0) }) { [unowned self] event, moment in
          if isWatched { journal.note(event, at: moment) }
          if tells, let text = journal.textBesidesTrouble(of: event) { log?.write(.info, "\(panel.name): \(text)") }
        })
    }
    guard isWatched else { return try bench.run(application.cycle) }
    application.cycle.observe { [unowned self] frame, moment in sight?.note(frame, at: moment) }
    try bench.run(application.cycle)
    sight = PanelSight(application, chip: chip, at: beginning)
    sight.note(application.frame, at: beginning)
    _ = changes()
  }

  func stop() {
    bench.stop()
  }

  // MARK: - Steps

  /// Does what the step says: what was expected and not there, empty if all was.
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
    case .unplug(let seam): try plug(seam, false)
    case .plug(let seam): try plug(seam, true)
    case .show: break
    case .expect(let expectations): return expectations.compactMap(failure)
    }
    return []
  }

  /// A click lasts 50 ms, and no less than what it takes to get past the debouncing.
  private static func clickLength(of input: PanelDefinition.Input) -> Duration {
    guard case .button(_, let settings) = input.device else { return .zero }
    return max(.milliseconds(50), settings.contact.debounce * 2)
  }

  private func hold(_ input: Int, for span: Duration) throws(DriverError) {
    try contacts[input]?.press()
    try bench.advance(by: span)
    try contacts[input]?.release()
    // The release counts when the contact has been at rest for as long as the debouncing asks for.
    if case .button(_, let settings) = panel.inputs[input].device {
      try bench.advance(by: settings.contact.debounce + (contacts[input]?.bounce ?? .zero))
    }
  }

  private func plug(_ seam: Seam, _ isPlugged: Bool) throws(DriverError) {
    for hardware in platform.simulated(named: seam.rawValue) {
      if isPlugged { hardware.plug() } else { hardware.unplug() }
    }
    try bench.settle()
  }

  /// Whether the step needs something simulated that isn't: the error to tell, nil if it can be done.
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
      let seen = sight.sight(of: output, at: now)
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

  private func matches(_ seen: Expectation.Sight, _ wanted: Expectation.Sight, _ output: Int) -> Bool {
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

  /// What a line of the view is about. Names of the file and words of our own are different cases: an output may be called
  /// whatever the file likes.
  enum Subject: Hashable {
    case state(region: Int)
    case output(Int)
    case value(Int)
    case playing
    case seam(Seam)
  }

  /// What is seen or heard of a subject. It is put into words where somebody reads it: of thousands of values a step changes a few.
  private enum Shown: Equatable {
    case state(Int)
    case sight(Expectation.Sight)
    case value(Int)
    case playing([Int])
  }

  private func shown(_ subject: Subject, in frame: PanelFrame, at now: Moment) -> Shown {
    switch subject {
    case .state(let region): .state(frame[state: region])
    case .output(let output): .sight(sight.sight(of: output, at: now))
    case .value(let value): .value(frame[value: value])
    case .playing: .playing(application.show.audible(in: frame))
    case .seam: preconditionFailure("a seam is seen when it is lost")
    }
  }

  private func text(_ shown: Shown, of subject: Subject) -> String {
    switch (shown, subject) {
    case (.state(let state), .state(let region)): panel.regions[region].states[state].name
    case (.sight(let sight), _): "\(sight)"
    case (.value(let value), _): "\(value)"
    case (.playing(let sounds), _): list(sounds)
    case (.state, _): preconditionFailure("a region is in a state")
    }
  }

  private func lostSeams(in frame: PanelFrame) -> [Seam] {
    var seams: [Seam] = []
    if frame.missing.contains(.audio) { seams.append(.audio) }
    if !frame.missing.isDisjoint(with: .gpio) { seams.append(.gpio) }
    return seams
  }

  /// Everything that can be seen or heard, in the order of the file.
  var view: [(subject: Subject, text: String)] {
    let (frame, now) = (application.frame, now)
    return subjects.map { ($0, text(shown($0, in: frame, at: now), of: $0)) }
      + lostSeams(in: frame).map { (.seam($0), "lost") }
  }

  /// What is different from what was told the last time.
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
    for seam in losses where !toldLosses.contains(seam) { changes.append((.seam(seam), "lost")) }
    for seam in Seam.allCases where toldLosses.contains(seam) && !losses.contains(seam) {
      changes.append((.seam(seam), "restored"))
    }
    toldLosses = losses
    return changes
  }

  /// The subject in the words of an `expect`. `audio` and `gpio` are reserved words: nothing in a file has these names.
  func name(of subject: Subject) -> String {
    switch subject {
    case .state(let region): panel.regions[region].name.map { "state.\($0)" } ?? "state"
    case .output(let output): panel.outputs[output].name
    case .value(let value): panel.values[value].name
    case .playing: "playing"
    case .seam(let seam): seam.rawValue
    }
  }
}

/// Hands what drivers tell to a session, each trouble with the part of the panel that it is about.
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
