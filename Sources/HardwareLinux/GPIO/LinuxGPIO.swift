import CycleCore
import HardwareDrivers

/// The GPIO lines of a real board: the kernel's character devices, through libgpiod 1.6 or 2.x.
///
///     let chip = LinuxGPIO()
///     Lens(Button(chip, line: "GPIO17"), ...)
///
/// Each request searches for its chips again, by label and line name and never only by number: a chip that went away
/// may return under a different number. No file is open while no lines are requested.
public final class LinuxGPIO: GPIOChip {
  let choice: GPIOChipPort.ChipChoice
  private let deviceFolder: String
  private let system: any GPIOSystem
  private let heldLines = HeldLines()
  /// The chips on which lines have been requested, each with its label, in the order of the requests: `gpiochip0
  /// (pinctrl-bcm2711)`.
  package private(set) var chipsInUse: [String] = []

  /// Doesn't open a chip.
  ///
  /// - Parameter deviceFolder: the folder of the chips' nodes.
  /// - Parameter choice: the chip on which lines are searched.
  public convenience init(_ choice: GPIOChipPort.ChipChoice = .auto, deviceFolder: String = "/dev") {
    self.init(choice, deviceFolder: deviceFolder, system: LibGPIOD())
  }

  init(_ choice: GPIOChipPort.ChipChoice, deviceFolder: String, system: any GPIOSystem) {
    self.choice = choice
    self.deviceFolder = deviceFolder
    self.system = system
  }

  /// Requests all lines together, with one request of the kernel for each chip that they are on.
  ///
  /// Outputs hold their initial values from the first instant. Calls `gpiod_chip_request_lines` (libgpiod 2) or
  /// `gpiod_line_request` and `gpiod_line_request_bulk` (1.6).
  ///
  /// - Throws: one of these errors; then it holds no line. Kind `absent`: the chip is missing, or with
  ///   ``HardwareDrivers/GPIOChipPort/ChipChoice/auto`` no chip has this line, because a chip plugged in later may have
  ///   it. Kind `busy`: another program holds a line. Kind `notPermitted`: permission is missing. Kind `unsupported`:
  ///   the chip doesn't support a setting. Kind `lost`: the chip is gone since it was opened. Kind `misconfigured`: the
  ///   chip doesn't have a line, this application uses a line twice, or the number of lines isn't 1 to 64. On a
  ///   Raspberry Pi `GPIO` and a number can only mean the header, so such an unknown line is `misconfigured`.
  public func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    try LineRequestErrorFactory.check(lines)
    return try withFinder { (finder) throws(DriverError) in try request(lines, consumer: consumer, with: finder) }
  }

  private func request(
    _ lines: [LineConfiguration], consumer: String, with finder: ChipFinder
  ) throws(DriverError) -> any LineRequest {
    let shares = try finder.shares(of: lines, on: choice)
    var parts: [CompositeRequest.Part] = []
    do throws(DriverError) {
      for share in shares {
        let request = try KernelRequest(
          share, consumer: consumer, system: system, heldLines: heldLines, deviceFolder: deviceFolder)
        parts.append(CompositeRequest.Part(request: request, lines: share.places))
      }
    } catch {
      for part in parts { part.request.release() }
      throw error
    }
    for info in shares.map(\.info) {
      if !chipsInUse.contains(info.description) { chipsInUse.append(info.description) }
    }
    guard parts.count > 1 else { return parts[0].request }
    return CompositeRequest(parts) { [system] in Moment(nanoseconds: system.clocks.monotonic) }
  }

  /// Runs a function with a finder. Afterwards the chips are closed, except those that a request has taken over.
  func withFinder<Result>(_ body: (ChipFinder) throws(DriverError) -> Result) throws(DriverError) -> Result {
    guard system.generation != 0 else { throw GPIOErrorFactory.missingLibrary(on: .current) }
    let finder = ChipFinder(system: system, deviceFolder: deviceFolder)
    defer { finder.close() }
    return try body(finder)
  }

  /// Wakes the watcher whenever a device appears, goes or changes its permissions in the device folder. Calls
  /// `inotify_add_watch`.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try FolderWatch(deviceFolder, for: "a GPIO chip", watcher)
  }
}
