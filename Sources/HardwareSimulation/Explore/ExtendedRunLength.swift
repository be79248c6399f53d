import CycleCore

/// The lengths of the two parts of a run that continues a known one.
package struct ExtendedRunLength {
  /// The number of steps of the known run with which it begins: half of the time all, to continue from the newest
  /// state.
  package let beginning: Int
  /// The number of all steps. The random part has at least half of the default length, so that runs that continue each
  /// other get long. The length is at most four times the default.
  package let count: Int

  /// - Parameters:
  ///   - known: the number of steps of the known run.
  ///   - usual: the default number of steps, for a run that continues none.
  ///   - random: the source of random numbers.
  package init(of known: Int, usual: Int, _ random: inout SeededGenerator) {
    let most = Bool.random(using: &random) ? known : Int.random(in: 0...known, using: &random)
    beginning = min(most, usual * 7 / 2)
    count = max(usual, beginning + usual / 2)
  }
}
