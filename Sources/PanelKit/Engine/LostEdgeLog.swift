import CycleCore
import PanelLanguage

/// Writes the log lines about lost edges. The first loss is logged immediately; later ones are summed for 10 s each, so
/// that many edges don't flood the log.
package struct LostEdgeLog {
  static let interval = Duration.seconds(10)

  /// The start of a log line for each input: its name and its GPIO lines.
  private let names: [String]
  /// The number of lost edges of each input that have been logged.
  private var told: [Int]
  /// The total number of lost edges that have been logged.
  package private(set) var loggedCount = 0
  private var lastTelling: Moment?
  /// The moment at which the losses since the last log line are due to be logged; nil if there are none.
  package private(set) var nextLogMoment: Moment?

  package init(of panel: PanelDefinition) {
    names = panel.inputs.map { input in
      let lines = input.device.lines.joined(separator: ", ")
      return lines.isEmpty ? input.name : "\(input.name) (\(lines))"
    }
    told = names.map { _ in 0 }
  }

  /// The lines to log now; empty before the 10 s are over.
  ///
  /// - Parameters:
  ///   - count: the total number of lost edges.
  ///   - frame: contains the lost edges of each input. It is read only if there are lines to log.
  ///   - isLast: whether this is the last call, which doesn't wait until the 10 s are over.
  package mutating func lines(_ count: Int, in frame: @autoclosure () -> PanelFrame, at now: Moment, isLast: Bool)
    -> [String]
  {
    guard count != loggedCount else { return [] }
    if let lastTelling, now < lastTelling + Self.interval, !isLast {
      nextLogMoment = lastTelling + Self.interval
      return []
    }
    let span = nextLogMoment != nil && !isLast ? " in the last 10 s" : ""
    loggedCount = count
    lastTelling = now
    nextLogMoment = nil
    let frame = frame()
    return names.indices.compactMap { input in
      let lost = frame.losses(of: input) - told[input]
      guard lost > 0 else { return nil }
      told[input] += lost
      return "\(names[input]): \(Self.text(of: lost))\(span)"
    }
  }

  /// A number of lost edges in words.
  package static func text(of count: Int) -> String { "at least \(count) \(count == 1 ? "edge" : "edges") lost" }
}
