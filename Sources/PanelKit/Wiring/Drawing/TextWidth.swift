/// The sizes of the texts in a picture.
enum TextStyle: Int, Sendable {
  /// Labels in circuits and of free pins.
  case small = 95
  /// Numbers of notes, and the texts of tabs.
  case number = 100
  /// The words for a device's kind.
  case kind = 110
  /// Parts, checks and notes.
  case body = 115
  /// The names of devices.
  case name = 130
  case title = 200

  /// The size in tenths of a px.
  var size: Int { rawValue }

  var isBold: Bool { self == .name || self == .title }
}

/// The width of a text in the widest of the common fonts.
///
/// No font is measured, so that the same plan gives the same picture on every machine. The widths are those of Verdana
/// and DejaVu Sans at 12 px, rounded up.
enum TextWidth {
  /// The width of a text, in px, rounded up.
  static func of(_ text: String, _ style: TextStyle) -> Int {
    let sum = text.reduce(0) { $0 + tenths($1) } * style.size * (style.isBold ? 11 : 10)
    return (sum + 11_999) / 12_000
  }

  /// The text, without its middle if it is wider than `room` px. The ends are kept because names differ there, for
  /// example `lamp-on-the…wall-12`.
  static func shortened(_ text: String, _ style: TextStyle, toFit room: Int) -> String {
    guard of(text, style) > room else { return text }
    let characters = Array(text)
    var kept = characters.count - 1
    while kept > 2, of(joined(characters, keeping: kept), style) > room { kept -= 1 }
    return joined(characters, keeping: kept)
  }

  /// Lines of words, at most `room` px wide. A word that is wider has its own line.
  static func wrapped(_ text: String, _ style: TextStyle, toFit room: Int) -> [String] {
    WordWrap.lines(of: text) { of($0, style) <= room }
  }

  /// The first two thirds of the `kept` characters, an ellipsis, and the last third of them.
  static func joined(_ characters: [Character], keeping kept: Int) -> String {
    var head = characters.prefix(kept - kept / 3)
    while let last = head.last, last == " " || last == "-" { head.removeLast() }
    return String(head) + "…" + String(characters.suffix(kept / 3).drop { $0 == " " })
  }

  /// The width of a character at 12 px, in tenths of a px.
  private static func tenths(_ character: Character) -> Int {
    switch character {
    case " ", "\u{a0}", ",", "-", ".", "/", ":", ";", "|", "·", "'": 45
    case "(", ")", "[", "]", "!", "f", "i", "j", "l", "r", "t", "I", "1", "\"": 53
    case "m", "w", "M", "W", "@", "%", "−", "×", "…", "Ω": 108
    default:
      if character.isUppercase { 84 } else if character.isASCII { 76 } else { wide(character) }
    }
  }

  /// The width of characters beyond ASCII: letters of Latin, Greek and Cyrillic are as wide as capitals, all others as
  /// an em.
  private static func wide(_ character: Character) -> Int {
    character.unicodeScalars.allSatisfy { $0.value < 0x530 } ? 86 : 130
  }
}

/// Breaks texts into lines between words.
enum WordWrap {
  /// Lines for which `fits` returns true, or which have only one word. A number stays with its unit.
  static func lines(of text: String, fits: (String) -> Bool) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words(of: text) {
      let longer = line.isEmpty ? word : "\(line) \(word)"
      if line.isEmpty || fits(longer) {
        line = longer
      } else {
        lines.append(line)
        line = word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The words of a text. A number and its unit are one word with a no-break space, and so are a terminal and the word
  /// next to it.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ").map(String.init) {
      if let last = words.last, stays(word, with: last) {
        words[words.count - 1] = "\(last)\u{a0}\(word)"
      } else {
        words.append(word)
      }
    }
    return words
  }

  private static func stays(_ word: String, with last: String) -> Bool {
    let letters = word.prefix { $0.isLetter }
    if ["V", "mA", "kΩ", "Ω", "kohm", "ohm", "LEDs", "wires"].contains(letters) { return last.last?.isNumber == true }
    return (word == "to" || word == "at") && ["GND", "VCC", "IN"].contains(last)
  }
}
