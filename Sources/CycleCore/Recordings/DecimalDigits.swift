/// Whole numbers in decimal digits.
enum DecimalDigits {
  /// The maximum number of bytes of a number: those of 2^64 - 1.
  static let mostBytes = 20

  /// Writes a number, beginning with its first digit.
  ///
  /// - Parameter start: the destination, with room for ``mostBytes``.
  /// - Returns: the number of bytes written.
  @inline(__always)
  static func write(_ number: UInt64, to start: UnsafeMutablePointer<UInt8>) -> Int {
    guard number >= 10 else {
      start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)
      return 1
    }
    return writeLong(number, to: start)
  }

  private static func writeLong(_ number: UInt64, to start: UnsafeMutablePointer<UInt8>) -> Int {
    // The last digits are computed first, two at a time: this saves one division per pair.
    let count = digitCount(of: number)
    var (rest, place) = (number, count)
    while rest >= 100 {
      let pair = Int(truncatingIfNeeded: rest % 100)
      rest /= 100
      place &-= 2
      start[place] = pairs.utf8Start[2 &* pair]
      start[place &+ 1] = pairs.utf8Start[2 &* pair &+ 1]
    }
    let pair = Int(truncatingIfNeeded: rest)
    if pair >= 10 { start[0] = pairs.utf8Start[2 &* pair] }
    start[place &- 1] = pairs.utf8Start[2 &* pair &+ 1]
    return count
  }

  private static func digitCount(of number: UInt64) -> Int {
    var (count, rest) = (1, number)
    while rest >= 10_000 {
      count &+= 4
      rest /= 10_000
    }
    if rest >= 1_000 { return count &+ 3 }
    if rest >= 100 { return count &+ 2 }
    return rest >= 10 ? count &+ 1 : count
  }

  /// The digits of 00 to 99, one number after the other.
  private static var pairs: StaticString {
    """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  }
}
