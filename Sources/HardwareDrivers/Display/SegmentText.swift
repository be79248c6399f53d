/// The text of a row of seven-segment digits: the model of a ``SegmentDisplay``.
///
///     SegmentText("12:34")
///     SegmentText("-3.5", isRightAligned: true)
///
/// A point or a comma lights the point of the digit before it. On a display with a colon, a text with one colon is placed
/// around it, `4:59` as well as `12:34`; otherwise a colon lights a point. A character without a picture is dark.
public struct SegmentText: Equatable, Sendable, Codable {
  /// A text that is longer than the display is shown as dashes, because a number without its last digit would look like
  /// another number.
  public var text: String
  /// Whether the text ends at the last digit. Otherwise it begins at the first one.
  public var isRightAligned: Bool
  /// The brightness, 0 to 1. At 0 the digits are dim, not dark.
  public var brightness: Double

  public init(_ text: String, isRightAligned: Bool = false, brightness: Double = 1) {
    self.text = text
    self.isRightAligned = isRightAligned
    self.brightness = brightness
  }

  /// All digits are dark.
  public static var blank: SegmentText { SegmentText("") }

  /// The segments of a display.
  ///
  /// - Parameters:
  ///   - count: the number of digits.
  ///   - hasColon: whether the display has a colon.
  public func frame(count: Int, hasColon: Bool) -> SegmentFrame {
    if hasColon, let (left, right) = halves {
      let half = count / 2
      guard left.count <= half, right.count <= half else { return dashes(count) }
      return SegmentFrame(
        digits: Self.dark(half - left.count) + left + right + Self.dark(half - right.count), showsColon: true,
        brightness: brightness)
    }
    let digits = Self.pictures(of: text)
    guard digits.count <= count else { return dashes(count) }
    let rest = Self.dark(count - digits.count)
    return SegmentFrame(digits: isRightAligned ? rest + digits : digits + rest, brightness: brightness)
  }

  /// Whether a display can show the text: it has room, and each character has a picture.
  ///
  /// - Parameters:
  ///   - count: the number of digits.
  ///   - hasColon: whether the display has a colon.
  public func fits(count: Int, hasColon: Bool) -> Bool {
    let hasRoom =
      if hasColon, let (left, right) = halves {
        max(left.count, right.count) <= count / 2
      } else {
        Self.pictures(of: text).count <= count
      }
    return hasRoom && text.allSatisfy { Self.points.contains($0) || SegmentFont.segments(of: $0) != nil }
  }

  /// The characters that are no digit of their own.
  package static let points: Set<Character> = [".", ",", ":"]

  /// The digits before and after the colon; nil for a text that has not one colon.
  private var halves: (left: [UInt8], right: [UInt8])? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? (Self.pictures(of: parts[0]), Self.pictures(of: parts[1])) : nil
  }

  private func dashes(_ count: Int) -> SegmentFrame {
    SegmentFrame(digits: Array(repeating: SegmentFont.dash, count: count), brightness: brightness)
  }

  private static func dark(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private static func pictures(of text: some StringProtocol) -> [UInt8] {
    var digits: [UInt8] = []
    for character in text {
      if !points.contains(character) {
        digits.append(SegmentFont.segments(of: character) ?? 0)
      } else if let last = digits.last, last & SegmentFrame.point == 0 {
        digits[digits.count - 1] |= SegmentFrame.point
      } else {
        digits.append(SegmentFrame.point)
      }
    }
    return digits
  }
}

/// The segments of a row of digits that are lit.
public struct SegmentFrame: Equatable, Sendable {
  /// The segments of each digit, from the left: bit 0 is segment a at the top, bit 5 is f, bit 6 is g in the middle, and
  /// bit 7 is the point.
  public var digits: [UInt8]
  public var showsColon: Bool
  /// The brightness, 0 to 1.
  public var brightness: Double

  /// The bit of the point.
  public static let point: UInt8 = 0x80

  public init(digits: [UInt8], showsColon: Bool = false, brightness: Double = 1) {
    (self.digits, self.showsColon, self.brightness) = (digits, showsColon, brightness)
  }

  /// The segments on a board with a colon and without points: the point before the colon lights the colon. With any other
  /// point the digits are dashes, because a number without its point would look like another number.
  package var withColonOnly: SegmentFrame {
    let middle = digits.count / 2 - 1
    let places = digits.indices.filter { digits[$0] & Self.point != 0 }
    guard places.allSatisfy({ $0 == middle }) else {
      return SegmentFrame(digits: digits.map { _ in SegmentFont.dash }, brightness: brightness)
    }
    return SegmentFrame(
      digits: digits.map { $0 & ~Self.point }, showsColon: showsColon || !places.isEmpty, brightness: brightness)
  }

  /// Whether nothing is lit.
  public var isDark: Bool { !showsColon && digits.allSatisfy { $0 == 0 } }

  /// The text that a person reads, with one character for each picture: an `O` reads as `0`, and an `S` as `5`. A picture
  /// that is no character reads as `?`.
  public var text: String {
    var text = ""
    for (place, digit) in digits.enumerated() {
      if showsColon, place == digits.count / 2 { text += ":" }
      text.append(SegmentFont.character(of: digit & ~Self.point) ?? "?")
      if digit & Self.point != 0 { text += "." }
    }
    return text
  }
}

/// The pictures of characters on seven segments.
public enum SegmentFont {
  /// The segment in the middle.
  static let dash: UInt8 = 0x40

  /// The pictures, those of the digits first. A letter is in the case in which it can be shown.
  private static let pictures: [(character: Character, segments: UInt8)] = [
    (" ", 0x00), ("0", 0x3F), ("1", 0x06), ("2", 0x5B), ("3", 0x4F), ("4", 0x66), ("5", 0x6D), ("6", 0x7D),
    ("7", 0x07), ("8", 0x7F), ("9", 0x6F), ("-", dash), ("_", 0x08), ("=", 0x48), ("°", 0x63), ("\"", 0x22),
    ("'", 0x20), ("A", 0x77), ("b", 0x7C), ("C", 0x39), ("c", 0x58), ("d", 0x5E), ("E", 0x79), ("F", 0x71),
    ("G", 0x3D), ("H", 0x76), ("h", 0x74), ("I", 0x06), ("i", 0x04), ("J", 0x1E), ("L", 0x38), ("n", 0x54),
    ("O", 0x3F), ("o", 0x5C), ("P", 0x73), ("q", 0x67), ("r", 0x50), ("S", 0x6D), ("t", 0x78), ("U", 0x3E),
    ("u", 0x1C), ("y", 0x6E), ("[", 0x39), ("]", 0x0F),
  ]
  private static let segments = Dictionary(
    pictures.map { ($0.character, $0.segments) }, uniquingKeysWith: { first, _ in first })

  /// The segments of a character, in the other case if it has no picture in its own; nil if it has none. An `s` has none,
  /// because the unit of a duration would look like a 5.
  public static func segments(of character: Character) -> UInt8? {
    if let own = segments[character] { return own }
    if character == "s" { return nil }
    let other = character.isUppercase ? character.lowercased() : character.uppercased()
    return other.count == 1 ? segments[Character(other)] : nil
  }

  /// The first character with a picture; nil if there is none.
  static func character(of segments: UInt8) -> Character? {
    pictures.first { $0.segments == segments }?.character
  }
}
