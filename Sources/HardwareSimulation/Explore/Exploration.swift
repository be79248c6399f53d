/// What can be explored: runs of steps are made up, and each is checked.
public protocol Explored {
  /// All that is done in one run.
  associatedtype Run: Equatable
  /// Something wrong that a run has led to.
  associatedtype Finding

  /// Makes a run up.
  ///
  /// - Parameters:
  ///   - known: a run that has come somewhere new, with a part of which this one is to begin; nil for none.
  ///   - random: where chance comes from.
  func run(after known: Run?, _ random: inout SeededGenerator) -> Run
  /// Performs a run on something new, and returns the first thing that is wrong. Throws what can't be performed.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - counts: whether what the run reaches is added to ``reached``.
  func check(_ run: Run, counts: Bool) throws -> Finding?
  /// How much all runs have reached: it grows where one has come somewhere new.
  var reached: Int { get }
  /// Whether two findings are one thing: a shorter run has to lead to the same.
  func isSame(_ one: Finding, _ other: Finding) -> Bool
  /// A run without the steps behind what it has led to.
  func cut(_ run: Run, at finding: Finding) -> Run
  /// Tries smaller runs, once; it is called again for as long as that helps.
  func shrink(_ shrinker: inout Shrinker<Run>)
}

/// Explores something by runs, until one finds something wrong, which is then made as short as it can be.
public struct Exploration<Subject: Explored> {
  /// Something wrong, and the shortest run that was found to lead there.
  public struct Discovery {
    public var finding: Subject.Finding
    public var run: Subject.Run
    /// Which run found it, from 1.
    public var number: Int
    /// How many smaller runs were tried.
    public var tries: Int
  }

  public struct Outcome {
    /// How many runs there were.
    public var runs: Int
    /// Nil if no run found anything.
    public var discovery: Discovery?
  }

  private let subject: Subject
  private let runs: Int
  private let seed: UInt64
  private let tries: Int

  /// Runs that have come somewhere new are kept, so many at most, the newest.
  private static var mostKnown: Int { 256 }

  /// - Parameters:
  ///   - subject: what is explored.
  ///   - runs: how many runs there are at most, at least 1.
  ///   - seed: what chance depends on.
  ///   - tries: how many smaller runs are tried for one that has found something.
  public init(_ subject: Subject, runs: Int = 1000, seed: UInt64 = 0, tries: Int = 2000) {
    (self.subject, self.runs, self.seed, self.tries) = (subject, max(1, runs), seed, tries)
  }

  /// - Throws: what can't be performed.
  public func explore() throws -> Outcome {
    var random = SeededGenerator(seed: seed)
    var known: [Subject.Run] = []
    for number in 1...runs {
      let beginning = Bool.random(using: &random) ? known.randomElement(using: &random) : nil
      let run = subject.run(after: beginning, &random)
      let reached = subject.reached
      if let finding = try subject.check(run, counts: true) {
        return Outcome(runs: number, discovery: try shrink(run, finding, number))
      }
      guard subject.reached > reached else { continue }
      known.append(run)
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return Outcome(runs: runs)
  }

  private func shrink(_ run: Subject.Run, _ finding: Subject.Finding, _ number: Int) throws -> Discovery {
    let subject = subject
    var shrinker = Shrinker(subject.cut(run, at: finding), tries: tries) { run in
      try subject.check(run, counts: false).map { subject.isSame($0, finding) } == true
    }
    var before: Subject.Run
    repeat {
      before = shrinker.smallest
      subject.shrink(&shrinker)
    } while shrinker.smallest != before && shrinker.triesLeft > 0
    let found = try subject.check(shrinker.smallest, counts: false)
    return Discovery(
      finding: found ?? finding, run: shrinker.smallest, number: number, tries: tries - shrinker.triesLeft)
  }
}
