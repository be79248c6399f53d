import PanelLanguage
import Terminal

/// `warm: { switch: { on: air > 28, off: air < 25 } }`: a switch whose contact is a condition over sensors and
/// contacts. While neither condition holds, it keeps its position.
package struct ComputedSwitchKind: DerivedInputKind, DrivenInputKind {
  package static let grammar = FieldSet(
    name: "a computed switch",
    keys: [
      Key(name: "switch", takes: "a map of conditions: { on: air > 28, off: air < 25 }", shape: .fields(conditions)),
      Key(name: "words", takes: "a map: { on: shut, off: open }", shape: .fields(SwitchKind.wordsGrammar)),
      SwitchDebounce.key,
      DeviceFields.reportStartKey,
    ])
  package static let plural = "switches"

  static let conditions = FieldSet(
    name: "the conditions of a switch",
    keys: [
      Key(
        name: "on", takes: "a condition: air > 28", shape: .text,
        meaning: "condition that turns the computed switch on. Required, unless the switch has `between`"),
      Key(
        name: "off", takes: "a condition: air < 25", shape: .text, usual: "the opposite of `on`",
        meaning: "condition that turns the computed switch off"),
      Key(
        name: "between", takes: "two times of day: \"22:00..06:00\"", shape: .text,
        meaning:
          "the switch is on from the first time of day up to the second one, also over midnight. A time is `06:30`, a value, "
          + "`sunrise` or `sunset-30m`"),
      Key(
        name: "days", takes: "days: mon..fri", shape: .text, usual: "each day",
        meaning: "days of the week on which the time of `between` begins, such as `mon..fri` or `sat sun`"),
    ])

  var words: SwitchKind.Words
  private var conditions: SwitchRule
  package var rule: Derivation { .condition(conditions) }
  package var debounce: Duration { min(conditions.debounceOn, conditions.debounceOff) }
  package var longestDebounce: Duration { max(conditions.debounceOn, conditions.debounceOff) }
  package func settlingTime(to position: Int) -> Duration { conditions.debounce(to: position) }
  package var reportsStart: Bool { conditions.reportsStart }
  package var needsClock: Bool { longestDebounce > .zero }
  private let texts: [String: YAMLNode]

  package init?(reading fields: DeviceFields) {
    words = SwitchKind.words(fields) ?? SwitchKind.Words()
    let times = fields.switchDebounce(usual: .zero)
    self.conditions = SwitchRule(debounceOn: times.on, debounceOff: times.off, reportsStart: fields.reportsStart)
    for key in ["pull", "active"] {
      if let field = fields[key] {
        fields.problems.add(
          field.position,
          "\(quoted(key)) needs a contact, and this switch has none; leave it out, or give the switch a line")
      }
    }
    guard let field = fields["switch"],
      let conditions = fields.problems.fields(field.node, Self.conditions, at: field.position)
    else { return nil }
    texts = Dictionary(uniqueKeysWithValues: conditions.all.map { ($0.key.name, $0.node) })
    if texts["between"] == nil, conditions.isMissing("on") {
      fields.problems.addMissing(Self.conditions.keys[0], of: Self.conditions, at: field.position)
    }
    if texts["between"] == nil, let days = conditions["days"] {
      fields.problems.add(days.position, "\"days\" needs \"between\"; write between: \"22:00..06:00\"")
    }
    if texts["between"] != nil, let other = conditions["on"] ?? conditions["off"] {
      fields.problems.add(other.position, "\(quoted(other.key.name)) can't be beside \"between\"; write one of them")
    }
  }

  package var events: [String] { [words.on, words.off] }
  package var positions: [String] { [words.off, words.on] }
  package func position(after event: Int) -> Int? { event == SwitchEvent.on ? 1 : 0 }

  package mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList) {
    if let node = texts["between"] {
      guard case .scalar(let text) = node.content else {
        problems.add(node.position, "\"between\" is \(node.kind); it takes two times of day: \"22:00..06:00\"")
        return
      }
      var days: Set<Int> = []
      if let field = texts["days"], case .scalar(let text) = field.content {
        let words = text.split(separator: " ").map(String.init)
        guard let read = ClockReader(problems: problems).days(words, at: field.position) else { return }
        days = read
      }
      conditions.isForgetful = true
      conditions.isOn = names.period(text, on: days, at: node.position, problems)
      return
    }
    conditions.isOn = condition("on", names, problems)
    conditions.isOff = condition("off", names, problems)
  }

  private mutating func condition(_ key: String, _ names: Names, _ problems: ProblemList) -> Condition? {
    guard let node = texts[key] else { return nil }
    guard case .scalar(let text) = node.content else {
      problems.add(node.position, "\(quoted(key)) is \(node.kind); it takes a condition: air > 28")
      return nil
    }
    var reader = ExpressionReader(
      text, of: node, key: key, in: ExpressionContext(asksOnlyInputs: true), names: names, problems: problems)
    let condition = reader?.condition()
    let comparisons = (conditions.written.source?.comparisons ?? []) + (reader?.comparisons ?? [])
    conditions.written = FilePassage(source: .init(position: node.position, text: text, comparisons: comparisons))
    return condition
  }
}
