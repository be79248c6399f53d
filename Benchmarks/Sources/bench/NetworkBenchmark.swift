import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation

/// The cost of a broker for a panel: an event that is handed over, memory, and a click on a panel whose broker is
/// there, away, or not named.
let networkBenchmarks =
  [
    Benchmark("an event told to a broker that answers at once", against: "not told", timed: 20_000, counted: 2_000) {
      ({ try TellingPanel.run(events: $0, isTold: true) }, { try TellingPanel.run(events: $0, isTold: false) })
    },
    Benchmark("a click on a lamp in panel test", timed: 2_000, counted: 500) {
      let file = makeFile("lamp.panel.yaml", lampPanel(isTold: false))
      return { try clickLamp($0, file) }
    },
    Benchmark("a click on a lamp whose broker is away", against: "without mqtt", timed: 2_000, counted: 500) {
      let (told, alone) = (
        makeFile("told.panel.yaml", lampPanel(isTold: true)), makeFile("lamp.panel.yaml", lampPanel(isTold: false))
      )
      return ({ try clickLamp($0, told, steps: ["unplug: network", "wait: 2m"]) }, { try clickLamp($0, alone) })
    },
    // What is done in the turn of the event: nothing else is done while the broker is away.
    Benchmark("an event of a panel handed over to a broker", in: "ns", against: "without mqtt") {
      let (told, alone) = (
        makeFile("told.panel.yaml", lampPanel(isTold: true)), makeFile("lamp.panel.yaml", lampPanel(isTold: false))
      )
      let count = 2_000
      func time(_ work: () throws -> Void) rethrows -> Double {
        let span = try ContinuousClock().measure(work)
        // A click is a press and a release.
        return (Double(span.components.seconds) * 1e9 + Double(span.components.attoseconds) / 1e9) / Double(2 * count)
      }
      var times: (ours: [Double], theirs: [Double]) = ([], [])
      for _ in 0..<7 {
        times.ours.append(try time { try clickLamp(count, told, steps: ["unplug: network", "wait: 2m"]) })
        times.theirs.append(try time { try clickLamp(count, alone) })
      }
      return (times.ours.sorted()[3], times.theirs.sorted()[3])
    }.demanding(.excess, atMost: 5_000),
    Benchmark("a click on a lamp whose broker is there", against: "without mqtt", timed: 2_000, counted: 500) {
      let (told, alone) = (
        makeFile("told.panel.yaml", lampPanel(isTold: true)), makeFile("lamp.panel.yaml", lampPanel(isTold: false))
      )
      return ({ try clickLamp($0, told) }, { try clickLamp($0, alone) })
    },
  ] + (BrokerProcess.isThere ? brokerBenchmarks : [])

/// With a real broker.
private let brokerBenchmarks = [
  Benchmark(
    "an event and its acknowledgements with mosquitto, on the panel's thread", in: "ns of the processor",
    against: "not told"
  ) {
    try withTwoPanels { told, alone in
      let count = 300
      let before = (told.processorTime, alone.processorTime)
      for _ in 0..<count {
        _ = (told.press(), alone.press())
        usleep(40_000)
      }
      // A press and a release.
      return ((told.processorTime - before.0) / Double(2 * count), (alone.processorTime - before.1) / Double(2 * count))
    }
  },
  Benchmark("memory of a panel with a broker, after 300 presses", in: "kB", against: "without mqtt") {
    try withTwoPanels { told, alone in
      for _ in 0..<300 { _ = (told.press(), alone.press()) }
      return (told.ownKilobytes, alone.ownKilobytes)
    }
  }.demanding(.excess, atMost: 2_000),
]

private func withTwoPanels(_ measure: (_ told: NetworkedPanel, _ alone: NetworkedPanel) -> (Double, Double)) throws
  -> (ours: Double, theirs: Double?)
{
  let broker = BrokerProcess()
  broker.start()
  let (told, alone) = (NetworkedPanel(isTold: true, broker: broker.address), NetworkedPanel(isTold: false))
  told.wait(for: "\"connected\": true")
  for _ in 0..<20 { _ = (told.press(), alone.press()) }
  sleep(1)
  let result = measure(told, alone)
  told.end()
  alone.end()
  broker.end()
  return result
}

/// Clicks the lamp's button in a scenario, after other steps.
private func clickLamp(_ count: Int, _ file: String, steps: [String] = []) throws {
  let clicks = (0..<count).map { _ in "click: bell" }
  let lines = (steps + clicks).map { "  - \($0)\n" }.joined()
  try panel(["test", file, makeFile("clicks.scenario.yaml", "scenario: S\nsteps:\n\(lines)")])
}

/// A button that is told to a broker, in virtual time: what the broker's thread does is done on the same one.
private enum TellingPanel {
  @inline(never)
  static func run(events: Int, isTold: Bool) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let button = chip.contact(at: "GPIO17")
    let publisher = MessagePublisher(
      .init(topics: [PublishedTopic("e", isRetained: false), PublishedTopic("v", isRetained: true)]),
      writeValue: { _, writer in writer.write(7) }, finishEvent: { _, _, _, writer in writer.write("}") })
    let client = MessagingDriver<Never>(
      InstantBroker(), greeting: BrokerGreeting(client: "bench"), publisher: publisher,
      chance: SystemRandomNumberGenerator(), parse: { _ in nil })
    let cycle = Cycle(seed: 0) {
      Lens(
        Button(chip, line: "GPIO17"),
        on: { frame, event in
          guard event != .clicked else { return }
          frame += 1
          guard isTold else { return }
          let number = frame
          publisher.tell(event: 0) { writer in
            writer.write("{\"event_type\":\"pressed\",\"seq\":")
            writer.write(number)
          }
          publisher.tell(value: 1)
        })
      Lens(client, on: { _, _ in })
    }
    try bench.run(cycle)
    for number in 0..<events {
      try number % 2 == 0 ? button.press() : button.release()
      // As fast as events are sent at most, and slower than the button's debounce.
      try bench.advance(by: .milliseconds(40))
    }
    guard cycle.frame == events, !isTold || publisher.account.delivered >= events, publisher.account.lost == 0 else {
      fatalError("\(cycle.frame) of \(events) events, \(publisher.account)")
    }
    bench.stop()
  }
}

/// A broker in memory that takes all it gets and keeps nothing.
private final class InstantBroker: Broker {
  private var waker: DriverWaker?
  private var isNew = false
  /// The numbers of what it has taken; never more than a window.
  private var numbers: [Int] = []

  init() { numbers.reserveCapacity(64) }

  var name: String { "a broker" }
  var needsThread: Bool { false }
  func wake(with waker: DriverWaker) { self.waker = waker }
  func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) { isNew = true }
  func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    if let number { numbers.append(number) }
  }
  func endReading() throws(DriverError) {}
  func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {
    if isNew { take(.accepted) }
    isNew = false
    for number in numbers { take(.delivered(number)) }
    numbers.removeAll(keepingCapacity: true)
  }
  var deadline: Moment? { nil }
  var descriptors: [PolledDescriptor] { [] }
  var isFlushed: Bool { true }
  func disconnect() {}
  func close() {}
}
