import CycleCore

/// Errors of a source of numbers: the real sources and the simulated one report the same text.
package struct NumberErrorFactory {
  /// The source's name in messages.
  package var source: String

  package init(_ source: String) {
    self.source = source
  }

  private func error(
    _ kind: DriverError.Kind, _ reason: String, _ cause: DriverError.Cause? = nil, remedy: String
  ) -> DriverError {
    DriverError(
      kind, of: source, cannot: "read the sensor \(source)", reason: reason, cause: cause, remedy: remedy)
  }

  /// - Parameter remedy: a remedy that lists the existing ones.
  package func absent(_ reason: String, cause: DriverError.Cause? = nil, remedy: String) -> DriverError {
    error(.absent, reason, cause, remedy: remedy)
  }

  package func unplugged() -> DriverError {
    error(.absent, "it is not there", remedy: "Check its wires and its supply; it is read again when it is back.")
  }

  package func unread() -> DriverError {
    error(.unread, "its first number is still to come", remedy: "Wait for it.")
  }

  package func lost(cause: DriverError.Cause? = nil) -> DriverError {
    error(
      .lost, "it does not answer", cause,
      remedy: "Check its wires and its supply; it is read again when it is back.")
  }

  package func busy(cause: DriverError.Cause) -> DriverError {
    error(
      .busy, "another program measures with it", cause,
      remedy: "End that program, or the buffer that it has enabled.")
  }

  package func notPermitted(_ path: String, cause: DriverError.Cause) -> DriverError {
    error(.notPermitted, "permission denied", cause, remedy: "Let this user read \(path).")
  }

  package func ambiguous(_ name: String, _ places: [String]) -> DriverError {
    error(
      .misconfigured, "\(places.joined(separator: " and ")) are all called \(name)",
      remedy: "Name one of them by its number, which may change when the system starts, or give them labels.")
  }

  package func failed(_ reason: String, cause: DriverError.Cause? = nil, remedy: String) -> DriverError {
    error(.failed, reason, cause, remedy: remedy)
  }

  package func noFile(_ path: String, what: String) -> DriverError {
    error(.unsupported, "\(path) is \(what) and no file", remedy: "Name a file that holds a number.")
  }

  package func empty(_ path: String) -> DriverError {
    error(.failed, "\(path) is empty", remedy: "The program that writes the file must write a number into it.")
  }

  package func noNumber(_ path: String, text: String) -> DriverError {
    error(
      .failed, "\(path) has no number but \(text)",
      remedy: "Name a file with a decimal number in its first \(NumberText.longest) bytes.")
  }

  package func notFinite() -> DriverError {
    error(.failed, "what it gave is no finite number", remedy: "Check its scale and its offset.")
  }

  package func silent(for span: Duration) -> DriverError {
    error(
      .failed, "a reading has not ended for \(span.components.seconds) s",
      remedy: "Its bus or its driver hangs: `dmesg` can show why. Reading continues when the call returns.")
  }
}
