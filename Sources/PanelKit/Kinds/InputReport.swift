import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage

/// The meaning of an input driver's event for a panel.
public enum InputReport: Equatable {
  /// The event at this place in `InputKind.events`.
  ///
  /// `number` is the number that the event carries: 4.5 for 45 with one decimal. It is required if
  /// `InputKind.carriesNumber(event:)` is true, and not allowed if it is false. A number beyond the device's scale
  /// counts as the end of the scale, so a kind of codes maps a code that it does not know to a number of its own. An
  /// event with NaN counts as lost.
  case event(Int, number: Double? = nil)
  /// At least this number of edges of the input's lines were lost.
  case edgesLost(Int)

  @inline(__always)
  func apply(to input: Int, _ events: InputEvents, _ rules: PanelRules, at now: Moment, in frame: inout PanelFrame) {
    switch self {
    case .event(let place, let number):
      guard events.note(number, carriedBy: place, of: input, rules, in: &frame) else {
        return frame.noteLoss(of: 1, at: input)
      }
      rules.hear(place, of: input, at: now, in: &frame)
    case .edgesLost(let count): frame.noteLoss(of: count, at: input)
    }
  }

  /// The reason why an input with these events can't have emitted the report; nil if it can.
  func refusal(_ events: InputEvents) -> String? {
    switch self {
    case .event(let place, let number): events.refusal(of: place, number)
    case .edgesLost(let count):
      UntrustedNumber.counts.contains(count) ? nil : "\(count) is not a number of lost edges"
    }
  }

  /// Applies the position in which the input was found: the one that the event leads to. An input with the control
  /// `events` is unknown until its first event.
  func find(_ input: Int, _ events: InputEvents, _ rules: PanelRules, at now: Moment, in frame: inout PanelFrame) {
    guard case .event(let place, _) = self, !events.comeAlone else { return }
    rules.find(place, of: input, at: now, in: &frame)
  }

  /// The text of the report in a journal: `reader.read 4711`.
  func text(of name: String, _ events: InputEvents) -> String {
    switch self {
    case .event(let place, let number): "\(name).\(events.text(of: place, number))"
    case .edgesLost(let count): "\(name): \(LostEdgeLog.text(of: count))"
    }
  }

  var isTrouble: Bool { if case .edgesLost = self { true } else { false } }
}

/// The events of an input, and the numbers that they carry. It is a class so that an event of one of several inputs
/// copies nothing.
final class InputEvents {
  private let words: [String]
  private let count: Int
  /// Whether each event carries a number; empty if none does.
  private let carriers: [Bool]
  /// Whether the input has the control `events`.
  let comeAlone: Bool
  private let scale: SensorNumberRange?

  init(of device: any InputKind) {
    words = device.events
    count = words.count
    scale = device.scale
    let places = device.carriers
    carriers = places.isEmpty ? [] : words.indices.map { places.contains($0) }
    comeAlone = type(of: device).control == .events
    for place in words.indices where device.carriesNumber(event: place) && !places.contains(place) {
      programmerError("\(type(of: device)).carriesNumber(event: \(place)) needs a scale and the control events")
    }
  }

  private func carriesNumber(_ place: Int) -> Bool { !carriers.isEmpty && carriers[place] }

  /// Sets the number of the input to the one of an event, if the event carries one. Returns false for an event that is
  /// lost: the number is NaN, or the first frame is not there yet.
  @inline(__always)
  func note(
    _ number: Double?, carriedBy place: Int, of input: Int, _ rules: PanelRules, in frame: inout PanelFrame
  ) -> Bool {
    precondition(place >= 0 && place < count, "an event of an input is a place in its events")
    if !comeAlone, number == nil { return true }
    guard frame.hasBegun else { return false }
    precondition(
      carriesNumber(place) == (number != nil), "an event has a number if carriesNumber(event:) is true, and only then")
    guard let number, let scale else { return true }
    guard let whole = scale.whole(number) else { return false }
    rules.note(whole, of: input, in: &frame)
    return true
  }

  func refusal(of place: Int, _ number: Double?) -> String? {
    guard words.indices.contains(place) else { return "there is no event \(place) of \(words.count)" }
    if carriesNumber(place) == (number != nil) { return nil }
    return number == nil ? "\(words[place]) has no number" : "\(words[place]) carries no number"
  }

  func text(of place: Int, _ number: Double?) -> String {
    guard let number, let scale else { return words[place] }
    return "\(words[place]) \(scale.whole(number).map { scale.text(of: $0) } ?? "without a number")"
  }
}
