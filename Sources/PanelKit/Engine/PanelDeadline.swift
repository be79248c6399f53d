import CycleCore

/// A deadline of a panel: its owner, and the wait that it belongs to.
package struct PanelDeadline: Equatable, Hashable, Sendable {
  package enum Owner: Equatable, Hashable, Sendable {
    /// A deadline of a state, by its place in ``PanelDefinition/State/after``.
    case state(Int, Int)
    /// A deadline of a derived input: the input's index, and the number of the deadline.
    case input(Int, Int)
    /// An immediate deadline at the beginning: states were entered without a moment, and receive it now.
    case begin
  }

  package var owner: Owner
  /// The state that has the deadline, and its place there; nil for one of an input.
  package var ofState: (state: Int, index: Int)? {
    if case .state(let state, let index) = owner { (state, index) } else { nil }
  }
  /// The count of the entering of the state, or of the change of the input, that set the deadline.
  package var entry: Int
  /// The number of earlier repetitions of a repeating deadline; for `untouched`, the number of touches so far.
  var repetition = 0

  package init(owner: Owner, entry: Int, repetition: Int = 0) {
    (self.owner, self.entry, self.repetition) = (owner, entry, repetition)
  }
}

/// Written as five numbers: the kind of owner (0 for a state, 1 for an input, 2 for the beginning), the owner, the
/// place there, the entry, and the repetition.
extension PanelDeadline: Recordable {
  package func write(to recording: inout JSONWriter) {
    let (kind, number, place) =
      switch owner {
      case .state(let state, let place): (0, state, place)
      case .input(let input, let place): (1, input, place)
      case .begin: (2, 0, 0)
      }
    [kind, number, place, entry, repetition].write(to: &recording)
  }

  package init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let start = recording.offset
    let numbers = try [Int](from: &recording)
    guard numbers.count == 5 else { throw RecordingTextFault("a deadline is five numbers", at: start) }
    switch numbers[0] {
    case 0: owner = .state(numbers[1], numbers[2])
    case 1: owner = .input(numbers[1], numbers[2])
    case 2: owner = .begin
    default: throw RecordingTextFault("a deadline of an unknown kind, \(numbers[0])", at: start)
    }
    (entry, repetition) = (numbers[3], numbers[4])
  }
}
