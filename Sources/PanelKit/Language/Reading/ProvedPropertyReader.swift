import Terminal

/// Reads the properties of a panel: the forbidden conditions of `never`, and the states of `reach`.
struct ProvedPropertyReader {
  let names: Names
  let problems: ProblemList
  let interlocks: [PanelDefinition.Interlock]

  /// The forbidden conditions of `never`.
  func nevers(_ field: Field?) -> [PanelDefinition.Never] {
    problems.entries(field).compactMap { entry in
      let isGood = Names.isGood(entry.key, at: entry.position, problems)
      guard let never = never(entry), isGood else { return nil }
      return never
    }
  }

  private func never(_ entry: YAMLNode.Entry) -> PanelDefinition.Never? {
    switch entry.value.content {
    case .scalar(let text):
      return condition(text, entry.value).map { never(entry, $0, text, nil) }
    case .map:
      guard let fields = problems.fields(entry.value, Grammar.never, at: entry.position),
        let field = fields["if"], let text = problems.text(field)
      else { return nil }
      var reader = TransitionReader(names: names, problems: problems, of: nil)
      let transition = reader.remedy(fields)
      guard let condition = condition(text, field.node) else { return nil }
      return never(entry, condition, text, transition)
    case .refused: return nil
    case .nothing, .list:
      problems.addWrong(
        Field(
          key: Key(name: entry.key, takes: "a condition, or { if: CONDITION, go: STATE }"), position: entry.position,
          node: entry.value))
      return nil
    }
  }

  private func never(
    _ entry: YAMLNode.Entry, _ read: (condition: Condition, comparisons: [FilePassage.Comparison]), _ text: String,
    _ transition: PanelDefinition.Transition?
  ) -> PanelDefinition.Never {
    var transition = transition
    transition?.written = FilePassage(source: .init(position: entry.position, text: entry.key))
    let written = FilePassage(
      source: .init(position: entry.position, text: entry.key, comparisons: read.comparisons))
    return .init(name: entry.key, condition: read.condition, text: text, transition: transition, written: written)
  }

  private func condition(
    _ text: String, _ node: YAMLNode
  ) -> (condition: Condition, comparisons: [FilePassage.Comparison])? {
    var reader = ExpressionReader(
      text, of: node, key: "never", in: ExpressionContext(asksOutputs: true), names: names, problems: problems)
    guard let condition = reader?.condition(), let comparisons = reader?.comparisons else { return nil }
    noteHeldOpen(condition, comparisons)
    return (condition, comparisons)
  }

  /// Adds a note for each comparison that holds while no state shows a relay of an interlock on. The interlock can hold
  /// the relay open although a state shows it on.
  private func noteHeldOpen(
    _ condition: Condition, _ comparisons: [FilePassage.Comparison], isNegated: Bool = false
  ) {
    if let comparison = comparisons.first(where: { $0.condition == condition }) {
      guard let relay = relay(thatIsOff: condition, isNegated),
        let interlock = interlocks.first(where: { $0.relays.contains(relay) })
      else { return }
      let waits = interlock.isRest ? "it rests" : "the interlock waits"
      problems.note(
        comparison.position,
        "\(comparison.text) uses the value that the states show; while \(waits), \(quoted(names.outputs[relay])) is open "
          + "although a state shows it on")
      return
    }
    switch condition {
    case .not(let inside): noteHeldOpen(inside, comparisons, isNegated: !isNegated)
    case .all(let parts), .any(let parts):
      for part in parts { noteHeldOpen(part, comparisons, isNegated: isNegated) }
    default: break
    }
  }

  /// The output that is off when a comparison holds, or when it doesn't hold if `isNegated`; nil for any other
  /// comparison.
  private func relay(thatIsOff comparison: Condition, _ isNegated: Bool) -> Int? {
    switch comparison {
    case .output(let output, .off) where !isNegated: output
    case .output(let output, .on) where isNegated: output
    case .not(let inside): relay(thatIsOff: inside, !isNegated)
    default: nil
    }
  }

  /// The states of `reach`.
  func reach(_ field: Field?) -> [PanelDefinition.Reach] {
    guard let field, let items = problems.items(field) else { return [] }
    return items.compactMap { item in
      guard let name = problems.text(item, in: field),
        let state = names.state(name, at: item.position, takesPath: true, problems)
      else { return nil }
      return .init(state: state.state, written: FilePassage(source: .init(position: item.position, text: name)))
    }
  }

  /// The advice for `always: { ok: n < 9 }`; nil for another key.
  static func advice(for entry: YAMLNode.Entry) -> String? {
    guard entry.key == "always" else {
      return Grammar.state.keys.contains { $0.name == entry.key } ? "it is a key of a state, write it in one" : nil
    }
    guard case .map(let entries) = entry.value.content, !entries.isEmpty else {
      return "write a forbidden condition: never: { NAME: not (CONDITION) }"
    }
    let nevers = entries.map { entry in
      let condition = if case .scalar(let text) = entry.value.content { text } else { "CONDITION" }
      return "\(entry.key): not (\(condition))"
    }
    return "write a forbidden condition: never: { \(nevers.joined(separator: ", ")) }"
  }
}
