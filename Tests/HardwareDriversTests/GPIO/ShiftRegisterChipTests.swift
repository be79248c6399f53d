import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("ShiftRegisterChip")
struct ShiftRegisterChipTests {
  private static let lines: [LineName] = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]

  /// What three drivers on one register show, and what they told.
  private struct Frame: Equatable {
    var lamp = false
    var relay = false
    var level = 0
  }

  private final class Journal {
    var troubles: [String] = []
  }

  private let bench = Bench(seed: 7)
  private let chip: SimulatedChip
  private let part: SimulatedShiftRegister
  private let register: ShiftRegisterChip
  private let journal = Journal()

  init() {
    chip = SimulatedChip(bench)
    chip.keepsReleasedOutputs = true
    part = Self.part(chip)
    // The relay switches at low: until its driver has started it must be high.
    register = Self.register(on: chip, levels: LineValues(rawValue: 1 << 7))
  }

  private static func part(_ chip: SimulatedChip) -> SimulatedShiftRegister {
    SimulatedShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: "GPIO19")
  }

  private static func register(on chip: any GPIOChip, levels: LineValues = []) -> ShiftRegisterChip {
    ShiftRegisterChip(
      ShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: "GPIO19"), levels: levels)
  }

  private func makeCycle(_ models: ModelSource<Frame>, seed: Frame = Frame()) -> any Application {
    let (register, bench, journal) = (register, bench, journal)
    func note(_ name: String) -> (inout Frame, Trouble) -> Void {
      { _, trouble in
        let milliseconds = bench.now.nanoseconds / 1_000_000
        switch trouble {
        case .lost: journal.troubles.append("\(name) lost@\(milliseconds)")
        case .restored: journal.troubles.append("\(name) restored@\(milliseconds)")
        case .failed: journal.troubles.append("\(name) failed@\(milliseconds)")
        case .eventsLost: journal.troubles.append("\(name) eventsLost@\(milliseconds)")
        }
      }
    }
    return Cycle(seed: seed) {
      Lens(models, on: { frame, model in frame = model })
      Lens(LED(register, line: "Q0"), show: { $0.lamp ? .on : .off }, trouble: note("lamp"))
      Lens(
        LEDBar(register, lines: ["Q4", "Q5", "Q6"]), show: { .init(level: $0.level) }, trouble: note("bar"))
      Lens(
        Relay(register, line: "Q7", settings: .init(isActiveLow: true)), show: { $0.relay ? .on : .off },
        trouble: note("relay"))
    }
  }

  @Test("lamps, bars and relays sit behind it unchanged, and share the register's lines")
  func drivers() throws {
    let models = ModelSource<Frame>()
    let cycle = makeCycle(models, seed: Frame(lamp: true, level: 1))
    try bench.run(cycle)
    #expect(chip.heldLines == 4)
    #expect(chip.requestCount == 1)
    #expect(part.text == "#___#__#")
    // Three drivers start one after the other; the relay's output has its level already.
    #expect(part.pictures.map(\.levels.rawValue) == [0, 0b1000_0001, 0b1001_0001])
    models.show(Frame(lamp: true, relay: true, level: 3))
    try bench.settle()
    #expect(part.text == "#___###_")
    bench.stop()
    #expect(part.text == "_______#")
    #expect(chip.heldLines == 0)
    #expect(part.faults == [])
  }

  @Test("one changed output costs one row, many of one driver as well, an equal value none")
  func rows() throws {
    let request = try register.request(
      (0..<8).map { LineConfiguration(LineName("Q\($0)"), .output(.inactive, .pushPull)) }, consumer: "test")
    #expect(chip.writeCount == 18)
    #expect(part.latchCount == 1)
    try request.write(.first(1), mask: .first(1))
    #expect(part.latchCount == 2)
    #expect(chip.writeCount == 18 + 17)
    try request.write(.first(8), mask: .first(8))
    #expect(part.latchCount == 3)
    try request.write(.first(8), mask: .first(5))
    #expect(part.latchCount == 3)
    #expect(try request.readValues() == .first(8))
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a request's values are there when it returns, and its polarity is kept by each write")
  func polarity() throws {
    let request = try register.request(
      [
        LineConfiguration("Q1", .output(.active, .pushPull), isActiveLow: true),
        LineConfiguration("Q2", .output(.active, .pushPull)),
      ], consumer: "test")
    #expect(part.text == "__#____#")
    try request.write([], mask: .first(2))
    #expect(part.text == "_#_____#")
    try request.reconfigure([
      LineConfiguration("Q1", .output(.active, .pushPull)),
      LineConfiguration("Q2", .output(.active, .pushPull), isActiveLow: true),
    ])
    #expect(part.text == "_#_____#")
    request.release()
    // As on a Raspberry Pi: what is released keeps its level.
    let other = try register.request([LineConfiguration("Q3", .output(.active, .pushPull))], consumer: "test")
    #expect(part.text == "_#_#___#")
    other.release()
    #expect(chip.heldLines == 0)
  }

  @Test("what it can't do is told with the line's name, and nothing is held then")
  func faults() throws {
    func error(_ configurations: LineConfiguration...) -> DriverError? {
      do throws(DriverError) {
        try register.request(configurations, consumer: "test").release()
        return nil
      } catch {
        return error
      }
    }
    let output = LineConfiguration("Q1", .output(.inactive, .pushPull))
    let input = error(LineConfiguration("Q0", .input(.pullUp)))
    #expect(input?.kind == .misconfigured)
    #expect(
      input?.description
        == "cannot request line Q0 of the shift register as input: it has outputs only. "
        + "Wire the input to a line of the chip that the register is wired to.")
    let unknown = error(output, LineConfiguration("Q8", .output(.inactive, .pushPull)))
    #expect(unknown?.kind == .misconfigured)
    #expect(
      unknown?.description
        == "cannot request line Q8 of the shift register as output: it has no such line. Choose one of Q0 to Q7.")
    let drain = error(LineConfiguration("Q0", .output(.inactive, .openDrain)))
    #expect(drain?.kind == .unsupported)
    #expect(
      drain?.description
        == "cannot request line Q0 of the shift register as output: its outputs are push-pull and have no bias. "
        + "Choose push-pull, and no bias.")
    #expect(error(output, output)?.description.hasPrefix("cannot request line Q1 twice") == true)
    let held = try register.request([output], consumer: "test")
    let twice = error(output)
    #expect(twice?.kind == .misconfigured)
    #expect(twice?.reason == "this application uses it twice")
    #expect(chip.heldLines == 4)
    held.release()
    chip.nextWriteError = DriverError(
      .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
    #expect(error(output)?.operation == "set lines GPIO5")
    #expect(chip.heldLines == 0)
  }

  @Test("outputs have the user's names")
  func names() throws {
    let names = ["red", "amber", "green", "bell", "door", "fan", "pump", "heater"].map { LineName($0) }
    let chip = ShiftRegisterChip(
      ShiftRegister(self.chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: "GPIO19"), names: names)
    let request = try chip.request([LineConfiguration("green", .output(.active, .pushPull))], consumer: "test")
    #expect(part.text == "__#_____")
    request.release()
  }

  @Test("a request that nobody keeps releases its lines")
  func dropped() throws {
    do {
      _ = try register.request([LineConfiguration("Q1", .output(.active, .pushPull))], consumer: "test")
    }
    #expect(chip.heldLines == 0)
  }

  @Test("the loss of the chip reaches every driver on the register at once, and its return restores all")
  func loss() throws {
    let models = ModelSource<Frame>()
    try bench.run(makeCycle(models, seed: Frame(lamp: true, level: 2)))
    try bench.advance(by: .milliseconds(10))
    chip.unplug()
    part.powerUp()
    try bench.advance(by: .milliseconds(10))
    #expect(journal.troubles == ["lamp lost@10", "bar lost@10", "relay lost@10"])
    #expect(chip.heldLines == 0)
    models.show(Frame(relay: true, level: 3))
    try bench.advance(by: .milliseconds(10))
    #expect(journal.troubles.count == 3)
    chip.plug()
    try bench.advance(by: .milliseconds(10))
    #expect(journal.troubles.dropFirst(3) == ["lamp restored@30", "bar restored@30", "relay restored@30"])
    #expect(part.text == "____###_")
    #expect(part.faults == [])
    bench.stop()
    #expect(part.text == "_______#")
    #expect(chip.heldLines == 0)
  }

  @Test("a chip that is gone and back before anybody looked is lost and restored to every driver")
  func shortLoss() throws {
    try bench.run(makeCycle(ModelSource<Frame>(), seed: Frame(lamp: true, level: 2)))
    bench.plan(at: bench.now + .milliseconds(5)) { [chip, part] in
      chip.unplug()
      part.powerUp()
      chip.plug()
    }
    try bench.advance(by: .seconds(1))
    #expect(Set(journal.troubles.withoutMoments).count == 6)
    #expect(part.text == "#___##_#")
    bench.stop()
    #expect(chip.heldLines == 0)
  }

  @Test("the driver that hears of the loss for all of them may stop: the next one hears of it")
  func listener() throws {
    let first = DriverBench(LED(register, line: "Q0"), showing: .on, on: bench)
    try first.start()
    let bystander = try register.request([LineConfiguration("Q1", .output(.active, .pushPull))], consumer: "test")
    first.stop()
    let second = DriverBench(LED(register, line: "Q2"), showing: .on, on: bench)
    try second.start()
    chip.unplug()
    try bench.settle()
    #expect(second.troubles.count == 1)
    #expect(throws: DriverError.self) { try bystander.write([], mask: .first(1)) }
    bystander.release()
    second.stop()
    #expect(chip.heldLines == 0)
  }

  @Test("right whatever is late, fails or goes away", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let models = ModelSource<Frame>()
    try bench.run(makeCycle(models))
    var frame = Frame()
    for _ in 0..<40 {
      switch Int.random(in: 0..<6, using: &chance) {
      case 0: chip.unplug()
      case 1: chip.plug()
      case 2:
        chip.nextWriteError = DriverError(
          .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
      case 3: bench.lateness = .microseconds(Int.random(in: 0...30_000, using: &chance))
      case 4: chip.dropRequests()
      default: break
      }
      frame = Frame(
        lamp: .random(using: &chance), relay: .random(using: &chance), level: .random(in: 0...3, using: &chance))
      models.show(frame)
      try bench.advance(by: .microseconds(Int.random(in: 0...2_000, using: &chance)))
    }
    bench.lateness = .zero
    chip.nextWriteError = nil
    chip.plug()
    try bench.advance(by: .seconds(200))
    let bar = (0..<3).map { $0 < frame.level ? "#" : "_" }.joined()
    #expect(
      part.text == "\(frame.lamp ? "#" : "_")___\(bar)\(frame.relay ? "_" : "#")",
      "seed \(seed) \(journal.troubles.suffix(8)) \(bench.now)")
    #expect(part.faults == [], "seed \(seed)")
    bench.stop()
    #expect(part.text == "_______#", "seed \(seed)")
    #expect(chip.heldLines == 0)
  }

  @Test("drivers behind a register keep the laws")
  func laws() {
    func port(_ bench: Bench) -> ChipLawHarness {
      let chip = SimulatedChip(bench)
      let part = Self.part(chip)
      return ChipLawHarness(chip, outputs: Self.lines, picture: { part.text }, faults: { part.faults })
    }
    let lamp = DriverLaws.violations(
      models: [.on, .off, .level(1)], setup: port, device: { LED(Self.register(on: $0.chip), line: "Q2") })
    #expect(lamp == [])
    let bar = DriverLaws.violations(
      models: [2, 0, 3, 1].map { LEDBar.Model(level: $0) }, setup: port,
      device: { LEDBar(Self.register(on: $0.chip), lines: ["Q5", "Q6", "Q7"]) })
    #expect(bar == [])
    let relays = DriverLaws.violations(
      models: [[Relay.Model.on, .off], [.off, .on], [.on, .on]], setup: port,
      driver: { (port: ChipLawHarness) -> LineDriverArray<Relay> in
        let register = Self.register(on: port.chip)
        return LineDriverArray([
          Relay(register, line: "Q0"), Relay(register, line: "Q1", settings: .init(isActiveLow: true)),
        ])
      })
    #expect(relays == [])
  }
}
