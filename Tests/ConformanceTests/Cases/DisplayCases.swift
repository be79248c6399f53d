import CycleCore
import HardwareDrivers
import HardwareSimulation

extension Case where Stand == any LineStand {
  static let displays = [
    LineCase("a character display shows its text, and is never written to while it is busy") { stand, findings in
      let display = SimulatedCharacterDisplay(at: stand.bench.now)
      let chip = WatchedChip(stand.chip, on: stand.bench) { values, moment, isDriven in
        display.follow(
          SimulatedCharacterDisplay.Wires(
            isData: values[0].isActive, isEnabled: values[1].isActive, nibble: UInt8(values.rawValue >> 2 & 0xF)),
          at: moment, isDriven: isDriven)
      }
      let device = CharacterDisplay(
        chip, registerSelect: stand.name(1), enable: stand.name(2), data: (3...6).map { stand.name($0) })
      let trial = try Trial(device, showing: CharacterScreen(["The first text"]), on: stand.bench)
      try stand.pass(300)
      findings.equal("the first text", display.rows, ["The first text  ", "                "])
      for text in ["second", "and a third", "the last one"] {
        try trial.show(CharacterScreen(["one of them is", text]))
        try stand.bench.advance(by: .milliseconds(3))
      }
      try stand.pass(300)
      findings.equal("the last text", display.rows, ["one of them is  ", "the last one    "])
      findings.equal("E at rest", try stand.level(2), .low)
      try stand.unplug()
      try stand.pass(20)
      try stand.plug()
      try stand.pass(500)
      findings.equal("after a loss", display.rows, ["one of them is  ", "the last one    "])
      findings.equal("troubles", trial.events, ["lost", "restored"])
      stand.bench.stop()
      findings.equal("at the end", display.rows, ["                ", "                "])
      findings.equal("faults", display.faults, [])
      findings.expect(stand.areFree(Array(1...6)), "the lines are released")
    }
  ]
}
