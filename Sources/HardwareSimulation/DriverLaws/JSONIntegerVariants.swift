/// Numbers at the ends of ranges, in place of the numbers of a JSON text: a recording, an edit or another program may
/// contain them.
package enum JSONIntegerVariants {
  package static let all: [Int] = [
    .min, .min + 1, -0x4000_0000_0000_0000, -0x1_0000_0000, -2, -1, 0, 1, 2, 3, 7, 63, 64, 99, 255, 256, 65_535,
    0x8000_0000, 0x1_0000_0000, 0x20_0000_0000_0000, 0x20_0000_0000_0001, 0x4000_0000_0000_0000, .max - 1, .max,
  ]

  /// Copies of the text, in each of which one integer is replaced by an extreme one.
  package static func variants(of json: String) -> [String] {
    let bytes = Array(json.utf8)
    return integers(in: bytes).flatMap { place in
      all.map {
        String(decoding: bytes[..<place.lowerBound] + Array("\($0)".utf8) + bytes[place.upperBound...], as: UTF8.self)
      }
    }
  }

  /// The text with a 0 in place of each integer: texts of the same form are equal.
  package static func form(of json: String) -> String {
    var bytes = Array(json.utf8)
    for place in integers(in: bytes).reversed() { bytes.replaceSubrange(place, with: [UInt8(ascii: "0")]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func integers(in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var (place, isInString) = (0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if isInString, byte == UInt8(ascii: "\\") { place += 1 }
      let begin = place
      while !isInString, place < bytes.count, isOfNumber(bytes[place]) { place += 1 }
      if place > begin { places.append(begin..<place) } else { place += 1 }
    }
    return places
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
