import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Relay")
struct RelayTests {
  private func rig(
    showing model: Relay.Model, isActiveLow: Bool = false, safe: Relay.Model? = nil, lineAtStart: Level? = nil
  ) -> Rig<LineDriver<Relay>> {
    var settings = Relay.Settings()
    settings.isActiveLow = isActiveLow
    return Rig(
      showing: model, safe: safe, prepare: { _, chip in chip.line("GPIO24").drive(lineAtStart) },
      driver: { Relay($0, line: "GPIO24", settings: settings) })
  }

  /// The levels that the line has had, without their moments.
  private func levels(_ rig: Rig<LineDriver<Relay>>) -> [Level] { rig.chip.line("GPIO24").changes.map(\.level) }

  @Test("a relay whose seed is the idle value sees no edge at the start")
  func noClick() throws {
    let rig = rig(showing: .off)
    try rig.run()
    try rig.advance(100)
    #expect(levels(rig) == [.low])
    rig.stop()
    #expect(levels(rig) == [.low])
  }

  @Test("a relay whose seed differs from the idle value sees the one edge of the request")
  func oneEdge() throws {
    let rig = rig(showing: .on)
    try rig.run()
    #expect(levels(rig) == [.low, .high])
    #expect(rig.chip.writeCount == 0)
    rig.stop()
  }

  @Test("an active-low relay that rests high, as its board pulls it, sees no edge at the start")
  func activeLow() throws {
    let rig = rig(showing: .off, isActiveLow: true, lineAtStart: .high)
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    try rig.advance(100)
    #expect(levels(rig) == [.low, .high])
    try rig.show(.on)
    try rig.show(.off)
    rig.stop()
    #expect(levels(rig) == [.low, .high, .low, .high])
  }

  @Test("a relay is left off at the end, or as the application says")
  func safe() throws {
    for (safe, level) in [(Relay.Model?.none, Level.low), (.off, .low), (.on, .high)] {
      let rig = rig(showing: .on, safe: safe)
      rig.chip.keepsReleasedOutputs = true
      try rig.run()
      rig.stop()
      #expect(rig.chip.line("GPIO24").level == level)
    }
  }

  @Test("a relay is safe at the end even if the write before it failed")
  func failedWrite() throws {
    let rig = rig(showing: .off)
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    rig.chip.nextWriteError = DriverError(
      .failed, cannot: "write line GPIO24", reason: "input/output error", remedy: "Look at dmesg.")
    try rig.show(.on)
    #expect(rig.events == ["failed@0"])
    #expect(rig.chip.line("GPIO24").level == .low)
    rig.stop()
    #expect(rig.chip.line("GPIO24").level == .low)
  }

  @Test("a relay is safe at the end even if the write of its safe value fails at first")
  func failedSafeWrite() throws {
    let rig = rig(showing: .on)
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    rig.chip.nextWriteError = DriverError(
      .failed, cannot: "write line GPIO24", reason: "input/output error", remedy: "Look at dmesg.")
    rig.stop()
    #expect(rig.chip.line("GPIO24").level == .low)
  }
}
