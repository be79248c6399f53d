import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareSimulation

@Suite("The end of a test store")
struct StoreEndTests {
  /// Holds its line when it is stopped.
  private final class Holder: Driver {
    private let chip: SimulatedChip
    private var request: (any LineRequest)?

    init(_ chip: SimulatedChip) { self.chip = chip }

    func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
      request = try chip.request([LineConfiguration("GPIO4", .output(.inactive, .pushPull))], consumer: "holder")
    }
    func stop() {}
  }

  /// Tells more events at once than its lane has room for.
  private final class Flood: Driver {
    func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
      for number in 0..<20 { context.emit(number) }
    }
    func stop() {}
  }

  private func difference(
    _ cycle: any Application<Int>, on bench: Bench, _ body: (TestStore<Int>) throws -> Void = { _ in }
  ) throws -> String? {
    do {
      try TestStore.run(cycle, on: bench, file: "Tests.swift", line: 1, body)
      return nil
    } catch let difference as TestFailure {
      return "\(difference)"
    }
  }

  @Test("a line that is held after the end is named; one that another program holds is not")
  func heldLine() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    chip.line("GPIO9").hold(by: "another program")
    let cycle = Cycle(seed: 0) { Lens(Holder(chip), on: { frame, event in frame = event }) }
    #expect(
      try difference(cycle, on: bench) == """
        Tests.swift:1: lines are held after the end
          GPIO4
        """)
  }

  @Test("events that were lost are counted")
  func lostEvents() throws {
    let cycle = Cycle(seed: 0) {
      Lens(Flood(), name: "flood", on: { _, _ in }, laneCapacity: 16)
    }
    let found = try difference(cycle, on: Bench()) { store in
      for number in 0..<16 { try store.receive(number, from: "flood") }
      try store.receive(Trouble.eventsLost(4), from: "flood")
    }
    #expect(
      found == """
        Tests.swift:1: events were lost
          flood: 4 of 20
        """)
  }

  @Test("of a hundred values that differ fifty lines are told")
  func longest() throws {
    let difference = TestFailure(at: "T:1", "all differ", (0..<100).map { "value \($0)" })
    #expect(difference.lines.count == 50)
    #expect(difference.lines.last == "51 more lines")
  }

  @Test("the recording of a test that fails is named after the test, and replaces that of an earlier run")
  func failureRecording() throws {
    withFiles { folder in
      FailureRecording.save("first\n", of: "TallyTests/TallyTests.swift:14", in: folder)
      FailureRecording.save("second\n", of: "TallyTests/TallyTests.swift:14", in: folder)
      #expect(names(in: folder) == ["TallyTests-14.recording"])
      #expect(bytes(of: "\(folder)/TallyTests-14.recording") == Array("second\n".utf8))
      FailureRecording.save("film\n", of: "T.swift:1", in: "\(folder)/nowhere")
    }
  }
}
