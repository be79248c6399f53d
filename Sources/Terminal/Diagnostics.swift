import Glibc
import Synchronization

/// A command's messages on standard error: with syslog priorities if standard error is journald's.
package struct Diagnostics: Sendable {
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    package static func < (left: Level, right: Level) -> Bool { left.priority < right.priority }

    /// The priority in syslog(3).
    var priority: Int {
      switch self {
      case .error: 3
      case .warning: 4
      case .info: 6
      case .debug: 7
      }
    }
  }

  /// The least important level that is written. All copies of a value share it.
  package var level: Level { chosen.level }
  private let chosen: ChosenLevel
  private let first: Level

  private static let isForJournal = isJournal(getenv("JOURNAL_STREAM").map { String(cString: $0) }, STDERR_FILENO)

  /// Whether a descriptor belongs to journald. `JOURNAL_STREAM` contains the numbers of its device and its inode, as
  /// described in systemd.exec(5). Programs whose standard error is a different one inherit the variable.
  package static func isJournal(_ stream: String?, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  package init(_ level: Level) {
    (chosen, first) = (ChosenLevel(level), level)
  }

  /// Changes the level from now on.
  ///
  /// - Parameter level: the least important level that is written.
  package func change(to level: Level) { chosen.change(to: level) }

  package func write(_ level: Level, _ text: String) {
    guard writes(level) else { return }
    Output.errors.write(Self.line(level, text))
  }

  func writes(_ level: Level) -> Bool { level <= self.level }

  func records(_ level: Level) -> Bool { level <= max(self.level, first) }

  /// Writes a record of another user's action. ``change(to:)`` can add records, but never hides those of the initial
  /// level.
  package func record(_ level: Level, _ text: String) {
    guard records(level) else { return }
    Output.errors.write(Self.line(level, text))
  }

  /// Returns the text as one line, with its end. Makes control characters visible, so that a name in the text can add
  /// neither a second line nor a priority.
  package static func line(_ level: Level, _ text: String) -> String {
    isForJournal ? "<\(level.priority)>\(visible(text))\n" : "\(visible(text))\n"
  }
}

/// The level of a ``Diagnostics`` and of its copies, which other threads can have.
private final class ChosenLevel: Sendable {
  private let place: Atomic<Int>

  init(_ level: Diagnostics.Level) {
    place = Atomic(Self.place(of: level))
  }

  var level: Diagnostics.Level { Diagnostics.Level.allCases[place.load(ordering: .relaxed)] }

  func change(to level: Diagnostics.Level) { place.store(Self.place(of: level), ordering: .relaxed) }

  private static func place(of level: Diagnostics.Level) -> Int {
    Diagnostics.Level.allCases.firstIndex(of: level) ?? 0
  }
}
