/// FNV-1a with 64 bits over bytes: <http://www.isthe.com/chongo/tech/comp/fnv/>.
///
/// It detects accidental changes. It is not a signature: anyone can make other bytes with the same digest.
@frozen
public struct FNV1aHash: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline var state: UInt64

  /// The digest of no bytes.
  @inlinable
  public init() { state = 0xcbf2_9ce4_8422_2325 }

  /// Makes the digest with this number.
  @inlinable
  public init(_ number: UInt64) { state = number }

  /// The digest as a number.
  @inlinable
  public var number: UInt64 { state }

  /// Adds a byte after the previous ones.
  @inlinable
  public mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

  /// Adds bytes after the previous ones.
  @inlinable
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = self
    for byte in bytes { sum.add(byte) }
    self = sum
  }

  /// Adds the UTF-8 bytes of a text.
  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }
}

extension FNV1aHash {
  /// Removes the last bytes that were added, and leaves the digest of the bytes before them. The inverse of the factor
  /// modulo 2⁶⁴ undoes the multiplication.
  mutating func remove(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes.reversed() { state = (state &* 0xce96_5057_aff6_957b) ^ UInt64(byte) }
  }

  /// Adds the decimal digits of a number.
  mutating func add(number: Int) {
    if 0..<10 ~= number { add(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) } else { add(long: number) }
  }

  /// Adds the JSON text of a row without writing it: the frame of each event is added, and most of its numbers have one
  /// digit.
  mutating func add(row numbers: [Int]) {
    var sum = self
    var separator = UInt8(ascii: "[")
    for number in numbers {
      sum.add(separator)
      separator = UInt8(ascii: ",")
      let digit = UInt(bitPattern: number)
      if digit < 10 { sum.add(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)) } else { sum.add(long: number) }
    }
    if numbers.isEmpty { sum.add(separator) }
    sum.add(UInt8(ascii: "]"))
    self = sum
  }

  /// Adds a number that is negative or has more than one digit.
  @inline(never)
  private mutating func add(long number: Int) {
    if number < 0 { add(UInt8(ascii: "-")) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalDigits.mostBytes) { digits in
      let count = DecimalDigits.write(UInt64(number.magnitude), to: digits.baseAddress!)
      add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[..<count]))
    }
  }

  /// Writes the 16 digits of ``description``.
  @inline(__always)
  func writeDigits(to start: UnsafeMutablePointer<UInt8>) {
    let raw = UnsafeMutableRawPointer(start)
    raw.storeBytes(of: Self.digits(of: UInt32(truncatingIfNeeded: state &>> 32)).bigEndian, as: UInt64.self)
    raw.storeBytes(of: Self.digits(of: UInt32(truncatingIfNeeded: state)).bigEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// Returns the 8 hexadecimal digits of a number as ASCII, the first one in the highest byte. All are computed
  /// together, each in its own byte.
  @inline(__always)
  private static func digits(of number: UInt32) -> UInt64 {
    var digits = UInt64(number)
    digits = (digits | digits &<< 16) & 0x0000_ffff_0000_ffff
    digits = (digits | digits &<< 8) & 0x00ff_00ff_00ff_00ff
    digits = (digits | digits &<< 4) & 0x0f0f_0f0f_0f0f_0f0f
    // 10 to 15 carry into the upper half of their byte, and become letters.
    let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}

extension FNV1aHash: CustomStringConvertible {
  /// 16 hexadecimal digits: `cbf29ce484222325`.
  public var description: String {
    String(unsafeUninitializedCapacity: 16) { bytes in
      writeDigits(to: bytes.baseAddress!)
      return 16
    }
  }

  /// Makes the digest from 16 lower-case hexadecimal digits; nil for any other text.
  public init?(_ digits: String) {
    guard digits.utf8.count == 16, digits.utf8.allSatisfy({ FNV1aHash.isHexadecimal($0) }),
      let number = UInt64(digits, radix: 16)
    else { return nil }
    self.init(number)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}
