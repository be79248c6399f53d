extension PixelBuffer {
  /// Draws a text in ``PixelFont``. A character that the font does not have is drawn as `?`, and what is outside of the
  /// picture has no effect.
  ///
  /// - Parameters:
  ///   - text: the text, in one line.
  ///   - x: the left column of the first character.
  ///   - y: the top row.
  ///   - scale: the size of a pixel of the font, at least 1.
  public mutating func draw(_ text: String, x: Int = 0, y: Int = 0, scale: Int = 1) {
    precondition(scale >= 1, "a pixel of a font has at least one pixel")
    var left = x
    for character in text {
      guard left < width else { return }
      let columns = PixelFont.columns(of: character) ?? PixelFont.columns(of: "?") ?? []
      for (column, bits) in columns.enumerated() {
        for row in 0..<PixelFont.height {
          let isLit = bits >> UInt8(row) & 1 != 0
          fill(
            x: left + scale * column..<left + scale * (column + 1), y: y + scale * row..<y + scale * (row + 1),
            isLit: isLit)
        }
      }
      left += scale * PixelFont.width
    }
  }

  /// The rows of text that a person reads in a picture which was drawn with ``draw(_:x:y:scale:)`` from the left edge, with
  /// the first row at the top. Anything that is no character reads as `�`.
  ///
  /// - Parameter scale: the size of a pixel of the font.
  package func texts(scale: Int) -> [String] {
    (0..<height / (PixelFont.height * scale)).map { line in
      String(
        (0..<width / (PixelFont.width * scale)).map { place -> Character in
          let columns = (0..<PixelFont.width).map { column -> UInt8 in
            (0..<PixelFont.height).reduce(0) { bits, row in
              let (x, y) = (scale * (PixelFont.width * place + column), scale * (PixelFont.height * line + row))
              return bits | (self[x, y] ? 1 : 0) << UInt8(row)
            }
          }
          return PixelFont.character(of: columns) ?? "�"
        })
    }
  }
}
