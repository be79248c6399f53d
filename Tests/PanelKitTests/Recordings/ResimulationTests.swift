import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelRecording
@testable import PanelRun

@Suite("A take of a panel's recording, as recorded and resimulated")
struct ResimulationTests {
  private static let doorbell = """
    panel: Doorbell
    inputs: { bell: { button: GPIO17, hold: 1s }, mute: { switch: GPIO27 }, knob: { encoder: [GPIO5, GPIO6] } }
    outputs: { lamp: { led: GPIO23 }, bar: { bar: [GPIO12, GPIO13, GPIO16] } }
    sounds: { chime: { tone: 440Hz, for: 200ms } }
    values: { rings: { initial: 0, min: 0, max: 999 }, level: { initial: 1, min: 0, max: 3 } }
    on: { knob.clockwise: { set: { level: +1 } }, knob.counterclockwise: { set: { level: -1 } } }
    show: { bar: level }
    initial: idle
    states:
      idle: { on: { bell.pressed: { go: ringing, if: mute == off } } }
      ringing:
        show: { lamp: { blink: 250ms } }
        play: [ chime ]
        enter: { set: { rings: +1 } }
        on: { bell.held: idle }
        after: { 3s: idle }
    """
  private static let ring = ["press bell", "wait 100ms", "release bell", "wait 4s"]

  private func outcome(_ take: EditedRecordingReplay) throws -> (
    frame: PanelFrame, outcome: EditedRecordingReplay.Outcome
  ) {
    let application = try take.panel.application()
    let memory = RecordingBuffer()
    let outcome = try take.playAsRecorded(to: memory)
    _ = try application.cycle.replay(
      RecordingReader(RecordingBytes(memory.bytes), name: "take.recording"), ReplayOptions())
    return (application.frame, outcome)
  }

  @Test("without the press, the time that was up would not have been as recorded, and never is when resimulated")
  func withoutPress() throws {
    let recording = try RecordingStage.recording(Self.doorbell, Self.ring)
    let whole = try outcome(RecordingStage.take(recording))
    let texts = whole.outcome.rows.map(\.text)
    #expect(texts == ["bell.pressed", "chime started", "bell.released", "chime.finished", "after 3s in ringing"])
    #expect(whole.outcome.impossible.isEmpty)
    #expect(whole.frame[value: 0] == 1)

    let take = try RecordingStage.take(recording, "off 1")
    let recorded = try outcome(take)
    let struck = recorded.outcome.impossible.sorted().map { recorded.outcome.rows[$0].text }
    #expect(struck == ["chime started", "chime.finished", "after 3s in ringing"])

    let resimulated = try RecordingStage.resimulated(take)
    let again = try outcome(RecordingStage.take(resimulated))
    #expect(again.outcome.rows.map(\.text) == [])
    #expect(again.frame[value: 0] == 0)
    #expect(again.frame[state: 0] == 1)
    #expect(RecordingStage.lines(of: resimulated).contains("[\"w\",100000000,\"release bell\"]"))
    #expect(!RecordingStage.lines(of: resimulated).contains { $0.contains("press bell") })
  }

  @Test("edits move the steps that events came of by as much as the events")
  func edits() throws {
    let recording = try RecordingStage.recording(Self.doorbell, ["switch mute=on", "wait 100ms"] + Self.ring)
    // mute.on at 5 ms, bell.pressed at 105 ms.
    func steps(_ edits: String...) throws -> [String] {
      let take = try EditedRecordingReplay(
        of: ReplayableRecording(recording, name: "test.recording", kinds: .standard),
        edits: edits.map { try RecordingEdit($0) })
      return try take.worldSteps().map { "\($0.time.map { "\($0 / 1_000_000)" } ?? "-") \($0.words)" }
    }
    #expect(try steps() == ["0 switch mute=on", "100 press bell", "200 release bell"])
    #expect(try steps("off 1") == ["100 press bell", "200 release bell"])
    #expect(try steps("off 1", "on 1") == ["0 switch mute=on", "100 press bell", "200 release bell"])
    #expect(try steps("move 2 before 1") == ["0 press bell", "100 switch mute=on", "200 release bell"])
    #expect(
      try steps("insert after 1 at 50ms switches [0,\"off\"]")
        == ["0 switch mute=on", "45 switch mute=off", "100 press bell", "200 release bell"])
    #expect(try steps("edit 1 [0,\"off\"]") == ["0 switch mute=off", "100 press bell", "200 release bell"])
    #expect(try steps("note 1 \"x\"", "approve 2").count == 3)
  }

  @Test("an edit that the world can't do is refused with what to do")
  func refused() throws {
    let recording = try RecordingStage.recording(Self.doorbell, ["turn knob=2"] + Self.ring)
    func refusal(_ edits: String...) -> String {
      do {
        let take = try EditedRecordingReplay(
          of: ReplayableRecording(recording, name: "test.recording", kinds: .standard),
          edits: edits.map { try RecordingEdit($0) })
        _ = try take.worldSteps()
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      refusal("off 7")
        == "event 7, after 3s in ringing, is a derived event, which the re-simulation computes again; edit the event that it follows from"
    )
    #expect(
      refusal("frame 1 rings 5")
        == "a re-simulation computes its frames, and can't set one after event 1; leave out --resimulate")
    #expect(
      refusal("insert after 3 at 150ms buttons [0,\"held\"]")
        == "0.150s is not between 0.013s and 0.013s")
    #expect(
      refusal("insert after 3 at 13ms buttons [0,\"held\"]")
        == "bell.held is not an input; insert an event of an input")
    #expect(refusal("off 1") == "none")
  }

  @Test("a detent that is taken out makes its turn shorter")
  func detents() throws {
    let recording = try RecordingStage.recording(
      Self.doorbell, ["turn knob=-3", "wait 100ms", "turn knob=1", "wait 1s"])
    func words(_ edits: String...) throws -> [String] {
      try EditedRecordingReplay(
        of: ReplayableRecording(recording, name: "t", kinds: .standard), edits: edits.map { try RecordingEdit($0) }
      )
      .worldSteps().map(\.words)
    }
    #expect(try words("off 2") == ["turn knob=-2", "turn knob=1"])
    #expect(try words("off 1", "off 2", "off 3") == ["turn knob=1"])
    #expect(try words("off 4") == ["turn knob=-3"])
  }

  @Test(
    "a resimulation without edits is the recording again, to the byte",
    arguments: [
      ring, ["wait 10s"], ["hold bell=1500ms", "click bell", "wait 5s"],
      ["bounce bell=3ms", "seed 7", "press bell", "wait 20ms", "release bell", "wait 20ms", "click bell"],
      ["unplug gpio", "wait 2s", "plug gpio", "wait 2s", "click bell", "wait 1s"],
      ["unplug audio", "click bell", "wait 1s", "plug audio", "wait 3s"],
      ["jam bell=pressed", "wait 1s", "free bell", "wait 1s", "turn knob=2", "stutter 50ms", "wait 1s"],
    ])
  func same(steps: [String]) throws {
    let recording = try RecordingStage.recording(Self.doorbell, steps)
    let resimulated = try RecordingStage.resimulated(RecordingStage.take(recording))
    #expect(RecordingStage.lines(of: resimulated) == RecordingStage.lines(of: recording))
  }

  @Test("a recording without steps, as of real hardware, is resimulated by its events, from where its clock stood")
  func events() throws {
    let start = Moment(nanoseconds: 123_456_789_012)
    let steps =
      ["switch mute=on", "wait 100ms", "switch mute=off", "wait 1s"] + Self.ring + ["turn knob=1", "wait 50ms"]
    let recording = try RecordingStage.recording(Self.doorbell, steps, beginning: start)
    let bare = RecordingStage.lines(of: recording).filter { !$0.hasPrefix("[\"w\"") && !$0.hasPrefix("[\"z\"") }
    let end = RecordingStage.lines(of: recording).last.map { String($0) } ?? ""
    #expect(end.hasPrefix("[\"z\""))
    let take = try RecordingStage.take(Array((bare.joined(separator: "\n") + "\n").utf8))
    let resimulated = try RecordingStage.resimulated(take)
    #expect(RecordingStage.causes(of: resimulated) == RecordingStage.causes(of: recording))
  }

  @Test(
    "what a recording without steps begins with is made before the start of its resimulation",
    arguments: [
      ("{ mute: on, bell: pressed }", ["wait 100ms", "release bell", "wait 50ms", "switch mute=off", "wait 50ms"]),
      ("{ gpio: lost }", ["wait 1s", "plug gpio", "wait 100ms"]),
      ("{ gpio: lost, mute: on }", ["wait 1s", "plug gpio", "wait 100ms", "click bell", "wait 4s"]),
      ("{ unsettled: { mute: 300ms } }", ["wait 1s"] + Self.ring),
    ])
  func start(start: String, steps: [String]) throws {
    let recording = try RecordingStage.recording(Self.doorbell, steps, start: start)
    let bare = RecordingStage.lines(of: recording).filter { !$0.hasPrefix("[\"w\"") && !$0.hasPrefix("[\"z\"") }
    let take = try RecordingStage.take(Array((bare.joined(separator: "\n") + "\n").utf8))
    let resimulated = try RecordingStage.resimulated(take)
    func texts(_ take: EditedRecordingReplay) throws -> [String] {
      try take.playAsRecorded().rows.filter { if case .found = $0.meaning { false } else { true } }.map(\.text)
    }
    // A contact that was found later is so from the start of the resimulation on.
    let (recorded, again) = (try texts(take), try texts(RecordingStage.take(resimulated)))
    #expect(again == recorded && !recorded.isEmpty)
  }

  @Test("the edges of real lines are recorded, and lead through the drivers to the same events", arguments: [0, 3])
  func edges(bounce: Int) throws {
    let steps =
      [
        "bounce bell=\(bounce)ms", "bounce mute=\(bounce)ms", "switch mute=on", "wait 100ms", "switch mute=off",
        "wait 50ms",
      ]
      + Self.ring + ["turn knob=-2", "wait 100ms", "hold bell=1200ms", "wait 1s"]
    let recording = try RecordingStage.recording(Self.doorbell, steps, withEdges: true)
    let lines = RecordingStage.lines(of: recording)
    #expect(lines.contains("[\"g\",0,\"GPIO17\",1,0]"))
    #expect(lines.contains("[\"g\",0,\"GPIO27\",1,0]"))
    #expect(lines.count { $0.hasPrefix("[\"g\"") } > 15)
    let take = try RecordingStage.take(recording)
    let resimulated = try RecordingStage.resimulated(take)
    #expect(RecordingStage.causes(of: resimulated) == RecordingStage.causes(of: recording))
    // Without the first press, its edges are gone.
    let number = try #require(try take.playAsRecorded().rows.first { $0.text == "bell.pressed" }?.number)
    let without = try RecordingStage.take(recording, "off \(number)")
    let texts = try RecordingStage.take(RecordingStage.resimulated(without)).playAsRecorded().rows.map(\.text)
    #expect(texts.count { $0 == "bell.pressed" } == 1)
    #expect(texts.count { $0 == "chime started" } == 1)
  }

  @Test(
    "a recording with a step that no world does, or that is none of the panel, is refused",
    arguments: [
      ("wait 1000000m", "the step wait 1000000m is not a step of recordings; use the recording as it was made"),
      ("click bell", "the step click bell is not a step of recordings; use the recording as it was made"),
      (
        "press gong",
        "the step press gong: unknown input \"gong\"; inputs: bell, mute, knob; use the panel that made the recording"
      ),
    ])
  func strangeStep(words: String, message: String) throws {
    let recording = try RecordingStage.recording(Self.doorbell, Self.ring)
    let lines = RecordingStage.lines(of: recording).filter { !$0.hasPrefix("[\"z\"") }.map {
      $0.hasPrefix("[\"w\",0,") ? "[\"w\",0,\"\(words)\"]" : String($0)
    }
    do {
      _ = try RecordingStage.resimulated(RecordingStage.take(Array((lines.joined(separator: "\n") + "\n").utf8)))
      Issue.record("it was resimulated")
    } catch {
      #expect("\(error)" == message)
    }
  }

  @Test("a resimulation that is cancelled, and one that has no room, end with an error")
  func ended() throws {
    let recording = try RecordingStage.recording(Self.doorbell, Self.ring)
    let take = try RecordingStage.take(recording)
    #expect(throws: RecordingTextFault("the recording of the re-simulation lacks 2 records: there is no room for it")) {
      try take.resimulate(to: RecordingBuffer(limit: recording.count - 200))
    }
    let clock = """
      panel: Clock
      outputs: { lamp: { led: GPIO23 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      initial: on
      states: { on: { every: { 10ms: { set: { n: +1 } } } } }
      """
    let long = try RecordingStage.take(RecordingStage.recording(clock, ["wait 30s"]))
    #expect(throws: RecordingTextFault("the re-simulation was stopped before its end")) {
      try long.resimulate(to: RecordingBuffer(), isCancelled: { true })
    }
  }

  @Test("a recording of one event begins with the frame that it met, and is named by it")
  func moment() throws {
    let take = try RecordingStage.take(RecordingStage.recording(Self.doorbell, Self.ring))
    let (name, recording) = try take.moment(5)
    #expect(name == "5-after-3s-in-ringing.recording")
    let panel = try ReplayableRecording(recording, name: name, kinds: .standard)
    let report = try panel.application().cycle.replay(panel.recording(), ReplayOptions())
    #expect(report.events == 1)
    #expect(try take.moment(1).name == "1-bell-pressed.recording")
    #expect(throws: RecordingTextFault.self) { try take.moment(6) }
  }

  @Test(
    "a random panel with random steps is resimulated to the same recording, and played as recorded to the same frames",
    arguments: 1...25 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let chart = RandomStatechartTests.Chart(&random)
    let text =
      """
      panel: Random
      inputs: { key: { button: GPIO17, hold: 300ms }, mute: { switch: GPIO27 }, knob: { encoder: [GPIO5, GPIO6] } }
      values: { level: { initial: 5, min: 0, max: 10 } }

      """ + chart.text
    let choices = [
      "press key", "release key", "click key", "hold key=400ms", "switch mute=on", "switch mute=off", "turn knob=1",
      "turn knob=-2", "bounce key=3ms", "unplug gpio", "plug gpio", "jam mute=on", "free mute",
    ]
    var steps = ["seed \(seed)"]
    for _ in 0..<30 {
      steps.append(choices.randomElement(using: &random)!)
      steps.append("wait \(Int.random(in: 1...400, using: &random))ms")
    }
    let recording = try RecordingStage.recording(text, steps)
    let take = try RecordingStage.take(recording)
    #expect(
      try RecordingStage.lines(of: RecordingStage.resimulated(take)) == RecordingStage.lines(of: recording),
      "seed \(seed)")
    let memory = RecordingBuffer()
    let outcome = try take.playAsRecorded(to: memory)
    #expect(outcome.impossible.isEmpty, "seed \(seed)")
    #expect(try RecordingStage.digests(of: memory.bytes) == RecordingStage.digests(of: recording), "seed \(seed)")
  }
}
