import PanelLanguage
import Terminal

/// Reads the length of a wait, and the conditions of steps.
struct WaitReader {
  static let until = FieldSet(
    name: "a wait until",
    keys: [
      Key(name: "until", takes: "a condition: lamp == on", isRequired: true, shape: .text),
      Key(name: "at-least", takes: "a duration: 1s", shape: .text),
      Key(name: "at-most", takes: "a duration: 4s", isRequired: true, shape: .text),
    ])

  static let during = FieldSet(
    name: "a wait for",
    keys: [
      Key(name: "for", takes: "a duration: 3s", isRequired: true, shape: .text),
      Key(name: "while", takes: "a condition: lamp == on", isRequired: true, shape: .text),
    ])

  let names: Names
  let problems: ProblemList

  /// Reads a duration, or a map with `until`, or a map with `for` and `while`.
  func wait(_ field: Field) -> Wait? {
    guard case .map(let entries) = field.node.content, !entries.isEmpty else {
      let key = Key(name: field.key.name, takes: "a duration: 3s, or a map: { until: lamp == on, at-most: 4s }")
      let field = Field(key: key, position: field.position, node: field.node)
      return problems.duration(field, in: .zero...StepReader.longest).map { .span($0) }
    }
    let keys = entries.map(\.key)
    return keys.contains("for") || keys.contains("while") ? during(field) : until(field)
  }

  private func until(_ field: Field) -> Wait? {
    guard let fields = problems.fields(field.node, Self.until, at: field.position),
      let until = fields["until"], let condition = condition(until),
      let atMost = problems.duration(fields["at-most"], in: .milliseconds(1)...StepReader.longest)
    else { return nil }
    guard let field = fields["at-least"] else { return .until(condition, atLeast: .zero, atMost: atMost) }
    guard let atLeast = problems.duration(field, in: .zero...StepReader.longest) else { return nil }
    guard atLeast <= atMost else {
      problems.add(
        field.node.position,
        "\"at-least\" is \(Quantity.text(atLeast)); it must not be longer than \"at-most\", \(Quantity.text(atMost))")
      return nil
    }
    return .until(condition, atLeast: atLeast, atMost: atMost)
  }

  private func during(_ field: Field) -> Wait? {
    guard let fields = problems.fields(field.node, Self.during, at: field.position),
      let span = problems.duration(fields["for"], in: .milliseconds(1)...StepReader.longest),
      let held = fields["while"], let condition = condition(held)
    else { return nil }
    return .during(span, condition)
  }

  /// Reads a condition in the language of panel files.
  func condition(_ field: Field) -> StatedCondition? {
    guard let text = problems.text(field) else { return nil }
    let scope = ExpressionContext(asksOutputs: true)
    var reader = ExpressionReader(
      text, of: field.node, key: field.key.name, in: scope, names: names, problems: problems)
    return reader?.condition().map { StatedCondition(condition: $0, text: text) }
  }
}
