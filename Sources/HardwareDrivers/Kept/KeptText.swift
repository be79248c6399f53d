/// The text of a file of kept values: `panel-values 1`, one line `name value` each, and at last the checksum of all
/// lines before, such as `crc32 74a1ff7f` (CRC-32 of IEEE 802.3, as in zip).
///
///     panel-values 1
///     level 7
///     rings 12
///     crc32 74a1ff7f
public enum KeptText {
  /// The reason why bytes are not a file of kept values.
  public enum Fault: Error, Equatable, Sendable {
    /// The first line is different: this is a different kind of file, or a different version of this one.
    case otherKind
    /// The last line is missing or incomplete: the file was cut.
    case cut
    /// The checksum belongs to different lines.
    case changed
    /// A line that is not a name with a whole number; its number, from 1.
    case line(Int)
  }

  /// The longest file that is read, in bytes.
  public static var longest: Int { 65_536 }

  private static var title: String { "panel-values 1" }

  /// The file's bytes, with the names in alphabetical order.
  ///
  /// - Parameter numbers: the numbers by name. A name that is empty or has a space or a line end traps.
  /// - Returns: UTF-8 text.
  public static func bytes(of numbers: [String: Int]) -> [UInt8] {
    var text = "\(title)\n"
    for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
      precondition(isName(name[...]), "a kept value has a name without spaces")
      text += "\(name) \(number)\n"
    }
    return Array(text.utf8) + Array("crc32 \(hexadecimal(checksum(of: text.utf8)))\n".utf8)
  }

  /// The numbers in a file's bytes, by name.
  ///
  /// - Parameter bytes: the whole file.
  /// - Returns: all of its numbers.
  /// - Throws: the reason why this is not such a file; then none of it is used.
  public static func numbers(in bytes: [UInt8]) throws(Fault) -> [String: Int] {
    let first = Array("\(title)\n".utf8)
    guard bytes.starts(with: first) else { throw first.starts(with: bytes) ? .cut : .otherKind }
    // The last line has a fixed length.
    let last = bytes.count - "crc32 00000000\n".utf8.count
    guard last >= first.count, bytes[last - 1] == newline, bytes.last == newline,
      bytes[last...].starts(with: "crc32 ".utf8)
    else { throw .cut }
    let sum = "crc32 \(hexadecimal(checksum(of: bytes[..<last])))\n"
    guard bytes[last...].elementsEqual(sum.utf8) else { throw .changed }
    var numbers: [String: Int] = [:]
    let lines = bytes[first.count..<last].split(separator: newline, omittingEmptySubsequences: false).dropLast()
    for (index, line) in lines.enumerated() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, isName(words[0]), let number = Int(words[1]), numbers[String(words[0])] == nil else {
        throw .line(index + 2)
      }
      numbers[String(words[0])] = number
    }
    return numbers
  }

  private static var newline: UInt8 { 10 }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && !name.unicodeScalars.contains { $0.properties.isWhitespace }
  }

  private static func hexadecimal(_ sum: UInt32) -> String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The CRC-32 of IEEE 802.3: polynomial 0xEDB88320 with the bits reversed; the initial value and the final XOR are
  /// all ones.
  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
