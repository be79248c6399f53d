import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// An MCP23017 with a fault in one of its accesses.
private struct BrokenRegisters: ExpanderRegisters {
  enum Fault: CaseIterable, Sendable {
    /// All outputs are high for a moment before each write.
    case clicks
    /// A write that fails counts as done.
    case swallowsFailures
    /// Lost settings are not noticed.
    case missesPowerCuts
  }

  let fault: Fault
  private let base = MCP23017()

  init(_ fault: Fault) { self.fault = fault }

  var lineNames: [LineName] { base.lineNames }
  func refusal(of line: LineConfiguration) -> String? { base.refusal(of: line) }

  func setUp(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {
    try base.setUp(pins, on: chip, clock)
  }

  func writeLevels(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {
    if fault == .clicks {
      var high = pins
      high.levels = LineValues.first(16)
      try base.writeLevels(high, on: chip, clock)
    }
    do throws(DriverError) {
      try base.writeLevels(pins, on: chip, clock)
    } catch {
      if fault != .swallowsFailures { throw error }
    }
  }

  func read(on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> ExpanderReading {
    try base.read(on: chip, clock)
  }

  func readOutputs(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> LineValues? {
    let levels = try base.readOutputs(pins, on: chip, clock)
    switch fault {
    case .clicks: return levels
    case .swallowsFailures: return levels.map { _ in pins.levels }
    case .missesPowerCuts: return levels ?? pins.levels
    }
  }
}

@Suite("ExpanderLaws")
struct BrokenExpandersTests {
  @Test("find a chip with a fault", arguments: BrokenRegisters.Fault.allCases)
  private func faults(fault: BrokenRegisters.Fault) {
    let violations = ExpanderLaws.violations(outputs: ("GPB6", "GPB7"), input: "GPA0") { bench in
      let bus = SimulatedI2CBus(bench)
      let part = SimulatedMCP23017(on: bus, at: 0x20)
      let contact = part.pins.contact(at: "GPA0")
      let setup = BusLawHarness(
        bus, plug: { $0 ? part.plug() : part.unplug() },
        picture: { part.pins.line("GPB6").level == .high ? "#" : "_" }, showsFromStart: false, isPolled: true,
        repeatsTransfers: true,
        stimulate: { bench throws(DriverError) in
          try contact.press()
          try bench.advance(by: .milliseconds(80))
          try contact.release()
          try bench.advance(by: .milliseconds(80))
        })
      return (setup, I2CExpander(BrokenRegisters(fault), bus, address: 0x20, settings: .init(poll: .milliseconds(20))))
    }
    let wanted =
      switch fault {
      case .clicks: "changes GPB6"
      case .swallowsFailures: "shows"
      case .missesPowerCuts: "short power cut"
      }
    #expect(violations.contains { $0.contains(wanted) }, "\(violations)")
  }
}

/// A driver on a bus whose worker reads without a pause.
private struct EndlessReader: Driver {
  typealias Event = Never

  struct Reading: Work {
    typealias Report = Never
    typealias Command = Never
    let device: I2CDevice
    let state = false

    mutating func step(in context: WorkContext<Self>) -> WorkWait {
      _ = try? device.write([0], on: context.clock)
      return .until(context.now)
    }
    mutating func close(in context: WorkContext<Self>) { device.close() }
  }

  let bus: any I2CBus
  private var worker: Worker<Reading>?

  init(_ bus: any I2CBus) { self.bus = bus }

  mutating func start(showing model: NoModel, in context: DriverContext<Never>) throws(DriverError) {
    worker = try Worker(
      Reading(device: I2CDevice(bus, at: 0x48)), for: "the reader", onThread: bus.needsThread, in: context)
  }
  mutating func wake(_ wake: Wake) { worker?.wake(wake) { _, _ in } }
  mutating func stop() { worker?.stop() }
}

@Suite("DriverLaws: a driver without an end")
struct EndlessDriverTests {
  @Test("a worker that reads without a pause is reported, and the check ends")
  func endless() {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { bench -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        bus.connect(SimulatedRegisters(), at: 0x48)
        return BusLawHarness(
          bus, isPolled: true, stimulate: { bench throws(DriverError) in try bench.advance(by: .seconds(60)) })
      }, driver: { (setup: BusLawHarness<SimulatedI2CBus>) in EndlessReader(setup.bus) })
    #expect(violations.count == 1 && violations[0].hasPrefix("14: in "), "\(violations)")
  }
}
