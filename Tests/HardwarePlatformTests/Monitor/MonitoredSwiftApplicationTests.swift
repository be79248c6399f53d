import CycleCore
import HardwareDrivers
import HardwareSimulation
import Monitor
import TestSupport
import Testing

@testable import HardwarePlatform

@Suite("An application in Swift that is watched")
struct MonitoredSwiftApplicationTests {
  struct Tally: Equatable, Codable {
    var count = 0
    var isBeeping = false
  }

  private static func makeCycle(on platform: Platform) -> any Application {
    Cycle(seed: Tally()) {
      Lens(
        Button(platform.chip, line: "GPIO17"), name: "the key",
        on: { tally, event in
          if event == .pressed { tally.count += 1 }
          tally.isBeeping = event == .pressed
        })
      Lens(LEDBar(platform.chip, lines: ["GPIO5", "GPIO6"]), name: "bar", show: { .init(level: $0.count) })
    }
  }

  /// The application on a bench in virtual time, recorded into a ring.
  private final class Stage {
    let platform: Platform
    let ring = RecordingRing()
    let program: MonitoredSwiftApplication
    private let application: any Application

    init() throws {
      platform = try Platform(.simulated)
      application = MonitoredSwiftApplicationTests.makeCycle(on: platform)
      let recorder = Recorder(app: "tally", to: ring)
      try application.record(with: recorder)
      platform.bench.recorder = recorder
      try platform.bench.run(application)
      program = MonitoredSwiftApplication(
        application, recorder: recorder, on: platform, inputs: HandOperatedLines(of: platform),
        takes: ApplicationRecordingEditor { MonitoredSwiftApplicationTests.makeCycle(on: try Platform(.simulated)) })
    }

    deinit { platform.bench.stop() }

    var recording: [UInt8] { ring.recording() ?? [] }
    var takes: any MonitorRecordingEditor { program.takes! }

    func tap() throws {
      for step in ["press GPIO17", "release GPIO17"] {
        try program.perform(step: step)
        try platform.bench.advance(by: .milliseconds(100))
      }
    }
  }

  @Test("its simulated lines are buttons, and what is done to them is a step of the recording's world")
  func lines() throws {
    let stage = try Stage()
    var writer = JSONWriter()
    let isDescribed = stage.program.describe(to: &writer)
    #expect(isDescribed && stage.program.isSimulated)
    #expect(
      writer.text.hasSuffix(
        #""inputs":[{"name":"GPIO17","kind":"line","control":"button","lines":["GPIO17"],"lens":-1}]}"#))
    try stage.tap()
    let recording = String(decoding: stage.recording, as: UTF8.self)
    #expect(recording.contains("[\"w\",0,\"press GPIO17\"]\n[\"e\",1,5000000,0,\"pressed\",1,"))
    for step in ["press GPIO5", "press", "lick GPIO17", ""] {
      do throws(MonitorRefusal) {
        try stage.program.perform(step: step)
        Issue.record("\(step) is done")
      } catch {
        #expect(
          error.status == 422 && error.text == "a step is press LINE or release LINE; the input lines are: GPIO17")
      }
    }
  }

  @Test("each frame is played with its models, and those that the recording has not are none")
  func frames() throws {
    let stage = try Stage()
    for _ in 0..<3 { try stage.tap() }
    #expect(
      try stage.takes.frame(1, of: stage.recording)
        == PlayedFrame(value: #"{"count":1,"isBeeping":true}"#, models: [nil, #"{"level":1}"#]))
    #expect(try stage.takes.frame(0, of: stage.recording)?.value == #"{"count":0,"isBeeping":false}"#)
    #expect(
      try stage.takes.frame(6, of: stage.recording)
        == PlayedFrame(value: #"{"count":3,"isBeeping":false}"#, models: [nil, #"{"level":3}"#]))
    #expect(try stage.takes.frame(7, of: stage.recording) == nil)
    do throws(MonitorRefusal) {
      _ = try stage.takes.frame(0, of: Array("no recording".utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.status == 422)
    }
  }

  @Test("a take is played as recorded, with names that have blanks; a resimulation and a scenario are refused")
  func takes() throws {
    let stage = try Stage()
    for _ in 0..<2 { try stage.tap() }
    let played = try stage.takes.play(recording: stage.recording, edits: ["off 1"], isResimulated: false)
    #expect(played.events == 5 && played.frame == 2 && played.first == 1)
    #expect(try stage.takes.frame(1, of: played.recording)?.value == #"{"count":1,"isBeeping":true}"#)
    let same = try stage.takes.play(recording: stage.recording, edits: [], isResimulated: false)
    #expect(same.first == 0 && same.events == 6)
    let inserted = try stage.takes.play(
      recording: stage.recording, edits: [#"insert after 1 at 50ms "the key" "pressed""#, #"frame 3 count 40"#],
      isResimulated: false)
    #expect(try stage.takes.frame(inserted.frame, of: inserted.recording)?.value == #"{"count":41,"isBeeping":false}"#)
    let cases: [(status: Int, text: String, body: () throws(MonitorRefusal) -> Void)] = [
      (
        422, "only panels can be re-simulated",
        { () throws(MonitorRefusal) in
          _ = try stage.takes.play(recording: stage.recording, edits: [], isResimulated: true)
        }
      ),
      (
        422, "there is no event 9",
        { () throws(MonitorRefusal) in
          _ = try stage.takes.play(recording: stage.recording, edits: ["off 9"], isResimulated: false)
        }
      ),
      (
        422, "only panels have scenarios",
        { () throws(MonitorRefusal) in
          _ = try stage.takes.save(recording: stage.recording, as: .scenario, events: 1...2)
        }
      ),
      (
        422, "a test case is a recording of one event",
        { () throws(MonitorRefusal) in
          _ = try stage.takes.save(recording: stage.recording, as: .test, events: 1...2)
        }
      ),
    ]
    for one in cases {
      do throws(MonitorRefusal) {
        try one.body()
        Issue.record("\(one.text): it was done")
      } catch {
        #expect(error.status == one.status && error.text.contains(one.text), "\(error.text)")
      }
    }
  }

  @Test("a part is saved as a recording, an event as a test, and both lead to the same frames")
  func parts() throws {
    let stage = try Stage()
    for _ in 0..<2 { try stage.tap() }
    for (form, events) in [(SavedForm.recording, 2...5), (.test, 4...4)] {
      let text = try stage.takes.save(recording: stage.recording, as: form, events: events)
      let recording = try RecordingReader(RecordingBytes(Array(text.utf8)), name: "part.recording")
      let report = try Self.makeCycle(on: Platform(.simulated)).replay(recording, ReplayOptions())
      #expect(report.events == events.count)
    }
  }
}
