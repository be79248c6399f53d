import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// An application in Swift whose world is recorded, and resimulated.
@Suite("The world of a bench in a recording")
struct BenchRecordingTests {
  private struct Stage {
    let bench: Bench
    let chip: SimulatedChip
    let contact: Contact
    let memory = RecordingBuffer()
    let cycle: any Application<TapRecordingTests.Tap>

    init() throws {
      bench = Bench()
      chip = SimulatedChip(bench)
      contact = chip.contact(at: "GPIO17")
      cycle = TapRecordingTests.cycle(chip)
      let recorder = Recorder(app: "tap", to: memory)
      try cycle.record(with: recorder)
      bench.recorder = recorder
    }

    func act(_ words: String) throws {
      try bench.act(words) { () throws(DriverError) in
        switch words {
        case "press": try contact.press()
        case "release": try contact.release()
        default: contact.bounce = .milliseconds(3)
        }
      }
    }

    var take: EditedRecording {
      get throws { try EditedRecording(of: RecordingReader(RecordingBytes(memory.bytes), name: "tap.recording")) }
    }
  }

  private func recorded() throws -> Stage {
    let stage = try Stage()
    try stage.act("bounce")
    try stage.bench.run(stage.cycle)
    for pause in [100, 80, 60] {
      try stage.act("press")
      try stage.bench.advance(by: .milliseconds(pause))
      try stage.act("release")
      try stage.bench.advance(by: .milliseconds(pause))
    }
    stage.bench.stop()
    return stage
  }

  @Test("steps are recorded with their words and moments, and resimulated they make the same recording, to the byte")
  func resimulated() throws {
    let first = try recorded()
    let lines = first.memory.text.split(separator: "\n")
    #expect(lines[2...3] == ["[\"w\",0,\"start: bounce\"]", "[\"w\",0,\"press\"]"])
    #expect(lines.contains("[\"w\",100000000,\"release\"]"))
    let second = try Stage()
    let take = try first.take
    try second.bench.resimulate(take.steps, of: second.cycle, until: take.end, perform: second.act)
    #expect(second.memory.text == first.memory.text)
    #expect(second.chip.heldLines == 0)
  }

  @Test("without its first press the resimulation has one tap less")
  func without() throws {
    let take = try recorded().take
    let second = try Stage()
    let steps = take.steps.filter { $0 != WorldAction(time: 0, words: "press") }
    try second.bench.resimulate(steps, of: second.cycle, until: take.end, perform: second.act)
    #expect(second.cycle.frame == .init(count: 2, isBeeping: false))
  }

  /// A driver of an output that needs time at its start.
  private struct SlowOutput: Driver {
    var safeModel: Bool { false }
    mutating func start(showing model: Bool, in context: DriverContext<Never>) { context.pause(for: .microseconds(10)) }
    mutating func render(_ model: Bool, replacing previous: Bool?) {}
    mutating func stop() {}
  }

  private func counter(to memory: RecordingBuffer) throws -> (Bench, Contact, any Application<Int>) {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let contact = chip.contact(at: "GPIO17")
    let cycle = Cycle(seed: 0) {
      Lens(Button(chip, line: "GPIO17"), on: { count, event in if event == .pressed { count += 1 } })
      Lens(SlowOutput(), show: { $0 > 0 }, on: { _, _ in })
    }
    let recorder = Recorder(app: "counter", to: memory)
    try cycle.record(with: recorder)
    bench.recorder = recorder
    return (bench, contact, cycle)
  }

  @Test("a driver that needs time at its start delays no step of the resimulation")
  func slowStart() throws {
    let (first, second) = (RecordingBuffer(), RecordingBuffer())
    do {
      let (bench, contact, cycle) = try counter(to: first)
      try bench.run(cycle)
      #expect(bench.now - (try #require(cycle.firstFrameMoment)) == .microseconds(10))
      try bench.advance(by: .milliseconds(200))
      try bench.act("press") { () throws(DriverError) in try contact.press() }
      try bench.advance(by: .milliseconds(200))
      bench.stop()
      #expect(cycle.frame == 1)
    }
    let (bench, contact, cycle) = try counter(to: second)
    let take = try EditedRecording(of: RecordingReader(RecordingBytes(first.bytes), name: "counter.recording"))
    try bench.resimulate(take.steps, of: cycle, until: take.end) { words in
      try bench.act(words) { () throws(DriverError) in try contact.press() }
    }
    #expect(second.text == first.text)
  }
}
