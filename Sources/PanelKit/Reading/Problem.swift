import Terminal

/// One thing that is wrong with a file, and where.
struct Problem: Equatable, Sendable {
  /// From 1; 0 where the file as a whole is meant, as when it can't be opened.
  var line: Int
  /// From 1, in characters.
  var column: Int
  /// What is wrong, a semicolon, what would be right.
  var text: String
}

/// Everything that is wrong with one file, sorted by position.
struct Problems: Error, Equatable, Sendable {
  /// What the exit status depends on.
  enum Kind: Equatable, Sendable {
    /// The file's content is wrong.
    case wrongContent
    /// There is no such file, or it isn't one.
    case noSuchFile
    /// This user may not read it, or not write it.
    case notPermitted
    /// It can't be written.
    case cannotWrite
  }

  var kind = Kind.wrongContent
  /// The file's path as the user wrote it.
  var file: String
  /// At most ``ProblemList/shownAtMost``.
  var list: [Problem]
  /// How many more there are.
  var omitted = 0

  /// A line each, as in `doorbell.panel.yaml:3:5: what is wrong; what would be right`.
  var lines: [String] {
    var lines = list.map { problem in
      problem.line == 0 ? "\(file): \(problem.text)" : "\(file):\(problem.line):\(problem.column): \(problem.text)"
    }
    if let omission { lines.append("\(file): \(omission)") }
    return lines
  }

  /// The lines without any text of the file: for somebody who may not be able to read it.
  var places: [String] {
    list.map { problem in
      if problem.line > 0 { return "\(file):\(problem.line):\(problem.column): something is wrong here" }
      // What the system says of a file that it doesn't open has nothing of what is in it.
      return kind == .wrongContent ? "\(file): something is wrong with it" : "\(file): \(problem.text)"
    }
  }

  /// That there are more than are shown; nil if there are none.
  var omission: String? { omitted > 0 ? "\(omitted) more not shown; fix these first" : nil }
}

/// The problems met so far while one file is read.
final class ProblemList {
  static let shownAtMost = 100
  /// More than this are counted only, so that a file made of errors can't fill the memory.
  static let keptAtMost = 10_000
  /// Problems beyond this number suggest no nearest name: it costs time to find, and nobody reads that many.
  static let suggestionsAtMost = 200

  private var kept: [Problem] = []
  private(set) var count = 0

  func add(_ position: Position, _ text: String) {
    count += 1
    if kept.count < Self.keptAtMost { kept.append(Problem(line: position.line, column: position.column, text: text)) }
  }

  /// Warnings: what is allowed, but most likely a mistake.
  private var keptNotes: [Problem] = []

  func note(_ position: Position, _ text: String) {
    keptNotes.append(Problem(line: position.line, column: position.column, text: text))
  }

  /// What follows the semicolon when `name` is unknown: the nearest of `known`, or all of them.
  func suggestion(for name: String, among known: [String], called plural: String) -> String {
    guard !known.isEmpty else { return "there are no \(plural)" }
    if count < Self.suggestionsAtMost, let nearest = nearest(to: name, among: known) {
      return "did you mean \(quoted(nearest))?"
    }
    return "\(plural): \(listed(known))"
  }

  /// All notes, in the order of the file.
  var notes: [Problem] { sorted(keptNotes) }

  private func sorted(_ problems: [Problem]) -> [Problem] {
    problems.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
  }

  /// All that was found, in the order of the file.
  func problems(of file: String) -> Problems {
    let shown = Array(sorted(kept).prefix(Self.shownAtMost))
    return Problems(file: file, list: shown, omitted: count - shown.count)
  }
}
