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
