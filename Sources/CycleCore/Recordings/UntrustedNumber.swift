/// Limits of numbers from outside: from recordings, edits and the monitor.
public enum UntrustedNumber {
  /// The range of a count of events, edges or entries of a state. Up to 2^53 it is exact in all programs that read
  /// JSON. A count that grows by a million per second reaches the end of the range after 285 years.
  public static let counts = 0...(1 << 53)
  /// The range of numbers that a user may write. The sum of two of them doesn't overflow.
  static let written = -(1 << 62)...(1 << 62)

  /// Rejects a value that a user has written if it contains an integer so large that a sum could overflow. Values that
  /// an application has recorded are not checked: there a number can have any value, such as a digest.
  ///
  /// - Parameter json: one JSON value.
  package static func check(_ json: String) throws(RecordingTextFault) {
    var rest = json.utf8[...]
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\""): rest = afterString(rest)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = rest.prefix { Self.isOfNumber($0) }
        rest = rest[number.endIndex...]
        // Numbers with a fraction or an exponent are not integers.
        guard number.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) else { continue }
        let text = String(Substring(number))
        guard let integer = Int(text), written.contains(integer) else {
          throw RecordingTextFault(
            "\(text) is too far from 0; write a number from \(written.lowerBound) to \(written.upperBound)")
        }
      default: rest = rest.dropFirst()
      }
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
      || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte)
  }

  private static func afterString(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var rest = text.dropFirst()
    while let byte = rest.first, byte != UInt8(ascii: "\"") {
      rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    return rest.dropFirst()
  }
}
