import Terminal

/// A stage drawn with characters: its outputs, its controls with their keys, its state, and its last events.
package struct ConsolePicture {
  private let stage: any ConsoleStage
  private let keys: KeyMap
  private let closed: Set<Int>
  private let message: String

  private static let shownEvents = 5

  /// - Parameters:
  ///   - closed: the controls that are pressed or on.
  ///   - message: drawn in place of the help; empty for the help.
  package init(of stage: any ConsoleStage, keys: KeyMap, closed: Set<Int>, message: String) {
    self.stage = stage
    self.keys = keys
    self.closed = closed
    self.message = message
  }

  /// The lines of the picture. With too few rows, the oldest events are left out first, then the lines above the help.
  package func lines(columns: Int, rows: Int) -> [String] {
    let view = stage.view
    let rule = Style.dim + String(repeating: "─", count: min(columns, 64)) + Style.plain
    var top = ["\(Style.bold)\(visible(view.title))\(Style.plain)   \(view.time)", rule]
    top += section("outputs", view.outputs)
    top += section("inputs", keys.controls.indices.map { (keys.controls[$0].name, handle(of: $0)) })
    top += section("state", view.state)
    let help = message.isEmpty ? "lower case clicks, upper case holds down and lets go · q ends" : visible(message)
    let room = max(0, min(Self.shownEvents, rows - top.count - 3))
    var events = stage.lastEvents(room).map { event in
      "  \(Style.dim)\(event.time)\(Style.plain)  \(visible(event.text))"
    }
    events += [String](repeating: "", count: room - events.count)
    let lines = (top + [rule] + events + [rule]).prefix(max(0, rows - 1)) + [help]
    return lines.map { Self.cut($0, to: columns) }
  }

  /// The line cut to `columns`. Escape sequences for colours have no width.
  private static func cut(_ line: String, to columns: Int) -> String {
    var result = ""
    var width = 0
    var isControl = false
    for character in line {
      if character == "\u{1B}" { isControl = true }
      if isControl || width < columns { result.append(character) }
      if !isControl { width += 1 }
      if character == "m" { isControl = false }
    }
    return result
  }

  private func section(_ title: String, _ rows: [ConsoleView.Row]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let width = rows.map(\.name.count).max()!
    return rows.enumerated().map { place, row in
      let head = place == 0 ? title : ""
      return "\(Style.dim)\(pad(head, 8))\(Style.plain)  \(pad(row.name, width))  \(row.look)"
    }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func handle(of control: Int) -> String {
    let key = "\(Style.bold)\(keys.labels[control])\(Style.plain)"
    let isClosed = closed.contains(control)
    switch keys.controls[control].kind {
    case .button: return "\(key)  \(isClosed ? "pressed" : "")"
    case .switch: return "\(key)  \(isClosed ? "on" : "off")"
    case .knob: return key
    }
  }
}
