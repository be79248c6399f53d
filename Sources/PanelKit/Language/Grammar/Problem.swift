import CycleCore
import Terminal

/// An error in a file, and its position.
package struct Problem: Hashable, Sendable {
  /// The line, from 1; 0 for a problem of the whole file, such as a file that can't be opened.
  package var line: Int
  /// The column, from 1, in characters.
  package var column: Int
  /// The error, a semicolon, and what to write instead.
  package var text: String

  package init(line: Int, column: Int, text: String) {
    (self.line, self.column, self.text) = (line, column, text)
  }
}

/// All errors in one file, sorted by position.
package struct Problems: Error, Equatable, Sendable {
  /// The category that determines the exit status.
  package enum Kind: Equatable, Sendable {
    /// The file's content is wrong.
    case wrongContent
    /// The path does not exist, or is not a regular file.
    case noSuchFile
    /// This user may not read or write the file.
    case notPermitted
    /// The file can't be written.
    case cannotWrite
  }

  package var kind = Kind.wrongContent
  /// The file's path as the user wrote it.
  package var file: String
  /// The problems to show, at most ``ProblemList/shownAtMost``.
  package var list: [Problem]
  /// The number of further problems that are not in the list.
  var omitted = 0

  package init(kind: Kind = Kind.wrongContent, file: String, list: [Problem], omitted: Int = 0) {
    (self.kind, self.file, self.list, self.omitted) = (kind, file, list, omitted)
  }

  /// The problems as text, one line each: `doorbell.panel.yaml:3:5: what is wrong; what would be right`.
  package var lines: [String] {
    var lines = list.map { problem in
      problem.line == 0 ? "\(file): \(problem.text)" : "\(file):\(problem.line):\(problem.column): \(problem.text)"
    }
    if let omission { lines.append("\(file): \(omission)") }
    return lines
  }

  /// The same lines without any text of the file, for users who may not read it.
  package var places: [String] {
    list.map { problem in
      if problem.line > 0 { return "\(file):\(problem.line):\(problem.column): something is wrong here" }
      // A system error about a file that can't be opened contains nothing of its content.
      return kind == .wrongContent ? "\(file): something is wrong with it" : "\(file): \(problem.text)"
    }
  }

  /// A note that further problems are not shown; nil if all are shown.
  package var omission: String? { omitted > 0 ? "\(omitted) more not shown; fix these first" : nil }
}

/// One of the regions that a region with `each` stands for.
package struct RepeatedRegion: Equatable, Sendable {
  /// The name in the file.
  package var name: String
  /// The number that `each` is in this region.
  package var number: Int
  /// All numbers of the region in the file.
  package var numbers: ClosedRange<Int>
}

/// The problems found so far while one file is read.
package final class ProblemList {
  static let shownAtMost = 100
  /// The limit of stored problems. Further ones are only counted, so that a file full of errors can't fill the memory.
  static let keptAtMost = 10_000
  /// Later problems have no suggestion of the nearest name: finding it takes time, and no one reads that many messages.
  static let suggestionsAtMost = 200

  private var kept: [Problem] = []
  package private(set) var count = 0
  /// The region that is being read; nil outside regions with `each`. Its problems are those of one place of the file,
  /// and are reported once.
  var repeated: RepeatedRegion? {
    didSet { if repeated != nil { hasRepetitions = true } }
  }
  private var hasRepetitions = false
  /// The problems of repeated regions, and the numbers of the regions that have them.
  private var repetitions: [Problem: (numbers: Set<Int>, all: ClosedRange<Int>)] = [:]

  package func add(_ position: Position, _ text: String) {
    let problem = Problem(line: position.line, column: position.column, text: text)
    guard isNew(problem, among: kept) else { return }
    count += 1
    if kept.count < Self.keptAtMost { kept.append(problem) }
  }

  /// Warnings about allowed text that is probably a mistake.
  private var keptNotes: [Problem] = []

  package init() {}

  package func note(_ position: Position, _ text: String) {
    let problem = Problem(line: position.line, column: position.column, text: text)
    if isNew(problem, among: keptNotes) { keptNotes.append(problem) }
  }

  /// Whether no other repetition of a region has the same problem.
  private func isNew(_ problem: Problem, among known: [Problem]) -> Bool {
    guard let repeated else { return !hasRepetitions || !known.contains(problem) }
    return repetitions[problem, default: ([], repeated.numbers)].numbers.insert(repeated.number).inserted
      && repetitions[problem]?.numbers.count == 1
  }

  /// A problem with the numbers of the regions that have it, unless all have it.
  private func numbered(_ problem: Problem) -> Problem {
    guard let (numbers, all) = repetitions[problem], numbers.count < all.count else { return problem }
    var problem = problem
    problem.text += " (for each = \(listed(numbers.sorted().map(String.init))))"
    return problem
  }

  /// Returns the part after the semicolon for an unknown `name`: the nearest of `known`, or all of them.
  package func suggestion(for name: String, among known: [String], called plural: String) -> String {
    guard !known.isEmpty else { return "there are no \(plural)" }
    if count < Self.suggestionsAtMost, let nearest = nearest(to: name, among: known) {
      return "did you mean \(quoted(nearest))?"
    }
    return "\(plural): \(listed(known))"
  }

  /// All notes, in the order of the file.
  var notes: [Problem] { sorted(keptNotes).map(numbered) }

  private func sorted(_ problems: [Problem]) -> [Problem] {
    problems.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
  }

  /// Returns all problems, in the order of the file.
  package func problems(of file: String) -> Problems {
    let shown = sorted(kept).prefix(Self.shownAtMost).map(numbered)
    return Problems(file: file, list: shown, omitted: count - shown.count)
  }
}

extension Problems {
  /// The exit status of a command that ends because of these problems.
  package var exitStatus: Int32 {
    switch kind {
    case .wrongContent: ExitStatus.wrongContent
    case .noSuchFile: ExitStatus.noSuchFile
    case .notPermitted: ExitStatus.notPermitted
    case .cannotWrite: ExitStatus.cannotWrite
    }
  }
}
