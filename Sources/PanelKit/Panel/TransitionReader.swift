import Terminal

/// Reads what events and delays do: the maps of `on`, `after` and `set`.
struct TransitionReader {
  private static let longest = Duration.seconds(1_000_000 * 60)

  let names: Names
  let problems: ProblemList
  /// The region in which target states are looked up; nil at the top level, where all regions are searched.
  let region: Int?
  /// Whether a transition could not be read: then it is unknown which states can't be reached, and not checked.
  private(set) var hasUnreadTransition = false

  init(names: Names, problems: ProblemList, region: Int?) {
    self.names = names
    self.problems = problems
    self.region = region
  }

  mutating func reactions(_ field: Field?) -> [PanelDefinition.Reaction] {
    var reactions: [PanelDefinition.Reaction] = []
    let events = EventReader(names: names, problems: problems)
    for entry in entries(field) {
      let read = events.events(entry)
      let transitions = transitions(entry)
      if read.isEmpty { hasUnreadTransition = true }
      for event in read {
        if let other = reactions.first(where: { $0.event == event.event }) {
          // A key that is there twice is told as such.
          if entry.key.contains("|") || other.isAlternative {
            problems.add(event.position, "event \(quoted(event.text)) is there twice; write it once")
          }
        }
        reactions.append(.init(event: event.event, transitions: transitions, isAlternative: entry.key.contains("|")))
      }
    }
    return reactions
  }

  /// The entries of a map; another value adds a problem, and its transitions are not known then.
  private mutating func entries(_ field: Field?) -> [YAMLNode.Entry] {
    switch field?.node.content {
    case .scalar, .list: hasUnreadTransition = true
    default: break
    }
    return problems.entries(field)
  }

  /// The transitions of `when`.
  mutating func whens(_ field: Field?) -> [PanelDefinition.Transition] {
    var whens: [PanelDefinition.Transition] = []
    for entry in entries(field) {
      let text = entry.key
      let key = YAMLNode(content: .scalar(text), position: entry.position, textColumn: entry.keyColumn)
      if let advice = adviceForElapsed(entry) {
        problems.add(entry.position, "\"elapsed\" in \"when\"; write \(advice)")
        hasUnreadTransition = true
        continue
      }
      var reader = ExpressionReader(text, of: key, key: "when", names: names, problems: problems)
      let condition = reader?.condition()
      if condition == nil { hasUnreadTransition = true }
      let countBefore = problems.count
      for transition in transitions(entry) {
        guard transition.target != nil else {
          if problems.count == countBefore {
            problems.add(entry.position, "\"when\" without go would happen without end; give it go: STATE")
          }
          continue
        }
        guard let condition else { continue }
        var transition = transition
        transition.condition = transition.condition.map { .all([condition, $0]) } ?? condition
        whens.append(transition)
      }
    }
    return whens
  }

  /// The `after` that says what somebody meant who compares `elapsed` in a `when`; nil for any other condition.
  private func adviceForElapsed(_ entry: YAMLNode.Entry) -> String? {
    let tokens = Token.list(of: entry.key)
    guard names.thing("elapsed") == nil, tokens.contains(where: { $0.text == "elapsed" }) else { return nil }
    let duration = tokens.first { $0.kind == .number }?.text ?? "3s"
    let target = if case .scalar(let state) = entry.value.content { state } else { "STATE" }
    return "after: { \(duration): \(target) }"
  }

  /// The deadlines of `every`. Their numbers are set when all states have been read.
  mutating func repetitions(_ field: Field?) -> [PanelDefinition.Deadline] {
    deadlines(field, "every", from: .milliseconds(1)).map { deadline in
      var deadline = deadline
      deadline.repetition = 0
      return deadline
    }
  }

  mutating func deadlines(_ field: Field?) -> [PanelDefinition.Deadline] { deadlines(field, "after", from: .zero) }

  private mutating func deadlines(
    _ field: Field?, _ key: String, from shortest: Duration
  ) -> [PanelDefinition.Deadline] {
    var deadlines: [PanelDefinition.Deadline] = []
    var lines: [Duration: Int] = [:]
    for entry in entries(field) {
      let delay = problems.duration(entry.key, of: key, in: shortest...Self.longest, at: entry.position)
      let transitions = transitions(entry)
      guard let delay else {
        hasUnreadTransition = true
        continue
      }
      if let line = lines[delay] {
        let text = Quantity.text(delay)
        hasUnreadTransition = true
        problems.add(entry.position, "duplicate duration \(text); it is on line \(line) already, write a list there")
        continue
      }
      lines[delay] = entry.position.line
      deadlines.append(.init(delay: delay, transitions: transitions))
    }
    return deadlines
  }

  /// What entering or leaving a state does.
  func actions(_ field: Field?, _ grammar: Place) -> [PanelDefinition.Assignment] {
    guard let field, let fields = problems.fields(field.node, grammar, at: field.position) else { return [] }
    return assignments(fields["set"])
  }

  func assignments(_ field: Field?) -> [PanelDefinition.Assignment] {
    let entries = problems.entries(field)
    var assignments: [PanelDefinition.Assignment] = []
    var place = 0
    while place < entries.count {
      let entry = entries[place]
      place += 1
      let value = names.value(entry.key, at: entry.position, problems)
      guard case .scalar(let text) = entry.value.content else {
        if entry.value.content != .refused {
          let position = entry.value.content == .nothing ? entry.position : entry.value.position
          problems.add(
            position, "\(quoted(entry.key)) is set to \(entry.value.kind); write a number: 3, or +1 or -1 to change it")
        }
        continue
      }
      if let whole = textCutByComma(text, entries[place...]) {
        problems.add(
          entry.value.position, "the comma ends \(quoted(text)) here; put the whole in quotes: \(quoted(whole.text))")
        place += whole.count
        continue
      }
      if let value, let change = change(of: value, to: text, entry.value) {
        assignments.append(.init(value: value, change: change))
      }
    }
    return assignments
  }

  /// What an assignment does: `+1` and `-1` change the value, `= -1` and anything else sets it.
  private func change(of value: Int, to text: String, _ node: YAMLNode) -> PanelDefinition.Change? {
    let isChange = text.hasPrefix("+") || text.hasPrefix("-")
    // A blank instead of the sign: the tokens stay where they are.
    let expression = text.hasPrefix("+") || text.hasPrefix("=") ? " " + text.dropFirst() : text
    var reader = ExpressionReader(expression, of: node, key: "set", names: names, problems: problems)
    return isChange
      ? reader?.number(for: value, isChange: true).map { .by($0) } : reader?.number(for: value).map { .to($0) }
  }

  /// In a map within braces, a comma ends a value: `{ n: min(n, 3) }` has the keys `n` and `3)`. Returns the whole text and the
  /// number of keys that belong to it; nil if the text has as many closing parentheses as opening ones.
  private func textCutByComma(_ text: String, _ rest: ArraySlice<YAMLNode.Entry>) -> (text: String, count: Int)? {
    var whole = text
    func isOpen() -> Bool { whole.count { $0 == "(" } > whole.count { $0 == ")" } }
    guard isOpen() else { return nil }
    for (index, entry) in rest.enumerated() where entry.value.content == .nothing {
      whole += ", " + entry.key
      if !isOpen() { return (whole, index + 1) }
    }
    return nil
  }

  /// The transitions that a key of a state takes.
  mutating func transitions(at field: Field) -> [PanelDefinition.Transition] {
    transitions(YAMLNode.Entry(key: field.key.name, position: field.position, value: field.node))
  }

  private mutating func transitions(_ entry: YAMLNode.Entry) -> [PanelDefinition.Transition] {
    guard case .list(let nodes) = entry.value.content else {
      return transition(entry.value, at: entry.position).map { [$0] } ?? []
    }
    if nodes.isEmpty {
      problems.add(entry.value.position, "an empty list for \(quoted(entry.key)); write a state or { go: STATE }")
    }
    var transitions: [PanelDefinition.Transition] = []
    var unconditional: Int?
    for node in nodes {
      if let line = unconditional {
        problems.add(node.position, "never reached; the transition on line \(line) has no if, put it last")
        hasUnreadTransition = true
        break
      }
      guard let transition = transition(node, at: node.position) else { continue }
      if transition.condition == nil, !hasIf(node) { unconditional = node.position.line }
      transitions.append(transition)
    }
    return transitions
  }

  private func hasIf(_ node: YAMLNode) -> Bool {
    if case .map(let entries) = node.content { entries.contains { $0.key == "if" } } else { false }
  }

  private mutating func transition(_ node: YAMLNode, at position: Position) -> PanelDefinition.Transition? {
    switch node.content {
    case .scalar(let text):
      return target(text, at: node.position).map { .init(target: $0) }
    case .map:
      guard let fields = problems.fields(node, Grammar.transition, at: position) else { return nil }
      var transition = PanelDefinition.Transition()
      if let field = fields["if"], let text = problems.text(field) {
        var reader = ExpressionReader(text, of: field.node, key: "if", names: names, problems: problems)
        transition.condition = reader?.condition()
        if transition.condition == nil { hasUnreadTransition = true }
      }
      transition.assignments = assignments(fields["set"])
      if let field = fields["go"] {
        guard let text = problems.text(field), let target = target(text, at: field.node.position) else {
          hasUnreadTransition = true
          return nil
        }
        transition.target = target
        if let other = fields["resume"] {
          problems.add(other.position, "\"resume\" beside \"go\"; write one of them")
        }
      } else if let field = fields["resume"] {
        guard let text = problems.text(field), let target = resumed(text, at: field.node.position) else {
          hasUnreadTransition = true
          return nil
        }
        transition.target = target
      } else if fields["set"] == nil {
        problems.add(node.position, "a transition that does nothing; give it go: STATE or set: { value: 1 }")
        hasUnreadTransition = true
      }
      return transition
    case .refused: break
    case .nothing: problems.add(position, "a transition to nothing; write a state or { go: STATE }")
    case .list: problems.add(node.position, "a list in a list of transitions; write a state or { go: STATE }")
    }
    hasUnreadTransition = true
    return nil
  }

  private mutating func target(_ name: String, at position: Position) -> PanelDefinition.Target? {
    let target =
      if let region {
        names.state(name, in: region, at: position, problems)
      } else {
        names.state(name, at: position, problems)
      }
    if target == nil { hasUnreadTransition = true }
    return target
  }

  /// A state with states inside, which are entered as they were left.
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
