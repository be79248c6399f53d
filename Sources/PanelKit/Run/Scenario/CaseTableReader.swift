import PanelLanguage
import Terminal

/// Reads the rows of `cases`, and replaces the names in `start` and `steps` with the words of a row.
struct CaseTableReader {
  static let mostRows = 1000
  static let mostNames = 16

  /// The words of one row of `cases`.
  struct Row {
    var words: [(name: String, node: YAMLNode)]
    /// The row as text: `typed 3141, end wrong`.
    var text: String
  }

  let problems: ProblemList

  /// Reads the rows. All rows have the names of the first one. Adds a problem and returns nil if a row is wrong.
  func rows(_ field: Field) -> [Row]? {
    guard let items = problems.items(field) else { return nil }
    guard (1...Self.mostRows).contains(items.count) else {
      problems.add(field.position, "there are \(counted(items.count, "case")); write 1...\(Self.mostRows)")
      return nil
    }
    let rows = items.compactMap { row($0, field) }
    guard rows.count == items.count else { return nil }
    let names = rows[0].words.map(\.name)
    for (item, row) in zip(items, rows).dropFirst() where !haveSameNames(row, names, at: item.position) { return nil }
    return rows
  }

  private func row(_ node: YAMLNode, _ field: Field) -> Row? {
    guard case .map(let entries) = node.content, (1...Self.mostNames).contains(entries.count) else {
      problems.add(
        node.position,
        "a case can't be \(node.kind); write a map of 1...\(Self.mostNames) words: { typed: 3142, end: open }")
      return nil
    }
    var words: [(name: String, node: YAMLNode)] = []
    for entry in entries {
      guard Names.isGood(entry.key, at: entry.position, problems) else { return nil }
      guard case .scalar = entry.value.content else {
        problems.add(
          entry.value.content == .nothing ? entry.position : entry.value.position,
          "\(quoted(entry.key)) is \(entry.value.kind); a case has words and numbers: { typed: 3142, end: open }")
        return nil
      }
      words.append((entry.key, entry.value))
    }
    let text = words.map { name, node in
      if case .scalar(let text) = node.content { "\(name) \(text)" } else { name }
    }
    return Row(words: words, text: text.joined(separator: ", "))
  }

  private func haveSameNames(_ row: Row, _ names: [String], at position: Position) -> Bool {
    let others = row.words.map(\.name)
    if let extra = others.first(where: { !names.contains($0) }) {
      problems.add(position, "\(quoted(extra)) is not in the first case; give all cases \(listed(names))")
      return false
    }
    if let missing = names.first(where: { !others.contains($0) }) {
      problems.add(position, "a case has no \(quoted(missing)); give all cases \(listed(names))")
      return false
    }
    return true
  }

  /// Returns the node with each scalar that is `$` and a name replaced by the row's word for that name.
  ///
  /// - Parameter row: nil without `cases`.
  func filled(_ node: YAMLNode, with row: Row?) -> YAMLNode { hasNames(node) ? replaced(node, with: row) : node }

  /// Whether the node contains a scalar that is `$` and a name.
  private func hasNames(_ node: YAMLNode) -> Bool {
    switch node.content {
    case .scalar(let text): text.utf8.first == UInt8(ascii: "$")
    case .list(let items): items.contains(where: hasNames)
    case .map(let entries): entries.contains { hasNames($0.value) }
    case .nothing, .refused: false
    }
  }

  private func replaced(_ node: YAMLNode, with row: Row?) -> YAMLNode {
    var node = node
    switch node.content {
    case .scalar(let text) where text.hasPrefix("$"):
      let name = String(text.dropFirst())
      guard let row else {
        problems.add(
          node.position, "\(quoted(text)) has no value; give the scenario cases: [ { \(example(name)): VALUE } ]")
        return refused(node)
      }
      if let word = row.words.first(where: { $0.name == name }) { return word.node }
      let suggestion = problems.suggestion(
        for: text, among: row.words.map { "$\($0.name)" }, called: "names of the cases")
      problems.add(node.position, "unknown name \(quoted(text)); \(suggestion)")
      return refused(node)
    case .list(let items): node.content = .list(items.map { replaced($0, with: row) })
    case .map(let entries):
      node.content = .map(
        entries.map { entry in
          var entry = entry
          entry.value = replaced(entry.value, with: row)
          return entry
        })
    case .scalar, .nothing, .refused: break
    }
    return node
  }

  private func example(_ name: String) -> String { name.isEmpty ? "NAME" : name }

  private func refused(_ node: YAMLNode) -> YAMLNode { YAMLNode(content: .refused, position: node.position) }
}
