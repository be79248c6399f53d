import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// Hardware whose return is not announced: it has no watch, or one that never wakes its driver.
@Suite("A return that nothing announces")
struct UnannouncedReturnTests {
  private final class SilentWatch: ReturnWatch {
    func acknowledge() -> Bool { false }
    func release() {}
  }

  private final class UnannouncedChip: GPIOChip {
    let base: SimulatedChip
    let watch: SilentWatch?
    private(set) var requests: [Moment] = []

    init(_ base: SimulatedChip, hasWatch: Bool) {
      self.base = base
      watch = hasWatch ? SilentWatch() : nil
    }

    func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
      requests.append(base.bench.now)
      return try base.request(lines, consumer: consumer)
    }

    func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { watch }
  }

  private final class UnannouncedBus: I2CBus {
    let base: SimulatedI2CBus
    let watch: SilentWatch?

    init(_ base: SimulatedI2CBus, hasWatch: Bool) {
      self.base = base
      watch = hasWatch ? SilentWatch() : nil
    }

    var needsThread: Bool { false }
    func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection { try base.open(address) }
    func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { watch }
  }

  @Test("a chip is requested after 1 s, 2 s, 4 s … 60 s, with a watch and without one", arguments: [true, false])
  func chip(hasWatch: Bool) throws {
    let bench = Bench()
    let base = SimulatedChip(bench)
    let chip = UnannouncedChip(base, hasWatch: hasWatch)
    let trial = DriverBench(LED(chip, line: "GPIO23"), showing: .on, on: bench)
    try trial.start()
    base.unplug()
    try bench.advance(by: .seconds(600))
    // The first request is that of the start. With a watch, an immediate one follows the loss: the chip may have
    // returned before the watch began.
    let tries = chip.requests.dropFirst(hasWatch ? 1 : 0)
    let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
    #expect(pauses.prefix(7) == [1, 2, 4, 8, 16, 32, 60].map { .seconds($0) }[...])
    base.plug()
    try bench.advance(by: .seconds(60))
    #expect(base.line("GPIO23").level == .high)
    #expect(trial.troubles.count == 2 && trial.troubles.last == .restored)
    trial.stop()
  }

  @Test("a display on a bus is written after the bus's return, with a watch and without one", arguments: [true, false])
  func bus(hasWatch: Bool) throws {
    let bench = Bench()
    let base = SimulatedI2CBus(bench)
    let board = SimulatedI2CCharacterDisplay(on: base, at: 0x27)
    let trial = DriverBench(
      I2CCharacterDisplay(UnannouncedBus(base, hasWatch: hasWatch), address: 0x27),
      showing: CharacterScreen(["Hello"]), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(200))
    base.unplug()
    try trial.show(CharacterScreen(["back"]))
    try bench.advance(by: .seconds(300))
    base.plug()
    try bench.advance(by: .seconds(61))
    #expect(board.display.rows[0] == "back            ")
    #expect(trial.troubles.last == .restored && trial.troubles.count { $0 == .restored } == 1)
    trial.stop()
    #expect(base.openCount == 0)
  }
}
