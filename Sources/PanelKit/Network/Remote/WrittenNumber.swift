/// A number in the notation of other programs: `9`, `-4`, `5.0`, `6.9999995`, `1e-05`. It is stored as digits, so it is
/// rounded only once and never overflows.
struct WrittenNumber: Equatable {
  /// The maximum length of the text, in bytes.
  static let longest = 64
  /// The maximum number of digits before the decimal point. A longer number is outside the range of any panel file.
  private static let mostDigits = 15

  private(set) var isNegative = false
  /// The digits, without leading zeros.
  private var digits: [UInt8] = []
  /// The number of digits after the decimal point. A negative number is the count of zeros that follow the digits.
  private var places = 0

  /// - Parameter text: an optional sign, digits with at most one point between them, and an optional exponent of one to
  ///   three digits.
  /// - Returns: nil for any other text.
  init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    guard rest.count <= Self.longest else { return nil }
    isNegative = Self.takeSign(&rest)
    let whole = Self.takeDigits(&rest)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.takeDigits(&rest)
      guard !fraction.isEmpty else { return nil }
    }
    var exponent = 0
    if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
      rest.removeFirst()
      let isSmall = Self.takeSign(&rest)
      let power = Self.takeDigits(&rest)
      guard (1...3).contains(power.count) else { return nil }
      exponent = power.reduce(0) { $0 * 10 + Int($1) } * (isSmall ? -1 : 1)
    }
    guard !whole.isEmpty, rest.isEmpty else { return nil }
    digits = Array((whole + fraction).drop { $0 == 0 })
    places = fraction.count - exponent
  }

  var isZero: Bool { digits.isEmpty }

  /// The number times 10 ^ `decimals`, rounded half away from zero; nil if it is outside the range of any panel file.
  func rounded(decimals: Int) -> Int? {
    let count = digits.count - places + decimals
    guard !digits.isEmpty, count >= 0 else { return 0 }
    guard count <= Self.mostDigits else { return nil }
    var size = 0
    for place in 0..<count { size = size * 10 + (place < digits.count ? Int(digits[place]) : 0) }
    if count < digits.count, digits[count] >= 5 { size += 1 }
    return isNegative ? -size : size
  }

  /// Removes a sign from the start, if there is one. Returns whether it was a minus sign.
  private static func takeSign(_ text: inout ArraySlice<UInt8>) -> Bool {
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    text.removeFirst()
    return sign == UInt8(ascii: "-")
  }

  /// Removes the digits at the start, and returns their values.
  private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    text = text.dropFirst(digits.count)
    return digits.map { $0 - 0x30 }[...]
  }
}
