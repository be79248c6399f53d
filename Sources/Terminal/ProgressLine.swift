import Glibc

/// A line on standard error's terminal that shows the progress of a command, and is removed at the end.
package final class ProgressLine {
  /// Whether standard error is a terminal on which the line can be removed.
  package let isSeen: Bool
  private let write: (String) -> Void
  private var isShown = false
  private let elapsed: () -> Duration
  private var next: Duration

  /// The time before the line appears, and the time between its changes.
  private static let patience = Duration.seconds(1)
  private static let pause = Duration.milliseconds(250)

  package convenience init() {
    let beginning = ContinuousClock.now
    self.init(
      isSeen: isatty(STDERR_FILENO) == 1 && TerminalCapabilities.ofThisProcess.movesCursor,
      elapsed: { ContinuousClock.now - beginning },
      write: { Output.errors.write($0) })
  }

  /// - Parameters:
  ///   - isSeen: whether there is a terminal.
  ///   - elapsed: the time since the command began.
  ///   - write: writes to the terminal.
  package init(isSeen: Bool, elapsed: @escaping () -> Duration = { .zero }, write: @escaping (String) -> Void) {
    (self.isSeen, self.elapsed, self.write) = (isSeen, elapsed, write)
    next = Self.patience
  }

  /// Replaces the shown line.
  package func show(_ text: String) {
    guard isSeen else { return }
    isShown = true
    write("\r\u{1B}[K\(visible(text))")
  }

  /// Shows a line and the time since the command began, at most four times per second and not in its first second.
  ///
  /// - Parameter text: makes the line; called only if it is shown.
  package func update(_ text: () -> String) {
    guard isSeen else { return }
    let elapsed = elapsed()
    guard elapsed >= next else { return }
    next = elapsed + Self.pause
    show("\(text()), \(Self.clock(elapsed)) (Ctrl-C stops)")
  }

  /// Removes the line, before other text is written.
  package func clear() {
    guard isShown else { return }
    isShown = false
    write("\r\u{1B}[K")
  }

  /// Returns the time as `00:14` or `1:02:03`.
  package static func clock(_ span: Duration) -> String {
    let seconds = Int(span.components.seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let rest = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return seconds < 3600 ? rest : "\(seconds / 3600):\(rest)"
  }

  /// Returns a number with spaces between its thousands: `12 400`.
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(" ", at: place)
      place -= 3
    }
    return String(digits)
  }
}
