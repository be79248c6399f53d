import Glibc

/// What a command tells on standard error: with journald's priorities where journald listens.
struct Diagnostics: Sendable {
  enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    static func < (left: Level, right: Level) -> Bool { left.priority < right.priority }

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

  let level: Level
  private let isForJournal: Bool

  init(_ level: Level) {
    self.level = level
    isForJournal = getenv("JOURNAL_STREAM") != nil
  }

  func write(_ level: Level, _ text: String) {
    guard level <= self.level else { return }
    Output.write(isForJournal ? "<\(level.priority)>\(text)\n" : "\(text)\n", to: STDERR_FILENO)
  }
}

/// Writes text to a descriptor, whole.
enum Output {
  /// Gives up when the reader is gone: there is nobody to tell.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
        if count > 0 {
          written += count
        } else if errno != EINTR && errno != EAGAIN {
          return
        }
      }
    }
  }
}
