import Testing

@testable import Terminal

@Suite("The keys of a terminal")
struct KeyDecoderTests {
  private func keys(_ pieces: String...) -> [TerminalKey] {
    var reader = KeyDecoder()
    return pieces.flatMap { reader.keys(in: $0.utf8) }
  }

  @Test("letters are themselves, and so are keys with Ctrl")
  func letters() {
    #expect(keys("bQ\u{3}") == [.byte(98), .byte(81), .byte(3)])
  }

  @Test(
    "arrows and pages come as sequences, in both forms",
    arguments: [
      ("\u{1B}[A", TerminalKey.up), ("\u{1B}OB", .down), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
      ("\u{1B}[H", .home), ("\u{1B}[4~", .end),
    ])
  func sequences(_ bytes: String, _ key: TerminalKey) {
    #expect(keys(bytes) == [key])
    #expect(keys("b\(bytes)[") == [.byte(98), key, .byte(91)])
  }

  @Test("a sequence that comes in pieces turns no knob")
  func pieces() {
    #expect(keys("\u{1B}", "[A") == [.escape, .up], "at the first piece it may be the key Escape")
    #expect(keys("\u{1B}[", "6", "~b") == [.pageDown, .byte(98)])
  }

  @Test(
    "keys without a meaning here are left out: F5, Shift with an arrow, F1 of the Linux console",
    arguments: ["\u{1B}[15~", "\u{1B}[1;2A", "\u{1B}[[A"])
  func unknown(_ bytes: String) {
    #expect(keys("\(bytes)b") == [.byte(98)])
  }

  @Test("Escape is a key, and the next one has its own meaning")
  func escape() {
    #expect(keys("\u{1B}", "b") == [.escape, .byte(98)])
    #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
  }

  @Test("a sequence that is too long is read to its end")
  func long() {
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 17) + "~b") == [.byte(98)])
  }
}
