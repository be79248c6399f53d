import Glibc

/// A line on the terminal behind standard error that says how far a command is, and goes again.
package final class ProgressLine {
  /// Whether standard error is a terminal that can take the line away again.
  package let isSeen: Bool
  private let write: (String) -> Void
  private var isShown = false
  private let elapsed: () -> Duration
  private var next: Duration

  /// How long a command runs before the line appears, and how often it changes.
  private static let patience = Duration.seconds(1)
  private static let pause = Duration.milliseconds(250)

  package convenience init() {
    let beginning = ContinuousClock.now
    self.init(
      isSeen: isatty(STDERR_FILENO) == 1 && TerminalAbilities.ofThisProcess.movesCursor,
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

  /// Shows a line in place of the one before.
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

  /// Takes the line away, before something else is written.
  package func clear() {
    guard isShown else { return }
    isShown = false
    write("\r\u{1B}[K")
  }

  /// `00:14`, `1:02:03`.
  package static func clock(_ span: Duration) -> String {
    let seconds = Int(span.components.seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let rest = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return seconds < 3600 ? rest : "\(seconds / 3600):\(rest)"
  }

  /// A number with spaces between its thousands: `12 400`.
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
