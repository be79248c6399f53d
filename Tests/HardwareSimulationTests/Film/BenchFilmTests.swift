import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// An application in Swift whose world is filmed, and rehearsed.
@Suite("The world of a bench in a film")
struct BenchFilmTests {
  private struct Stage {
    let bench: Bench
    let chip: SimulatedChip
    let contact: Contact
    let memory = FilmMemory()
    let cycle: any Application<TapFilmTests.Tap>

    init() throws {
      bench = Bench()
      chip = SimulatedChip(bench)
      contact = chip.contact(at: "GPIO17")
      cycle = TapFilmTests.cycle(chip)
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

    var take: Take {
      get throws { try Take(of: Film(FilmBytes(memory.bytes), name: "tap.recording")) }
    }
  }

  private func filmed() throws -> Stage {
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

  @Test("steps are recorded with their words and moments, and rehearsed they make the same film, to the byte")
  func rehearsed() throws {
    let first = try filmed()
    let lines = first.memory.text.split(separator: "\n")
    #expect(lines[2...3] == ["[\"w\",0,\"start: bounce\"]", "[\"w\",0,\"press\"]"])
    #expect(lines.contains("[\"w\",100000000,\"release\"]"))
    let second = try Stage()
    let take = try first.take
    try second.bench.rehearse(take.steps, of: second.cycle, until: take.end, perform: second.act)
    #expect(second.memory.text == first.memory.text)
    #expect(second.chip.heldLines == 0)
  }

  @Test("without its first press the rehearsal has one tap less")
  func without() throws {
    let take = try filmed().take
    let second = try Stage()
    let steps = take.steps.filter { $0 != WorldStep(time: 0, words: "press") }
    try second.bench.rehearse(steps, of: second.cycle, until: take.end, perform: second.act)
    #expect(second.cycle.frame == .init(count: 2, isBeeping: false))
  }
}
