import CycleCore
import HardwareDrivers

/// A line as the kernel describes it, without being requested.
package struct LineInspection: Equatable, Sendable {
  /// The name as requested.
  package var name: String
  /// The kernel's name of the chip and its label: `gpiochip0 (pinctrl-bcm2711)`.
  package var chip: String
  /// The name that the holder gave itself; empty if the kernel doesn't report it. Nil if the line is free.
  package var holder: String?

  package init(name: String, chip: String, holder: String?) {
    self.name = name
    self.chip = chip
    self.holder = holder
  }
}

extension LinuxGPIO {
  /// Reads the state of lines without requesting them. Calls `gpiod_chip_get_line_info` (libgpiod 2) or
  /// `gpiod_line_consumer` (1.6).
  ///
  /// - Throws: as ``request(_:consumer:)``, if a chip or a line can't be found or a chip can't be opened.
  package func inspect(_ names: [LineName]) throws(DriverError) -> [LineInspection] {
    try withFinder { (finder) throws(DriverError) in
      let shares = try finder.shares(of: names.map { LineConfiguration($0, .input(.asIs)) }, on: choice)
      var found: [(place: Int, line: LineInspection)] = []
      for share in shares {
        for (line, place) in zip(share.lines, share.places) {
          let info: SystemLineInfo
          do throws(SystemFailure) {
            info = try share.chip.lineInfo(line.offset)
          } catch {
            throw GPIOErrorFactory.unreadableLines(share.info, error)
          }
          let inspection = LineInspection(
            name: names[place].description, chip: share.info.description, holder: info.isUsed ? info.consumer : nil)
          found.append((place, inspection))
        }
      }
      return found.sorted { $0.place < $1.place }.map(\.line)
    }
  }

  /// All chips that this user can open: `gpiochip0 (pinctrl-bcm2711), 58 lines`.
  ///
  /// - Throws: kind `absent` if there is none, `notPermitted` if this user may open none.
  package func chips() throws(DriverError) -> [String] {
    try withFinder { (finder) throws(DriverError) in
      try finder.infos().map { "\($0), \($0.lineCount) lines" }
    }
  }
}
