/// Finds the first number in a text from another program.
package enum NumberText {
  /// The maximum number of bytes of a file that are read.
  package static var longest: Int { 4096 }

  /// The first decimal number; nil if there is none.
  ///
  ///     21.5 °C        21.5
  ///     t=-1250        -1250
  ///     in0: 3.3e3 V   3300      (in0 is a word)
  ///     0x1F           nothing
  ///
  /// A number has digits, and may have a sign, a point and an exponent. It can't begin inside a word. The result is nil
  /// for a number that ends with the last of ``longest`` bytes, because it may have been cut off, and for one beyond
  /// the range of a Double.
  package static func firstNumber(in bytes: [UInt8]) -> Double? {
    var place = 0
    while place < bytes.count {
      if isDigit(bytes, place) || (bytes[place] == point && isDigit(bytes, place + 1)) {
        let end = endOfNumber(in: bytes, from: place)
        guard end < bytes.count || bytes.count < longest else { return nil }
        // 0x1F is not a decimal number.
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "x") {
          place = endOfWord(in: bytes, from: end)
          continue
        }
        let start = hasSign(bytes, before: place) ? place - 1 : place
        guard let number = Double(String(decoding: bytes[start..<end], as: UTF8.self)), number.isFinite else {
          return nil
        }
        return number
      }
      place = isWord(bytes[place]) ? endOfWord(in: bytes, from: place) : place + 1
    }
    return nil
  }

  /// An excerpt of a text without a number, for a message: in quotes, up to 32 characters.
  package static func excerpt(of bytes: [UInt8]) -> String {
    var words = ""
    var count = 0
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.drop { $0 == " " || $0 == "\n" }
    for scalar in text {
      if scalar == "\n" { break }
      if count == 32 { return "\"\(words)…\"" }
      count += 1
      if scalar.value < 0x20 || scalar.value == 0x7f {
        words += "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
      } else {
        words.unicodeScalars.append(scalar)
      }
    }
    return "\"\(words)\""
  }

  private static let point = UInt8(ascii: ".")

  private static func isDigit(_ bytes: [UInt8], _ place: Int) -> Bool {
    place < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

  private static func hasSign(_ bytes: [UInt8], before place: Int) -> Bool {
    guard place > 0, isSign(bytes[place - 1]) else { return false }
    // The hyphen in "sensor-5" is not a sign.
    return place == 1 || !(isWord(bytes[place - 2]) || isDigit(bytes, place - 2))
  }

  /// Returns the end of a sequence of letters, digits, underscores and points.
  private static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while end < bytes.count, isWord(bytes[end]) || isDigit(bytes, end) || bytes[end] == point { end += 1 }
    return end
  }

  private static func endOfNumber(in bytes: [UInt8], from start: Int) -> Int {
    func endOfDigits(from start: Int) -> Int {
      var end = start
      while isDigit(bytes, end) { end += 1 }
      return end
    }
    var end = endOfDigits(from: start)
    if end < bytes.count, bytes[end] == point { end = endOfDigits(from: end + 1) }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      let digits = end + 1 < bytes.count && isSign(bytes[end + 1]) ? end + 2 : end + 1
      if isDigit(bytes, digits) { end = endOfDigits(from: digits) }
    }
    return end
  }
}
