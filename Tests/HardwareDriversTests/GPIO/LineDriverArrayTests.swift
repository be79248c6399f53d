import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("LineDriverArray")
struct LineDriverArrayTests {
  @Test("buttons share one request, and their events carry their number", arguments: SimulatedChip.Generation.allCases)
  func buttons(generation: SimulatedChip.Generation) throws {
    let rig = Rig(generation, showing: [NoModel(), NoModel(), NoModel()]) { chip in
      LineDriverArray(["GPIO17", "GPIO22", "GPIO27"].map { Button(chip, line: $0) })
    }
    try rig.run()
    #expect(rig.chip.requestCount == 1)
    try rig.chip.contact(at: "GPIO27").press()
    try rig.advance(1)
    try rig.chip.contact(at: "GPIO17").press()
    try rig.advance(20)
    #expect(rig.events == ["device 2: pressed@5", "device 0: pressed@6"])
    rig.stop()
  }

  @Test("what changes in one frame is written in one call, and only that")
  func lamps() throws {
    let off: [LED.Model] = [.off, .off, .off]
    let rig = Rig(showing: off) { chip in LineDriverArray(["GPIO5", "GPIO6", "GPIO13"].map { LED(chip, line: $0) }) }
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
      LineDriverArray((0..<8).map { LED(chip, line: LineName("GPIO\($0)")) })
    }
    try rig.run()
    try rig.advance(50)
    #expect(rig.chip.writeCount == 10)
    rig.stop()
  }

  /// A contact that the kernel debounces.
  private struct KernelContact: LineDevice, EdgeReceiver {
    enum Event { case closed }

    let chip: any GPIOChip
    let line: LineName
    let period: Duration

    var lines: [LineConfiguration] {
      [LineConfiguration(line, .input(.pullUp), isActiveLow: true, debounce: period)]
    }
    mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
    mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
    mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
    mutating func loseLines() {}
    mutating func receive(_ edge: LineEdge, emit: Emit) {
      if edge.value.isActive { emit(.closed, edge.moment) }
    }
  }

  @Test("contacts with 25 debounce periods of the kernel take three requests: it has ten attributes for one")
  func attributes() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let contacts = (1...25).map {
      KernelContact(chip: chip, line: LineName("GPIO\($0)"), period: .milliseconds($0))
    }
    #expect(LineDriverArray<KernelContact>.shares(of: contacts).map(\.count) == [10, 10, 5])
    let cycle = Cycle(seed: 0) { LensList(each: contacts, on: { frame, event in frame += event.number }) }
    try bench.run(cycle)
    #expect(chip.requestCount == 3 && chip.heldLines == 25)
    try chip.contact(at: "GPIO25").press()
    try bench.advance(by: .milliseconds(30))
    #expect(cycle.frame == 24)
    bench.stop()
  }

  @Test("buttons take one request, whatever their debounce periods: they debounce by the edges' time stamps")
  func debouncePeriods() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let buttons = (1...25).map {
      Button(chip, line: LineName("GPIO\($0)"), settings: .init(debounce: .milliseconds($0)))
    }
    let cycle = Cycle(seed: 0) {
      LensList(each: buttons, on: { frame, event in if event.event == .pressed { frame += event.number } })
    }
    try bench.run(cycle)
    #expect(chip.requestCount == 1 && chip.heldLines == 25)
    try chip.contact(at: "GPIO25").press()
    try bench.advance(by: .milliseconds(30))
    #expect(cycle.frame == 24)
    bench.stop()
  }

  @Test("with no devices there is no lens, no lane and no request")
  func none() throws {
    let bench = Bench()
    let cycle = Cycle(seed: 0) {
      LensList(each: [LED](), show: { (_: Int) in [] })
      Lens(Remote<Int>(), on: { _, _ in })
    }
    try bench.run(cycle)
    #expect(cycle.accounts.count == 1)
    bench.stop()
  }

  @Test("devices with more than 64 lines together, and on several chips, share as few requests as that takes")
  func manyLines() throws {
    let bench = Bench()
    let header = SimulatedChip(bench, label: "header", names: (0..<100).map { LineName("A\($0)") })
    let expander = SimulatedChip(bench, label: "expander", names: (0..<8).map { LineName("B\($0)") })
    // Every tenth lamp is on the other chip.
    let lamps = (0..<80).map {
      $0 % 10 == 9 ? LED(expander, line: LineName("B\($0 / 10)")) : LED(header, line: LineName("A\($0)"))
    }
    struct Lit: Equatable { var lit: Set<Int> = [] }
    let remote = Remote<Set<Int>>()
    var troubles: [Trouble] = []
    let cycle = Cycle(seed: Lit()) {
      Lens(remote, on: { frame, event in if case .show(let lit) = event { frame.lit = lit } })
      LensList(
        each: lamps, show: { (frame: Lit) -> [LED.Model] in lamps.indices.map { frame.lit.contains($0) ? .on : .off } },
        trouble: { _, trouble in troubles.append(trouble) })
    }
    try bench.run(cycle)
    #expect([header.requestCount, expander.requestCount] == [2, 1])
    remote.show([3, 9, 78, 79])
    try bench.settle()
    func lit() -> [Int] {
      lamps.indices.filter { number in
        (number % 10 == 9 ? expander.line(LineName("B\(number / 10)")) : header.line(LineName("A\(number)"))).level
          == .high
      }
    }
    #expect(lit() == [3, 9, 78, 79])
    // A chip that goes away takes no device of another chip with it.
    expander.unplug()
    try bench.settle()
    remote.show([4, 19])
    try bench.settle()
    #expect(troubles.count == 1)
    #expect(header.line("A4").level == .high)
    expander.plug()
    try bench.settle()
    #expect(lit() == [4, 19])
    #expect(troubles.last == .restored)
    bench.stop()
    #expect([header.heldLines, expander.heldLines] == [0, 0])
  }

  @Test("one line that can't be had means that none is held")
  func oneBusy() throws {
    let rig = Rig(showing: [LED.Model.on, .on]) { chip in
      LineDriverArray(["GPIO5", "GPIO6"].map { LED(chip, line: $0) })
    }
    rig.chip.line("GPIO6").hold(by: "fan-control")
    #expect(throws: DriverError.self) { try rig.run() }
    #expect(rig.chip.heldLines == 0)
    #expect(rig.chip.line("GPIO5").level == .low)
    rig.chip.line("GPIO6").hold(by: nil)
    rig.stop()
  }

  @Test("a loss on one button leaves the others' moments alone")
  func lossOfOne() throws {
    let rig = Rig(.first, showing: [NoModel(), NoModel()]) { chip in
      LineDriverArray(["GPIO17", "GPIO22"].map { Button(chip, line: $0) })
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
    #expect(rig.events == ["device 0: pressed@5", "device 1: pressed@8"])
    rig.stop()
  }
}
