import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("CharacterROM")
struct CharacterROMTests {
  /// What a display shows of a text.
  func shown(_ text: String, _ rom: CharacterROM) -> String {
    String(text.map { rom.code(of: $0).flatMap { rom.character(of: $0) } ?? "?" })
  }

  @Test("ASCII is itself; A00 has no backslash and no tilde")
  func ascii() {
    let ascii = String((UInt8(0x20)..<0x7F).map { Character(UnicodeScalar($0)) })
    #expect(shown(ascii, .european) == ascii)
    #expect(shown(ascii, .japanese) == String(ascii.map { $0 == "\\" ? "/" : $0 == "~" ? "-" : $0 }))
  }

  @Test("German: A02 has all of it, A00 no capitals")
  func german() {
    #expect(shown("Füße über Öl, Äpfel für 5 °C", .european) == "Füße über Öl, Äpfel für 5 °C")
    #expect(shown("Füße über Öl, Äpfel für 5 °C", .japanese) == "Füβe über öl, äpfel für 5 °C")
    // The code of A00 for ß is that for β.
    #expect(CharacterROM.japanese.code(of: "ß") == 0xE2)
    #expect(CharacterROM.european.code(of: "ß") == 0xDF)
  }

  @Test("what a ROM lacks is shown as what is near, or not at all")
  func nearest() {
    #expect(shown("Café Señor Łódź “A” – B… 3 × 4 €", .japanese) == "Cafe Señor Lodz \"A\" - B. 3 x 4 E")
    #expect(shown("Café Señor Łódź “A” – B… 3 × 4 €", .european) == "Café Señor Lódz “A” - B. 3 × 4 E")
    #expect(shown("→ ← ↑ µ Ω", .japanese) == "→ ← ? μ Ω")
    #expect(shown("→ ← ↑ µ Ω", .european) == "→ ← ↑ μ Ω")
    #expect(CharacterROM.european.code(of: "漢") == nil)
    #expect(CharacterROM.japanese.code(of: "\n") == nil)
    #expect(CharacterROM.japanese.code(of: "👍") == nil)
  }

  @Test("a letter and its accent in two scalars are one character")
  func composed() {
    #expect(CharacterROM.european.code(of: "u\u{308}") == 0xFC)
  }

  @Test(
    "codes as in the data sheet",
    arguments: [
      (CharacterROM.japanese, "ﾝ", 0xDD), (.japanese, "°", 0xDF), (.japanese, "ñ", 0xEE), (.japanese, "ö", 0xEF),
      (.japanese, "ü", 0xF5), (.japanese, "π", 0xF7), (.japanese, "÷", 0xFD), (.japanese, "█", 0xFF),
      (.japanese, "¥", 0x5C), (.european, "▶", 0x10), (.european, "▼", 0x1F), (.european, "⌂", 0x7F),
      (.european, "Э", 0x8F), (.european, "α", 0x90), (.european, "Θ", 0x99), (.european, "Ω", 0x9A),
      (.european, "∩", 0x9F), (.european, "°", 0xB0), (.european, "¿", 0xBF), (.european, "À", 0xC0),
      (.european, "Þ", 0xDE), (.european, "à", 0xE0), (.european, "ÿ", 0xFF),
    ] as [(CharacterROM, Character, Int)])
  func codes(rom: CharacterROM, character: Character, code: Int) {
    #expect(rom.code(of: character) == UInt8(code))
    #expect(rom.character(of: UInt8(code)) == character)
  }
}
