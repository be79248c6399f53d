import CycleCore
import HardwareDrivers

/// The errors of chips and lines, each with the failed operation, the reason and the remedy.
enum GPIOErrorFactory {
  // MARK: - Finding

  static func missingLibrary(on release: OSRelease) -> DriverError {
    LibraryPackage.gpiod.missing(cannot: "use GPIO", on: release, or: "use --gpio simulated")
  }

  static func unreadableFolder(_ folder: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: folder, cannot: "look for GPIO chips in \(folder)", reason: failure.reason,
      cause: failure.cause,
      remedy: "Check that the folder exists and may be read.")
  }

  static func noChip(_ folder: String) -> DriverError {
    DriverError(
      .absent, of: folder, cannot: "find a GPIO chip", reason: "there is no gpiochip in \(folder)",
      remedy:
        "Check with `gpiodetect` that the kernel has a driver for GPIO lines of this board, or simulate the panel.")
  }

  static func unknownChip(_ name: String, _ known: [SystemChipInfo]) -> DriverError {
    let list = known.map { "\($0.name) (\($0.label), \($0.lineCount) lines)" }.joined(separator: ", ")
    return DriverError(
      .absent, of: name, cannot: "find GPIO chip \"\(name)\"", reason: "no chip has this label, name or path",
      remedy: "Choose one of these: \(list).")
  }

  static func notAChip(_ path: String) -> DriverError {
    DriverError(
      .unsupported, of: path, cannot: "find GPIO chip \"\(path)\"", reason: "not a GPIO chip",
      remedy: "Choose one that `gpiodetect` lists.")
  }

  static func cannotOpen(_ path: String, _ failure: SystemFailure) -> DriverError {
    let remedy =
      switch failure.kind {
      case .notPermitted:
        "Add this user to the group \"gpio\" (`sudo usermod -aG gpio USER`) and log in again; "
          + "if there is no such group, give the chip one with a udev rule."
      default:
        "`gpiodetect` shows whether the chip works for other programs."
      }
    return DriverError(
      failure.kind, of: path, cannot: "open \(path)", reason: failure.reason, cause: failure.cause, remedy: remedy)
  }

  static func unreadableLines(_ chip: SystemChipInfo, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: chip.label, cannot: "read the line names of \(chip.label)", reason: reason(failure),
      cause: failure.cause,
      remedy: "`gpioinfo` shows whether the chip works for other programs.")
  }

  /// - Parameter mayCome: whether a chip that isn't there yet may have the line.
  static func unknownLine(
    _ line: LineConfiguration, on chip: SystemChipInfo?, known: [String], mayCome: Bool
  ) -> DriverError {
    let near = nearest(to: line.name.description, among: known).map { "The nearest is \($0); `" } ?? "`"
    return DriverError(
      mayCome ? .absent : .misconfigured,
      of: line.name.description,
      cannot:
        "request line \(line.name)\(chip.map { " of \($0.label)" } ?? "") as \(LineRequestErrorFactory.direction(line))",
      reason: chip == nil ? "no chip has a line of that name" : "the chip has no line of that name",
      remedy: "\(near)gpioinfo` lists all lines.")
  }

  static func offsetTooLarge(_ offset: Int, _ line: LineConfiguration, _ chip: SystemChipInfo) -> DriverError {
    DriverError(
      .misconfigured, of: line.name.description,
      cannot: "request line \(line.name) of \(chip.label) as \(LineRequestErrorFactory.direction(line))",
      reason: "its lines are 0 to \(chip.lineCount - 1)",
      remedy: "`gpioinfo \(chip.name)` lists them.")
  }

  // MARK: - Requests

  /// The error if the kernel refused the request. On EBUSY this finds the busy line and its consumer.
  static func request(_ share: ChipShare, _ failure: SystemFailure, heldHere: HeldLines) -> DriverError {
    if failure.kind == .busy { return busy(share, failure, heldHere) }
    let remedy =
      switch failure.kind {
      case .notPermitted: "Add this user to the group \"gpio\" (`sudo usermod -aG gpio USER`) and log in again."
      case .lost: "It is searched for again when a chip appears."
      case .unsupported: "Ask for less: no bias, drive or debouncing; edges need a chip with interrupts."
      default: "`gpioinfo` shows the state of the lines."
      }
    return refusal(share.configurations, of: share.info, failure, remedy)
  }

  private static func busy(_ share: ChipShare, _ failure: SystemFailure, _ heldHere: HeldLines) -> DriverError {
    for (line, configuration) in zip(share.lines, share.configurations) {
      guard let info = try? share.chip.lineInfo(line.offset), info.isUsed else { continue }
      if heldHere.contains(line.offset, of: share.info) {
        return LineRequestErrorFactory.usedTwice(configuration, of: share.info.label, cause: failure.cause)
      }
      let holder = info.consumer.isEmpty ? "Another program or the kernel" : "\"\(info.consumer)\""
      return refusal(
        [configuration], of: share.info, failure,
        "\(holder) uses it. Stop that program or choose another line; `gpioinfo` lists the users of all lines.")
    }
    return refusal(
      share.configurations, of: share.info, failure, "Another program used one of them a moment ago: try again.")
  }

  private static func refusal(
    _ lines: [LineConfiguration], of chip: SystemChipInfo, _ failure: SystemFailure, _ remedy: String
  ) -> DriverError {
    let words = Set(lines.map { LineRequestErrorFactory.direction($0) })
    let direction = words.count == 1 ? " as \(words.first!)" : ""
    return DriverError(
      failure.kind, of: lines.map(\.name.description).joined(separator: ", "),
      cannot: "request \(subject(lines.map(\.name))) of \(chip.label)\(direction)",
      reason: reason(failure), cause: failure.cause, remedy: remedy)
  }

  /// The error if an operation on held lines has failed.
  static func use(_ operation: String, _ names: [LineName], of chip: SystemChipInfo, _ failure: SystemFailure)
    -> DriverError
  {
    let remedy =
      switch failure.kind {
      case .lost: "Check its cable and power; when it is back, its lines are requested again."
      case .unsupported where operation == "reconfigure":
        "Ask for less: no bias or drive; libgpiod 1.6 changes lines that are held with Linux 5.5 or newer only."
      default: "`gpioinfo` shows the state of the lines."
      }
    return DriverError(
      failure.kind, of: names.map(\.description).joined(separator: ", "),
      cannot: "\(operation) \(subject(names)) of \(chip.label)", reason: reason(failure),
      cause: failure.cause, remedy: remedy)
  }

  // MARK: - Words

  private static func reason(_ failure: SystemFailure) -> String {
    failure.kind == .lost ? "the chip was removed" : failure.reason
  }

  /// The text `line GPIO5`, or `lines GPIO5, GPIO6`; of many lines the first four.
  private static func subject(_ names: [LineName]) -> String {
    let shown = names.prefix(4).map(\.description).joined(separator: ", ")
    let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
    return "\(names.count == 1 ? "line" : "lines") \(shown)\(rest)"
  }
}
