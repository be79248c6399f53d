/// The content of a character display: rows of text with numbers of the panel in it, such as `Level {level}`.
public struct DisplayText: Equatable, Sendable {
  package indirect enum Part: Equatable, Sendable {
    case text(String)
    /// A number, multiplied by 10 ^ `decimals`. It is shown while all of these sensors, by their inputs, can be read:
    /// an old number would look like a new one.
    case number(Number, decimals: Int, sensors: [Int], format: NumberFormat?)
    /// A number in milliseconds.
    case duration(Number)
    /// A time of day, in minutes since midnight.
    case time(Number)
    /// The elements of a list, with blanks between them.
    case elements(ListSlots)
    /// The text with a number, from 1; empty for a number without a text. It is shown while all of these sensors can be
    /// read.
    case oneOf([String], Number, sensors: [Int])
    /// The parts of the first condition that holds; `otherwise` if none holds.
    case first([Choice], otherwise: [Part])
  }

  package struct Choice: Equatable, Sendable {
    package let condition: Condition
    /// Whether the condition checks what an output shows.
    package let readsOutputs: Bool
    package var parts: [Part]

    package init(condition: Condition, parts: [Part]) {
      (self.condition, self.parts) = (condition, parts)
      readsOutputs = condition.readsOutputs
    }
  }

  package var rows: [[Part]]

  package init(rows: [[Part]]) {
    self.rows = rows
  }

  var dependsOnValues: Bool {
    rows.contains { $0.contains { if case .text = $0 { false } else { true } } }
  }

  /// All parts, also those inside choices.
  package var parts: [Part] { rows.joined().flatMap(Self.parts) }

  private static func parts(of part: Part) -> [Part] {
    guard case .first(let choices, let otherwise) = part else { return [part] }
    return [part] + (choices.flatMap(\.parts) + otherwise).flatMap(parts)
  }

  /// All conditions that choose a part.
  package var conditions: [Condition] {
    parts.flatMap { if case .first(let choices, _) = $0 { choices.map(\.condition) } else { [Condition]() } }
  }
}

/// The format of a number in a text: `02`, `.1` or `4.1`.
package struct NumberFormat: Equatable, Sendable {
  /// The smallest number of characters, with the sign.
  package var width = 0
  /// Whether zeros fill the width, and not blanks.
  package var isZeroFilled = false
  /// The number of decimals; nil for as many as the number needs.
  package var places: Int?

  package init(width: Int = 0, isZeroFilled: Bool = false, places: Int? = nil) {
    (self.width, self.isZeroFilled, self.places) = (width, isZeroFilled, places)
  }

  /// The greatest width, and the greatest number of decimals.
  static let (widest, mostPlaces) = (40, 6)

  /// Reads the text after the colon; nil for a text that is no format.
  package init?(_ text: some StringProtocol) {
    let scalars = Array(text.unicodeScalars)
    func digits(from start: Int) -> Int {
      scalars[start...].prefix { ("0"..."9").contains($0) }.count
    }
    var place = 0
    if scalars.count > 1, scalars[0] == "0", digits(from: 1) > 0 {
      isZeroFilled = true
      place = 1
    }
    let count = digits(from: place)
    if count > 0 {
      guard let width = Quantity.whole(Self.text(scalars[place..<place + count])), (1...Self.widest).contains(width)
      else { return nil }
      self.width = width
      place += count
    }
    if place < scalars.count, scalars[place] == "." {
      place += 1
      guard digits(from: place) == 1, let places = Quantity.whole(Self.text(scalars[place...place])),
        places <= Self.mostPlaces
      else { return nil }
      self.places = places
      place += 1
    }
    guard place == scalars.count, place > 0 else { return nil }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  /// A number in this format. A number with more decimals than the format is rounded, half away from zero.
  ///
  /// - Parameter number: the number, multiplied by 10 ^ `decimals`.
  package func text(of number: Int, decimals: Int) -> String {
    let sign: String
    let digits: String
    if let places {
      let magnitude = Self.rounded(number.magnitude, decimals: decimals, to: places)
      sign = number < 0 && magnitude > 0 ? "-" : ""
      digits = Self.digits(magnitude, places: places)
    } else {
      sign = number < 0 ? "-" : ""
      let text = Quantity.text(number, decimals: decimals)
      digits = number < 0 ? String(text.dropFirst()) : text
    }
    let filling = String(
      repeating: isZeroFilled ? "0" : " ", count: max(0, width - sign.count - digits.count))
    return isZeroFilled ? sign + filling + digits : filling + sign + digits
  }

  /// The number with another count of decimals.
  private static func rounded(_ number: UInt, decimals: Int, to places: Int) -> UInt {
    guard places < decimals else {
      let factor = UInt(Quantity.powerOfTen(places - decimals))
      let (product, isBeyond) = number.multipliedReportingOverflow(by: factor)
      return isBeyond ? .max : product
    }
    let divisor = UInt(Quantity.powerOfTen(decimals - places))
    return number / divisor + (number % divisor >= divisor / 2 ? 1 : 0)
  }

  private static func digits(_ number: UInt, places: Int) -> String {
    guard places > 0 else { return "\(number)" }
    let one = UInt(Quantity.powerOfTen(places))
    let fraction = "\(number % one)"
    return "\(number / one).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
  }
}
