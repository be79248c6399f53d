import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("the end of a recording")
struct RecordingEndTests {
  @Test("is its last line, wherever the next check would be due", arguments: 250...260)
  func last(count: Int) throws {
    let bench = Bench()
    let memory = RecordingBuffer()
    let cycle = TapRecordingTests.cycle(SimulatedChip(bench))
    try cycle.record(with: Recorder(app: "tap", to: memory))
    let tested = try #require(cycle as? any InspectableApplication)
    try bench.run(cycle)
    for _ in 0..<count {
      #expect(tested.put(Button.Event.pressed, into: 0))
      try bench.step(until: bench.now)
    }
    bench.stop()
    let report = try TapRecordingTests.cycle(SimulatedChip(Bench()))
      .replay(RecordingReader(RecordingBytes(memory.bytes), name: "tap.recording"), ReplayOptions())
    #expect(report.events == count)
  }
}

@Suite("a recording of lenses with one name")
struct RecordingNameTests {
  private static func cycle(_ chip: SimulatedChip) -> any Application<[Int]> {
    Cycle(seed: [0, 0]) {
      Lens(Button(chip, line: "GPIO5"), on: { counts, _ in counts[0] += 1 })
      Lens(Button(chip, line: "GPIO6"), on: { counts, _ in counts[1] += 1 })
    }
  }

  @Test("gives each event to the lens that it is of")
  func twins() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let memory = RecordingBuffer()
    let cycle = Self.cycle(chip)
    try cycle.record(with: Recorder(app: "twins", to: memory))
    try bench.run(cycle)
    try chip.contact(at: "GPIO6").press()
    try bench.advance(by: .milliseconds(5))
    #expect(cycle.frame == [0, 1])
    bench.stop()
    let recording = try RecordingReader(RecordingBytes(memory.bytes), name: "twins.recording")
    #expect(try Self.cycle(SimulatedChip(Bench())).replay(recording, ReplayOptions()).frame == 1)
  }
}
