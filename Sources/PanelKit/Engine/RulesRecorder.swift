import PanelLanguage

/// Records the work of a panel's rules, for a journal or to count what scenarios cover. It has no effect on frames.
///
/// Called on the thread of the cycle.
package protocol RulesRecorder: AnyObject, Sendable {
  /// Called before the rules apply an event, a reading or a deadline to a frame.
  func begin(in frame: PanelFrame)
  /// Called after the rules have applied it, with the new frame.
  func end(in frame: PanelFrame)
  /// Called for an event of an input, a derived input, a sound or hardware.
  func tell(_ event: PanelEvent)
  /// Whether ``ask(_:number:in:)`` must be called.
  var countsConditions: Bool { get }
  /// Called when the condition of a transition is evaluated in a frame.
  ///
  /// - Parameter number: the transition's place in ``TransitionTable/transitions``.
  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame)
  func take(_ transition: PanelDefinition.Transition, number: Int)
  func enter(_ state: Int)
  /// Called for a random draw.
  func draw(_ chance: Chance)
  /// Returns the numbers that represent a range of a value, in a search that does not keep all numbers apart; nil if all
  /// are kept apart.
  func choices(in range: ClosedRange<Int>, of value: Int) -> [Int]?
  /// Returns the numbers that represent the results of a change of a value; nil if all are kept apart.
  func choices(from number: Int, by change: Int, of value: Int) -> [Int]?
}

/// A random draw.
package enum Chance: Equatable {
  /// A number for a value.
  case number(ClosedRange<Int>, value: Int)
  /// The milliseconds of a wait, by its number.
  case wait(ClosedRange<Int>, Int)

  package var range: ClosedRange<Int> {
    switch self {
    case .number(let range, _), .wait(let range, _): range
    }
  }

  package func isWait(_ number: Int) -> Bool { if case .wait(_, number) = self { true } else { false } }
}

extension RulesRecorder {
  package func draw(_ chance: Chance) {}
  package func choices(in range: ClosedRange<Int>, of value: Int) -> [Int]? { nil }
  package func choices(from number: Int, by change: Int, of value: Int) -> [Int]? { nil }
}
