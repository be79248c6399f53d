import PanelLanguage
import Terminal

extension DisplayText {
  package func rows(in values: PanelValues) -> [String] {
    rows.map { parts in parts.map { text(of: $0, in: values) }.joined() }
  }

  private func text(of part: Part, in values: PanelValues) -> String {
    let frame = values.frame
    return switch part {
    case .text(let text): text
    case .number(let number, let decimals, let sensors, let format):
      switch number.result(in: frame) {
      case let result where result != .unknown && Self.areThere(sensors, in: frame):
        format?.text(of: result, decimals: decimals) ?? Quantity.text(result, decimals: decimals)
      default: String(repeating: " ", count: max(0, (format?.width ?? 0) - 1)) + "-"
      }
    case .oneOf(let texts, let number, let sensors):
      switch number.result(in: frame) {
      case let result where result != .unknown && Self.areThere(sensors, in: frame): texts.text(at: result)
      default: "-"
      }
    case .first(let choices, let otherwise):
      (choices.first { values.show.holds($0.condition, readsOutputs: $0.readsOutputs, in: frame) }?.parts ?? otherwise)
        .map { text(of: $0, in: values) }.joined()
    case .time(let number):
      switch number.result(in: frame) {
      case .unknown: "-"
      case let minutes: ClockReader.text(ofMinutes: minutes)
      }
    case .duration(let number): Self.text(ofMilliseconds: number.result(in: frame))
    case .elements(let list):
      frame.elements(of: list).map { values.show.panel.values[list.value].text(of: $0) }.joined(separator: " ")
    }
  }

  private static func areThere(_ sensors: [Int], in frame: PanelFrame) -> Bool {
    sensors.allSatisfy { frame[position: $0] == Presence.isThere }
  }

  /// A duration in the format of a clock: `4:59`; below one minute with a tenth of a second: `59.9s`. Rounded down.
  private static func text(ofMilliseconds milliseconds: Int) -> String {
    let sign = milliseconds < 0 ? "-" : ""
    let tenths = milliseconds.magnitude / 100
    if tenths < 600 { return "\(sign)\(tenths / 10).\(tenths % 10)s" }
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60)
    return "\(sign)\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
  }
}
