import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

// idle: runs a keypad, two displays and lamps behind a shift register on the real loop, with simulated hardware, for a
// minute without an event. `tools/measure` counts how often the kernel wakes the process.

let bench = Bench(loop: try LinuxLoop())
let chip = SimulatedChip(bench)
let bus = SimulatedI2CBus(bench)
let board = SimulatedI2CCharacterDisplay(on: bus, at: 0x27)
let rows = (0..<4).map { LineName("GPIO\($0)") }
let columns = (4..<8).map { LineName("GPIO\($0)") }
let matrix = KeyMatrix(chip, rows: rows, columns: columns)
let data: [LineName] = ["GPIO23", "GPIO17", "GPIO27", "GPIO22"]
let display = SimulatedCharacterDisplay(on: chip, registerSelect: "GPIO25", enable: "GPIO24", data: data)
try bench.run(
  Cycle(seed: 0) {
    Lens(Keypad(chip, rows: rows, columns: columns), on: { frame, _ in frame += 1 })
    Lens(
      CharacterDisplay(chip, registerSelect: "GPIO25", enable: "GPIO24", data: data),
      show: { CharacterScreen(["Count \($0)"]) })
    Lens(I2CCharacterDisplay(bus, address: 0x27), show: { CharacterScreen(["Count \($0)"]) })
    Lens(
      ShiftRegister(chip, data: "GPIO10", clock: "GPIO11", latch: "GPIO12", settings: .init(chipCount: 8)),
      show: { LineValues(rawValue: UInt64($0)) })
  })
// Press a key first, so that every driver has rendered a change.
try matrix[1, 1].press()
try bench.advance(by: .milliseconds(100))
try matrix[1, 1].release()
try bench.advance(by: .seconds(1))
precondition(display.rows == board.display.rows && display.rows[0].hasPrefix("Count 2"), "both displays show the count")
try bench.advance(by: .seconds(60))
