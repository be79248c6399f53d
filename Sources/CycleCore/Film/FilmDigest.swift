/// FNV-1a with 64 bits over bytes: <http://www.isthe.com/chongo/tech/comp/fnv/>.
///
/// It finds what has changed by accident. It is no signature: who wants to can make other bytes with the same digest.
@frozen
public struct FilmDigest: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline var state: UInt64

  /// The digest of no bytes.
  @inlinable
  public init() { state = 0xcbf2_9ce4_8422_2325 }

  /// The digest with this number.
  @inlinable
  public init(_ number: UInt64) { state = number }

  /// The digest as a number.
  @inlinable
  public var number: UInt64 { state }

  /// Adds a byte behind those so far.
  @inlinable
  public mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

  /// Adds bytes behind those so far.
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

extension FilmDigest: CustomStringConvertible {
  /// 16 hexadecimal digits: `cbf29ce484222325`.
  public var description: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The digest that 16 lower-case hexadecimal digits stand for; nil for anything else.
  public init?(_ digits: String) {
    guard digits.utf8.count == 16, digits.utf8.allSatisfy({ FilmDigest.isHexadecimal($0) }),
      let number = UInt64(digits, radix: 16)
    else { return nil }
    self.init(number)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}
