/// The notes that depend on the lines of a panel, not on its kinds of devices.
///
/// **Sources**: "GPIO and the 40-pin header" in the documentation of Raspberry Pi, for the functions; the reduced
/// schematics, for the 1.8 kΩ; raspberrypi/documentation, pull request 2651, for the lines of I2S.
enum HeaderNotes {
  /// Each note with its devices, as indexes in the plan; empty for a board without the header.
  static func notes(of plan: WiringPlan) -> [(WiringNote, [Int])] {
    guard plan.isOnHeader else { return [] }
    let uses = plan.devices.enumerated().flatMap { index, device in
      device.terminals.compactMap { terminal in
        BoardHeader.line(named: terminal.line).map { Use(line: $0, device: index, terminal: terminal) }
      }
    }
    var notes: [(WiringNote, [Int])] = []

    /// Adds a note about lines of `function` that have a different use, and that have a pull-down or not.
    func add(_ function: BoardHeader.Function, isPulledDown: Bool? = nil, _ text: (String) -> String) {
      let meant = uses.filter { use in
        BoardHeader.lines(of: function).contains(use.line) && use.terminal.function != function
          && isPulledDown.map { $0 == (use.terminal.pull == .down) } ?? true
      }
      guard !meant.isEmpty else { return }
      let lines = Set(meant.map(\.line)).sorted().map { "GPIO\($0)" }.joined(separator: ", ")
      notes.append((WiringNote(text(lines)), meant.map(\.device)))
    }

    add(.i2c, isPulledDown: true) { _ in
      "GPIO2 and GPIO3 have 1.8 kΩ to 3.3 V on the board: \"pull: down\" cannot work there. Use another line."
    }
    add(.i2c, isPulledDown: false) { _ in
      "GPIO2 and GPIO3 have 1.8 kΩ to 3.3 V on the board: good for contacts to ground; an LED there glows while the line is not driven."
    }
    add(.i2c) { lines in
      let isOne = !lines.contains(",")
      return uses.contains { $0.terminal.function == .i2c }
        ? "\(lines): \(isOne ? "a line" : "lines") of the I²C bus, which this panel uses. Use \(isOne ? "another line" : "other lines")."
        : "\(lines) \(isOne ? "is a line of" : "are") the I²C bus: leave the bus off (raspi-config), and connect no HAT or display to it."
    }
    add(.spi) { lines in
      uses.contains { $0.terminal.function == .spi }
        ? "\(lines): the kernel drives the lines of the SPI bus that this panel uses. Use other lines."
        : "\(lines): used by SPI if it is on (gpioinfo shows \"spi0 CS0\"). Switch SPI off in raspi-config."
    }
    add(.serialConsole) { "\($0): the serial console writes there at boot. Switch it off in raspi-config." }
    let oneWire = uses.filter { BoardHeader.lines(of: .oneWire).contains($0.line) }
    if Set(oneWire.map { $0.terminal.function == .oneWire }).count > 1 {
      notes.append((.oneWireShared, oneWire.map(\.device)))
    } else {
      add(.oneWire) { "\($0): used by 1-Wire if it is on (dtoverlay=w1-gpio)." }
    }
    if plan.playsSounds {
      add(.i2sSound) { "\($0): used by I2S sound cards (HATs). With the headphone jack, HDMI or USB they are free." }
      add(.pwmSound) {
        "\($0): analog sound uses it only with dtoverlay=audremap (on a Pi Zero, which has no jack). Leave that out of config.txt."
      }
    }
    return notes
  }

  /// A line that a device uses.
  private struct Use {
    let line: Int
    let device: Int
    let terminal: WiringTerminal
  }
}
