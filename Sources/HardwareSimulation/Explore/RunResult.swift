import CycleCore

/// The result of a run.
public struct RunResult<Violation> {
  /// The first fault; nil if there was none.
  public var violation: Violation?
  /// The number of steps that were done, up to the violation.
  public var steps: Int
  /// The number of steps after which the run last reached something new; nil if it never did, or doesn't count.
  public var newest: Int?

  /// - Parameters:
  ///   - violation: the first fault; nil if there was none.
  ///   - steps: the number of steps that were done.
  ///   - newest: the number of steps after which the run last reached something new.
  public init(violation: Violation?, steps: Int, newest: Int? = nil) {
    (self.violation, self.steps, self.newest) = (violation, steps, newest)
  }
}
