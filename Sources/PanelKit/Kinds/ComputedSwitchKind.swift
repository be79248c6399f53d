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
      Key(name: "debounce", takes: "a duration: 5ms", shape: .span(.zero ... .seconds(10))),
      DeviceFields.reportStartKey,
    ])
  package static let plural = "switches"

  static let conditions = FieldSet(
    name: "the conditions of a switch",
    keys: [
      Key(
        name: "on", takes: "a condition: air > 28", isRequired: true, shape: .text,
        meaning: "condition that turns the computed switch on"),
      Key(
        name: "off", takes: "a condition: air < 25", shape: .text, usual: "the opposite of `on`",
        meaning: "condition that turns the computed switch off"),
    ])

  var words: SwitchKind.Words
  private var conditions: SwitchRule
  package var rule: Derivation { .condition(conditions) }
  package var debounce: Duration { conditions.debounce }
  package var reportsStart: Bool { conditions.reportsStart }
  package var needsClock: Bool { debounce > .zero }
  private let texts: [String: YAMLNode]

  package init?(reading fields: DeviceFields) {
    words = SwitchKind.words(fields) ?? SwitchKind.Words()
    self.conditions = SwitchRule(debounce: fields.duration("debounce") ?? .zero, reportsStart: fields.reportsStart)
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
  }

  package var events: [String] { [words.on, words.off] }
  package var positions: [String] { [words.off, words.on] }
  package func position(after event: Int) -> Int? { event == SwitchEvent.on ? 1 : 0 }

  package mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList) {
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
