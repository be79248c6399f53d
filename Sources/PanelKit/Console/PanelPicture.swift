import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A panel drawn with characters: its inputs with their keys, its outputs as they look, its states, values, sounds and what
/// happened last.
struct PanelPicture {
  private let session: PanelSession
  private let keys: KeyMap
  private let closed: Set<Int>
  private let message: String

  private static let shownEvents = 5
  private static let bold = "\u{1B}[1m"
  private static let dim = "\u{1B}[2m"
  private static let yellow = "\u{1B}[33m"
  private static let plain = "\u{1B}[0m"

  init(of session: PanelSession, keys: KeyMap, closed: Set<Int>, message: String) {
    self.session = session
    self.keys = keys
    self.closed = closed
    self.message = message
  }

  /// The picture, a line each. Where the rows don't suffice, the oldest events are left out, then the end of the panel.
  func lines(columns: Int, rows: Int) -> [String] {
    let panel = session.panel
    let rule = Self.dim + String(repeating: "─", count: min(columns, 64)) + Self.plain
    var top = ["\(Self.bold)\(visible(panel.name))\(Self.plain)   \(session.seconds(at: session.now))", rule]
    top += section("outputs", panel.outputs.indices.map { (panel.outputs[$0].name, look(of: $0)) })
    top += section("inputs", panel.inputs.indices.map { (panel.inputs[$0].name, handle(of: $0)) })
    top += section("state", states + values)
    let help = message.isEmpty ? "lower case clicks, upper case holds down and lets go · q ends" : visible(message)
    let room = max(0, min(Self.shownEvents, rows - top.count - 3))
    var events = session.journal.last(room).map { entry in
      "  \(Self.dim)\(session.seconds(at: entry.moment))\(Self.plain)  \(visible(entry.text))"
    }
    events += [String](repeating: "", count: room - events.count)
    let lines = (top + [rule] + events + [rule]).prefix(max(0, rows - 1)) + [help]
    return lines.map { Self.cut($0, to: columns) }
  }

  /// The line without what is right of the terminal's edge. What sets colours has no width.
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

  private func section(_ title: String, _ rows: [(String, String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let width = rows.map(\.0.count).max()!
    return rows.enumerated().map { place, row in
      let head = place == 0 ? title : ""
      return "\(Self.dim)\(pad(head, 8))\(Self.plain)  \(pad(row.0, width))  \(row.1)"
    }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func look(of output: Int) -> String {
    let definition = session.panel.outputs[output]
    let sight = session.sight.sight(of: output, at: session.now)
    if case .bar(let lines) = definition.device, case .count(let count) = sight {
      let lit = String(repeating: "▮", count: min(count, lines.count))
      return Self.yellow + lit + Self.plain + String(repeating: "▯", count: lines.count - min(count, lines.count))
        + "  \(count)"
    }
    if case .relay = definition.device { return sight == .on ? "\(Self.yellow)■\(Self.plain)  on" : "□  off" }
    return "\(lamp(output, sight))  \(sight)"
  }

  /// A lamp as bright as it is at this moment.
  private func lamp(_ output: Int, _ sight: Expectation.Sight) -> String {
    let lit = "\(Self.yellow)●\(Self.plain)"
    switch sight {
    case .off: return "○"
    case .blinking: return session.sight.isLit(output) ? lit : "○"
    case .pulsing: return "\(Self.yellow)◐\(Self.plain)"
    case .level(let level): return "\(Self.yellow)\(level < 0.5 ? "◔" : "◕")\(Self.plain)"
    case .on, .count: return lit
    }
  }

  private func handle(of input: Int) -> String {
    let key = "\(Self.bold)\(keys.labels[input])\(Self.plain)"
    let isClosed = closed.contains(input)
    switch session.panel.inputs[input].device {
    case .button: return "\(key)  \(isClosed ? "pressed" : "")"
    case .switch: return "\(key)  \(isClosed ? "on" : "off")"
    case .encoder: return key
    }
  }

  private var states: [(String, String)] {
    session.panel.regions.indices.map { region in
      let definition = session.panel.regions[region]
      let state = definition.states[session.application.frame[state: region]]
      return (definition.name ?? "state", "\(Self.bold)\(state.name)\(Self.plain)")
    }
  }

  private var values: [(String, String)] {
    let frame = session.application.frame
    var rows = session.panel.values.indices.map { (session.panel.values[$0].name, "\(frame[value: $0])") }
    if !session.panel.sounds.isEmpty {
      let audible = session.application.show.audible(in: frame).map { session.panel.sounds[$0].name }
      rows.append(("playing", audible.isEmpty ? "–" : "♪ " + audible.joined(separator: ", ")))
    }
    return rows
  }
}
