import Terminal

/// The appearance of one output in a file, as the output's kind reads it.
public struct ShowField {
  /// The output's name and its value in the file.
  package let entry: YAMLNode.Entry
  package let names: Names
  package let problems: ProblemList
  /// The context of expressions in the appearance.
  package let scope: ExpressionContext

  package var node: YAMLNode { entry.value }

  /// The word or number in the file; nil for a list, a map, or nothing.
  public var word: String? { if case .scalar(let text) = node.content { text } else { nil } }

  package init(
    entry: YAMLNode.Entry, names: Names, problems: ProblemList,
    scope: ExpressionContext = ExpressionContext(isShown: true)
  ) {
    (self.entry, self.names, self.problems, self.scope) = (entry, names, problems, scope)
  }

  /// The fields of a map in the file; nil for anything else. Adds problems for unknown keys and for missing required
  /// ones.
  public func fields(_ place: FieldSet) -> DeviceFields? {
    guard case .map = node.content, let fields = problems.fields(node, place, at: entry.position) else { return nil }
    // An appearance names neither lines nor kinds.
    return DeviceFields(
      of: entry.key, fields, LineUsers(chips: []), problems,
      in: KindList(inputs: [], outputs: [], sensors: [], chips: []))
  }

  /// Adds a problem: the device can't show this value.
  ///
  /// - Parameters:
  ///   - kind: the kind's word: `led`.
  ///   - right: the appearances of such a device: `on or off`.
  public func addMisfit(_ kind: String, _ right: String) {
    let position = node.content == .nothing ? entry.position : node.position
    if case .scalar(let text) = node.content,
      Token.list(of: text).contains(where: { Relation(rawValue: $0.text) != nil })
    {
      return problems.add(
        position,
        "\(quoted(text)) is a condition; write \(entry.key): { when: { \(text): on } }")
    }
    problems.add(position, "\(kind) \(quoted(entry.key)) can't show \(node.kind); it shows \(right)")
  }

  /// `on` or `off`; nil for anything else.
  public var switched: OutputAppearance? {
    switch node.content {
    case .scalar("on"): .on
    case .scalar("off"): .off
    default: nil
    }
  }

  /// A brightness: a number 0...1, or the name of a value that the brightness follows. Adds a problem and returns nil
  /// for anything else.
  package func level(_ field: Field) -> OutputAppearance? {
    guard let text = problems.text(field) else { return nil }
    guard text.first.map({ !$0.isNumber }) ?? false, Quantity.number(text) == nil else {
      return problems.number(field, in: 0...1).map { .level($0) }
    }
    return value(of: field).map { .value($0) }
  }

  /// The index of the value that a field of the appearance names. Adds a problem and returns nil for anything else.
  package func value(of field: Field) -> Int? {
    guard let text = problems.text(field) else { return nil }
    let entry = YAMLNode.Entry(key: field.key.name, position: field.position, value: field.node)
    return ShowField(entry: entry, names: names, problems: problems).value(text)
  }

  /// The index of the value that a text names. `code.count` names the number of a list's elements. Adds a problem and
  /// returns nil for any other text.
  package func value(_ text: String) -> Int? {
    if text.hasSuffix(".count"), case .value(let value) = names.thing(String(text.dropLast(6))),
      names.lists[value] != nil
    {
      return value
    }
    if let fault = faultOfValue(text) {
      problems.add(node.position, fault)
      return nil
    }
    guard let value = names.value(text, at: node.position, problems) else { return nil }
    guard names.lists[value] == nil else {
      problems.add(node.position, "\(quoted(text)) is a list; write \(text).count to show how long it is")
      return nil
    }
    return value
  }

  /// The fault of a text that a user may take for a value: an expression, or a sensor. Nil for any other text.
  private func faultOfValue(_ text: String) -> String? {
    switch names.thing(text) {
    case .input, .inputs:
      return "\(quoted(text)) is an input, not a value; set a value to it, every: { 1s: { set: { VALUE: \(text) } } }, "
        + "and show the value"
    case nil where text == "elapsed": return ExpressionReader.faultOfShownElapsed(entry.key)
    case nil where text.hasPrefix("{"):
      return "\(quoted(text)) has braces, as in the text of a display; write the value's name alone"
    case nil where Token.list(of: text).count > 1:
      return "\(quoted(text)) is computed; set a value to it in a transition, and show the value"
    default: return nil
    }
  }
}
