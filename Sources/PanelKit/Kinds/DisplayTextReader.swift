import HardwareDrivers
import PanelLanguage
import Terminal

/// Reads the text of a display from a file.
struct DisplayTextReader {
  /// The abilities of a display.
  struct Display {
    var rows: Int
    var columns: Int
    /// The number of columns that a text takes.
    var width: (String) -> Int = { $0.count }
    /// The effect of a row that is too long, in a message: `shows the first 16`.
    var cut: String
    /// The effect of a character that the display does not have, and the remedy; nil if it has the character.
    var substitute: (Character) -> String?
  }

  let show: ShowField
  let display: Display

  private var problems: ProblemList { show.problems }

  /// The appearance: off, one row, the rows of a text with several lines, or a list of rows. Adds a problem and returns nil
  /// for anything else.
  ///
  /// - Parameter kind: the name of the kind in messages: `display`.
  func appearance(of kind: String) -> OutputAppearance? {
    switch show.node.content {
    case .scalar("off"): return .off
    case .scalar, .list: return text().map { .writing($0) }
    case .map(let entries) where entries.count == 1 && entries[0].value.content == .nothing:
      problems.add(
        show.node.position, "braces without quotation marks are a map; write \(quoted("{\(entries[0].key)}"))")
      return nil
    case .map, .nothing, .refused:
      show.addMisfit(kind, "off, a text: \"Level {level}\", or a list of rows")
      return nil
    }
  }

  /// The text: one row, the rows of a text with several lines, or a list of rows.
  func text() -> DisplayText? {
    let countBefore = problems.count
    let rows: [() -> [DisplayText.Part]?]
    switch show.node.content {
    case .scalar(let text):
      rows = lines(of: text).map { line in { row(line.text, show.node, line.offset) } }
    case .list(let items):
      rows = items.map { item in { row(.init(key: show.entry.key, position: item.position, value: item)) } }
    default: return nil
    }
    guard rows.count <= display.rows else {
      problems.add(
        show.node.position,
        "\(quoted(show.entry.key)) can't show \(counted(rows.count, "row")); it has \(display.rows)")
      return nil
    }
    let parts = rows.compactMap { $0() }
    return problems.count == countBefore ? DisplayText(rows: parts) : nil
  }

  /// A row of a list: a text, or a choice of texts by conditions. Adds a problem and returns nil for anything else.
  private func row(_ entry: YAMLNode.Entry) -> [DisplayText.Part]? {
    let node = entry.value
    switch node.content {
    case .scalar(let text): return row(text, node, 0)
    case .nothing: return []
    case .map where ChoiceReader.isChoice(node):
      let reader = ChoiceReader(names: show.names, problems: problems, scope: show.scope)
      guard let (cases, otherwise) = reader.cases(of: entry) else { return nil }
      let choices = cases.compactMap { choice in
        row(choice.look).map { DisplayText.Choice(condition: choice.condition, parts: $0) }
      }
      guard let last = otherwise.map({ row($0) }) ?? [] else { return nil }
      return [.first(choices, otherwise: last)]
    case .map, .list:
      problems.add(
        node.position, "a row of \(quoted(show.entry.key)) can't be \(node.kind); write a text: \"Level {level}\"")
      return nil
    case .refused: return nil
    }
  }

  /// The lines of a text, each with the place of its first character. A line end at the end of the text does not start
  /// another line.
  private func lines(of text: String) -> [(text: String, offset: Int)] {
    var lines: [(text: String, offset: Int)] = []
    var offset = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append((String(line), offset))
      offset += line.unicodeScalars.count + 1
    }
    if lines.count > 1, lines.last?.text == "" { lines.removeLast() }
    return lines
  }

  /// - Parameter offset: the place of the row in the node's text.
  private func row(_ text: String, _ node: YAMLNode, _ offset: Int) -> [DisplayText.Part] {
    var parts: [DisplayText.Part] = []
    var numbers: [Int: NumericOperand] = [:]
    var literal = ""
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == "{" || scalar == "}", place + 1 < scalars.count, scalars[place + 1] == scalar {
        if scalar == "{" { noteDoubledBraces(scalars[(place + 2)...], node, offset + place) }
        literal.unicodeScalars.append(scalar)
        place += 2
        continue
      }
      guard scalar == "{" else {
        literal.unicodeScalars.append(scalar)
        place += 1
        continue
      }
      guard let end = scalars[place...].firstIndex(of: "}") else {
        problems.add(
          node.position(at: offset + place),
          "\"{\" is not closed; write \"}\" after the value, or \"{{\" for the character \"{\"")
        return parts
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      var inner = String.UnicodeScalarView()
      inner.append(contentsOf: scalars[place + 1..<end])
      if let (part, number) = part(String(inner), node, offset + place + 1) {
        numbers[parts.count] = number
        parts.append(part)
      }
      place = end + 1
    }
    if !literal.isEmpty || parts.isEmpty { parts.append(.text(literal)) }
    // Each number takes one character at least.
    let width = parts.reduce(0) { sum, part in
      if case .text(let text) = part { sum + display.width(text) } else { sum + 1 }
    }
    if width > display.columns {
      let isFixed = parts == [.text(literal)]
      problems.note(
        node.position,
        "\(quoted(isFixed ? literal : text)) has \(isFixed ? "" : "at least ")\(width) characters; "
          + "\(quoted(show.entry.key)) \(display.cut)")
    }
    let most = parts.enumerated().reduce(0) { sum, part in sum + mostColumns(of: part.element, numbers[part.offset]) }
    if width <= display.columns, most > display.columns {
      problems.note(
        node.position,
        "\(quoted(text)) can have \(most) characters; \(quoted(show.entry.key)) \(display.cut)")
    }
    noteUnknownCharacters(text, node, offset)
    noteDollars(text, node, offset)
    noteSplitNumbers(parts, numbers, node)
    return parts
  }

  /// The most columns that a part can take. A number that is computed counts as one, because its range can be far from
  /// what occurs.
  private func mostColumns(of part: DisplayText.Part, _ operand: NumericOperand?) -> Int {
    switch part {
    case .text(let text): return display.width(text)
    case .oneOf(let texts, _, _): return texts.map(display.width).max() ?? 1
    case .time: return display.width("00:00")
    case .number(let number, let decimals, _, let format):
      switch number {
      case .value, .reading, .element: break
      default: return 1
      }
      guard let range = operand?.range else { return 1 }
      let ends = [range.lowerBound, range.upperBound].compactMap { Int(exactly: $0) }
      let texts = ends.map { format?.text(of: $0, decimals: decimals) ?? Quantity.text($0, decimals: decimals) }
      return texts.map(display.width).max() ?? 1
    case .duration, .elements, .first: return 1
    }
  }

  /// Adds a note for the first character outside of braces that the display has neither exactly nor similarly.
  private func noteUnknownCharacters(_ text: String, _ node: YAMLNode, _ offset: Int) {
    var place = offset
    var isInside = false
    for character in text {
      if character == "{" || character == "}" {
        isInside = character == "{"
      } else if !isInside, let substitute = display.substitute(character) {
        return problems.note(
          node.position(at: place), "the display has no \(quoted(String(character))) and \(substitute)")
      }
      place += character.unicodeScalars.count
    }
  }

  /// Adds a note for a name after a dollar sign, which other languages use: it is shown as written.
  private func noteDollars(_ text: String, _ node: YAMLNode, _ offset: Int) {
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() where scalar == "$" {
      var view = String.UnicodeScalarView()
      view.append(
        contentsOf: scalars[(place + 1)...].prefix {
          $0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0)
        })
      let name = String(view)
      switch show.names.thing(name) {
      case .value, .input, .inputs:
        problems.note(
          node.position(at: offset + place),
          "\"$\(name)\" is shown as it is written; write {\(name)} to show the number")
      case .output, .outputs, .sound, .sounds, .chip, .texts, nil: break
      }
    }
  }

  /// Adds a note for a number below zero that is shown in two parts. For -0.5, `{air / 10}.{air mod 10}` shows -1.5,
  /// because `/` and `mod` round down.
  private func noteSplitNumbers(_ parts: [DisplayText.Part], _ numbers: [Int: NumericOperand], _ node: YAMLNode) {
    for (place, whole) in numbers.sorted(by: { $0.key < $1.key }) where place + 2 < parts.count {
      guard case .quotient(let number, .constant(let divisor)) = whole.number, whole.range.lowerBound < 0,
        parts[place + 1] == .text("."), numbers[place + 2]?.number == .remainder(number, .constant(divisor)),
        let decimals = (1...3).first(where: { Quantity.powerOfTen($0) == divisor })
      else { continue }
      let name = whole.text.prefix { $0 != "/" && $0 != " " }
      let remedy =
        if case .reading = number {
          "give \(quoted(String(name))) decimals: \(decimals) and write {\(name)}"
        } else {
          "in a state for \(name) < 0 write -{abs(\(name)) / \(divisor)}.{abs(\(name)) mod \(divisor)}"
        }
      problems.note(
        node.position,
        "below zero this is wrong, because / and mod round down: -\(divisor / 2) is shown as -1.\(divisor / 2); \(remedy)"
      )
    }
  }

  /// Adds a note for a value between double braces, which other programs use: its name is shown, not the value.
  private func noteDoubledBraces(_ rest: ArraySlice<Unicode.Scalar>, _ node: YAMLNode, _ offset: Int) {
    let name = Self.trimmed(String(String.UnicodeScalarView(rest.prefix { $0 != "}" })))
    guard show.names.thing(name) != nil else { return }
    problems.note(
      node.position(at: offset), "\"{{\" shows the character \"{\"; write {\(name)} to show the number")
  }

  /// The place of a number format, which other languages use. It begins at a colon, or at a `%` at the end or before a
  /// letter. Before anything else, `%` is treated as an operator.
  private static func format(in text: String) -> String.Index? {
    let scalars = text.unicodeScalars
    return scalars.indices.first { index in
      if scalars[index] == ":" { return true }
      guard scalars[index] == "%" else { return false }
      let rest = scalars[scalars.index(after: index)...]
      return rest.first?.properties.isAlphabetic ?? true || rest.allSatisfy { $0 == " " }
    }
  }

  /// A text without the blanks at its ends.
  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The part for a text between braces.
  private func part(_ text: String, _ node: YAMLNode, _ offset: Int) -> (DisplayText.Part, NumericOperand?)? {
    let position = node.position(at: offset)
    guard text.contains(where: { $0 != " " }) else {
      problems.add(position, "nothing between { and }; write a value: {level}")
      return nil
    }
    let name = Self.trimmed(text)
    if case .value(let value) = show.names.thing(name), let list = show.names.lists[value] {
      return (.elements(list.place), nil)
    }
    if let mark = text.firstIndex(of: "?") {
      let texts = text[text.index(after: mark)...].split(separator: ":", maxSplits: 1).map { Self.trimmed($0) }
      let (yes, no) = (texts.first ?? "TEXT", texts.count > 1 ? texts[1] : "TEXT")
      problems.add(
        node.position,
        "a text can't contain a choice; write \(show.entry.key): { when: { \(Self.trimmed(text[..<mark])): \(yes), else: \(no) } }"
      )
      return nil
    }
    var (text, format) = (text, NumberFormat?.none)
    if let mark = Self.format(in: text) {
      let name = Self.trimmed(text[..<mark])
      guard text[mark] == ":", let read = NumberFormat(Self.trimmed(text[text.index(after: mark)...])) else {
        let place = text.unicodeScalars.distance(from: text.startIndex, to: mark)
        problems.add(
          node.position(at: offset + place),
          "\(quoted(Self.trimmed(text[mark...]))) is not a format; write {\(name):2}, {\(name):02} or {\(name):.1}")
        return nil
      }
      (text, format) = (String(text[..<mark]), read)
    }
    let source = YAMLNode(
      content: .scalar(text), position: position, textColumn: node.textColumn.map { $0 + offset })
    var reader = ExpressionReader(
      text, of: source, key: show.entry.key, in: show.scope, names: show.names, problems: problems)
    guard let shown = reader?.shown() else { return nil }
    if case .text(let texts, let number) = shown, format == nil {
      return (.oneOf(texts, number, sensors: sensors(of: number)), nil)
    }
    guard case .number(let number) = shown, format == nil || number.unit == .number else {
      problems.add(position, "a format is for numbers; write {\(Self.trimmed(text))}")
      return nil
    }
    guard number.unit != .duration else { return (.duration(number.number), number) }
    guard number.unit != .time else { return (.time(number.number), number) }
    let sensors = sensors(of: number.number)
    return (.number(number.number, decimals: number.decimals, sensors: sensors, format: format), number)
  }

  /// The sensors whose readings a number uses.
  private func sensors(of number: Number) -> [Int] {
    var used = Dependencies()
    used.add(number)
    return used.readings.filter { show.names.inputDevices[$0]?.isSensor == true }.sorted()
  }
}
