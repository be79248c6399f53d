import Terminal

/// A JSON value (RFC 8259) to be written. The members of an object keep their order.
package enum JSON: Equatable, Sendable {
  case null
  case flag(Bool)
  case number(Int)
  /// A whole number that can be greater than the greatest `Int`.
  case unsigned(UInt64)
  /// A number with decimals; must be finite.
  case decimal(Double)
  /// An exact number with decimals, multiplied by 10 ^ `decimals`.
  case fixed(Int, decimals: Int)
  case text(String)
  case list([JSON])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: JSON

    package init(name: String, value: JSON) {
      (self.name, self.value) = (name, value)
    }
  }

  package static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// Returns an object with these members, without those whose value is nil.
  package static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// The value in one line.
  package var line: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text
  }

  /// The value with one line for each member and element, indented by two spaces per level, with a final line end. A
  /// list without nested lists and objects is one line.
  package var lines: String {
    var text = ""
    write(to: &text, indentation: 0)
    return text + "\n"
  }

  /// - Parameter indentation: the level; nil for a text in one line.
  private func write(to text: inout String, indentation: Int?) {
    switch self {
    case .null: text += "null"
    case .flag(let flag): text += "\(flag)"
    case .number(let number): text += "\(number)"
    case .unsigned(let number): text += "\(number)"
    case .decimal(let number): text += "\(number)"
    case .fixed(let number, let decimals): text += Quantity.text(number, decimals: decimals)
    case .text(let content): Self.write(content, to: &text)
    case .list(let elements):
      let isFlat = !elements.contains { if case .list = $0 { true } else if case .object = $0 { true } else { false } }
      Self.write(elements, "[", "]", to: &text, indentation: isFlat ? nil : indentation) { element, text, level in
        element.write(to: &text, indentation: level)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, indentation: indentation) { member, text, level in
        Self.write(member.name, to: &text)
        text += ": "
        member.value.write(to: &text, indentation: level)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ begin: String, _ end: String, to text: inout String, indentation: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    text += begin
    for (place, element) in elements.enumerated() {
      if place > 0 { text += indentation == nil ? ", " : "," }
      if let indentation { text += newLine(indentation + 1) }
      each(element, &text, indentation.map { $0 + 1 })
    }
    if let indentation, !elements.isEmpty { text += newLine(indentation) }
    text += end
  }

  private static func newLine(_ level: Int) -> String { "\n" + String(repeating: "  ", count: level) }

  /// Writes a text. Escapes the characters that JSON requires, line separators, and characters that change the
  /// direction of writing.
  private static func write(_ content: String, to text: inout String) {
    text += "\""
    for scalar in content.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default:
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        // A byte of a path that is not UTF-8.
        case _ where PathBytes.byte(escapedAs: scalar) != nil: text += "\u{FFFD}"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
