/// A checksum at the end of a line.
public enum TextChecksum: String, CaseIterable, Sendable {
  /// The checksum of NMEA 0183, as in `$…*47`: the exclusive or of the bytes between `$` (or `!`) and `*`.
  case nmea

  /// Whether a line has this checksum, and it is right.
  public func isRight(in line: [UInt8]) -> Bool {
    guard let star = line.lastIndex(of: UInt8(ascii: "*")), line.count >= star + 3, Self.begins(line) else {
      return false
    }
    let digits = String(decoding: line[star + 1..<star + 3], as: UTF8.self)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let wanted = UInt8(digits, radix: 16)
    else { return false }
    return line[1..<star].reduce(0, ^) == wanted
  }

  private static func begins(_ line: [UInt8]) -> Bool {
    line[0] == UInt8(ascii: "$") || line[0] == UInt8(ascii: "!")
  }

  /// The line with its checksum.
  public func added(to line: [UInt8]) -> [UInt8] {
    let sum = line.dropFirst().reduce(0, ^)
    return line + [UInt8(ascii: "*")] + Array(sum.hexadecimal.utf8)
  }
}
