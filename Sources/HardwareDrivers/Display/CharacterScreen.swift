/// The content of a character display: the model of `CharacterDisplay` and of `I2CCharacterDisplay`.
///
///     CharacterScreen(["Volume", "▮▮▮▮▯▯"], glyphs: [full, empty])
public struct CharacterScreen: Equatable, Sendable, Encodable {
  /// The position of the cursor, and its shape.
  public struct Cursor: Equatable, Sendable, Codable {
    public enum Style: Equatable, Sendable, Codable {
      /// A line below the character.
      case underline
      /// The whole cell, about twice a second.
      case blinkingBlock
    }

    /// From 0, at the top.
    public var row: Int
    /// From 0, at the left.
    public var column: Int
    public var style: Style

    public init(row: Int, column: Int, style: Style = .underline) {
      self.row = row
      self.column = column
      self.style = style
    }
  }

  /// The text from top to bottom. Rows and characters that don't fit are cut off; cells without text are blank. A
  /// character that the display doesn't have is replaced: see ``CharacterROM``.
  public var rows: [String]
  /// Nil for no cursor; a position outside of the display means none, too.
  public var cursor: Cursor?
  /// Ignored by displays whose backlight isn't wired.
  public var isBacklit: Bool
  /// Characters that the application draws itself. Only the first eight are used: a display can't store more.
  public var glyphs: [CharacterGlyph]

  public init(
    _ rows: [String] = [], cursor: Cursor? = nil, isBacklit: Bool = true, glyphs: [CharacterGlyph] = []
  ) {
    self.rows = rows
    self.cursor = cursor
    self.isBacklit = isBacklit
    self.glyphs = glyphs
  }

  /// No text and no light.
  public static var blank: CharacterScreen { CharacterScreen(isBacklit: false) }
}

/// A character that the application draws: wherever the text has ``character``, the display shows the picture.
///
///     CharacterGlyph("♥", ".....", ".#.#.", "#####", "#####", ".###.", "..#..")
public struct CharacterGlyph: Equatable, Sendable, Encodable {
  /// Any character, also one that the display has: then the picture replaces it.
  public var character: Character
  /// 8 rows from top to bottom, 5 dots each: bit 4 is the dot at the left.
  public let rows: [UInt8]

  /// - Parameter rows: up to 8 rows, of which the lower 5 bits are used; missing rows have no dots.
  /// - Parameter character: the character.
  public init(_ character: Character, rows: [UInt8]) {
    self.character = character
    self.rows = (0..<8).map { $0 < rows.count ? rows[$0] & 0x1F : 0 }
  }

  private enum CodingKeys: CodingKey { case character, rows }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(String(character), forKey: .character)
    try container.encode(rows, forKey: .rows)
  }

  /// - Parameter picture: up to 8 rows of up to 5 dots; `#` sets a dot, anything else leaves it clear.
  /// - Parameter character: the character.
  public init(_ character: Character, _ picture: String...) {
    self.init(
      character,
      rows: picture.map { row in
        var dots: UInt8 = 0
        for (place, dot) in row.prefix(5).enumerated() where dot == "#" { dots |= 0x10 >> UInt8(place) }
        return dots
      })
  }
}
