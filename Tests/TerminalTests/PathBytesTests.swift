import Terminal
import Testing

@Suite("Names of files that are no UTF-8")
struct PathBytesTests {
  @Test(
    "every name is text and the same bytes again",
    arguments: [
      Array("n\u{E9}.yaml".utf8), [0x6E, 0xE9, 0x2E], [0xFF], [0x80, 0x80], [0xE2, 0x82], [0xF4, 0x8F, 0xBE, 0xA9],
      [0xF0, 0x9F, 0x98, 0x80], [],
      [0xC0, 0x80], [0xED, 0xA0, 0x80],
    ] as [[UInt8]])
  func sameBytes(bytes: [UInt8]) {
    #expect(PathBytes.bytes(of: PathBytes.text(of: bytes)) == bytes)
  }

  @Test("a byte that is no UTF-8 is shown by its number")
  func shown() {
    #expect(visible(PathBytes.text(of: [0x6E, 0xE9, 0x2E])) == #"n\xe9."#)
  }
}
