import CycleCore

/// A deadline of a panel: what it is for, and for which time of waiting.
struct PanelDeadline: Equatable, Hashable, Sendable {
  enum Owner: Equatable, Hashable, Sendable {
    /// A deadline of a state, by its place in ``PanelDefinition/State/after``.
    case state(Int, Int)
    /// An input that follows from others, by its index, and which of its deadlines.
    case input(Int, Int)
    /// At once: states have been entered without a moment, which they get now.
    case begin
  }

  var owner: Owner
  /// The state that has the deadline, and its place there; nil for one of an input.
  var ofState: (state: Int, index: Int)? {
    if case .state(let state, let index) = owner { (state, index) } else { nil }
  }
  /// For which entering of the state it was set, or for which change of the input.
  var entry: Int
  /// How often it has come before, for one that comes again; for `untouched`, how often somebody had touched the panel.
  var repetition = 0
}

/// Written as five numbers: whose deadline (0 a state's, 1 an input's, 2 the beginning's), which, its place there, the entry
/// and the repetition.
extension PanelDeadline: Filmed {
  func write(to film: inout FilmWriter) {
    let (kind, number, place) =
      switch owner {
      case .state(let state, let place): (0, state, place)
      case .input(let input, let place): (1, input, place)
      case .begin: (2, 0, 0)
      }
    [kind, number, place, entry, repetition].write(to: &film)
  }

  init(from film: inout FilmReader) throws(FilmFault) {
    let start = film.offset
    let numbers = try [Int](from: &film)
    guard numbers.count == 5 else { throw FilmFault("a deadline is five numbers", at: start) }
    switch numbers[0] {
    case 0: owner = .state(numbers[1], numbers[2])
    case 1: owner = .input(numbers[1], numbers[2])
    case 2: owner = .begin
    default: throw FilmFault("a deadline of an unknown kind, \(numbers[0])", at: start)
    }
    (entry, repetition) = (numbers[3], numbers[4])
  }
}
