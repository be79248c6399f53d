import CycleCore

/// A subject of random tests: it creates random runs, and checks each.
public protocol SearchSubject {
  /// All steps of one run.
  associatedtype Run: Equatable
  /// A fault that a run has found.
  associatedtype Violation

  /// Creates a random run.
  ///
  /// - Parameters:
  ///   - known: a run that has reached something new, whose beginning this run must repeat; nil for none.
  ///   - random: the source of random numbers.
  ///   - goesOn: called between steps; the run ends early if it returns false.
  func run(after known: Run?, _ random: inout SeededGenerator, while goesOn: () -> Bool) -> Run
  /// Performs a run on a new instance until a fault is found. Throws an error for a step that can't be performed.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - counts: whether the run counts: states that a counted run has reached are not new for later runs.
  ///   - goesOn: called between steps; ends the run by returning false.
  /// - Returns: the result; nil if `goesOn` has ended the run.
  func check(_ run: Run, counts: Bool, while goesOn: () -> Bool) throws -> RunResult<Violation>?
  /// Whether two violations are the same fault: a shorter run must find the same one.
  func isSame(_ one: Violation, _ other: Violation) -> Bool
  /// The first steps of a run.
  func beginning(of run: Run, _ steps: Int) -> Run
  /// Tries smaller runs, once; it is called again while that finds smaller ones.
  func shrink(_ shrinker: inout Shrinker<Run>)
}
