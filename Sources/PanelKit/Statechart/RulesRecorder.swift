/// Is told what the rules of a panel do: for a journal, or to count what scenarios have tried. It has no effect on frames.
///
/// Called on the thread of the cycle.
protocol RulesRecorder: AnyObject, Sendable {
  /// The rules begin to apply something to a frame: an event, a reading or a deadline.
  func begin(in frame: PanelFrame)
  /// The rules have applied it: the frame after it.
  func end(in frame: PanelFrame)
  /// An event comes, of an input, a sound or hardware; of inputs that follow from others too.
  func tell(_ event: PanelEvent)
  /// Whether ``ask(_:number:in:)`` is to be called.
  var countsConditions: Bool { get }
  /// The condition of a transition is asked in a frame.
  ///
  /// - Parameter number: the transition's place in ``TransitionTable/transitions``.
  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame)
  func take(_ transition: PanelDefinition.Transition, number: Int)
  func enter(_ state: Int)
  /// Something is left to chance.
  func draw(_ chance: Chance)
}

/// Something that is left to chance.
enum Chance: Equatable {
  /// A number that a value is set to.
  case number(ClosedRange<Int>, value: Int)
  /// The milliseconds of a wait, by its number.
  case wait(ClosedRange<Int>, Int)

  var range: ClosedRange<Int> {
    switch self {
    case .number(let range, _), .wait(let range, _): range
    }
  }

  func isWait(_ number: Int) -> Bool { if case .wait(_, number) = self { true } else { false } }
}

extension RulesRecorder {
  func draw(_ chance: Chance) {}
}
