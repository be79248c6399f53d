import CycleCore
import Terminal

/// Reads the transitions of events and delays: the maps of `on`, `after` and `set`.
struct TransitionReader {
  private static let longest = Duration.seconds(1_000_000 * 60)

  let names: Names
  let problems: ProblemList
  /// The region in which target states are looked up; nil at the top level, where all regions are searched.
  let region: Int?
  /// The state that has the transitions; nil for the top level.
  let state: Int?
  /// Whether a transition could not be read. Then unreachable states are unknown, and are not checked.
  private(set) var hasUnreadTransition = false
  /// The position of each event that has been read.
  private(set) var eventPositions: [Position] = []

  /// - Parameter state: the state whose transitions are read; nil for the top level.
  init(names: Names, problems: ProblemList, of state: Int?) {
    self.names = names
    self.problems = problems
    self.state = state
    region = state.map { names.topRegions[$0] }
  }

  /// Whether the transitions that are being read are those of `at`.
  private var isOfAlarm = false

  private var scope: ExpressionContext { ExpressionContext(state: state) }
  private var assignments: AssignmentReader { AssignmentReader(names: names, problems: problems, scope: scope) }
  private var advice: TransitionHints { TransitionHints(names: names) }
  private var sounds: PlayReader { PlayReader(names: names, problems: problems, scope: scope) }
  private var sending: SendReader { SendReader(names: names, problems: problems, scope: scope) }

  mutating func reactions(_ field: Field?) -> [PanelDefinition.Reaction] {
    var reactions: [PanelDefinition.Reaction] = []
    let events = EventReader(names: names, problems: problems)
    let entries = entries(field)
    // Consecutive entries that end with commas have one problem together.
    var endOfRow = 0
    for (number, entry) in entries.enumerated() {
      if number < endOfRow { continue }
      if isEndedByComma(entry, number + 1 < entries.count ? entries[number + 1] : nil) {
        let row = entries[number...].prefix { $0.position.line == entry.position.line }
        let ended = row.prefix { $0.value.content == .nothing }.count
        let names = row.prefix(ended + 1).map(\.key).joined(separator: " | ")
        problems.add(
          entry.position, "the comma ends \(quoted(entry.key)) here; to react to any of them write \(names)")
        endOfRow = number + ended
        hasUnreadTransition = true
        continue
      }
      let read = events.events(entry)
      let transitions = transitions(entry)
      if read.isEmpty { hasUnreadTransition = true }
      for event in read {
        if let other = reactions.first(where: { $0.event == event.event }) {
          // A duplicate key has a problem already.
          if entry.key.contains("|") || other.isAlternative {
            problems.add(event.position, "event \(quoted(event.text)) is written twice; write it once")
          }
        }
        eventPositions.append(event.position)
        reactions.append(.init(event: event.event, transitions: transitions, isAlternative: entry.key.contains("|")))
      }
    }
    return reactions
  }

  /// The entries of a map. Another value adds a problem, and its transitions are unknown.
  private mutating func entries(_ field: Field?) -> [YAMLNode.Entry] {
    switch field?.node.content {
    case .scalar, .list: hasUnreadTransition = true
    default: break
    }
    guard let outer = field?.key.name else { return [] }
    return problems.entries(field).filter { entry in
      guard let fault = advice.fault(ofKey: entry.key, beside: outer) else { return true }
      problems.add(entry.position, fault)
      hasUnreadTransition = true
      return false
    }
  }

  /// Whether a comma has ended a key: the key has no value, and another key follows in the same line.
  private func isEndedByComma(_ entry: YAMLNode.Entry, _ next: YAMLNode.Entry?) -> Bool {
    entry.value.content == .nothing && next?.position.line == entry.position.line
  }

  /// The transitions of `at`, as reactions to events of the clock.
  mutating func alarms(_ field: Field?) -> [PanelDefinition.Reaction] {
    guard let field else { return [] }
    var reactions: [PanelDefinition.Reaction] = []
    let reader = ClockReader(problems: problems)
    isOfAlarm = true
    defer { isOfAlarm = false }
    for entry in entries(field) {
      let transitions = transitions(entry)
      let late = lateness(of: entry)
      let parts = entry.key.split(separator: "|", omittingEmptySubsequences: false)
      for part in parts {
        let words = ClockReader.words(part)
        let place = entry.key.distance(
          from: entry.key.startIndex, to: part.firstIndex { $0 != " " } ?? part.startIndex)
        let position = parts.count > 1 ? entry.position(at: place) : entry.position
        guard let first = words.first, let clock = names.clock[.time],
          let time = reader.time(first, of: "at", at: position, in: names, hasPlace: names.hasPlace),
          let days = reader.days(Array(words.dropFirst()), at: position)
        else {
          if words.isEmpty { problems.add(position, "a time is missing beside \"|\"; write it, or remove the bar") }
          hasUnreadTransition = true
          continue
        }
        let alarm = ClockDefinition.Alarm(time: time, days: days, late: late, word: words.joined(separator: "-"))
        let number = names.usage.alarms.firstIndex(of: alarm) ?? names.usage.alarms.count
        if number == names.usage.alarms.count { names.usage.alarms.append(alarm) }
        let event = PanelEvent.input(clock, ClockDefinition.firstAlarm + number)
        guard !reactions.contains(where: { $0.event == event }) else {
          problems.add(position, "time \(quoted(words.joined(separator: " "))) is written twice; write it once")
          continue
        }
        reactions.append(.init(event: event, transitions: transitions, isAlternative: parts.count > 1))
      }
    }
    return reactions
  }

  /// The `late` of the transitions of a time; all of them have the same one.
  private func lateness(of entry: YAMLNode.Entry) -> Duration {
    let nodes = if case .list(let nodes) = entry.value.content { nodes } else { [entry.value] }
    var lates: [(late: Duration, position: Position)] = []
    for node in nodes {
      guard case .map(let keys) = node.content, let key = keys.first(where: { $0.key == "late" }),
        case .scalar(let text) = key.value.content, let late = try? Quantity.duration(text)
      else {
        lates.append((ClockDefinition.usualLateness, node.position))
        continue
      }
      names.usage.catchesUp = true
      lates.append((late, key.position))
    }
    if let other = lates.first(where: { $0.late != lates[0].late }) {
      problems.add(other.position, "all transitions of a time have the same \"late\"; write it in each of them")
    }
    return lates.first?.late ?? ClockDefinition.usualLateness
  }

  /// The transitions of `when`.
  mutating func whens(_ field: Field?) -> [PanelDefinition.Transition] {
    var whens: [PanelDefinition.Transition] = []
    let entries = entries(field)
    for (number, entry) in entries.enumerated() {
      if isEndedByComma(entry, number + 1 < entries.count ? entries[number + 1] : nil) {
        problems.add(
          entry.position, "the comma ends \(quoted(entry.key)) here; join comparisons with \"and\" or \"or\"")
        hasUnreadTransition = true
        continue
      }
      let text = entry.key
      let key = entry.keyNode
      var reader = ExpressionReader(text, of: key, key: "when", in: scope, names: names, problems: problems)
      var condition = reader?.condition()
      if let fault = condition?.faultOfElapsed {
        let place = Token.list(of: text).first { $0.text == "elapsed" }?.offset ?? 0
        problems.add(entry.position(at: place), fault)
        condition = nil
      }
      if condition == nil { hasUnreadTransition = true }
      let countBefore = problems.count
      for transition in transitions(entry) {
        guard transition.target != nil else {
          if problems.count == countBefore {
            problems.add(entry.position, "\"when\" without \"go\" would repeat without end; add go: STATE")
          }
          continue
        }
        guard let condition else { continue }
        var transition = transition
        transition.condition = transition.condition.map { .all([condition, $0]) } ?? condition
        transition.written.add(reader?.comparisons ?? [])
        whens.append(transition)
      }
    }
    return whens
  }

  /// The deadlines of `every`. Their numbers are set when all states have been read.
  mutating func repetitions(_ field: Field?) -> [PanelDefinition.Deadline] {
    deadlines(field, "every", from: .milliseconds(1), .again(0))
  }

  /// The deadlines of `untouched`.
  mutating func untouched(_ field: Field?) -> [PanelDefinition.Deadline] {
    deadlines(field, "untouched", from: .milliseconds(1), .untouched(0))
  }

  mutating func deadlines(_ field: Field?) -> [PanelDefinition.Deadline] {
    deadlines(field, "after", from: .zero, .once)
  }

  private mutating func deadlines(
    _ field: Field?, _ key: String, from shortest: Duration, _ recurrence: PanelDefinition.Recurrence
  ) -> [PanelDefinition.Deadline] {
    var deadlines: [PanelDefinition.Deadline] = []
    var lines: [String: Int] = [:]
    for entry in entries(field) {
      let delay = delay(entry, of: key, in: shortest...Self.longest)
      let transitions = transitions(entry)
      guard let delay else {
        hasUnreadTransition = true
        continue
      }
      let text = if case .fixed(let duration) = delay { Quantity.text(duration) } else { entry.key }
      if let line = lines[text] {
        hasUnreadTransition = true
        problems.add(entry.position, "duplicate duration \(text); it is already on line \(line), write a list there")
        continue
      }
      lines[text] = entry.position.line
      deadlines.append(.init(delay: delay, transitions: transitions, recurrence: recurrence))
    }
    return deadlines
  }

  /// A time to wait: a duration, a random one between two durations, or a value.
  private func delay(
    _ entry: YAMLNode.Entry, of key: String, in range: ClosedRange<Duration>
  ) -> PanelDefinition.Delay? {
    if entry.key.hasPrefix("random ") {
      problems.add(
        entry.position, "\"random\" is not needed before a time; write \(entry.key.dropFirst("random ".count))")
      return nil
    }
    let parts = entry.key.parts(between: "..", atMost: 2).map(String.init)
    if parts.count == 2 {
      let ends = parts.map { problems.wholeMilliseconds($0, of: key, in: range, at: entry.position) }
      guard let first = ends[0], let last = ends[1] else { return nil }
      guard first <= last else {
        problems.add(entry.position, "\(entry.key) is in the wrong order; write \(parts[1])..\(parts[0])")
        return nil
      }
      guard key != "untouched" else {
        problems.add(entry.position, "\"untouched\" takes one duration; write \(parts[0])")
        return nil
      }
      names.usage.drawsNumbers = true
      return .drawn(first...last, wait: 0)
    }
    if case .value(let value)? = names.thing(entry.key) {
      let isDuration = names.durations.contains(value) && names.lists[value] == nil
      if isDuration, key == "after" { return .value(value, wait: 0) }
      if key == "after" || !isDuration {
        problems.add(
          entry.position,
          key == "after"
            ? "\(quoted(entry.key)) is not a duration; write one, or a value whose min and max have units"
            : "\(quoted(entry.key)) is a value; \(quoted(key)) takes a duration, write 250ms, 3s or 2m")
      } else {
        problems.add(
          entry.position,
          "\(quoted(entry.key)) is a value; \(quoted(key)) takes a duration, write one, "
            + "or a state that goes to itself after: { \(entry.key): STATE }")
      }
      return nil
    }
    if let fault = TransitionHints.faultOfTime(entry) {
      problems.add(entry.position, fault)
      return nil
    }
    if key == "after", entry.key.contains(where: { "*/+(".contains($0) }) {
      problems.add(
        entry.position,
        "\"after\" takes no formula; set a value to it first, and write after: { VALUE: STATE }: the value needs units, as "
          + "{ initial: 0s, min: 0s, max: 10m }")
      return nil
    }
    return problems.duration(entry.key, of: key, in: range, at: entry.position).map { .fixed($0) }
  }

  /// The actions when a state is entered or left.
  func actions(_ field: Field?, _ grammar: FieldSet) -> PanelDefinition.Actions {
    guard let field else { return .init() }
    let countBefore = problems.count
    guard let fields = problems.fields(field.node, grammar, at: field.position, advice: advice.advice) else {
      return .init()
    }
    // No time has elapsed in a state when it is entered.
    let scope = ExpressionContext(state: state, isShown: grammar.name == Grammar.enter.name)
    let sounds = PlayReader(names: names, problems: problems, scope: scope)
    let actions = PanelDefinition.Actions(
      assignments: assignments.read(fields["set"]), play: sounds.readOnce(fields["play"]),
      send: SendReader(names: names, problems: problems, scope: scope).read(fields["send"]))
    // An unknown key has its own problem already.
    if fields["set"] == nil, fields["play"] == nil, fields["send"] == nil, problems.count == countBefore {
      problems.add(
        field.position, "\(quoted(field.key.name)) does nothing; add set: { value: 1 } or play: [ sound ]")
    }
    return actions
  }

  /// The transitions in a key of a state.
  mutating func transitions(at field: Field) -> [PanelDefinition.Transition] {
    transitions(YAMLNode.Entry(key: field.key.name, position: field.position, value: field.node))
  }

  private mutating func transitions(_ entry: YAMLNode.Entry) -> [PanelDefinition.Transition] {
    guard case .list(let nodes) = entry.value.content else {
      return transition(entry.value, of: entry, at: entry.position).map { [$0] } ?? []
    }
    if nodes.isEmpty {
      problems.add(entry.value.position, "the list is empty for \(quoted(entry.key)); write a state or { go: STATE }")
    }
    var transitions: [PanelDefinition.Transition] = []
    var unconditional: Int?
    var isToldUnreached = false
    for node in nodes {
      if let line = unconditional {
        if !isToldUnreached {
          problems.add(node.position, "never fires; the transition on line \(line) has no \"if\", put it last")
        }
        (isToldUnreached, hasUnreadTransition) = (true, true)
        // Read only to report the problems in it.
        _ = transition(node, of: entry, at: node.position)
        continue
      }
      guard let transition = transition(node, of: entry, at: node.position) else { continue }
      if transition.condition == nil, !hasIf(node) { unconditional = node.position.line }
      noteCovered(transition, node, by: transitions, nodes)
      transitions.append(transition)
    }
    return transitions
  }

  /// Adds a note for a transition that never fires, because its condition holds only if that of an earlier one does.
  private func noteCovered(
    _ transition: PanelDefinition.Transition, _ node: YAMLNode, by earlier: [PanelDefinition.Transition],
    _ nodes: [YAMLNode]
  ) {
    guard earlier.count < nodes.count, let own = transition.condition?.interval(names) else { return }
    let place = earlier.firstIndex { other in
      other.condition?.interval(names).map { $0.number == own.number && $0.covers(own) } ?? false
    }
    guard let place else { return }
    problems.note(
      node.position,
      "never fires; the condition on line \(nodes[place].position.line) is true whenever this one is, put this one first"
    )
  }

  /// The transition that is applied when a forbidden condition holds; nil if there is none.
  mutating func remedy(_ fields: Fields) -> PanelDefinition.Transition? {
    var transition = PanelDefinition.Transition(assignments: assignments.read(fields["set"]))
    if let field = fields["go"], let text = problems.text(field) {
      transition.target = target(text, at: field.node.position)
    }
    return transition.target == nil && transition.assignments.isEmpty ? nil : transition
  }

  private func hasIf(_ node: YAMLNode) -> Bool {
    if case .map(let entries) = node.content { entries.contains { $0.key == "if" } } else { false }
  }

  /// - Parameter entry: the key of the transition (an event, a delay or a condition), and its transitions.
  private mutating func transition(
    _ node: YAMLNode, of entry: YAMLNode.Entry, at position: Position
  ) -> PanelDefinition.Transition? {
    switch node.content {
    case .scalar(let text):
      return target(text, at: node.position).map {
        .init(target: $0, written: FilePassage(source: .init(position: position, text: entry.key)))
      }
    case .map:
      let countBefore = problems.count
      guard let fields = problems.fields(node, Grammar.transition, at: position, advice: advice.advice) else {
        return nil
      }
      var transition = PanelDefinition.Transition()
      var comparisons: [FilePassage.Comparison] = []
      if let field = fields["if"], let text = problems.text(field) {
        var reader = ExpressionReader(text, of: field.node, key: "if", in: scope, names: names, problems: problems)
        transition.condition = reader?.condition()
        comparisons = reader?.comparisons ?? []
        if transition.condition == nil { hasUnreadTransition = true }
      }
      transition.written = FilePassage(source: .init(position: position, text: entry.key, comparisons: comparisons))
      if let field = fields["late"] {
        _ = problems.duration(field, in: .zero ... .seconds(86_400))
        if !isOfAlarm {
          problems.add(field.position, "\"late\" is for times of day; write it in a transition of at")
        }
      }
      transition.assignments = assignments.read(fields["set"])
      transition.play = sounds.readOnce(fields["play"])
      transition.send = sending.read(fields["send"])
      if let field = fields["power"] {
        names.usage.asksForPower = true
        transition.power = problems.choice(field)
      }
      if let field = fields["go"] {
        guard let text = problems.text(field), let target = target(text, at: field.node.position) else {
          hasUnreadTransition = true
          return nil
        }
        transition.target = target
        if let other = fields["resume"] {
          problems.add(other.position, "\"resume\" can't be beside \"go\"; write one of them")
        }
      } else if let field = fields["resume"] {
        guard let text = problems.text(field), let target = resumed(text, at: field.node.position) else {
          hasUnreadTransition = true
          return nil
        }
        transition.target = target
      } else if fields["set"] == nil, fields["play"] == nil, fields["send"] == nil, fields["power"] == nil {
        // An unknown key has its own problem already.
        if problems.count == countBefore {
          problems.add(node.position, "the transition does nothing; add go: STATE or set: { value: 1 }")
        }
        hasUnreadTransition = true
      }
      return transition
    case .refused: break
    case .nothing: problems.add(position, "the transition has no target; write a state or { go: STATE }")
    case .list:
      problems.add(node.position, "a list is not allowed in a list of transitions; write a state or { go: STATE }")
    }
    hasUnreadTransition = true
    return nil
  }

  private mutating func target(_ name: String, at position: Position) -> PanelDefinition.Target? {
    if let fault = advice.faultOfTarget(name) {
      problems.add(position, fault)
      hasUnreadTransition = true
      return nil
    }
    let target =
      if let region {
        names.state(name, in: region, at: position, problems)
      } else {
        names.state(name, at: position, problems)
      }
    if target == nil { hasUnreadTransition = true }
    return target
  }

  /// The target with inner states, which are entered as they were left.
  private mutating func resumed(_ name: String, at position: Position) -> PanelDefinition.Target? {
    guard var target = target(name, at: position) else { return nil }
    guard names.hasStatesInside(target.state) else {
      problems.add(position, "\(quoted(name)) has no states inside to resume; write go: \(name)")
      return nil
    }
    target.resumes = true
    return target
  }
}
