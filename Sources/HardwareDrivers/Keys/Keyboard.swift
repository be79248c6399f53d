/// The characters that the keys of a US keyboard type.
package enum Keyboard {
  package static let enter = KeyCode(rawValue: 28)
  package static let shift = KeyCode(rawValue: 42)
  static let shifts: Set<KeyCode> = keys("leftshift", "rightshift")
  static let enters: Set<KeyCode> = keys("enter", "kpenter")

  /// The character that a key types; nil for a key that types none.
  static func character(of key: KeyCode, isShifted: Bool) -> Character? {
    pad[key] ?? (isShifted ? shifted[key] : plain[key])
  }

  /// The keys that type a text, each with whether Shift is down; nil if the text has other characters.
  package static func keys(typing text: String) -> [(key: KeyCode, isShifted: Bool)]? {
    var keys: [(key: KeyCode, isShifted: Bool)] = []
    for character in text {
      if let key = plain.first(where: { $0.value == character })?.key {
        keys.append((key, false))
      } else if let key = shifted.first(where: { $0.value == character })?.key {
        keys.append((key, true))
      } else {
        return nil
      }
    }
    return keys
  }

  private static func keys(_ names: String...) -> Set<KeyCode> { Set(names.compactMap { KeyCode($0) }) }

  private static let plain = characters(["1234567890-=", "qwertyuiop[]", "asdfghjkl;'`", "\\zxcvbnm,./", " "])
  private static let shifted = characters(["!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"~", "|ZXCVBNM<>?", " "])

  /// The first key of each row; the next keys of a row have the next codes.
  private static let rows = ["1", "q", "a", "backslash", "space"]

  private static func characters(_ texts: [String]) -> [KeyCode: Character] {
    var characters: [KeyCode: Character] = [:]
    for (row, text) in zip(rows, texts) {
      guard var code = KeyCode(row) else { continue }
      for character in text {
        characters[code] = character
        code.rawValue += 1
      }
    }
    return characters
  }

  /// The keys of a numeric keypad.
  private static let pad: [KeyCode: Character] = {
    let names = [
      "kp0", "kp1", "kp2", "kp3", "kp4", "kp5", "kp6", "kp7", "kp8", "kp9", "kpdot", "kpminus", "kpplus", "kpslash",
      "kpasterisk",
    ]
    var pad: [KeyCode: Character] = [:]
    for (name, character) in zip(names, "0123456789.-+/*") {
      if let code = KeyCode(name) { pad[code] = character }
    }
    return pad
  }()
}
