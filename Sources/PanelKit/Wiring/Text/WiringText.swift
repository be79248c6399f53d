extension WiringPlan {
  /// The wiring as text: the header with one row per line, then one circuit per line, the parts, the checks and the
  /// notes. A line has at most 80 columns.
  ///
  /// For a board without the 40-pin header, the text starts with the circuits, each with the name of its line.
  ///
  /// - Parameters:
  ///   - isASCII: Whether all bytes must be ASCII, 7F or below.
  ///   - isColoured: Whether the text is for a terminal, with the names of devices in colour.
  package func text(isASCII: Bool = false, isColoured: Bool = false) -> String {
    WiringText(plan: self, isASCII: isASCII, paint: TextPaint(isColoured: isColoured)).document
  }
}

/// Writes a plan as text.
struct WiringText {
  let plan: WiringPlan
  let isASCII: Bool
  let paint: TextPaint

  /// The number of columns in use. Terminals often break a line that fills all 80.
  static let width = 79

  var document: String {
    let notes = NumberedNotes(plan)
    var lines = [paint.bold(shortened("\(plan.title): wiring", Self.width)), ""]
    lines += plan.isOnHeader ? header : Self.unknownBoard
    for (index, device) in plan.devices.enumerated() {
      lines.append(heading(of: device, index, notes))
      lines += circuits(of: device, plan.lamps)
    }
    for (first, chip) in plan.usedChips {
      if lines.last != "" { lines.append("") }
      lines += [paint.bold(shortened(chip.title, Self.width))]
      for (place, device) in chip.devices.enumerated() {
        lines.append(heading(of: device, first + place, notes))
        lines += circuits(of: device, .ofChip)
      }
    }
    if plan.allDevices.isEmpty { lines.append("No device is wired to a line.") }
    lines += list("Parts", PartsList(plan).texts.map { ("  · ", $0) })
    lines += list("Check with a meter", MeterChecks(plan).texts.map { ("  · ", $0) })
    lines += list(
      "Notes",
      notes.notes.enumerated().map { index, note in
        let number = "\(index + 1)"
        return ("\(note.isDanger ? "▲" : " ")\(number.count < 2 ? "  " : " ")\(number) ", note.text)
      })
    let text = lines.joined(separator: "\n") + "\n"
    return isASCII ? ASCIIForm.text(text) : text
  }

  private static let unknownBoard = [
    "The board of these lines is unknown, so no header is drawn.",
    "Its manual lists the pins. Its inputs may tolerate less than 3.3 V.", "",
  ]

  /// The name of a device and its kind, with the numbers of its notes at the right.
  private func heading(of device: WiringPlan.Device, _ index: Int, _ notes: NumberedNotes) -> String {
    let numbers = notes.numbers[index].map(String.init).joined(separator: ", ")
    let mark = numbers.isEmpty ? "" : "\(notes.hasDanger(device: index) ? "▲" : "note") \(numbers)"
    let name = shortened(device.name, 40)
    let room = Self.width - (mark.isEmpty ? 0 : mark.count + 2)
    let rest = shortened(", \(device.words)", room - name.count)
    let gap = String(repeating: " ", count: mark.isEmpty ? 0 : Self.width - name.count - rest.count - mark.count)
    return paint.device(name, index) + rest + gap + mark
  }

  /// One line for each terminal, with the lines below it.
  private func circuits(of device: WiringPlan.Device, _ lamps: SeriesResistor) -> [String] {
    device.circuits.flatMap { circuit -> [String] in
      let terminals = circuit.terminals
      return circuit.texts(lamps: lamps).enumerated().flatMap { row, text -> [String] in
        let start = row < terminals.count ? self.start(of: terminals[row]) : ""
        let first = start + String(repeating: " ", count: startWidth - start.count)
        let below = text.below.map { String(repeating: " ", count: startWidth) + $0 }
        return ([first + text.line] + below).map { shortened($0, Self.width) }
      }
    }
  }

  /// The pin and the line of a terminal.
  private func start(of terminal: WiringTerminal) -> String {
    guard let pin = terminal.pin else { return "  \(terminal.line) " }
    return "  pin \(pin < 10 ? " " : "")\(pin) \(terminal.line) "
  }

  /// The width of the widest start.
  private var startWidth: Int { plan.allDevices.flatMap(\.terminals).map { start(of: $0).count }.max() ?? 2 }

  private func list(_ title: String, _ entries: [(mark: String, text: String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return ["", paint.bold(title)]
      + entries.flatMap { mark, text -> [String] in
        // Converted to ASCII before it is broken into lines: "Ω" becomes "ohm", which is longer.
        let lines = WordWrap.lines(of: isASCII ? ASCIIForm.text(text) : text) { $0.count <= Self.width - mark.count }
        return lines.enumerated().map { index, line in
          (index == 0 ? mark : String(repeating: " ", count: mark.count))
            + String(line.map { $0 == "\u{a0}" ? " " : $0 })
        }
      }
  }

  private func shortened(_ text: String, _ columns: Int) -> String {
    guard text.count > columns else { return text }
    return columns < 1 ? "" : text.prefix(columns - 1) + "…"
  }
}

/// Colours texts for a terminal. The colours add no information to the words.
struct TextPaint {
  var isColoured: Bool

  func bold(_ text: String) -> String { painted(text, "1") }

  func dim(_ text: String) -> String { painted(text, "2") }

  /// A bold text in one of six colours, which rotate.
  func device(_ text: String, _ index: Int) -> String { painted(text, "1;\(Self.codes[index % Self.codes.count])") }

  /// Select Graphic Rendition, ECMA-48: blue, green, magenta, cyan, bright magenta, yellow.
  private static let codes = [34, 32, 35, 36, 95, 33]

  private func painted(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
