import CycleCore
import HardwareDrivers
import HardwareLinux
import Testing

@testable import tally

@Test("each press lights one more lamp and beeps, and holding clears the count")
func presses() throws {
  let platform = try Platform(.simulated)
  let (bench, chip, card) = (platform.bench, platform.simulatedChip!, platform.simulatedCard!)
  let button = chip.contact(at: "GPIO17")
  let lamps = ["GPIO5", "GPIO6", "GPIO13"].map { chip.line($0) }
  try bench.run(Tally.makeCycle(on: platform))

  for _ in 1...2 {
    try button.press()
    try bench.advance(by: .milliseconds(100))
    try button.release()
    try bench.advance(by: .milliseconds(100))
  }
  #expect(lamps.map(\.level) == [.high, .high, .low])
  #expect(card.samples.contains { $0 != 0 })

  try button.press()
  try bench.advance(by: .seconds(3))
  #expect(lamps.map(\.level) == [.low, .low, .low])
  bench.stop()
}
