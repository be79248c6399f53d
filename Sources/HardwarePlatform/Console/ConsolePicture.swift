import Terminal

/// A stage drawn with characters: its outputs, its controls with their keys, its state, and its last events. It can
/// show a page with the use of the keys instead.
package struct ConsolePicture {
  /// The picture for a window of one size.
  package struct Drawing {
    package var lines: [String]
    /// The number of rows that were scrolled out above: as requested, limited by the number of rows.
    package var scroll: Int
    /// The number of rows by which a page scrolls.
    package var page: Int
  }

  private let stage: any OperatedApplication
  private let keys: KeyMap
  private let closed: Set<Int>
  private let message: String
  private let addresses: [String]
  private let showsKeys: Bool
  private let scroll: Int

  /// - Parameters:
  ///   - closed: the controls that are pressed or on.
  ///   - message: drawn in place of the help; empty for the help.
  ///   - addresses: the addresses of the monitor, each with its use. They are drawn below the title.
  ///   - showsKeys: whether to draw the page with the use of the keys.
  ///   - scroll: the number of rows to scroll down.
  package init(
    of stage: any OperatedApplication, keys: KeyMap, closed: Set<Int>, message: String, addresses: [String] = [],
    showsKeys: Bool = false, scroll: Int = 0
  ) {
    self.stage = stage
    self.keys = keys
    self.closed = closed
    self.message = message
    self.addresses = addresses
    self.showsKeys = showsKeys
    self.scroll = scroll
  }

  package func lines(columns: Int, rows: Int) -> [String] { drawing(columns: columns, rows: rows).lines }

  /// The picture in at most this number of columns and rows.
  package func drawing(columns: Int, rows: Int) -> Drawing {
    let view = stage.view
    var layout = ConsoleLayout(columns: columns, rows: rows)
    layout.title = "\(Style.bold)\(visible(view.title))\(Style.plain)   \(view.time)"
    layout.addresses = addresses.flatMap { Self.pieces(of: $0, columns) }
    layout.scroll = scroll
    guard !showsKeys else {
      layout.help = Self.shortest(["any key goes back · q ends", "q ends"], fitting: columns)
      return layout.drawing(upper: { _, _ in keyRows.flatMap { ConsoleLayout.section($0, $1, in: columns) } })
    }
    layout.help = message.isEmpty ? Self.shortest(Self.helps, fitting: columns) : visible(message)
    let controls = keys.controls.indices.map { ConsoleView.Row(keys.controls[$0].name, handle(of: $0)) }
    return layout.drawing(
      upper: { width, isRoomy in
        ConsoleLayout.section("outputs", view.outputs, in: width, isRoomy: isRoomy)
          + ConsoleLayout.section("inputs", controls, in: width, isRoomy: isRoomy)
          + ConsoleLayout.section("values", view.values, in: width, isRoomy: isRoomy)
      }, state: { width, isRoomy in ConsoleLayout.section("state", view.state, in: width, isRoomy: isRoomy) },
      log: { stage.lastEvents($0).map { "  \(Style.dim)\($0.time)\(Style.plain)  \(visible($0.text))" } })
  }

  /// The texts, from the longest to the shortest.
  private static let helps = [
    "lower case clicks, upper case holds down and lets go · ? all keys · q ends",
    "lower case clicks, upper case holds · ? all keys · q ends", "a clicks, A holds · ? keys · q ends",
    "? keys · q ends", "q ends",
  ]

  /// The text in rows of a width. An address is cut anywhere, because it has no blanks.
  private static func pieces(of text: String, _ columns: Int) -> [String] {
    let characters = Array(text)
    let width = max(1, columns)
    return stride(from: 0, to: characters.count, by: width).map { start in
      String(characters[start..<min(start + width, characters.count)])
    }
  }

  private static func shortest(_ texts: [String], fitting columns: Int) -> String {
    texts.first { $0.count <= columns } ?? texts.last ?? ""
  }

  private func handle(of control: Int) -> String {
    let key = "\(Style.bold)\(keys.labels[control])\(Style.plain)"
    let isClosed = closed.contains(control)
    switch keys.controls[control].kind {
    case .button: return "\(key)  \(isClosed ? "pressed" : "")"
    case .switch:
      let words = keys.controls[control].words
      return "\(key)  \(isClosed ? words.on : words.off)"
    case .knob: return key
    }
  }

  // MARK: - The page of the keys

  private var keyRows: [(String, [ConsoleView.Row])] {
    let inputs = keys.controls.indices.map { index in
      ConsoleView.Row(
        keys.controls[index].name, "\(Style.bold)\(keys.labels[index])\(Style.plain)", note: use(of: index))
    }
    let window = [
      ("? \(keys.isHelp(UInt8(ascii: "h")) ? "h" : "")", "shows this page"),
      ("↑ ↓ PgUp PgDn", "scroll what doesn't fit into the window"), ("Ctrl-L", "redraws the screen"),
      ("Ctrl-Z", "stops the simulation until the shell's `fg`"), ("q Ctrl-C", "ends the simulation"),
    ].map { ConsoleView.Row($0, "", note: $1) }
    return [("inputs", inputs), ("window", window)]
  }

  /// A description of the use of a control's keys.
  private func use(of control: Int) -> String {
    let label = keys.labels[control]
    if label.isEmpty { return "no key was left for it" }
    switch keys.controls[control].kind {
    case .button: return "clicks; \(label.uppercased()) holds it down, and lets it go the next time"
    case .switch: return "switches it over"
    case .knob: return "turn it by a detent, to the left and to the right"
    }
  }
}
