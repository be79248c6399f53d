import Terminal

/// Reads the lists of texts that a number selects from: `texts: { days: [ Mon, Tue ] }`.
struct TextListReader {
  /// The greatest number of texts in a list, and the greatest number of characters of a text.
  static let (most, longest) = (64, 40)

  let problems: ProblemList

  /// The texts of one list, in the order of the file. Adds a problem for each text that is wrong.
  func texts(_ entry: YAMLNode.Entry) -> [String] {
    guard case .list(let items) = entry.value.content else {
      if entry.value.content != .refused {
        problems.add(
          entry.value.content == .nothing ? entry.position : entry.value.position,
          "\(quoted(entry.key)) can't be \(entry.value.kind); write a list of texts: [ Mon, Tue, Wed ]")
      }
      return []
    }
    guard (1...Self.most).contains(items.count) else {
      problems.add(
        entry.value.position,
        "\(quoted(entry.key)) has \(counted(items.count, "text")); write 1...\(Self.most)")
      return []
    }
    return items.compactMap { item in
      switch item.content {
      case .scalar(let text) where text.count > Self.longest:
        problems.add(
          item.position, "\(quoted(text)) has \(text.count) characters; a text of a list has at most \(Self.longest)")
      case .scalar(let text) where text.contains("\n"):
        problems.add(item.position, "a text of \(quoted(entry.key)) has several lines; write one line")
      case .scalar(let text): return text
      case .nothing: return ""
      case .refused: break
      case .list, .map:
        problems.add(item.position, "\(quoted(entry.key)) can't contain \(item.kind); write a text: Mon")
      }
      return nil
    }
  }
}
