/// Something that must not be so on any panel, or what its file says must never be, found by a run.
struct Finding: Equatable {
  enum Kind: Equatable, Sendable {
    /// The panel stopped for what its file says must never be, by the number of the property.
    case never(Int)
    /// Transitions or deadlines follow from each other without end.
    case endless
    /// The application doesn't come to rest at one moment.
    case livelock
    /// Events of a lens were lost, by its number.
    case lost(Int)
    /// A value is out of its range, by its number.
    case range(Int)
    /// An output is not as the states say, by its number.
    case output(Int)
    /// An output is not in its safe state at the end, by its number.
    case unsafe(Int)
    /// Drivers didn't come to rest at the end, or lines are still held.
    case end
    /// A replay of the run's events leads to other frames.
    case replay
  }

  var kind: Kind
  /// What is so, in a sentence.
  var text: String
  /// What an output should look like, as a scenario expects it; nil for another finding.
  var wanted: String?
  /// Which step it came after, from 1; 0 for the start. Those behind it don't matter.
  var step: Int
}
