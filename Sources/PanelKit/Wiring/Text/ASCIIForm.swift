import CycleCore

/// Converts text to ASCII, without a byte above 7F, for terminals and printers that support nothing else.
enum ASCIIForm {
  static func text(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = ""
    for part in replaced(text) {
      if part.isASCII { result.append(part) } else { result += characters[part] ?? "?" }
    }
    return result
  }

  /// The replacements of units, and of symbols with several characters.
  private static let phrases: [(String, String)] = [
    ("○ ┴ ○", "o ~ o"), ("○─┴─○", "o_~_o"), ("kΩ", "kohm"), (" Ω", " ohm"), ("\u{a0}Ω", " ohm"),
  ]

  private static let characters: [Character: String] = [
    "─": "-", "└": "`", "┬": "+", "┴": "+", "│": "|", "○": "o", "▷": ">", "◁": "<", "▲": "!", "·": "-", "×": "x",
    "…": ".", "²": "2", "−": "-", "Ω": "ohm", "\u{a0}": " ", "ä": "a", "ö": "o", "ü": "u", "é": "e", "è": "e",
  ]

  private static func replaced(_ text: String) -> String {
    phrases.reduce(text) { text, phrase in
      text.parts(between: phrase.0).joined(separator: phrase.1)
    }
  }
}
