import HardwareDrivers
import Testing

@Suite("The text of kept values")
struct KeptTextTests {
  private let text = "panel-values 1\nlevel 7\nrings 12\ncrc32 74a1ff7f\n"

  @Test("names are in alphabetical order, and the checksum is that of zip")
  func written() throws {
    #expect(String(decoding: KeptText.bytes(of: ["rings": 12, "level": 7]), as: UTF8.self) == text)
    #expect(try KeptText.numbers(in: Array(text.utf8)) == ["rings": 12, "level": 7])
    #expect(try KeptText.numbers(in: KeptText.bytes(of: ["a": .min, "ü": .max])) == ["a": .min, "ü": .max])
    #expect(try KeptText.numbers(in: KeptText.bytes(of: [:])) == [:])
  }

  @Test("a file cut after any byte is refused, and so is one in which any bit differs")
  func damaged() {
    let bytes = Array(text.utf8)
    for count in bytes.indices {
      #expect(throws: KeptText.Fault.self) { try KeptText.numbers(in: Array(bytes[..<count])) }
    }
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: KeptText.Fault.self) { try KeptText.numbers(in: other) }
    }
  }
}
