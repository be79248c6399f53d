import Terminal

/// Finds keys of a state that are indented too far, or not far enough.
struct MisplacedKeys {
  /// The keys whose maps have keys from the file: names, conditions or times.
  private static let maps = ["show", "on", "when", "after", "at", "every", "untouched", "enter", "exit"]

  private static let keysOfState = Grammar.state.keys.map(\.name)

  let names: Names
  let problems: ProblemList

  /// A state without its misplaced keys, which are inside the map of another key, for example among the outputs of
  /// `show`. Adds a problem for each.
  func removed(from state: YAMLNode) -> YAMLNode {
    guard case .map(var entries) = state.content else { return state }
    var hasChanged = false
    for place in entries.indices where Self.maps.contains(entries[place].key) {
      guard case .map(let inside) = entries[place].value.content else { continue }
      let outer = quoted(entries[place].key)
      let own = ["enter", "exit"].contains(entries[place].key) ? Grammar.enter.keys : []
      let misplaced = inside.filter { entry in
        isKeyOfState(entry.key) && !own.contains { $0.name == entry.key } && names.thing(entry.key) == nil
      }
      guard !misplaced.isEmpty else { continue }
      hasChanged = true
      for entry in misplaced {
        problems.add(
          entry.position, "\(quoted(entry.key)) is inside \(outer); it is a key of the state, move it out of \(outer)")
      }
      entries[place].value.content = .map(inside.filter { entry in !misplaced.contains { $0.key == entry.key } })
    }
    return hasChanged ? YAMLNode(content: .map(entries), position: state.position) : state
  }

  /// Whether an entry among the states is a key of a state: its map contains no keys of states. Adds a problem if so.
  func isNoState(_ entry: YAMLNode.Entry) -> Bool {
    guard isKeyOfState(entry.key), case .map(let inside) = entry.value.content, !inside.isEmpty,
      inside.allSatisfy({ !isKeyOfState($0.key) })
    else { return false }
    problems.add(
      entry.position, "\(quoted(entry.key)) is not a state; it is a key of a state, indent it further")
    return true
  }

  /// Advice for keys that a state doesn't have.
  private static let meant = [
    "go": "write a transition: after: { 3s: STATE }", "goto": "write a transition: after: { 3s: STATE }",
    "wait": "write after: { 3s: STATE }", "delay": "write after: { 3s: STATE }",
    "timeout": "write after: { 3s: STATE }",
    "set": "write enter: { set: { level: +1 } }", "if": "write when: { CONDITION: STATE }",
  ]

  /// The advice for an unknown key of a state: an event belongs in `on`, a time in `after`. nil for any other key.
  static func advice(_ entry: YAMLNode.Entry) -> String? {
    if let advice = meant[entry.key] { return advice }
    if (try? Quantity.duration(entry.key)) != nil { return "a time is a key of after: after: { \(entry.key): STATE }" }
    guard entry.key.contains("."), !entry.key.contains(" ") else { return nil }
    return "an event is a key of on: on: { \(entry.key): STATE }"
  }

  private func isKeyOfState(_ key: String) -> Bool { Self.keysOfState.contains(key) }
}
