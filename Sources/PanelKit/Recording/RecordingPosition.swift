import CycleCore
import PanelLanguage
import Terminal

/// A place in a recording: the number of an event, or a time since the start.
package enum RecordingPosition {
  case cause(Int)
  case time(Int64)

  init?(_ text: String) {
    if let number = Int(text), number > 0, !text.hasPrefix("+") {
      self = .cause(number)
    } else if let span = try? Quantity.duration(text) {
      self = .time(span.wholeNanoseconds)
    } else {
      return nil
    }
  }

  /// The options for a part of a recording.
  package static let options = [
    CommandSyntax.Option("--from", value: "PLACE", expectation, help: "First event, by number or time: 12, 1.5s.") {
      RecordingPosition($0) != nil
    },
    CommandSyntax.Option("--to", value: "PLACE", expectation, help: "Last event, by number or time.") {
      RecordingPosition($0) != nil
    },
  ]
  private static let expectation = "the number of an event, or a time such as 1.5s"

  /// The causes between the places of the options, both included. Without an option, the range extends to the start or
  /// to the end.
  package static func range(_ arguments: ParsedArguments) -> RecordingRange {
    let (first, last) = (arguments.value(of: "--from"), arguments.value(of: "--to"))
    var (causes, times) = ((first: Int.min, last: Int.max), (first: Int64.min, last: Int64.max))
    switch first.flatMap(RecordingPosition.init) {
    case .cause(let number): causes.first = number
    case .time(let time): times.first = time
    case nil: break
    }
    switch last.flatMap(RecordingPosition.init) {
    case .cause(let number): causes.last = number
    case .time(let time): times.last = time
    case nil: break
    }
    return RecordingRange(
      causes: causes.first...max(causes.first, causes.last), times: times.first...max(times.first, times.last))
  }
}
