/// Makes a failing subject smaller while it still fails: a program of steps, a file, a list of events.
///
///     var shrinker = Shrinker(program, tries: 2000) { try $0.fails() }
///     shrinker.shorten(\.steps) { $0.repaired }
///     shrinker.replace { program in program.steps.indices.map { program.withShorterWait(at: $0) } }
///     print(shrinker.smallest)
///
/// Each candidate is tried, and counted, once. The same subject and the same `fails` give the same result.
public struct Shrinker<Subject: Equatable> {
  /// The smallest subject so far that fails.
  public private(set) var smallest: Subject
  /// The number of candidates that may still be tried.
  public private(set) var triesLeft: Int
  /// Whether `goesOn` has ended the search for smaller subjects.
  public private(set) var isInterrupted = false
  private let goesOn: () -> Bool
  private let fails: (Subject) throws -> Bool

  /// - Parameters:
  ///   - subject: the failing subject.
  ///   - tries: the maximum number of candidates.
  ///   - goesOn: called after each try; no further candidate is tried if it returns false.
  ///   - fails: whether a candidate fails in the same way; a candidate for which it throws is skipped.
  public init(
    _ subject: Subject, tries: Int = 2000, goesOn: @escaping () -> Bool = { true },
    while fails: @escaping (Subject) throws -> Bool
  ) {
    (smallest, triesLeft, self.goesOn, self.fails) = (subject, tries, goesOn, fails)
  }

  /// Tries a candidate, and keeps it if it fails.
  ///
  /// - Parameter candidate: a smaller subject than ``smallest``.
  @discardableResult
  public mutating func attempt(_ candidate: Subject) -> Bool {
    guard triesLeft > 0, candidate != smallest else { return false }
    defer { if triesLeft > 0, !goesOn() { (triesLeft, isInterrupted) = (0, true) } }
    triesLeft -= 1
    guard (try? fails(candidate)) == true else { return false }
    smallest = candidate
    return true
  }

  /// Removes elements of a list: halves of it, then smaller chunks, down to single elements, until none of these can be
  /// removed any more. This is "ddmin" of Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input"
  /// (2002), but it tries only complements: a failure usually needs most of its end.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - repair: makes a candidate without a chunk valid, by removing elements that depend on that chunk.
  public mutating func shorten<Element>(
    _ list: WritableKeyPath<Subject, [Element]>, repair: (Subject) -> Subject = { $0 }
  ) {
    var size = max(1, smallest[keyPath: list].count / 2)
    while triesLeft > 0 {
      var hasShrunk = false
      // From the end: elements after the failure are removed first.
      var end = smallest[keyPath: list].count
      while end > 0, triesLeft > 0 {
        let chunk = max(0, end - size)..<end
        var candidate = smallest
        candidate[keyPath: list].removeSubrange(chunk)
        candidate = repair(candidate)
        if attempt(candidate) { hasShrunk = true }
        end = min(chunk.lowerBound, smallest[keyPath: list].count)
      }
      if size > 1 { size /= 2 } else if !hasShrunk { return }
    }
  }

  /// Tries candidates, in their order, and again those of each one that fails, until none fails.
  ///
  /// - Parameter candidates: returns smaller subjects in the order in which they are tried.
  public mutating func replace(by candidates: (Subject) -> [Subject]) {
    var hasShrunk = true
    while hasShrunk, triesLeft > 0 {
      hasShrunk = false
      for candidate in candidates(smallest) where attempt(candidate) {
        hasShrunk = true
        break
      }
    }
  }
}
