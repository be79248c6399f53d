import Terminal

/// Numbers with and without units in the files. The locale has no effect.
package enum Quantity {
  /// An error in a text, without its position.
  package struct Fault: Error, Equatable {
    package var text: String
  }

  private static let longestDigits = 9

  /// Reads a duration: `250ms`, `3s`, `1.5s`, `2m`, `8h`.
  package static func duration(_ text: String) throws(Fault) -> Duration {
    let (number, unit) = split(text)
    guard let decimal = Decimal(number), !decimal.isNegative else {
      throw Fault(text: "\(quoted(text)) is not a duration; write 250ms, 3s or 2m")
    }
    try refuseBlank(in: text, unit, of: ["ms", "s", "m", "h"])
    if let sum = sum(ofParts: text) {
      throw Fault(text: "\(quoted(text)) is a duration in several units; write \(Self.text(.milliseconds(sum)))")
    }
    let one: Duration
    switch unit {
    case "ms": one = .milliseconds(1)
    case "s": one = .seconds(1)
    case "m": one = .seconds(60)
    case "h": one = .seconds(3600)
    case "":
      throw Fault(text: "\(number) has no unit; write \(number)ms, \(number)s or \(number)m")
    default:
      throw Fault(text: "unknown unit \(quoted(unit)) of a duration; write ms, s, m or h")
    }
    // A duration has 128 bits; nine digits of hours need 102 of them.
    return one * decimal.whole + one / 1_000_000 * decimal.millionths
  }

  /// Reads a frequency and returns it in hertz: `440Hz`, `1.5kHz`.
  package static func frequency(_ text: String) throws(Fault) -> Double {
    let (number, unit) = split(text)
    guard let decimal = Decimal(number), !decimal.isNegative else {
      throw Fault(text: "\(quoted(text)) is not a frequency; write 440Hz or 1.5kHz")
    }
    try refuseBlank(in: text, unit, of: ["Hz", "kHz", "MHz"])
    switch unit {
    case "Hz": return decimal.double
    case "kHz": return Double(decimal.whole * 1_000_000 + decimal.millionths) / 1000
    case "MHz": return Double(decimal.whole * 1_000_000 + decimal.millionths)
    case "": throw Fault(text: "\(number) has no unit; write \(number)Hz")
    default: throw Fault(text: "unknown unit \(quoted(unit)) of a frequency; write Hz, kHz or MHz")
    }
  }

  /// Reads a level in decibels: `-6dB`. Returns nil for any other text.
  package static func decibels(_ text: String) -> Double? {
    guard text.hasSuffix("dB") else { return nil }
    return number(String(text.dropLast(2)))
  }

  /// Reads a whole number of at most nine digits, with or without a sign; returns nil for any other text.
  package static func whole(_ text: String) -> Int? {
    guard let decimal = Decimal(text), decimal.decimals == 0 else { return nil }
    return decimal.isNegative ? -decimal.whole : decimal.whole
  }

  /// Reads a number with decimals and multiplies it by 10 ^ `decimals`: `28.1` gives 281 and 1. Returns nil for any
  /// other text, or for more than six decimals.
  package static func decimal(_ text: String) -> (number: Int, decimals: Int)? {
    guard let decimal = Decimal(text) else { return nil }
    let size = decimal.whole * powerOfTen(decimal.decimals) + decimal.millionths / powerOfTen(6 - decimal.decimals)
    return (decimal.isNegative ? -size : size, decimal.decimals)
  }

  /// Reads a number with at most `decimals` decimals, and multiplies it by 10 ^ `decimals`. Returns nil for any other
  /// text.
  package static func fixed(_ text: String, decimals: Int) -> Int? {
    guard let (number, own) = decimal(text), own <= decimals else { return nil }
    return number * powerOfTen(decimals - own)
  }

  /// Converts a number that is multiplied by 10 ^ `decimals` to different decimals; rounds halves away from zero.
  package static func rescaled(_ number: Int, from decimals: Int, to wanted: Int) -> Int {
    guard decimals > wanted else { return number * powerOfTen(wanted - decimals) }
    return Saturating.rounded(number.wide, by: Int128(powerOfTen(decimals - wanted))).narrow
  }

  /// Formats a number with `decimals` decimals, without trailing zeros: 280 with one decimal is `28`.
  package static func text(_ number: Int, decimals: Int) -> String {
    var (digits, decimals) = (number.magnitude, decimals)
    while decimals > 0, digits % 10 == 0 { (digits, decimals) = (digits / 10, decimals - 1) }
    let sign = number < 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(digits)" }
    let factor = UInt(powerOfTen(decimals))
    return "\(sign)\(digits / factor).\(String(digits % factor + factor).dropFirst())"
  }

  /// - Parameter exponent: 0 to 18.
  package static func powerOfTen(_ exponent: Int) -> Int { (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 } }

  /// Reads a number such as `0.8` or `3`; returns nil for any other text.
  package static func number(_ text: String) -> Double? {
    Decimal(text)?.double
  }

  /// Formats a duration in the largest unit that gives a whole number.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let nanoseconds = attoseconds / 1_000_000_000
    if nanoseconds != milliseconds * 1_000_000 {
      let digits = String(nanoseconds % 1_000_000 + 1_000_000).dropFirst()
      let fraction = digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
      return "\(seconds * 1000 + milliseconds).\(fraction)ms"
    }
    if milliseconds != 0 { return "\(seconds * 1000 + milliseconds)ms" }
    guard seconds != 0, seconds % 60 == 0 else { return "\(seconds)s" }
    return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds / 60)m"
  }

  /// The error for a number with decimals beside a thing that has none.
  ///
  /// - Parameters:
  ///   - name: the thing, in quotation marks.
  ///   - canHaveThem: whether the file can give it decimals.
  static func faultOfDecimals(_ text: String, besides name: String, canHaveThem: Bool) -> String {
    let decimals = text.drop { $0 != "." }.dropFirst().count
    let remedy = canHaveThem && decimals <= mostDecimals ? ", or give \(name) decimals: \(decimals)" : ""
    return "\(text) has decimals and \(name) has none; write \(cut(text, to: 0))\(remedy)"
  }

  /// The greatest number of decimals of a value or a sensor.
  static let mostDecimals = 3

  /// The text of a number without the decimals after the first ones.
  static func cut(_ text: String, to decimals: Int) -> String {
    let whole = text.prefix { $0 != "." }
    guard decimals > 0 else { return whole == "-0" ? "0" : String(whole) }
    return "\(whole).\(text.dropFirst(whole.count + 1).prefix(decimals))"
  }

  /// The sum in milliseconds of several durations in a row: 90 000 for `1m30s`. nil for any other text.
  private static func sum(ofParts text: String) -> Int? {
    let units = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    var (rest, sum, count) = (Substring(text), 0, 0)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
      guard (1...6).contains(digits.count), let number = Int(digits), let size = units[String(unit)] else { return nil }
      (sum, count) = (sum + number * size, count + 1)
      rest = rest.dropFirst(digits.count + unit.count)
      guard count <= 4 else { return nil }
    }
    return count > 1 ? sum : nil
  }

  private static func split(_ text: String) -> (number: String, unit: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "+" || $0 == "-") }
    return (String(number), String(text.dropFirst(number.count)))
  }

  /// Throws if blanks separate a number from its unit: `3 s`.
  private static func refuseBlank(in text: String, _ unit: String, of known: [String]) throws(Fault) {
    let word = String(unit.drop { $0 == " " })
    guard word != unit, known.contains(word) else { return }
    throw Fault(text: "unexpected space in \(quoted(text)); write \(text.filter { $0 != " " })")
  }

  /// A decimal number: an optional sign, one to nine digits, and optionally a point and one to six digits.
  private struct Decimal {
    var isNegative = false
    var whole = 0
    var millionths = 0
    /// The number of digits after the point; 0 without a point.
    var decimals = 0

    var double: Double {
      let size = Double(whole * 1_000_000 + millionths) / 1_000_000
      return isNegative ? -size : size
    }

    init?(_ text: String) {
      var rest = text.utf8[...]
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        isNegative = sign == UInt8(ascii: "-")
        rest.removeFirst()
      }
      var (count, isBehindPoint, place) = (0, false, 1_000_000)
      for byte in rest {
        if byte == UInt8(ascii: "."), !isBehindPoint, count > 0 {
          (count, isBehindPoint) = (0, true)
          continue
        }
        guard (0x30...0x39).contains(byte), count < (isBehindPoint ? 6 : longestDigits) else { return nil }
        let digit = Int(byte - 0x30)
        count += 1
        if isBehindPoint {
          place /= 10
          millionths += digit * place
        } else {
          whole = whole * 10 + digit
        }
      }
      guard count > 0 else { return nil }
      decimals = isBehindPoint ? count : 0
    }
  }
}

extension Duration {
  /// The duration in milliseconds; nil if it is not a whole number of them.
  package var wholeMilliseconds: Int? {
    let (seconds, attoseconds) = components
    guard attoseconds % 1_000_000_000_000_000 == 0 else { return nil }
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
