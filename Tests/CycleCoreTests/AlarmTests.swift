import CycleCore
import TestSupport
import Testing

@Suite("The alarms of a driver")
struct AlarmTests {
  private let probe: Probe
  private let loop = VirtualLoop()
  private let cycle: Cycle<TroubleLawsTests.Frame, Lens<TroubleLawsTests.Frame, Probe>>

  init() throws {
    let probe = Probe("a")
    self.probe = probe
    cycle = Cycle(seed: TroubleLawsTests.Frame()) { TroubleLawsTests.lens(probe) }
    try cycle.start(on: loop)
  }

  private func at(_ milliseconds: Int) -> Moment { .zero + .milliseconds(milliseconds) }

  /// The moments of all wakes, in milliseconds.
  private func wakes() throws -> [Int64] {
    var moments: [Int64] = []
    probe.onWake = { _ in moments.append(self.probe.context!.now.nanoseconds / 1_000_000) }
    while cycle.nextAlarm != nil { try cycle.step(until: nil) }
    return moments
  }

  @Test("each alarm wakes the driver at its moment, whichever is set last")
  func named() throws {
    probe.context?.setAlarm(at(20), named: .worker)
    probe.context?.setAlarm(at(30))
    probe.context?.setAlarm(at(10), named: .secondWorker)
    #expect(cycle.nextAlarm == at(10))
    #expect(try wakes() == [10, 20, 30])
  }

  @Test("alarms of one moment are one wake")
  func same() throws {
    for name in [DriverAlarm.driver, .worker, .secondWorker] { probe.context?.setAlarm(at(10), named: name) }
    #expect(try wakes() == [10])
  }

  @Test(
    "an alarm that is moved or cancelled leaves the others", arguments: [DriverAlarm.driver, .worker, .secondWorker])
  func moved(name: DriverAlarm) throws {
    for other in [DriverAlarm.driver, .worker, .secondWorker] where other != name {
      probe.context?.setAlarm(at(20), named: other)
    }
    probe.context?.setAlarm(at(10), named: name)
    probe.context?.setAlarm(at(30), named: name)
    #expect(cycle.nextAlarm == at(20))
    probe.context?.setAlarm(nil, named: name)
    #expect(try wakes() == [20])
  }

  @Test("the alarms of a driver that is lost, or stopped, are cancelled")
  func cancelled() throws {
    for isLost in [true, false] {
      let stand = try AlarmTests()
      stand.probe.context?.setAlarm(at(10), named: .worker)
      if isLost {
        stand.probe.startError = DriverError(.absent, cannot: "start", reason: "it is away", remedy: "Wait.")
        stand.probe.wakeError = DriverError(.lost, cannot: "read", reason: "it is gone", remedy: "Wait.")
        stand.probe.context?.watcher.makeWaker().wake()
        try stand.cycle.settle()
        #expect(stand.cycle.nextAlarm == at(1000))
      } else {
        stand.cycle.stop()
        #expect(stand.cycle.nextAlarm == nil)
      }
    }
  }
}
