/// Draws the area below the picture: the devices on other chips, the parts, the checks and the notes. It has two or
/// three columns, whichever needs less height.
struct FootDrawing {
  let plan: WiringPlan
  let notes: NumberedNotes
  /// The total width of all columns, in px.
  let width: Int

  /// Draws from the baseline `y` of the headlines down, and returns the lower end.
  func draw(on canvas: inout SVGCanvas, x: Int, y: Int) -> Int {
    let checks = Block(title: "Check with a meter", entries: MeterChecks(plan).texts.map { Entry(text: $0) })
    let numbered = Block(
      title: "Notes",
      entries: notes.notes.enumerated().map { Entry(text: $1.text, number: $0 + 1, isDanger: $1.isDanger) })

    let parts =
      plan.usedChips.map { Self.block(of: $0.chip) } + [
        Block(title: "Parts", entries: PartsList(plan).texts.map { Entry(text: $0) })
      ]
    let three = columns([(parts, 25), ([checks], 33), ([numbered], 42)])
    let two =
      notes.notes.isEmpty
      ? columns([(parts, 40), ([checks], 60)]) : columns([(parts + [checks], 42), ([numbered], 58)])
    let chosen = height(of: three) < height(of: two) ? three : two
    var columnX = x
    for column in chosen {
      draw(column, on: &canvas, x: columnX, y: y)
      columnX += column.width + Self.gap
    }
    return y + height(of: chosen)
  }

  private static let gap = 28

  /// The devices on a chip, with their lines: the picture has no room for their cards.
  private static func block(of chip: WiringPlan.Chip) -> Block {
    let entries = chip.devices.map { device in
      let lines = device.terminals.map { $0.role.isEmpty ? $0.line : "\($0.line) (\($0.role))" }
      return Entry(text: "\(lines.joined(separator: ", ")): \"\(device.name)\" (\(device.words))")
    }
    return Block(title: chip.title, entries: entries)
  }

  private struct Entry {
    let text: String
    /// The number of a note; nil for an entry with a bullet.
    var number: Int?
    var isDanger = false

    /// The distance from the left end of the column to the text.
    var indentation: Int { number == nil ? 12 : 34 }

    func lines(in width: Int) -> [String] { TextWidth.wrapped(text, .body, toFit: width - indentation) }
  }

  private struct Block {
    let title: String
    let entries: [Entry]

    /// The lines of the headline. A long name of a chip is wrapped.
    func titleLines(in width: Int) -> [String] { TextWidth.wrapped(title, .name, toFit: width) }

    func height(in width: Int) -> Int {
      entries.isEmpty
        ? 0
        : 32 + 16 * (titleLines(in: width).count - 1)
          + entries.reduce(0) { $0 + 15 * $1.lines(in: width).count + 4 }
    }
  }

  private struct Column {
    let blocks: [Block]
    let width: Int
  }

  /// Columns with these shares of the width, in hundredths.
  private func columns(_ columns: [(blocks: [Block], share: Int)]) -> [Column] {
    let room = width - Self.gap * (columns.count - 1)
    return columns.map { Column(blocks: $0.blocks, width: room * $0.share / 100) }
  }

  private func height(of columns: [Column]) -> Int {
    columns.map { column in column.blocks.reduce(0) { $0 + $1.height(in: column.width) } }.max() ?? 0
  }

  private func draw(_ column: Column, on canvas: inout SVGCanvas, x: Int, y: Int) {
    var y = y
    let left = Double(x)
    for block in column.blocks where !block.entries.isEmpty {
      let titles = block.titleLines(in: column.width)
      for (place, line) in titles.enumerated() {
        canvas.text(line, "name ink", x: left, y: Double(y + 16 * place))
      }
      var baseline = Double(y + 20 + 16 * (titles.count - 1))
      for entry in block.entries {
        if let number = entry.number {
          NoteSign(isDanger: entry.isDanger).draw(on: &canvas, x: left, y: baseline)
          let colour = entry.isDanger ? SupplyNet.volts5.fillClass : "dim"
          canvas.text("\(number)", "number bold \(colour)", x: left + 16, y: baseline)
        } else {
          canvas.circle("dim", x: left + 4, y: baseline - 4, radius: 2)
        }
        for line in entry.lines(in: column.width) {
          canvas.text(line, "ink text", x: left + Double(entry.indentation), y: baseline)
          baseline += 15
        }
        baseline += 4
      }
      y += block.height(in: column.width)
    }
  }
}
