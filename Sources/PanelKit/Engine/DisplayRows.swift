import PanelLanguage
import Terminal

extension DisplayText {
  package func rows(in values: PanelValues) -> [String] {
    rows.map { parts in parts.map { text(of: $0, in: values.frame) }.joined() }
  }

  private func text(of part: Part, in frame: PanelFrame) -> String {
    switch part {
    case .text(let text): text
    case .number(let number, let decimals, let sensors):
      switch number.result(in: frame) {
      case .unknown: "-"
      case let result where sensors.allSatisfy { frame[position: $0] == Presence.isThere }:
        Quantity.text(result, decimals: decimals)
      default: "-"
      }
    case .duration(let number): Self.text(ofMilliseconds: number.result(in: frame))
    case .elements(let list): frame.elements(of: list).map { "\($0)" }.joined(separator: " ")
    }
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
