import BenchDrivers
import CycleCore

/// The cost of an event with few and with many lenses, of which it changes the model of one: against a loop by hand
/// that compares the models of all of them.
let sizeBenchmarks = [
  lensBenchmark(4, timed: 2_000_000, counted: 10_000), lensBenchmark(1024, timed: 20_000, counted: 200),
  partBenchmark(1024, timed: 200_000, counted: 2_000), partBenchmark(4096, timed: 200_000, counted: 2_000),
  Benchmark(memoryOf: "1024 lenses after a million events", count: 1_000_000) {
    let registers = Registers()
    return { try run(1024, $0, registers) }
  },
]

/// A cycle with `count` lenses, all but one of them on a part of the frame each; each event changes one part.
private func partBenchmark(_ count: Int, timed: Int, counted: Int) -> Benchmark {
  Benchmark("a turn with \(count) lenses of parts", against: "a loop by hand", timed: timed, counted: counted) {
    let (ours, theirs) = (Registers(), Registers())
    try runParts(count, counted, ours)
    runByHand(count, counted, theirs)
    precondition(ours.checksum == theirs.checksum, "both show the same")
    return ({ try runParts(count, $0, ours) }, { runByHand(count, $0, theirs) })
  }
}

private struct WallFrame: RefillableFrame {
  var count = 0
  var lamps: Bits

  mutating func refill(from other: borrowing WallFrame) {
    count = other.count
    lamps.refill(from: other.lamps)
  }
}

@inline(never)
private func runParts(_ count: Int, _ events: Int, _ registers: Registers) throws {
  let feed = Feed()
  let cycle = Cycle(seed: WallFrame(lamps: Bits(count: count - 1))) {
    Lens(
      Fed(feed),
      on: { frame, _ in
        frame.lamps[frame.count % frame.lamps.count].toggle()
        frame.count &+= 1
      })
    Parts(\.lamps, count: count - 1) { lamp in
      Lens(Output(registers, place: lamp & 15), show: { $0 ? 1 : 0 })
    }
  }
  try cycle.start(on: VirtualLoop())
  for _ in 0..<events {
    feed.push()
    try cycle.step(until: nil)
  }
  precondition(cycle.frame.count == events)
}

/// A lamp is a bit. The count of presses says which lamp the next one toggles.
private struct LampsFrame: RefillableFrame {
  var count = 0
  var lamps: [UInt64]

  init(_ lampCount: Int) { lamps = Array(repeating: 0, count: (lampCount + 63) / 64) }

  mutating func refill(from other: borrowing LampsFrame) {
    count = other.count
    for index in other.lamps.indices { lamps[index] = other.lamps[index] }
  }

  mutating func press(_ lampCount: Int) {
    let lamp = count % lampCount
    lamps[lamp >> 6] ^= 1 << UInt64(lamp & 63)
    count &+= 1
  }

  func isLit(_ lamp: Int) -> Int { Int(truncatingIfNeeded: (lamps[lamp >> 6] >> UInt64(lamp & 63)) & 1) }
}

private func lensBenchmark(_ count: Int, timed: Int, counted: Int) -> Benchmark {
  Benchmark("an event through \(count) lenses", against: "a loop by hand", timed: timed, counted: counted) {
    let (ours, theirs) = (Registers(), Registers())
    try run(count, counted, ours)
    runByHand(count, counted, theirs)
    precondition(ours.checksum == theirs.checksum, "both show the same")
    return ({ try run(count, $0, ours) }, { runByHand(count, $0, theirs) })
  }
}

@inline(never)
private func run(_ count: Int, _ events: Int, _ registers: Registers) throws {
  let cycle = Cycle(seed: LampsFrame(count - 1), selfEmissionLimit: .max) {
    Lens(
      Presses(last: events), show: { $0.count },
      on: { frame, event in if case .pressed = event { frame.press(count - 1) } })
    LensList(count: count - 1) { lamp in
      Lens(Output(registers, place: lamp & 15), show: { $0.isLit(lamp) })
    }
  }
  try cycle.start(on: VirtualLoop())
  precondition(cycle.frame.count == events)
}

@inline(never)
private func runByHand(_ count: Int, _ events: Int, _ registers: Registers) {
  var frame = LampsFrame(count - 1)
  var shown = [Int](repeating: -1, count: count - 1)
  func render() {
    for lamp in 0..<count - 1 {
      let isLit = frame.isLit(lamp)
      guard isLit != shown[lamp] else { continue }
      shown[lamp] = isLit
      registers.words[lamp & 15] = registers.words[lamp & 15] &* 31 &+ isLit
    }
  }
  render()
  for _ in 0..<events {
    frame.press(count - 1)
    render()
  }
}
