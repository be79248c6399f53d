/// The lines of an expander according to data sheets.
struct ExpanderModel {
  /// The number of lines; 64 for an unknown model.
  let lineCount: Int
  /// The numbers of the lines by their names in data sheets.
  let numbers: [String: Int]
  /// The names of the lines in a message, the numbers first.
  let choices: String
  /// Whether the model is known, and with it all names of its lines in data sheets.
  let isKnown: Bool
  /// Whether the chip has resistors that pull a line low; true for an unknown model.
  let hasPullDowns: Bool

  /// Finds the model by Linux's name of the chip: `mcp23017`, `mcp23s17.0`, `/dev/pcf8574`.
  ///
  /// **Sources**: Microchip, MCP23008/MCP23S08 and MCP23017/MCP23S17, register GPPU; NXP, PCF8574 and PCF8575,
  /// "quasi-bidirectional I/Os"; TI, TCA9555 (100 kΩ to the supply at each line) and TCA9535 (none).
  init(of chip: String) {
    switch chip.split(separator: "/").last ?? "" {
    case let name where name.hasPrefix("mcp23008") || name.hasPrefix("mcp23s08"):
      self.init(lineCount: 8, names: [("GP", 0), ("GPA", 0)], choices: "0...7 or GP0...GP7", hasPullDowns: false)
    case let name where name.hasPrefix("mcp230") || name.hasPrefix("mcp23s"):
      self.init(
        lineCount: 16, names: [("GPA", 0), ("GPB", 8)], choices: "0...15, GPA0...GPA7 or GPB0...GPB7",
        hasPullDowns: false)
    case let name where name.hasPrefix("pcf8574"):
      self.init(lineCount: 8, names: [("P", 0), ("P0", 0)], choices: "0...7 or P0...P7", hasPullDowns: false)
    case let name where ["pcf8575", "tca9555", "pca9555", "tca9535", "pca9535"].contains { name.hasPrefix($0) }:
      self.init(
        lineCount: 16, names: [("P", 0), ("P0", 0), ("P1", 8)], choices: "0...15, P00...P07 or P10...P17",
        hasPullDowns: false)
    default:
      self.init(
        lineCount: 64, names: [("GP", 0), ("GPA", 0), ("GPB", 8), ("P", 0), ("P0", 0), ("P1", 8)],
        choices:
          "0...63, GP0...GP7, GPA0...GPA7, GPB0...GPB7, P0...P7, P00...P07, P10...P17, or the kernel's name of a line",
        isKnown: false, hasPullDowns: true)
    }
  }

  /// - Parameter names: the text before the digits 0 to 7 of eight lines, and the number of the first of them.
  private init(
    lineCount: Int, names: [(word: String, first: Int)], choices: String, isKnown: Bool = true, hasPullDowns: Bool
  ) {
    self.lineCount = lineCount
    self.isKnown = isKnown
    numbers = Dictionary(
      names.flatMap { word, first in (0..<8).map { ("\(word)\($0)", first + $0) } },
      uniquingKeysWith: { first, _ in first })
    self.choices = choices
    self.hasPullDowns = hasPullDowns
  }

  /// The number of a line by its name in data sheets, or by the number itself; nil for another name.
  func number(of line: String) -> Int? { numbers[line] ?? (0..<lineCount).first { line == "\($0)" } }

  /// Whether a text looks like a name in a data sheet: `GPA8`.
  static func isOfDataSheet(_ text: String) -> Bool {
    let word = text.prefix { !$0.isNumber }
    return word.utf8.count < text.utf8.count && ["GP", "GPA", "GPB", "P"].contains(word.uppercased())
      && text.dropFirst(word.count).allSatisfy(\.isNumber)
  }
}
