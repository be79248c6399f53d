import CycleCore

/// A pattern for lines of text with numbers in them: `$GPGGA,*,{latitude}`.
///
/// | part | meaning |
/// |---|---|
/// | text | the same text |
/// | `*` | any text up to the first place of the next text or the next number |
/// | `{name}` | a number |
/// | `{name:nmea}` | an angle as NMEA 0183 writes it: `4807.038,N` is 48.1173° |
/// | `**`, `{{`, `}}` | the characters `*`, `{` and `}` |
///
/// A line matches from its beginning. Text after the end of the pattern is ignored. The search never goes back: `*`
/// ends at the first place of the next text, so an empty field of a list is never skipped.
public struct TextPattern: Hashable, Sendable {
  /// A mistake in a pattern: its reason, as a part of a sentence.
  public struct Mistake: Error, Equatable, Sendable {
    public var reason: String
  }

  /// The notation of a number.
  public enum Notation: String, CaseIterable, Sendable {
    /// A decimal number: `-12.5`, `3.3e3`.
    case decimal
    /// An angle in degrees and minutes: `ddmm.mmmm`, negative if `,S` or `,W` follows.
    case nmea
  }

  enum Part: Hashable, Sendable {
    case text([UInt8])
    case any
    case number(name: String, Notation)
  }

  /// The greatest length of a pattern.
  public static let longest = 256

  /// The pattern as it was written.
  public let source: String
  let parts: [Part]

  /// Reads a pattern.
  ///
  /// - Throws: a ``Mistake`` if it has no number, or if the end of a part is not clear.
  public init(_ source: String) throws(Mistake) {
    self.source = source
    guard source.utf8.count <= Self.longest else { throw Mistake(reason: "it is longer than \(Self.longest) bytes") }
    var parts: [Part] = []
    var text: [UInt8] = []
    func flush() {
      if !text.isEmpty { parts.append(.text(text)) }
      text = []
    }
    let bytes = Array(source.utf8)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      let isDoubled = place + 1 < bytes.count && bytes[place + 1] == byte
      switch byte {
      case UInt8(ascii: "*"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        if isDoubled {
          text.append(byte)
          place += 2
          continue
        }
        if byte == UInt8(ascii: "}") { throw Mistake(reason: "a } has no {; write }} for the character") }
        flush()
        if byte == UInt8(ascii: "*") {
          parts.append(.any)
          place += 1
          continue
        }
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")) else {
          throw Mistake(reason: "a { has no }; write {{ for the character")
        }
        parts.append(try Self.number(String(decoding: bytes[place + 1..<end], as: UTF8.self)))
        place = end + 1
      case 0..<0x20, 0x7F: throw Mistake(reason: "it has a control character, which no line contains")
      default:
        text.append(byte)
        place += 1
      }
    }
    flush()
    for (first, second) in zip(parts, parts.dropFirst()) {
      if case .number(let one, _) = first, case .number(let other, _) = second {
        throw Mistake(reason: "{\(one)} and {\(other)} have no text between them")
      }
      if case .number(let one, _) = first, second == .any {
        throw Mistake(reason: "* follows {\(one)}; write the text that ends the number between them")
      }
    }
    self.parts = parts
    guard !names.isEmpty else { throw Mistake(reason: "it has no number, such as {value}") }
    for name in names where names.filter({ $0 == name }).count > 1 {
      throw Mistake(reason: "it has {\(name)} twice")
    }
  }

  private static func number(_ text: String) throws(Mistake) -> Part {
    let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(words[0])
    let isName =
      name.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
      }
    guard isName else { throw Mistake(reason: "{\(text)} is no name; write letters, as in {value}") }
    guard words.count == 2 else { return .number(name: name, .decimal) }
    guard let notation = Notation(rawValue: String(words[1])), notation != .decimal else {
      throw Mistake(reason: "{\(text)} has an unknown notation; write {\(name)} or {\(name):nmea}")
    }
    return .number(name: name, notation)
  }

  /// The names of the numbers, in their order.
  public var names: [String] {
    parts.compactMap { if case .number(let name, _) = $0 { name } else { nil } }
  }

  /// Whether a line that matches begins with known text. The end of such a line does not match by accident.
  var beginsWithText: Bool { if case .text? = parts.first { true } else { false } }

  // MARK: - Matching

  /// The number with this name in a line; nil if the line does not match. The other numbers of the pattern count as any
  /// text, so a field that is empty hides no other one.
  public func number(_ name: String, in line: [UInt8]) -> Double? {
    var place = 0
    var found: Double?
    // Whether any text may come before the next part.
    var isFree = false
    for part in parts {
      switch part {
      case .any: isFree = true
      case .text(let text):
        guard let start = Self.find(text, in: line, from: place, isFree) else { return nil }
        place = start + text.count
        isFree = false
      case .number(let own, let notation) where own == name:
        if isFree { place = Self.firstNumber(in: line, from: place) ?? line.count }
        guard let (number, end) = LineNumber.read(line, at: place, notation) else { return nil }
        (found, place) = (number, end)
        isFree = false
      case .number: isFree = true
      }
    }
    return found
  }

  /// The place of a text: the first one if any text may come before it.
  private static func find(_ text: [UInt8], in line: [UInt8], from place: Int, _ isFree: Bool) -> Int? {
    var start = place
    while start + text.count <= line.count {
      if line[start..<start + text.count].elementsEqual(text) { return start }
      guard isFree else { return nil }
      start += 1
    }
    return nil
  }

  private static func firstNumber(in line: [UInt8], from place: Int) -> Int? {
    line.indices.dropFirst(place).first { LineNumber.length(in: line, at: $0) != nil }
  }

  // MARK: - Lines

  /// A line that matches, for a simulated device.
  ///
  /// - Parameter numbers: the numbers by their names; a missing one leaves its place empty.
  public func line(_ numbers: [String: Double]) -> [UInt8] {
    var line: [UInt8] = []
    // The letter of a hemisphere, which follows the comma after an angle.
    var letter: UInt8?
    for (index, part) in parts.enumerated() {
      switch part {
      case .any:
        if let letter { line.append(letter) }
        letter = nil
      case .text(let text):
        line += text
        if text != [UInt8(ascii: ",")] { letter = nil }
      case .number(let name, let notation):
        letter = nil
        guard let number = numbers[name] else { continue }
        switch notation {
        case .decimal: line += Array(LineNumber.text(of: number).utf8)
        case .nmea:
          let next = parts.dropFirst(index + 1)
          let isLast = next.isEmpty
          let hasLetter = next.first == .text([UInt8(ascii: ",")]) && next.dropFirst().first == .any
          let hemisphere = UInt8(ascii: number < 0 ? "S" : "N")
          line += Array(LineNumber.degreesAndMinutes(of: isLast || hasLetter ? number.magnitude : number).utf8)
          if isLast { line += [UInt8(ascii: ","), hemisphere] }
          if hasLetter { letter = hemisphere }
        }
      }
    }
    return line
  }
}

/// Numbers in a line of text.
enum LineNumber {
  /// The length of the decimal number at a place; nil if there is none.
  static func length(in line: [UInt8], at place: Int) -> Int? {
    var end = place
    func byte() -> UInt8? { end < line.count ? line[end] : nil }
    func digits() -> Int {
      let start = end
      while let byte = byte(), (0x30...0x39).contains(byte) { end += 1 }
      return end - start
    }
    if let sign = byte(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { end += 1 }
    var count = digits()
    if byte() == UInt8(ascii: ".") {
      end += 1
      count += digits()
    }
    guard count > 0 else { return nil }
    // An exponent needs digits: "25E" is 25 and the letter of the east.
    let mantissa = end
    if let letter = byte(), letter | 0x20 == UInt8(ascii: "e") {
      end += 1
      if let sign = byte(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { end += 1 }
      if digits() == 0 { end = mantissa }
    }
    return end - place
  }

  /// The number at a place, and the place after it.
  static func read(_ line: [UInt8], at place: Int, _ notation: TextPattern.Notation) -> (Double, Int)? {
    guard let length = length(in: line, at: place) else { return nil }
    let end = place + length
    guard let number = Double(String(decoding: line[place..<end], as: UTF8.self)), number.isFinite else { return nil }
    switch notation {
    case .decimal: return (number, end)
    case .nmea:
      let degrees = (number.magnitude / 100).rounded(.down)
      let minutes = number.magnitude - degrees * 100
      guard degrees <= 180, minutes < 60 else { return nil }
      let isOpposite =
        end + 1 < line.count && line[end] == UInt8(ascii: ",")
        && (line[end + 1] == UInt8(ascii: "S") || line[end + 1] == UInt8(ascii: "W"))
      let angle = degrees + minutes / 60
      return ((number < 0) != isOpposite ? -angle : angle, end)
    }
  }

  /// A decimal number without a needless end: `5`, `21.5`.
  static func text(of number: Double) -> String {
    if number == number.rounded(), number.magnitude < 1e15 { return "\(Int64(number))" }
    return "\(number)"
  }

  /// An angle as `ddmm.mmmm`, with as many decimals as give the same angle again.
  static func degreesAndMinutes(of angle: Double) -> String {
    let degrees = angle.magnitude.rounded(.down)
    var minutes = (angle.magnitude - degrees) * 60
    if minutes >= 60 { minutes = 60.0.nextDown }
    let text = self.text(of: minutes)
    // A number that is too small for decimals has an exponent.
    let plain = text.contains("e") ? "0" : text
    let padded = plain.split(separator: ".")[0].utf8.count < 2 ? "0\(plain)" : plain
    return "\(angle < 0 ? "-" : "")\(Int64(degrees))\(padded)"
  }
}
