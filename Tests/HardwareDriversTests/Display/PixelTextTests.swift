import Testing

@testable import HardwareDrivers

@Suite("PixelFont")
struct PixelTextTests {
  @Test("an A and an arrow, pixel by pixel")
  func pictures() {
    var pixels = PixelBuffer(width: 10, height: 8)
    pixels.draw("A→")
    #expect(
      pixels.description == """
        ..........
        .##.......
        #..#...#..
        #..#....#.
        ####.#####
        #..#....#.
        #..#...#..
        ..........
        """)
  }

  @Test("a text is read as it was drawn, in each size", arguments: [1, 2, 4])
  func reading(scale: Int) {
    var pixels = PixelBuffer(width: 128, height: 64)
    let texts = ["21.5 °", "Grüße", "Ж λ é", "#{}~|"]
    for (row, text) in texts.prefix(8 / scale).enumerated() {
      pixels.draw(text, y: 8 * scale * row, scale: scale)
    }
    let read = pixels.texts(scale: scale).prefix(min(4, 8 / scale)).map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    #expect(Array(read) == Array(texts.prefix(8 / scale)))
  }

  @Test("what is outside of the picture has no effect, and an unknown character is a question mark")
  func edges() {
    var pixels = PixelBuffer(width: 12, height: 8)
    pixels.draw("AB漢D", x: -3, y: -2)
    pixels.draw("漢", x: 7)
    var question = PixelBuffer(width: 12, height: 8)
    question.draw("AB", x: -3, y: -2)
    question.draw("?", x: 7)
    #expect(pixels == question)
    #expect(pixels.inverted.inverted == pixels && pixels.inverted != pixels)
  }

  @Test("each character of the font is found again by its picture, or by one that looks the same")
  func characters() {
    for scalar in (0x20...0x25FF).compactMap(Unicode.Scalar.init) {
      guard let columns = PixelFont.columns(of: Character(scalar)) else { continue }
      #expect(columns.count == PixelFont.width)
      let same = PixelFont.character(of: columns)
      #expect(same.flatMap(PixelFont.columns) == columns, "\(scalar)")
    }
    for character in "ABCXYZabcxyz0123456789.,:;-+/%°äöüß" { #expect(PixelFont.columns(of: character) != nil) }
  }
}
