import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// An MCP23017 on a simulated bus, with or without its interrupt line.
private final class Stand {
  let bench: Bench
  let gpio: SimulatedChip
  let bus: SimulatedI2CBus
  let part: SimulatedMCP23017
  let expander: I2CExpander

  init(hasInterrupt: Bool = true, settings: I2CExpander.Settings = .init(), seed: UInt64 = 0) {
    bench = Bench(seed: seed)
    gpio = SimulatedChip(bench)
    bus = SimulatedI2CBus(bench)
    part = SimulatedMCP23017(on: bus, at: 0x20, interrupt: hasInterrupt ? gpio.line("GPIO4") : nil)
    expander = I2CExpander(
      MCP23017(), bus, address: 0x20, interrupt: hasInterrupt ? "GPIO4" : nil, on: hasInterrupt ? gpio : nil,
      settings: settings)
  }

  func level(_ line: LineName) -> Level { part.pins.line(line).level }
}

@Suite("I2CExpander")
struct I2CExpanderTests {
  @Test("an LED and a relay on an expander are what the models say, and go to their safe state at the end")
  func outputs() throws {
    let stand = Stand()
    let chip = CompanionDriver(stand.expander)
    let relay = CompanionDriver(Relay(stand.expander, line: "GPA7", settings: .init(isActiveLow: true)), showing: .on)
    let trial = DriverBench(LED(stand.expander, line: "GPB3"), showing: .on, beside: [chip, relay], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(20))
    #expect(stand.level("GPB3") == .high)
    #expect(stand.level("GPA7") == .low)
    try stand.bench.advance(by: .milliseconds(100))
    try trial.show(.off)
    try stand.bench.advance(by: .milliseconds(1))
    #expect(stand.level("GPB3") == .low)
    try trial.show(.on)
    trial.stop()
    #expect(stand.level("GPB3") == .low)
    #expect(stand.level("GPA7") == .high)
    #expect(chip.troubles == [] && relay.troubles == [] && trial.troubles == [])
    #expect(stand.bus.openCount == 0)
    #expect(trial.cycle.nextAlarm == nil)
  }

  @Test("no output has another level for a moment at the start", arguments: [true, false])
  func start(isActiveLow: Bool) throws {
    let stand = Stand()
    stand.part.pins.line("GPB0").pull(isActiveLow ? .low : .high)
    let before = stand.part.pins.line("GPB0").changes.count
    let trial = DriverBench(
      Relay(stand.expander, line: "GPB0", settings: .init(isActiveLow: isActiveLow)), showing: isActiveLow ? .on : .off,
      beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    // The resistor has the level opposite to the first one.
    #expect(stand.part.pins.line("GPB0").changes.count - before == (isActiveLow ? 0 : 1))
    #expect(stand.level("GPB0") == .low)
    trial.stop()
  }

  @Test("a press is an event with the moment of the interrupt")
  func press() throws {
    let stand = Stand()
    let button = stand.part.pins.contact(at: "GPA0")
    let trial = DriverBench(
      Button(stand.expander, line: "GPA0"), beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(200))
    // The driver of the button debounces for 5 ms.
    let moment = stand.bench.now + .milliseconds(5)
    try button.press()
    try stand.bench.advance(by: .milliseconds(100))
    try button.release()
    try stand.bench.advance(by: .milliseconds(100))
    #expect(trial.events.map { "\($0.event)" }.prefix(2) == ["pressed", "released"])
    #expect(trial.events.first?.moment == moment)
    trial.stop()
    #expect(trial.troubles == [])
  }

  @Test("a contact that is closed at the start is found, not pressed", arguments: [true, false])
  func found(hasInterrupt: Bool) throws {
    let stand = Stand(hasInterrupt: hasInterrupt)
    try stand.part.pins.contact(at: "GPA5").press()
    let trial = DriverBench(
      Switch(stand.expander, line: "GPA5"), beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(200))
    #expect(trial.found.map { "\($0.event)" } == ["on"])
    #expect(trial.events.isEmpty)
    trial.stop()
  }

  @Test(
    "many presses of many buttons, with contacts that bounce, from any seed: each is reported",
    arguments: [true, false])
  func presses(hasInterrupt: Bool) throws {
    for seed in 0..<UInt64(20) {
      let stand = Stand(hasInterrupt: hasInterrupt, seed: seed)
      let names: [LineName] = ["GPA0", "GPA1", "GPB0", "GPB7"]
      let contacts = names.map { stand.part.pins.contact(at: $0) }
      for contact in contacts { contact.bounce = .milliseconds(3) }
      let trial = DriverBench(
        LineDriverArray(names.map { Button(stand.expander, line: $0) }), showing: names.map { _ in NoModel() },
        beside: [CompanionDriver(stand.expander)], on: stand.bench)
      try trial.start()
      try stand.bench.advance(by: .milliseconds(100))
      var random = SeededGenerator(seed: seed)
      var wanted = 0
      for _ in 0..<50 {
        let contact = contacts[Int.random(in: 0..<4, using: &random)]
        try contact.press()
        try stand.bench.advance(by: .milliseconds(Int64.random(in: 30...80, using: &random)))
        try contact.release()
        try stand.bench.advance(by: .milliseconds(Int64.random(in: 30...80, using: &random)))
        wanted += 1
      }
      let pressed = trial.events.filter { "\($0.event)".hasSuffix("pressed") }.count
      #expect(pressed == wanted, "seed \(seed)")
      #expect(trial.troubles == [], "seed \(seed)")
      trial.stop()
    }
  }

  @Test("an interrupt line that stays low is not asked for ever")
  func stuckInterrupt() throws {
    let stand = Stand()
    let trial = DriverBench(
      Button(stand.expander, line: "GPA0"), beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    stand.gpio.line("GPIO4").drive(.low)
    let before = stand.bus.transferCount
    try stand.bench.advance(by: .seconds(9))
    // Two transfers of each check, and a few for the line.
    #expect(stand.bus.transferCount - before < 30)
    trial.stop()
  }

  @Test("pauses between writes are at most a tenth shorter on the bus, and no write is left out")
  func pulses() throws {
    let stand = Stand()
    // Another device on the bus makes some transfers late.
    stand.part.socket.stretch = .microseconds(400)
    let trial = DriverBench(
      LED(stand.expander, line: "GPB0"), showing: .off, beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    let line = stand.part.pins.line("GPB0")
    let first = line.changes.count
    // Writes that are late now and then catch up.
    for number in 0..<2_000 {
      stand.part.socket.stretch = .microseconds(number % 50 == 0 ? 700 : 0)
      try trial.show(number % 2 == 0 ? .on : .off)
      try stand.bench.advance(by: .milliseconds(1))
    }
    try stand.bench.advance(by: .milliseconds(200))
    let changes = line.changes[first...]
    #expect(changes.count == 2_000)
    #expect(trial.troubles == [])
    for (change, next) in zip(changes, changes.dropFirst()) {
      #expect(next.moment - change.moment >= .microseconds(900))
    }
    trial.stop()
  }

  @Test("a disturbance of one transfer is no loss", arguments: 0..<12)
  func disturbance(count: Int) throws {
    let stand = Stand()
    let trial = DriverBench(
      LED(stand.expander, line: "GPB0"), showing: .off, beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    stand.bus.nextTransferError = DriverError(.failed, cannot: "write", reason: "EIO", remedy: "None.")
    stand.bus.transfersBeforeError = count
    stand.bus.failedTransfersTakeEffect = count % 2 == 0
    for number in 0..<20 {
      try trial.show(number % 2 == 0 ? .on : .off)
      try stand.bench.advance(by: .milliseconds(10))
      #expect(stand.level("GPB0") == (number % 2 == 0 ? .high : .low))
    }
    #expect(trial.troubles == [])
    trial.stop()
  }

  @Test(
    "an unnoticed power cut is found by the next check, also while the inputs are polled", arguments: [true, false])
  func powerCut(hasInterrupt: Bool) throws {
    let stand = Stand(hasInterrupt: hasInterrupt)
    let chip = CompanionDriver(stand.expander)
    let button = CompanionDriver(LineDriver(Button(stand.expander, line: "GPA0")))
    let trial = DriverBench(
      LED(stand.expander, line: "GPB0"), showing: .on, beside: [chip, button], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    stand.part.unplug()
    stand.part.plug()
    #expect(stand.level("GPB0") == .low)
    try stand.bench.advance(by: .seconds(4))
    #expect(stand.level("GPB0") == .high)
    #expect(chip.troubles.count == 2)
    #expect(trial.troubles.last == .restored)
    trial.stop()
  }

  @Test("an output whose model changes during a loss never has its old level again", arguments: [true, false])
  func changeDuringLoss(losesPower: Bool) throws {
    let stand = Stand()
    let trial = DriverBench(
      LED(stand.expander, line: "GPB0"), showing: .on, beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    if losesPower { stand.part.unplug() } else { stand.bus.unplug() }
    try stand.bench.advance(by: .seconds(10))
    try trial.show(.off)
    let before = stand.part.pins.line("GPB0").changes.count
    if losesPower { stand.part.plug() } else { stand.bus.plug() }
    try stand.bench.advance(by: .seconds(70))
    #expect(stand.level("GPB0") == .low)
    // With power, it has kept its level until now.
    #expect(stand.part.pins.line("GPB0").changes.count - before == (losesPower ? 0 : 1))
    trial.stop()
  }

  @Test("a bus that hangs stops a running panel for some milliseconds, not for seconds")
  func hang() throws {
    let stand = Stand()
    let led = CompanionDriver(LED(stand.expander, line: "GPB0"), showing: .on)
    let trial = DriverBench(
      Button(stand.expander, line: "GPA0"), beside: [CompanionDriver(stand.expander), led], on: stand.bench)
    var overruns: [DriverOverrun] = []
    trial.cycle.onOverrun { overruns.append($0) }
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    stand.part.socket.stretch = .seconds(30)
    try stand.bench.advance(by: .seconds(100))
    stand.part.socket.stretch = .zero
    try stand.bench.advance(by: .seconds(100))
    #expect(overruns.isEmpty)
    #expect(trial.troubles.last == .restored)
    #expect(led.troubles.last == .restored)
    trial.stop()
  }

  @Test("a device without the expander's lens, or on a line that it doesn't have, is a mistake with a remedy")
  func mistakes() throws {
    let stand = Stand()
    let alone = DriverBench(LED(stand.expander, line: "GPB0"), showing: .on, on: stand.bench)
    do throws(DriverError) {
      try alone.start()
      Issue.record("it has started")
    } catch {
      #expect(error.kind == .misconfigured)
      #expect(error.description.contains("Wire a lens for the expander"))
    }
    let other = Stand()
    let trial = DriverBench(
      LED(other.expander, line: "GPC0"), showing: .on, beside: [CompanionDriver(other.expander)], on: other.bench)
    do throws(DriverError) {
      try trial.start()
      Issue.record("it has started")
    } catch {
      #expect(error.description.contains("Choose one of GPA0 to GPB7"))
    }
  }

  /// Writes its first line at each change of the model, and reads the second one right after that.
  private struct Prober: StepReader {
    typealias Event = Never
    let chip: any GPIOChip
    private var isOn = false
    private var wasOn = false

    init(_ chip: any GPIOChip) { self.chip = chip }

    var safeModel: Bool { false }
    var lines: [LineConfiguration] {
      [
        LineConfiguration("GPA0", .output(outputs[0], .pushPull)),
        LineConfiguration("GPA1", .input(.pullUp), edges: .none),
      ]
    }
    var outputs: LineValues { isOn ? .first(1) : [] }
    mutating func render(_ model: Bool, at moment: Moment) { isOn = model }
    mutating func addSteps(to steps: inout LineSteps) {
      guard isOn != wasOn else { return }
      wasOn = isOn
      steps.write(outputs)
      steps.read()
    }
    mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {}
    mutating func finishSteps(at clock: Moment, emit: Emit) {}
    mutating func abandonSteps() {}
    mutating func loseLines() {}
  }

  @Test("a device that reads right after it writes is refused, with the reason")
  func probing() throws {
    let stand = Stand()
    let trial = DriverBench(
      Prober(stand.expander), showing: false, beside: [CompanionDriver(stand.expander)], on: stand.bench)
    try trial.start()
    try trial.show(true)
    try stand.bench.advance(by: .milliseconds(100))
    #expect(trial.troubles.contains { "\($0)".contains("needs the lines of a GPIO chip") })
    trial.stop()
  }

  @Test("the laws of drivers, for two devices at a time", arguments: [(true, true), (true, false), (false, false)])
  func laws(hasInterrupt: Bool, pullsAdapter: Bool) {
    let violations = ExpanderLaws.violations(outputs: ("GPB6", "GPB7"), input: "GPA0") { bench in
      let gpio = SimulatedChip(bench)
      let bus = SimulatedI2CBus(bench)
      let part = SimulatedMCP23017(on: bus, at: 0x20, interrupt: hasInterrupt ? gpio.line("GPIO4") : nil)
      let expander = I2CExpander(
        MCP23017(), bus, address: 0x20, interrupt: hasInterrupt ? "GPIO4" : nil, on: hasInterrupt ? gpio : nil,
        settings: .init(poll: .milliseconds(20)))
      let contact = part.pins.contact(at: "GPA0")
      let setup = BusLawHarness(
        bus, plug: pullsAdapter ? nil : { $0 ? part.plug() : part.unplug() },
        picture: { part.pins.line("GPB6").level == .high ? "#" : "_" }, showsFromStart: false,
        isPolled: !hasInterrupt, repeatsTransfers: true,
        stimulate: { bench throws(DriverError) in
          try contact.press()
          try bench.advance(by: .milliseconds(80))
          try contact.release()
          try bench.advance(by: .milliseconds(80))
        })
      return (setup, expander)
    }
    #expect(violations == [])
  }
}
