/// A subject of random tests: it makes random runs, and checks each.
public protocol Explored {
  /// All that is done in one run.
  associatedtype Run: Equatable
  /// Something wrong that a run has led to.
  associatedtype Finding

  /// Makes a run up.
  ///
  /// - Parameters:
  ///   - known: a run that has reached something new, whose beginning this run has to repeat; nil for none.
  ///   - random: the source of random numbers.
  func run(after known: Run?, _ random: inout SeededGenerator) -> Run
  /// Performs a run on something new until something is wrong. Throws what can't be performed.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - counts: whether the run counts: what a counted run has reached is not new for later runs.
  func check(_ run: Run, counts: Bool) throws -> CheckedRun<Finding>
  /// Whether two findings are one thing: a shorter run has to lead to the same.
  func isSame(_ one: Finding, _ other: Finding) -> Bool
  /// The first steps of a run.
  func beginning(of run: Run, _ steps: Int) -> Run
  /// Tries smaller runs, once; it is called again while that helps.
  func shrink(_ shrinker: inout Shrinker<Run>)
}

/// The result of a run.
public struct CheckedRun<Finding> {
  /// The first thing that is wrong; nil if nothing is.
  public var finding: Finding?
  /// How many steps were done, up to the finding.
  public var steps: Int
  /// After how many steps the run came to something new, the last time; nil if it didn't, or doesn't count.
  public var newest: Int?

  /// - Parameters:
  ///   - finding: the first thing that is wrong; nil if nothing is.
  ///   - steps: how many steps were done.
  ///   - newest: after how many of them the run came to something new, the last time.
  public init(finding: Finding?, steps: Int, newest: Int? = nil) {
    (self.finding, self.steps, self.newest) = (finding, steps, newest)
  }
}

/// Explores something by runs, until one finds something wrong, which is then made as short as it can be.
public struct Exploration<Subject: Explored> {
  /// Something wrong, and the shortest run that was found to lead there.
  public struct Discovery {
    public var finding: Subject.Finding
    public var run: Subject.Run
    /// The number of the run that found it, from 1.
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
  private let goesOn: (_ runs: Int) -> Bool

  /// Runs that have come somewhere new are kept up to there, so many at most, the newest.
  private static var mostKnown: Int { 256 }

  /// - Parameters:
  ///   - subject: the subject to explore.
  ///   - runs: how many runs there are at most, at least 1.
  ///   - seed: the seed of the random numbers.
  ///   - tries: how many smaller runs are tried for one that has found something.
  ///   - goesOn: called before each run with the number of runs so far; ends the exploration by false.
  public init(
    _ subject: Subject, runs: Int = 1000, seed: UInt64 = 0, tries: Int = 2000,
    while goesOn: @escaping (_ runs: Int) -> Bool = { _ in true }
  ) {
    (self.subject, self.runs, self.seed, self.tries) = (subject, max(1, runs), seed, tries)
    self.goesOn = goesOn
  }

  /// - Throws: the error of a step that can't be performed.
  public func explore() throws -> Outcome {
    var random = SeededGenerator(seed: seed)
    var known: [Subject.Run] = []
    for number in 1...runs {
      guard goesOn(number - 1) else { return Outcome(runs: number - 1) }
      let beginning = choose(from: known, &random)
      let run = subject.run(after: beginning, &random)
      let checked = try subject.check(run, counts: true)
      if let finding = checked.finding {
        let run = subject.beginning(of: run, checked.steps)
        return Outcome(runs: number, discovery: try shrink(run, finding, number))
      }
      guard let newest = checked.newest else { continue }
      known.append(subject.beginning(of: run, newest))
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return Outcome(runs: runs)
  }

  /// The run with which another one begins: none half of the time, otherwise the one that has come somewhere new last
  /// as often as any.
  private func choose(from known: [Subject.Run], _ random: inout SeededGenerator) -> Subject.Run? {
    guard Bool.random(using: &random) else { return nil }
    return Bool.random(using: &random) ? known.last : known.randomElement(using: &random)
  }

  private func shrink(_ run: Subject.Run, _ finding: Subject.Finding, _ number: Int) throws -> Discovery {
    let subject = subject
    var shrinker = Shrinker(run, tries: tries) { run in
      try subject.check(run, counts: false).finding.map { subject.isSame($0, finding) } == true
    }
    var before: Subject.Run
    repeat {
      before = shrinker.smallest
      subject.shrink(&shrinker)
    } while shrinker.smallest != before && shrinker.triesLeft > 0
    let found = try subject.check(shrinker.smallest, counts: false).finding
    return Discovery(
      finding: found ?? finding, run: shrinker.smallest, number: number, tries: tries - shrinker.triesLeft)
  }
}

/// How a run goes on from a known one.
package struct Continuation {
  /// With how many steps of the known run it begins: half of the time with all, to go on from what is new there.
  package let beginning: Int
  /// How many steps it has in all. At least half of the usual are made up, so that runs which go on from each other get
  /// far; they end at four times the usual.
  package let count: Int

  /// - Parameters:
  ///   - known: how many steps the known run has.
  ///   - usual: how many steps a run has that begins anew.
  ///   - random: where chance comes from.
  package init(of known: Int, usual: Int, _ random: inout SeededGenerator) {
    let most = Bool.random(using: &random) ? known : Int.random(in: 0...known, using: &random)
    beginning = min(most, usual * 7 / 2)
    count = max(usual, beginning + usual / 2)
  }
}
