import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import tally

@Test("each press lights one more lamp and beeps, and holding clears the count")
func presses() throws {
  let platform = try Platform(.simulated)
  let (bench, chip, card) = (platform.bench, platform.simulatedChip!, platform.simulatedCard!)
  let button = chip.contact(at: "GPIO17")
  let lamps = ["GPIO5", "GPIO6", "GPIO13"].map { chip.line($0) }
  try TestStore.run(Tally.makeCycle(on: platform), on: bench) { store in
    for count in 1...2 {
      try button.press()
      try store.advance(by: .milliseconds(100)) { $0 = Tally.Frame(count: count, isBeeping: true) }
      try button.release()
      try bench.advance(by: .milliseconds(100))
      try store.receive(Button.Event.released, from: "Button") { $0.isBeeping = false }
      try store.receive(Button.Event.clicked, from: "Button")
    }
    #expect(lamps.map(\.level) == [.high, .high, .low])
    #expect(card.samples.contains { $0 != 0 })

    try button.press()
    try store.advance(by: .seconds(1)) { $0 = Tally.Frame(count: 3, isBeeping: true) }
    try store.advance(by: .seconds(2)) { $0.count = 0 }
    #expect(lamps.map(\.level) == [.low, .low, .low])
    try button.release()
    try store.advance(by: .seconds(1)) { $0.isBeeping = false }
    // The player keeps its card open, and wakes for each period.
    store.allowsAlarms(of: "AudioPlayer")
  }
}
