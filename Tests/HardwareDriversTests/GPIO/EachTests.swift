import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("Each")
struct EachTests {
  @Test("buttons share one request, and their events carry their number", arguments: generations)
  func buttons(generation: SimulatedChip.Generation) throws {
    let rig = Rig(generation, showing: [NoModel(), NoModel(), NoModel()]) { chip in
      Each(["GPIO17", "GPIO22", "GPIO27"].map { Button(chip, line: $0) })
    }
    try rig.run()
    #expect(rig.chip.requestCount == 1)
    try rig.chip.contact(at: "GPIO27").press()
    try rig.advance(1)
    try rig.chip.contact(at: "GPIO17").press()
    try rig.advance(20)
    #expect(rig.events == ["device(2, \(Self.name).pressed)@5", "device(0, \(Self.name).pressed)@6"])
    rig.stop()
  }

  private static let name = "HardwareDrivers.Button.Event"

  @Test("what changes in one frame is written in one call, and only that")
  func lamps() throws {
    let off: [LED.Model] = [.off, .off, .off]
    let rig = Rig(showing: off) { chip in Each(["GPIO5", "GPIO6", "GPIO13"].map { LED(chip, line: $0) }) }
    try rig.run()
    try rig.show([.on, .off, .on])
    #expect(rig.chip.writeCount == 1)
    #expect(["GPIO5", "GPIO6", "GPIO13"].map { rig.chip.line($0).level } == [.high, .low, .high])
    try rig.show([.on, .blink(.milliseconds(2)), .on])
    try rig.advance(5)
    try rig.show([.off, .blink(.milliseconds(2)), .on])
    try rig.advance(5)
    // The other lamp's change leaves the rhythm of this one alone.
    #expect(rig.wave("GPIO6", steps: 10) == "##__##__##")
    rig.stop()
  }

  @Test("lamps that blink in step are switched together")
  func together() throws {
    let rig = Rig(showing: [LED.Model](repeating: .blink(.milliseconds(5)), count: 8)) { chip in
      Each((0..<8).map { LED(chip, line: LineName("GPIO\($0)")) })
    }
    try rig.run()
    try rig.advance(50)
    #expect(rig.chip.writeCount == 10)
    rig.stop()
  }

  @Test("with no devices there is nothing to do")
  func none() throws {
    let rig = Rig(showing: []) { _ in Each<LED>([]) }
    try rig.run()
    #expect(rig.chip.requestCount == 0)
    rig.stop()
  }

  @Test("one line that can't be had means that none is held")
  func oneBusy() throws {
    let rig = Rig(showing: [LED.Model.on, .on]) { chip in Each(["GPIO5", "GPIO6"].map { LED(chip, line: $0) }) }
    rig.chip.line("GPIO6").hold(by: "fan-control")
    #expect(throws: DriverError.self) { try rig.run() }
    #expect(rig.chip.heldLines == 1)
    #expect(rig.chip.line("GPIO5").level == .low)
    rig.chip.line("GPIO6").hold(by: nil)
    rig.stop()
  }

  @Test("a loss on one button leaves the others' moments alone")
  func lossOfOne() throws {
    let rig = Rig(.first, showing: [NoModel(), NoModel()]) { chip in
      Each(["GPIO17", "GPIO22"].map { Button(chip, line: $0) })
    }
    try rig.run()
    rig.chip.mergesEdges = true
    let noisy = rig.chip.line("GPIO22")
    try rig.chip.contact(at: "GPIO17").press()
    noisy.drive(.low)
    try rig.advance(3)
    noisy.drive(nil)
    noisy.drive(.low)
    try rig.advance(20)
    #expect(rig.events == ["device(0, \(Self.name).pressed)@5", "device(1, \(Self.name).pressed)@8"])
    rig.stop()
  }
}
