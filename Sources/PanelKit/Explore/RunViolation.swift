/// A fault that a run has found: a violation of a `never`, or of a rule for all panels.
package struct RunViolation: Equatable {
  enum Kind: Equatable, Sendable {
    /// The panel stopped because of a `never`, by its number.
    case never(Int)
    /// Transitions or deadlines follow from each other without end.
    case endless
    /// The application does not become idle within one moment.
    case livelock
    /// A lens lost events, by its number.
    case lost(Int)
    /// A value is out of its range, by its number.
    case range(Int)
    /// An output differs from the states, by its number.
    case output(Int)
    /// An output is not in its safe state at the end, by its number.
    case unsafe(Int)
    /// Drivers were still active at the end, or lines are still held.
    case end
    /// A replay of the run's events gives different frames.
    case replay
  }

  var kind: Kind
  /// The fault in one sentence.
  package var text: String
  /// The expected appearance of an output, as in a scenario; nil for other violations.
  var wanted: String?
  /// The number of the step after which the fault was found, from 1; 0 for the start. Later steps don't matter.
  var step: Int
}
