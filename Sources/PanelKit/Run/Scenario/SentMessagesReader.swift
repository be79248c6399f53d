import PanelLanguage
import Terminal

/// Reads the messages that a scenario expects: `/cue/5/start`, `/fader/1 7`.
struct SentMessagesReader {
  let names: Names
  let problems: ProblemList

  /// Reads one message or a list of them. Adds a problem and returns nil if one is wrong.
  func messages(_ field: Field) -> [String]? {
    let known = names.panel?.messages.map(\.address) ?? []
    guard !known.isEmpty else {
      problems.add(field.position, "the panel sends no messages; leave \"sent\" out")
      return nil
    }
    let items: [YAMLNode]
    if case .list(let nodes) = field.node.content { items = nodes } else { items = [field.node] }
    let messages = items.compactMap { item -> String? in
      guard let text = problems.text(item, in: field) else { return nil }
      let words = text.split(separator: " ").map(String.init)
      guard let address = words.first, known.contains(address) else {
        let suggestion = problems.suggestion(for: words.first ?? "", among: known, called: "addresses")
        problems.add(item.position, "the panel never sends \(quoted(text)); \(suggestion)")
        return nil
      }
      return words.joined(separator: " ")
    }
    return messages.count == items.count ? messages : nil
  }
}
