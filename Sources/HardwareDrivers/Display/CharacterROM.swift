/// The character set in a display's ROM, named by the suffix of the controller's part number (…A00, …A02). A display
/// without a suffix usually has A00.
///
/// | | `japanese` (A00) | `european` (A02) |
/// |---|---|---|
/// | ASCII | all but `\` and `~` | all |
/// | ä ö ü ß | yes | yes |
/// | Ä Ö Ü | no: shown as ä ö ü | yes |
/// | à é ç ñ and other Latin letters | ñ only: others without their accents | yes |
/// | arrows | → ← | → ← ↑ ↓ |
/// | ° | yes | yes |
/// | £ ¢ ¥ | ¢ £ ¥ | yes |
/// | € | no: `E` | no: `E` |
///
/// A character that the ROM lacks is replaced by the nearest one that it has, or else by `?`. An application can draw
/// further characters: ``CharacterGlyph``.
///
/// Source: Hitachi HD44780U, ADE-207-272(Z) rev. 0.0, table 4.
public enum CharacterROM: Sendable {
  /// A00: katakana, some Greek letters, and the German ones in lower case.
  case japanese
  /// A02: Latin letters with accents, some Greek and Cyrillic ones.
  case european

  /// The code of a character; nil if the ROM contains neither it nor a similar one.
  public func code(of character: Character) -> UInt8? {
    if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii) {
      guard self == .japanese else { return ascii }
      if ascii != 0x5C, ascii != 0x7E { return ascii }
    }
    return tables.codes[character]
  }

  /// The character of a code; nil for a cell that is blank or not a character in the ROM, and for codes 0 to 15, which
  /// are the application's own characters.
  public func character(of code: UInt8) -> Character? { tables.characters[Int(code)] }

  private struct Tables: Sendable {
    var codes: [Character: UInt8] = [:]
    var characters: [Character?] = Array(repeating: nil, count: 256)

    init(_ rows: [(first: UInt8, text: String)], nearest: String, isASCIIComplete: Bool) {
      for code in UInt8(0x20)..<0x7F where isASCIIComplete || (code != 0x5C && code != 0x7E) {
        characters[Int(code)] = Character(UnicodeScalar(code))
      }
      for row in rows {
        var code = row.first
        for character in row.text {
          if character != "_" {
            characters[Int(code)] = character
            codes[character] = code
          }
          code &+= 1
        }
      }
      // Pairs of a character and the one to show for it.
      let pairs = Array(nearest)
      for place in stride(from: 0, to: pairs.count - 1, by: 2) where codes[pairs[place]] == nil {
        let shown = pairs[place + 1]
        codes[pairs[place]] = codes[shown] ?? shown.asciiValue
      }
    }
  }

  /// For both ROMs: replacements for quotation marks, dashes and other characters by similar ones.
  private static let alike =
    "’'‘'‚,„\"“\"”\"–-—-‐-−-….\u{A0} €E×x•·⋅·▪·∙·µμΩΩ∑Σº°ªa‹<›>«<»>¦|¬-©c®r↲<±+²2³3¹1´'¸,"
  /// Replacements for Latin letters by the same letters without diacritics.
  private static let plain =
    "ÁAÀAÂAÃAÅAÇCÉEÈEÊEËEÍIÌIÎIÏIÑNÓOÒOÔOÕOØOÚUÙUÛUÝYáaàaâaãaåaçcéeèeêeëeíiìiîiïióoòoôoõoøoúuùuûuýyÿyŠSšsŽZžzČCčcŁLłlŃNńn"
    + "ŚSśsŻZżzŹZźzĄAąaĘEęeĆCćcŐöőöŰüűüĞGğgİIıiŞSşsŘRřrŮUůuĚEěeĎDďdŤTťtŇNňn"

  private static let japaneseTables = Tables(
    [
      (0x5C, "¥"), (0x7E, "→←"), (0xA1, "｡｢｣､･ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ"),
      (0xDE, "゛°αäβεμσρ_√__ˣ¢£ñö__θ∞ΩüΣπ__千万円÷_█"),
    ],
    nearest: "ÄäÖöÜüßβẞβ·･" + alike + plain + "~-\\/", isASCIIComplete: false)

  private static let europeanTables = Tables(
    [
      (0x10, "▶◀“”⏫⏬●↲↑↓→←≤≥▲▼"), (0x7F, "⌂БДЖЗИЙЛПУЦЧШЩЪЫЭα♪ΓπΣσ♬τ🔔Θ"), (0x9A, "Ωδ∞♥ε∩‖¡¢£¤¥¦§ƒ©ª«ЮЯ®´"),
      (0xB0, "°±²³₧μ¶·ω¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ΦÙÚÛÜÝÞß"), (0xE0, "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"),
    ],
    nearest: "θΘẞß↵↲►▶◄◀❤♥" + alike + plain, isASCIIComplete: true)

  private var tables: Tables { self == .japanese ? Self.japaneseTables : Self.europeanTables }
}
