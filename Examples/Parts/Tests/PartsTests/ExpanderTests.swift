import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("A door on a port expander")
struct ExpanderTests {
  private struct Door: Equatable {
    var isOpen = false
  }

  @Test("the button opens the door and closes it")
  func door() throws {
    let bench = Bench()
    let gpio = SimulatedChip(bench)
    let bus = SimulatedI2CBus(bench)
    let part = SimulatedMCP23017(on: bus, at: 0x20, interrupt: gpio.line("GPIO4"))
    let button = part.pins.contact(at: "GPA0")
    let expander = I2CExpander(MCP23017(), bus, address: 0x20, interrupt: "GPIO4", on: gpio)
    let cycle = Cycle(seed: Door()) {
      Lens(expander)
      Lens(Button(expander, line: "GPA0"), on: { door, event in if event == .pressed { door.isOpen.toggle() } })
      Lens(Relay(expander, line: "GPB7"), show: { $0.isOpen ? .on : .off })
    }
    try bench.run(cycle)
    for isOpen in [true, false] {
      try bench.advance(by: .milliseconds(100))
      try button.press()
      try bench.advance(by: .milliseconds(20))
      try button.release()
      #expect(part.pins.line("GPB7").level == (isOpen ? .high : .low))
    }
    bench.stop()
  }

  @Test("keeps the laws of chips")
  func laws() {
    let violations = ExpanderLaws.violations(outputs: ("GPB6", "GPB7"), input: "GPA0") { bench in
      let bus = SimulatedI2CBus(bench)
      let part = SimulatedMCP23017(on: bus, at: 0x20)
      let key = part.pins.contact(at: "GPA0")
      let setup = BusLawHarness(
        bus, plug: { $0 ? part.plug() : part.unplug() },
        picture: { part.pins.line("GPB6").level == .high ? "#" : "_" },
        showsFromStart: false, isPolled: true, repeatsTransfers: true,
        stimulate: { bench throws(DriverError) in
          for _ in 0..<2 {
            try key.press()
            try bench.advance(by: .milliseconds(80))
            try key.release()
            try bench.advance(by: .milliseconds(80))
          }
        })
      return (setup, I2CExpander(MCP23017(), bus, address: 0x20, settings: .init(poll: .milliseconds(20))))
    }
    #expect(violations == [])
  }
}
