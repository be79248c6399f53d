import CycleCore

/// The events, states and transitions that the runs of an ``Explorer`` have reached.
public struct ExplorationCoverage: Equatable, Sendable {
  /// The number of runs.
  public var runs: Int
  /// The events that occurred, each with its lens and without its payload, by name: `key pressed`.
  public var events: [String]
  /// The names of the states, as ``Explorer/states(_:)`` distinguishes them; none without it.
  public var states: [String]
  /// The changes of the state, each with its event, by name: `idle -> ringing by bell pressed`.
  public var transitions: [String]
  /// The names of the actions that were possible in no run, and of the goals of ``Explorer/reaches(_:_:)`` that no run
  /// has reached.
  public var unreached: [String]
}
