/// Reads strings with escapes.
struct RecordingEscapes {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Returns the text of a string whose content has this range.
  func text(in content: Range<Int>) throws(RecordingTextFault) -> String {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(content.count)
    var place = content.lowerBound
    while place < content.upperBound {
      let byte = bytes[place]
      place += 1
      guard byte == UInt8(ascii: "\\") else {
        utf8.append(byte)
        continue
      }
      let escape = bytes[place]
      place += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(escape)
      case UInt8(ascii: "b"): utf8.append(0x08)
      case UInt8(ascii: "t"): utf8.append(0x09)
      case UInt8(ascii: "n"): utf8.append(0x0a)
      case UInt8(ascii: "f"): utf8.append(0x0c)
      case UInt8(ascii: "r"): utf8.append(0x0d)
      case UInt8(ascii: "u"):
        let scalar = try scalar(at: &place, before: content.upperBound)
        utf8.append(contentsOf: Array(String(Character(scalar)).utf8))
      default: throw RecordingTextFault("an unknown escape", at: place - 2)
      }
    }
    guard let text = utf8.withUnsafeBytes({ JSONReader.text($0) }) else {
      throw RecordingTextFault("the string is not UTF-8", at: content.lowerBound)
    }
    return text
  }

  /// Returns the character of `\u....`, or of two of them that are a pair of surrogates.
  private func scalar(at place: inout Int, before end: Int) throws(RecordingTextFault) -> Unicode.Scalar {
    let start = place - 2
    let first = try codeUnit(at: &place, before: end)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if (0xD800...0xDBFF).contains(first), place + 2 <= end, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    {
      place += 2
      let second = try codeUnit(at: &place, before: end)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      {
        return scalar
      }
    }
    throw RecordingTextFault("half of a pair of surrogates", at: start)
  }

  private func codeUnit(at place: inout Int, before end: Int) throws(RecordingTextFault) -> UInt16 {
    guard place + 4 <= end, bytes[place..<place + 4].allSatisfy({ Self.isHexadecimal($0) }),
      let unit = UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw RecordingTextFault("\\u needs four hexadecimal digits", at: place - 2) }
    place += 4
    return unit
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
