import Terminal

/// Reads choices by conditions: `{ when: { CONDITION: LOOK, else: LOOK } }`. The looks themselves are left to the
/// caller.
package struct ChoiceReader {
  let names: Names
  let problems: ProblemList
  let scope: ExpressionContext

  /// A look with its condition.
  package struct Case {
    package var condition: Condition
    /// The look: the name of the output, with the value in the file.
    package var look: YAMLNode.Entry
    var written: FilePassage
  }

  package init(names: Names, problems: ProblemList, scope: ExpressionContext) {
    (self.names, self.problems) = (names, problems)
    var scope = scope
    scope.isShown = true
    self.scope = scope
  }

  /// Whether a value in the file is a choice.
  package static func isChoice(_ node: YAMLNode) -> Bool {
    if case .map(let entries) = node.content { entries.contains { $0.key == "when" } } else { false }
  }

  /// Reads a choice. Adds a problem and returns nil if it is wrong. The look of `else` is nil if the file has none.
  ///
  /// - Parameter entry: the output, or the key of the look, with the choice as its value.
  package func cases(of entry: YAMLNode.Entry) -> (cases: [Case], otherwise: YAMLNode.Entry?)? {
    let countBefore = problems.count
    guard let fields = problems.fields(entry.value, Grammar.choice, at: entry.position), let field = fields["when"]
    else { return nil }
    let entries = UnquotedCommaCheck(problems: problems).joined(problems.entries(field))
    if entries.isEmpty, problems.count == countBefore { problems.addWrong(field) }
    var cases: [Case] = []
    var otherwise: YAMLNode.Entry?
    for (place, choice) in entries.enumerated() {
      let look = YAMLNode.Entry(key: entry.key, position: choice.position, value: choice.value)
      if choice.key == "else" {
        otherwise = look
        if place + 1 < entries.count {
          problems.add(choice.position, "\"else\" is not the last condition; write it after the others")
        }
        continue
      }
      let next = place + 1 < entries.count ? entries[place + 1] : nil
      if choice.value.content == .nothing, next?.position.line == choice.position.line {
        problems.add(
          choice.position, "the comma ends \(quoted(choice.key)) here; join comparisons with \"and\" or \"or\"")
        continue
      }
      var reader = ExpressionReader(
        choice.key, of: choice.keyNode, key: "when", in: scope, names: names, problems: problems)
      guard let condition = reader?.condition() else { continue }
      let written = FilePassage(
        source: .init(position: choice.position, text: choice.key, comparisons: reader?.comparisons ?? []))
      cases.append(Case(condition: condition, look: look, written: written))
    }
    if entries.count == 1, let otherwise {
      let look = if case .scalar(let text) = otherwise.value.content { text } else { "LOOK" }
      problems.add(otherwise.position, "\"else\" has no condition before it; write \(entry.key): \(look)")
    }
    return problems.count == countBefore ? (cases, otherwise) : nil
  }
}
