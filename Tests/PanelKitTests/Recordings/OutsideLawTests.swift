import CycleCore
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRun

/// The law of what comes from outside, on a third of the examples: each integer of each event, and each column of each
/// frame, is in turn every extreme number. The panel refuses it, or goes on with it; nothing traps. What the panel
/// itself has told and shown is never refused.
@Suite("What comes to a panel from outside")
struct OutsideLawTests {
  /// A third of the example panels with their scenarios: each of them takes long, and `everything` has one of each kind.
  private static let examples: [(panel: String, scenarios: [String])] = {
    TestPlan(["\(checkoutRoot)/Examples"]).suites.filter { !$0.panel.contains("/ColourLamp/") }.enumerated()
      .filter { $0.offset % 3 == 0 }.map { ($0.element.panel, $0.element.scenarios) }
  }()
  /// A panel with one of each: what the examples lack.
  private static let everything = """
    panel: Everything
    inputs:
      bell: { button: GPIO17 }
      two:  { buttons: [ GPIO22, GPIO27 ] }
      both: { chord: [ bell, two(1) ], within: 200ms, hold: 1s }
      knob: { encoder: [ GPIO5, GPIO6 ] }
      pad:  { keypad: { rows: [ GPIO12, GPIO13 ], columns: [ GPIO16, GPIO19 ] } }
      far:  { sensor: { distance: [ GPIO23, GPIO24 ] }, min: 0, max: 4000 }
      hot:  { switch: { on: far > 100, off: far < 50 }, debounce: 10ms }
    outputs:
      lamp: { led: GPIO25 }
      up:   { relay: GPIO20 }
      down: { relay: GPIO21 }
    interlocks: [ { relays: [ up, down ], pause: 500ms } ]
    sounds: { notes: { tones: [ 440Hz, 550Hz ], for: 100ms } }
    values:
      level: { initial: 3, min: 0, max: 10, keep: true }
      wait:  { initial: 1s, min: 0s, max: 5s }
      code:  { list: 3, min: 0, max: 9 }
    accept: { press: [ bell ], set: [ level, wait ], turn: [ knob ], event: [ light ] }
    mqtt: { publish: all }
    osc: { send: [ "127.0.0.1:53000" ] }
    on: { knob.clockwise: { set: { level: +1, code: append 3 } }, pad(1).pressed: { send: { osc: /cue/5, with: [ "{level}" ] } } }
    initial: off
    states:
      off:
        on: { bell.pressed: lit, network.light: lit, both.held: lit, hot.on: lit }
        untouched: { 1m: lit }
      lit:
        show: { lamp: { blink: 200ms }, up: on }
        play: [ "notes(level)" ]
        on: { bell.released: off, two(1).pressed: { set: { level: random 1..4 } } }
        after: { wait: off, 1s..4s: off }
        initial: one
        states: { one: { after: { 500ms: two } }, two: { on: { "notes(1).finished": one } } }

    """

  private static func steps(of panel: PanelDefinition) -> [String] {
    panel.inputs.flatMap { input -> [String] in
      switch type(of: input.device).control {
      case .button: ["click \(input.name)"]
      case .switch: ["switch \(input.name)=on", "switch \(input.name)=off"]
      case .knob: ["turn \(input.name)=1", "turn \(input.name)=-1"]
      case .selector: input.device.positions.map { "switch \(input.name)=\($0)" }
      case .events, .sensor, .none: []
      }
    }
  }

  /// A panel, and the recordings of what was done to it.
  private struct Subject {
    let panel: PanelDefinition
    let recordings: [[UInt8]]

    /// The paths of an example and its scenarios.
    init(_ path: String, _ scenarios: [String]) throws {
      panel = try PanelFile.read(path: path)
      let text = String(decoding: try #require(bytes(of: path)), as: UTF8.self)
      let source = RecordingHeader.Source(file: path, text: text)
      var recordings: [[UInt8]] = []
      for file in scenarios {
        let scenario = try ScenarioFile.read(path: file, for: panel, kinds: .standard)
        for one in scenario.cases {
          let memory = RecordingBuffer()
          var run = ScenarioRun(scenario, of: panel)
          run.recording = (memory, source)
          _ = try? run.run(one)
          recordings.append(memory.bytes)
        }
      }
      self.recordings = recordings
    }

    init(text: String) throws {
      panel = try PanelFile.read(Array(text.utf8), file: "test")
      recordings = [
        try RecordingStage.recording(text, OutsideLawTests.steps(of: panel) + ["sense far=200", "wait 1s"])
      ]
    }

    /// The events in the recordings, by lens: of each form one.
    func events() throws -> [(lens: String, event: String)] {
      var found: [(String, String)] = []
      var forms: Set<String> = []
      for recording in recordings {
        let recording = try RecordingReader(RecordingBytes(recording), name: "law.recording")
        while let line = try recording.next() {
          guard line.kind == .event || line.kind == .injection else { continue }
          let lens = recording.header.lenses[line.lens].name
          let event = String(decoding: UnsafeRawBufferPointer(rebasing: recording.text[line.value]), as: UTF8.self)
          if forms.insert(lens + JSONIntegerVariants.form(of: event)).inserted { found.append((lens, event)) }
        }
      }
      return found
    }

    func session() throws -> PanelSession {
      let session = try PanelSession(panel, on: Platform(.simulated), sounds: PanelSound.silent(panel.sounds))
      try session.record(to: [RecordingRing()], source: .init(file: "", text: ""))
      try session.start()
      return session
    }
  }

  /// Puts an event in, as `/api/inject` does. Whether it was accepted.
  private func put(_ event: String, _ lens: Int, _ session: PanelSession) throws -> Bool {
    let cycle = session.application.cycle
    guard cycle.accounts[lens].pending == 0 else { return false }
    do throws(RecordingTextFault) { try cycle.put(event: event, into: lens) } catch { return false }
    try session.bench.settle()
    try session.bench.step(until: session.now)
    return true
  }

  private func checkEvents(of subject: Subject) throws {
    var session = try subject.session()
    defer { session.stop() }
    let events = try subject.events()
    let lenses = session.application.journals.indices.map { session.application.cycle.name(of: $0) }
    for (number, lens) in lenses.enumerated() {
      // What others have told is nothing for this lens, and what is in the protocol of none.
      let own = events.filter { $0.lens == lens }.map(\.event)
      let foreign = [
        #"[0,"pressed"]"#, #"{"asked":{"_0":0}}"#, #"{"set":{"value":0,"to":1}}"#, #"{"change":{"value":0,"by":1}}"#,
        #"{"input":{"_0":0,"event":0}}"#, #"{"prescribe":{"_0":[1]}}"#, #"{"seed":{"_0":1}}"#, "[0,0,0,0,0]",
        "[1,0,0,0,0]",
        #"[0,{"edgesLost":1}]"#, #"{"edgesLost":{"_0":1}}"#, #"{"pressed":{"_0":{"row":0,"column":0,"legend":""}}}"#,
        #"{"ghosted":{"_0":[{"row":0,"column":0,"legend":""}]}}"#, #"{"askedTogether":{"_0":{"rawValue":3},"kept":0}}"#,
        #"{"reading":{"_0":1}}"#, #"{"reading":{"_0":"nan"}}"#, #"{"distance":{"millimetres":1}}"#,
        #"{"saved":{"byteCount":1}}"#,
        #"{"measured":{"_0":{"millidegreesCelsius":1}}}"#,
      ]
      for event in own {
        #expect(try put(event, number, session), "\(lens) refuses its own event \(event)")
        if session.frame.isStopped {
          session.stop()
          session = try subject.session()
        }
      }
      for event in own + foreign {
        for variant in JSONIntegerVariants.variants(of: event) {
          guard try put(variant, number, session) else { continue }
          try session.bench.advance(by: .milliseconds(1))
          guard session.frame.isStopped else { continue }
          session.stop()
          session = try subject.session()
        }
      }
    }
  }

  private static let numbers = [
    Int.min, -(1 << 32), -2, -1, 0, 1, 2, 3, 7, 99, 1 << 31, 1 << 53, (1 << 53) + 1, 1 << 62, Int.max,
  ]

  private func checkFrames(of subject: Subject) throws {
    let session = try subject.session()
    defer { session.stop() }
    let cycle = session.application.cycle
    let events = try subject.events().compactMap { lens, event in
      session.application.journals.indices.first { cycle.name(of: $0) == lens }.map { ($0, event) }
    }
    var random = SeededGenerator(seed: 1)
    let first = session.frame.recordingNumbers
    for column in first.indices {
      for number in Self.numbers {
        var numbers = first
        numbers[column] = number
        var text = JSONWriter()
        numbers.write(to: &text)
        do throws(RecordingTextFault) { try cycle.set(frame: text.text) } catch { continue }
        try session.bench.settle()
        for _ in 0..<2 {
          guard let (lens, event) = events.randomElement(using: &random) else { break }
          _ = try put(event, lens, session)
        }
        try session.bench.advance(by: .milliseconds(300))
        _ = session.view.wholeLine
      }
    }
  }

  /// What the panel has shown passes, and replays.
  private func checkOwn(of subject: Subject) throws {
    let bounds = UntrustedFrameValidator(of: subject.panel)
    for bytes in subject.recordings {
      let recording = try RecordingReader(RecordingBytes(bytes), name: "law.recording")
      var follower = RowDeltaDecoder()
      while let line = try recording.next() {
        try follower.follow(line, of: recording)
        if let row = follower.row, let reason = bounds.refusal(of: row) {
          Issue.record("line \(recording.lineNumber): \(reason)")
        }
      }
    }
  }

  @Test(
    "extreme numbers in events and frames are refused or harmless, and the panel's own are right", arguments: examples)
  func example(panel: String, scenarios: [String]) throws {
    let subject = try Subject(panel, scenarios)
    try checkOwn(of: subject)
    try checkEvents(of: subject)
    try checkFrames(of: subject)
  }

  @Test("the same of a panel with one of each kind")
  func everything() throws {
    let subject = try Subject(text: Self.everything)
    try checkOwn(of: subject)
    try checkEvents(of: subject)
    try checkFrames(of: subject)
  }
}
