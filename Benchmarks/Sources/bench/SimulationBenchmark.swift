import BenchDrivers
import CycleCore
import HardwareDrivers
import HardwareSimulation

/// What simulated hardware costs.
let simulationBenchmarks = [
  Benchmark("an event that is a turn of its own", timed: 200_000, counted: 10_000) { { try runTurns($0) } },
  Benchmark(
    "an event of 8 drivers that have 4096 waiting each", against: "of one driver", timed: 200_000, counted: 65_536
  ) { ({ try runBursts(8, $0) }, { try runBursts(1, $0) }) },
  Benchmark("an hour of a busy panel, in virtual time", timed: 1, counted: 1) {
    { for _ in 0..<$0 { try BusyPanel.run() } }
  },
  Benchmark("an hour of 20 devices with 51 events a second, in virtual time", timed: 1, counted: 1) {
    let first = try TwentyDevices.recording(seconds: 60)
    let second = try TwentyDevices.recording(seconds: 60)
    precondition(first == second, "two runs are the same to the byte")
    return { for _ in 0..<$0 { try TwentyDevices.run(seconds: 3_600) } }
  }.slow.demanding(.milliseconds, atMost: 500),
  Benchmark("a press and a release through the simulated chip", timed: 20_000, counted: 1_000) {
    { try pressAndRelease($0) }
  },
]

/// Four drivers: one emits events, each in a turn of its own as edges come, and each event changes the model of one of
/// the other three.
@inline(never)
private func runTurns(_ turns: Int) throws {
  struct Frame: Equatable, Sendable {
    var count = 0
    var lamps: UInt8 = 0
  }
  let registers = Registers()
  let feed = Feed()
  let cycle = Cycle(seed: Frame()) {
    Lens(
      Fed(feed),
      on: { frame, event in
        frame.count &+= 1
        frame.lamps ^= 1 << UInt8(event % 3)
      })
    Lens(Output(registers, place: 0), show: { Int($0.lamps & 1) })
    Lens(Output(registers, place: 1), show: { Int(($0.lamps >> 1) & 1) })
    Lens(Output(registers, place: 2), show: { Int(($0.lamps >> 2) & 1) })
  }
  try cycle.start(on: VirtualLoop())
  for _ in 0..<turns {
    feed.push()
    try cycle.step(until: nil)
  }
  precondition(cycle.frame.count == turns, "each turn is one event")
}

/// Each driver emits 4096 events at once, whose moments lie between those of the other drivers' events.
@inline(never)
private func runBursts(_ drivers: Int, _ events: Int) throws {
  let burst = 4096
  let feeds = (0..<drivers).map { _ in Feed() }
  let cycle = Cycle(seed: 0) {
    LensList(count: drivers) { index in
      Lens(
        Burst(feeds[index], count: burst, age: .microseconds(8 * burst + index), step: .microseconds(8)),
        on: { frame, event in frame &+= event }, laneCapacity: burst)
    }
  }
  let loop = VirtualLoop()
  try cycle.start(on: loop)
  var rest = events
  while rest > 0 {
    try cycle.step(until: loop.now + .seconds(1))
    for feed in feeds { feed.push() }
    try cycle.step(until: nil)
    rest -= burst * drivers
  }
  precondition(cycle.accounts.allSatisfy { $0.lost == 0 }, "every event has room")
}

/// A button without gestures and a lamp that shows it, on the simulated chip, debounced for 5 ms.
@inline(never)
private func pressAndRelease(_ times: Int) throws {
  struct Frame: Equatable, Sendable {
    var presses = 0
    var isLit = false
  }
  let bench = Bench()
  let chip = SimulatedChip(bench)
  let button = chip.contact(at: "GPIO17")
  let cycle = Cycle(seed: Frame()) {
    Lens(
      Button(chip, line: "GPIO17"),
      on: { frame, event in
        if event == .pressed { frame.presses += 1 }
        frame.isLit = event == .pressed
      })
    Lens(LED(chip, line: "GPIO23"), show: { $0.isLit ? .on : .off })
  }
  try bench.run(cycle)
  for _ in 0..<times {
    try button.press()
    try bench.advance(by: .milliseconds(20))
    try button.release()
    try bench.advance(by: .milliseconds(20))
  }
  precondition(cycle.frame.presses == times, "each press counts")
  bench.stop()
}
