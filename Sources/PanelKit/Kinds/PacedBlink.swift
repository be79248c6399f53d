import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// The blinking of a lamp whose times are values of the panel: `{ blink: pace }`, `{ blink: { on: pace, off: rest } }`.
struct PacedBlink: CustomAppearance {
  /// An on-time or off-time.
  enum Span: Equatable {
    case fixed(Duration)
    /// The value with this index, which is a duration.
    case value(Int, name: String)

    var isValue: Bool { value != nil }
    var value: Int? { if case .value(let value, _) = self { value } else { nil } }

    var text: String {
      switch self {
      case .fixed(let span): Quantity.text(span)
      case .value(_, let name): name
      }
    }

    func duration(in values: PanelValues) -> Duration {
      switch self {
      case .fixed(let span): span
      case .value(let value, _): .milliseconds(max(1, values.number(of: value)))
      }
    }
  }

  let on: Span
  let off: Span

  var text: String { on == off ? "{ blink: \(on.text) }" : "{ blink: { on: \(on.text), off: \(off.text) } }" }
  var followedValues: [Int] { [on.value, off.value].compactMap(\.self) }
  var isMoving: Bool { true }
  var staysWithoutProgram: Bool { false }

  func light(in values: PanelValues) -> Light<Brightness> {
    .paced(on: on.duration(in: values), off: off.duration(in: values))
  }

  /// Reads a duration, or the name of a value that is one. Adds a problem and returns nil for anything else.
  static func span(_ field: Field, of show: ShowField, in range: ClosedRange<Duration>) -> Span? {
    guard let text = show.problems.text(field) else { return nil }
    guard text.first?.isLetter ?? false else { return show.problems.duration(field, in: range).map { .fixed($0) } }
    guard let value = show.names.value(text, at: field.node.position, show.problems) else { return nil }
    guard show.names.durations.contains(value), show.names.lists[value] == nil else {
      show.problems.add(
        field.node.position,
        "\(quoted(text)) is not a duration; write 250ms, or a value such as pace: { initial: 250ms, min: 50ms, max: 1s }"
      )
      return nil
    }
    return .value(value, name: text)
  }
}
