import CycleCore
import Glibc
import HardwarePlatform
import Monitor
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("a panel that is watched")
struct MonitoredPanelTests {
  /// The sample panel on a bench in virtual time, recorded into a ring.
  private final class Stage {
    let session: PanelSession
    let ring = RecordingRing()
    let panel: MonitoredPanel

    init() throws {
      session = try PanelSession(SamplePanel.read(), on: Platform(.simulated))
      try session.record(to: [ring], source: .init(file: "sample.panel.yaml", text: SamplePanel.text))
      panel = MonitoredPanel(
        session, file: "sample.panel.yaml", recorder: session.recorder!, takes: PanelRecordingEditor(kinds: .standard))
      try session.start()
    }

    deinit { session.stop() }

    var recording: [UInt8] { ring.recording() ?? [] }
  }

  @Test("its description names devices, lines, lenses, columns and states")
  func description() throws {
    let stage = try Stage()
    var writer = JSONWriter()
    let isDescribed = stage.panel.describe(to: &writer)
    #expect(isDescribed)
    let text = writer.text
    for part in [
      #"{"name":"Doorbell","file":"sample.panel.yaml","chip":"auto","inputs":[{"name":"bell","kind":"button","control":"button","lines":["GPIO17"],"lens":0,"index":0,"shared":true,"#,
      #""events":["pressed","released","held","clicked","#, #""hold":1000000000"#,
      #"{"name":"quiet","kind":"switch","control":"switch","lines":["GPIO27"],"lens":1,"index":0,"shared":true,"#,
      #"{"name":"bar","kind":"bar","picture":"bar","lines":["GPIO12","GPIO13","GPIO16","GPIO19","GPIO20"],"#,
      #""lamps":5"#,
      #"{"name":"volume","min":0,"max":5,"initial":3,"#, #"{"name":"ding","tone":660.0,"loop":false,"#,
      #""look":{"blink":[100,100]}"#, #""look":{"value":"volume"}"#, #""look":{"pulse":3000}"#, #""play":["ding"]"#,
      #"{"event":"bell.pressed","go":"ding","to":"#, #""after":[{"ns":500000000,"go":"dong","to":"#,
      #"{"event":"knob.clockwise","set":["volume"]}"#,
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    // The lens is the one that the events in the recording have.
    try stage.panel.perform(step: "switch quiet=on")
    try stage.session.bench.advance(by: .milliseconds(50))
    #expect(String(decoding: stage.recording, as: UTF8.self).contains(#",1,[0,"on"],"#))
  }

  @Test("it does steps that take no time, and refuses others with the reason")
  func steps() throws {
    let stage = try Stage()
    try stage.panel.perform(step: "press bell")
    try stage.session.bench.advance(by: .milliseconds(50))
    #expect(stage.session.frame[start: 0] == 1)
    for (step, text) in [
      ("press nothing", "nothing"), ("wait 1s", "takes time"), ("", "no step"), ("expect lamp=on", "takes time"),
      ("bark", "bark"), ("turn knob=21", "20 detents at most"), ("turn knob=-21", "20 detents at most"),
    ] {
      do {
        try stage.panel.perform(step: step)
        Issue.record("\(step) is done")
      } catch {
        #expect(error.status == 422 && error.text.contains(text), "\(error.text)")
      }
    }
  }

  @Test("a frame that is shown again enters its states anew: their times begin now")
  func show() throws {
    let stage = try Stage()
    try stage.panel.perform(step: "press bell")
    try stage.session.bench.advance(by: .milliseconds(100))
    let frame = try stage.session.application.cycle.frameText(setting: [])
    try stage.session.bench.advance(by: .seconds(5))
    let lamp = try #require(stage.session.panel.outputs.firstIndex { $0.name == "lamp" })
    #expect(stage.session.look(of: lamp) == .off)
    try stage.session.application.cycle.set(frame: stage.panel.frame(showing: frame))
    try stage.panel.settle()
    #expect(stage.session.look(of: lamp) == .blinking)
    try stage.session.bench.advance(by: .milliseconds(400))
    #expect(stage.session.look(of: lamp) == .blinking)
    try stage.session.bench.advance(by: .seconds(1))
    #expect(stage.session.look(of: lamp) == .off)
    let text = String(decoding: stage.recording, as: UTF8.self)
    #expect(text.contains("\n[\"s\","))
  }

  @Test("takes and files are made of the recording in memory")
  func takes() throws {
    let stage = try Stage()
    try stage.panel.perform(step: "press bell")
    try stage.session.bench.advance(by: .milliseconds(300))
    try stage.panel.perform(step: "release bell")
    try stage.session.bench.advance(by: .seconds(3))
    let takes = try #require(stage.panel.takes)
    let whole = try takes.play(recording: stage.recording, edits: [], isResimulated: false)
    #expect(whole.first == 0)
    let off = try takes.play(recording: stage.recording, edits: ["off 1"], isResimulated: false)
    #expect(off.first == 1)
    #expect(off.events == whole.events - 1)
    #expect(!off.ghosts.isEmpty)
    let resimulated = try takes.play(recording: stage.recording, edits: ["off 1"], isResimulated: true)
    #expect(resimulated.events < off.events)
    let scenario = try takes.save(recording: stage.recording, as: .scenario, events: 1...whole.events)
    #expect(scenario.contains("press: bell") || scenario.contains("press bell"), "\(scenario)")
    #expect(try takes.save(recording: stage.recording, as: .recording, events: 1...2).hasPrefix(#"{"film":1,"#))
    // A test is a recording of one event; what comes of a take is saved, too.
    for recording in [stage.recording, off.recording] {
      let test = try takes.save(recording: recording, as: .test, events: 2...2)
      #expect(test.split(separator: "\n").count { $0.hasPrefix("[\"e\",") } == 1)
    }
    do {
      _ = try takes.save(recording: stage.recording, as: .test, events: 1...2)
      Issue.record("a test has two events")
    } catch {
      #expect(error.status == 422 && error.text.contains("a test case is a recording of one event"))
    }
    for edit in ["off 99", "melt 1"] {
      do {
        _ = try takes.play(recording: stage.recording, edits: [edit], isResimulated: false)
        Issue.record("\(edit) is applied")
      } catch {
        #expect(error.status == 422)
      }
    }
  }
}
