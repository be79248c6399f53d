import CycleCore

/// Errors in the use of lines that don't depend on the chip: the real chip and the simulated one report the same text.
/// Throw them in a ``GPIOChip`` of your own.
public enum LineRequestErrorFactory {
  /// Throws if the lines can't be requested or configured together on any chip.
  public static func check(_ lines: [LineConfiguration]) throws(DriverError) {
    guard (1...64).contains(lines.count) else { throw count(lines.count) }
    if lines.contains(where: { $0.name.description.isEmpty }) { throw emptyName }
    for line in lines where line.debounce.wholeNanoseconds > Int64(UInt32.max) * 1000 { throw debounceTooLong(line) }
    let attributes = LineAttributeCount(of: lines)
    guard attributes.count <= LineAttributeCount.most else { throw tooManySettings(lines.count, attributes) }
  }

  private static func count(_ count: Int) -> DriverError {
    DriverError(
      .misconfigured, cannot: "request \(count) lines together", reason: "one request has 1 to 64 lines",
      remedy: "Spread the lines over several drivers.")
  }

  private static func tooManySettings(_ lines: Int, _ attributes: LineAttributeCount) -> DriverError {
    DriverError(
      .misconfigured, cannot: "request \(lines) lines together",
      reason:
        "their settings need \(attributes.count) attributes, and the kernel allows \(LineAttributeCount.most) per request",
      remedy: "Give them equal debounce periods, pulls, drives and polarities, or spread them over several drivers.")
  }

  private static var emptyName: DriverError {
    DriverError(
      .misconfigured, cannot: "request a line", reason: "its name is empty",
      remedy: "A line without a name is requested by chip and offset, as in \"gpiochip0:17\".")
  }

  private static func debounceTooLong(_ line: LineConfiguration) -> DriverError {
    DriverError(
      .misconfigured, of: line.name.description, cannot: "debounce line \(line.name) for \(line.debounce)",
      reason: "the longest debounce period is 4294.967295 seconds", remedy: "Choose a shorter one.")
  }

  /// The error if one request names the same line twice.
  public static func namedTwice(_ first: LineName, _ second: LineName) -> DriverError {
    DriverError(
      .misconfigured, of: "\(second)", cannot: "request line \(second) twice",
      reason: first == second ? "a driver names it two times" : "\(first) is the same line",
      remedy: "Give each use a line of its own.")
  }

  /// The error if two requests of this application use the same line.
  public static func usedTwice(_ line: LineConfiguration, of chip: String, cause: DriverError.Cause?) -> DriverError {
    DriverError(
      .misconfigured, of: line.name.description, cannot: "request line \(line.name) of \(chip) as \(direction(line))",
      reason: "this application uses it twice", cause: cause,
      remedy: "Another of its drivers holds the line: give each a line of its own.")
  }

  /// The error if no edge has arrived since a storm of edges.
  package static func silent(_ lines: [LineName]) -> DriverError {
    var error = DriverError(
      .lost, of: lines.map(\.description).joined(separator: ", "),
      cannot: "read the edges of lines \(lines.map(\.description).joined(separator: ", "))",
      reason: "no edge arrived for 1 s after a burst of lost edges, and the kernel may have disabled the interrupt",
      remedy:
        "They are requested again, which enables it. Check for a bouncing contact, and for a line without a pull resistor."
    )
    error.isHardwarePresent = true
    return error
  }

  /// `input` or `output`.
  package static func direction(_ line: LineConfiguration) -> String { line.isOutput ? "output" : "input" }
}
