import Glibc

/// A command's messages on standard error: with syslog priorities if standard error is journald's (`JOURNAL_STREAM` is
/// set).
package struct Diagnostics: Sendable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    package static func < (left: Level, right: Level) -> Bool { left.priority < right.priority }

    /// The priority of syslog(3).
    var priority: Int {
      switch self {
      case .error: 3
      case .warning: 4
      case .info: 6
      case .debug: 7
      }
    }
  }

  package let level: Level

  private static let isForJournal = getenv("JOURNAL_STREAM") != nil

  package init(_ level: Level) {
    self.level = level
  }

  package func write(_ level: Level, _ text: String) {
    guard level <= self.level else { return }
    Output.errors.write(Self.line(level, text))
  }

  /// The text as one line, with its end. Control characters are made visible, so that a name in the text can make
  /// neither a second line nor a priority.
  package static func line(_ level: Level, _ text: String) -> String {
    isForJournal ? "<\(level.priority)>\(visible(text))\n" : "\(visible(text))\n"
  }
}
