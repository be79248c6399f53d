import CycleCore

/// A subject of random tests: it creates random runs, and checks each.
public protocol Explored {
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
  func check(_ run: Run, counts: Bool, while goesOn: () -> Bool) throws -> CheckedRun<Violation>?
  /// Whether two violations are the same fault: a shorter run must find the same one.
  func isSame(_ one: Violation, _ other: Violation) -> Bool
  /// The first steps of a run.
  func beginning(of run: Run, _ steps: Int) -> Run
  /// Tries smaller runs, once; it is called again while that finds smaller ones.
  func shrink(_ shrinker: inout Shrinker<Run>)
}

/// The result of a run.
public struct CheckedRun<Violation> {
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

/// Explores a subject by random runs until one finds a fault. Then it searches for the shortest run with this fault.
public struct Exploration<Subject: Explored> {
  /// A fault, and the shortest run that was found to lead to it.
  public struct Discovery {
    public var violation: Subject.Violation
    public var run: Subject.Run
    /// The number of the run that found it, from 1.
    public var number: Int
    /// The number of smaller runs that were tried.
    public var tries: Int
    /// Whether the exploration was ended before it had found the shortest run.
    public var isInterrupted: Bool
  }

  /// The progress of an exploration.
  public struct Progress {
    /// The number of runs so far.
    public var runs: Int
    /// The number of smaller runs that were tried; nil until a run has found a fault.
    public var tries: Int?
  }

  public struct Outcome {
    /// The number of runs.
    public var runs: Int
    /// The fault; nil if no run found one.
    public var discovery: Discovery?
  }

  private let subject: Subject
  private let runs: Int
  private let seed: UInt64
  private let tries: Int
  private let goesOn: (Progress) -> Bool

  /// The maximum number of kept runs that have reached something new, up to that step; the oldest are dropped.
  private static var mostKnown: Int { 256 }

  /// - Parameters:
  ///   - subject: the subject to explore.
  ///   - runs: the maximum number of runs, at least 1.
  ///   - seed: the seed of the random numbers.
  ///   - tries: the maximum number of smaller runs that are tried after a violation.
  ///   - goesOn: called before each run and between its steps; ends the exploration by returning false, and must then
  ///     continue to return false.
  public init(
    _ subject: Subject, runs: Int = 1000, seed: UInt64 = 0, tries: Int = 2000,
    while goesOn: @escaping (Progress) -> Bool = { _ in true }
  ) {
    (self.subject, self.runs, self.seed, self.tries) = (subject, max(1, runs), seed, tries)
    self.goesOn = goesOn
  }

  /// - Throws: the error of a step that can't be performed.
  public func explore() throws -> Outcome {
    var random = SeededGenerator(seed: seed)
    var known: [Subject.Run] = []
    for number in 1...runs {
      let mayContinue = { goesOn(Progress(runs: number - 1)) }
      guard mayContinue() else { return Outcome(runs: number - 1) }
      let beginning = choose(from: known, &random)
      let run = subject.run(after: beginning, &random, while: mayContinue)
      guard let checked = try subject.check(run, counts: true, while: mayContinue) else {
        return Outcome(runs: number - 1)
      }
      if let violation = checked.violation {
        let run = subject.beginning(of: run, checked.steps)
        return Outcome(runs: number, discovery: try shrink(run, violation, number))
      }
      guard let newest = checked.newest else { continue }
      known.append(subject.beginning(of: run, newest))
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return Outcome(runs: runs)
  }

  /// The run with which another one begins: half of the time none, a quarter of the time the one that has last reached
  /// something new, otherwise any of the known ones.
  private func choose(from known: [Subject.Run], _ random: inout SeededGenerator) -> Subject.Run? {
    guard Bool.random(using: &random) else { return nil }
    return Bool.random(using: &random) ? known.last : known.randomElement(using: &random)
  }

  private func shrink(_ run: Subject.Run, _ violation: Subject.Violation, _ number: Int) throws -> Discovery {
    let (subject, goesOn) = (subject, goesOn)
    // The violation of the smallest run, and the number of tries.
    var (smallest, tried) = (violation, 0)
    let mayContinue = { goesOn(Progress(runs: number, tries: tried)) }
    var shrinker = Shrinker(run, tries: tries, goesOn: mayContinue) { run in
      tried += 1
      guard let found = try subject.check(run, counts: false, while: mayContinue)?.violation,
        subject.isSame(found, violation)
      else { return false }
      smallest = found
      return true
    }
    var before: Subject.Run
    repeat {
      before = shrinker.smallest
      subject.shrink(&shrinker)
    } while shrinker.smallest != before && shrinker.triesLeft > 0
    return Discovery(
      violation: smallest, run: shrinker.smallest, number: number, tries: tried, isInterrupted: shrinker.isInterrupted)
  }
}

/// The lengths of the two parts of a run that continues a known one.
package struct Continuation {
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
