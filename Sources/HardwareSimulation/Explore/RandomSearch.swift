import CycleCore

/// Explores a subject by random runs until one finds a fault. Then it searches for the shortest run with this fault.
public struct RandomSearch<Subject: SearchSubject> {
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
