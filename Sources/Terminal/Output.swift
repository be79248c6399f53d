import CycleCore
import Glibc

/// Standard output and standard error.
package enum Output {
  package static let standard = NonBlockingWriter(STDOUT_FILENO) { lines in "(\(counted(lines, "line")) not written)\n"
  }
  package static let errors = NonBlockingWriter(STDERR_FILENO) { lines in
    Diagnostics.line(.warning, "panel: \(counted(lines, "line")) not written: standard error was not read")
  }

  /// The time for which the end of a command waits for a reader, if it must not wait forever.
  package static let patience = Duration.seconds(1)

  /// Prints a line on standard output.
  package static func print(_ line: String) { standard.write(visible(line) + "\n") }

  /// Returns the function that prints the lines of a command that also writes a file. If standard output has the file,
  /// because its path is `-`, the lines go to standard error.
  package static func lines(beside path: String?) -> (String) -> Void {
    guard path == "-" else { return Output.print }
    return { errors.write(visible($0) + "\n") }
  }

  /// Waits until all output has been written. If standard output could not be written, prints an error and returns its
  /// status.
  ///
  /// - Parameter limit: the time to wait for each stream; nil for no limit.
  /// - Returns: ``ExitStatus/cannotWrite`` if a write has failed; nil if none has.
  package static func finish(within limit: Duration?, _ diagnostics: Diagnostics) -> Int32? {
    standard.flush(within: limit)
    defer { errors.flush(within: limit) }
    guard let code = standard.failure else { return nil }
    diagnostics.write(
      .error,
      "panel: cannot write standard output: \(String(cString: strerror(code))). Free some space, or write it elsewhere."
    )
    return ExitStatus.cannotWrite
  }
}
