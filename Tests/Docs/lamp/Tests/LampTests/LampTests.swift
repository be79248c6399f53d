import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import lamp

@Test("a press lights the lamp, and the next press turns it off")
func presses() throws {
  let platform = try Platform(.simulated)
  let bench = platform.bench
  let chip = platform.simulatedChip!
  let button = chip.contact(at: "GPIO17")
  let lamp = chip.line("GPIO23")
  try TestStore.run(Lamp.makeCycle(on: platform), on: bench) { store in
    for isLit in [true, false] {
      try button.press()
      try store.advance(by: .milliseconds(100)) { $0.isLit = isLit }
      #expect(lamp.level == (isLit ? .high : .low))
      try button.release()
      try bench.advance(by: .milliseconds(100))
      try store.receive(Button.Event.released, from: "Button")
      try store.receive(Button.Event.clicked, from: "Button")
    }
  }
}
