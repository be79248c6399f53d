import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("A scenario of a recording")
struct RecordedScenarioTests {
  /// Every scenario of every example.
  private static let suites: [(panel: String, scenario: String)] = {
    let plan = TestPlan(["\(checkoutRoot)/Examples"])
    return plan.suites.flatMap { suite in
      suite.panel.contains("/ColourLamp/") ? [] : suite.scenarios.map { (suite.panel, $0) }
    }
  }()

  /// Recordings a scenario's cases.
  private func recordings(of scenario: Scenario, _ panel: PanelDefinition, _ source: RecordingHeader.Source) throws
    -> [[UInt8]]
  {
    try scenario.cases.map { one in
      let memory = RecordingBuffer()
      var run = ScenarioRun(scenario, of: panel)
      run.recording = (memory, source)
      let result = try run.run(one)
      #expect(result.failures.flatMap(\.texts) == [])
      return memory.bytes
    }
  }

  @Test("there are examples")
  func examples() {
    #expect(Self.suites.count > 20)
  }

  @Test(
    "of each example's scenario: what is saved of its recording passes, and its recording has the same frames; so has a resimulation",
    arguments: suites.map(\.scenario))
  func saved(path: String) throws {
    let file = try #require(Self.suites.first { $0.scenario == path }?.panel)
    let panel = try PanelFile.read(path: file)
    let source = RecordingHeader.Source(
      file: file, text: String(decoding: try #require(bytes(of: file)), as: UTF8.self))
    let scenario = try ScenarioFile.read(path: path, for: panel)
    for (number, recording) in try recordings(of: scenario, panel, source).enumerated() {
      let digests = try RecordingStage.digests(of: recording)
      let take = try RecordingStage.take(recording)
      let resimulated = try RecordingStage.resimulated(take)
      #expect(RecordingStage.causes(of: resimulated) == RecordingStage.causes(of: recording), "case \(number)")
      let text: String
      do {
        text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
      } catch let fault as RecordingTextFault {
        #expect(fault.reason.hasPrefix("the scenario would have more than 5000 steps"), "case \(number)")
        continue
      }
      let saved = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
      let again = try recordings(of: saved, panel, source)[0]
      #expect(
        try RecordingStage.digests(of: again).elementsEqual(digests.prefix(RecordingStage.digests(of: again).count)))
    }
  }

  @Test("a display is expected when it is completely written")
  func display() throws {
    let file = """
      panel: P
      inputs: { key: { button: GPIO5 } }
      outputs: { face: { display: { i2c: 0x27 } } }
      initial: a
      states:
        a: { show: { face: [ "Alpha", "first row" ] }, on: { key.clicked: b } }
        b: { show: { face: [ "Beta", "other" ] }, on: { key.clicked: a } }

      """
    let panel = try PanelFile.read(Array(file.utf8), file: "p.panel.yaml", kinds: .standard)
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps: [ wait: 1s, click: key, wait: 1s, click: key, wait: 1s ]\n".utf8), file: "s",
      for: panel)
    let recording = try recordings(of: scenario, panel, .init(file: "p.panel.yaml", text: file))[0]
    let text = try RecordedScenario(of: RecordingStage.take(recording), named: "saved").text()
    let looks = text.split(separator: "\n").filter { $0.contains("face: ") }
    #expect(looks.count == 3)
    #expect(looks.allSatisfy { $0.contains("\"Alpha / first row\"") || $0.contains("\"Beta / other\"") }, "\(text)")
  }

  @Test("the doorbell's recording is this scenario")
  func text() throws {
    let file = "\(checkoutRoot)/Examples/doorbell/doorbell.panel.yaml"
    let panel = try PanelFile.read(path: file)
    let source = RecordingHeader.Source(
      file: file, text: String(decoding: try #require(bytes(of: file)), as: UTF8.self))
    let scenario = try ScenarioFile.read(
      path: "\(checkoutRoot)/Examples/doorbell/rings-three-seconds.scenario.yaml", for: panel)
    let recording = try recordings(of: scenario, panel, source)[0]
    let take = try RecordingStage.take(recording)
    #expect(
      try RecordedScenario(of: take, named: "It \"rings\"").text() == """
        scenario: "It \\"rings\\""
        steps:
          - expect: { state: idle, lamp: off, bar: 3, lock: off, playing: [] }
          - press: bell
          - nothing: 4ms
          - wait: 1ms
          - expect: { state: ringing, lamp: blinking, rings: 1, playing: [ chime ] }
          - nothing: 5ms
          - release: bell
          - nothing: 1194ms
          - wait: 1ms
          - expect: { playing: [] }
          - nothing: 1799ms
          - wait: 1ms
          - expect: { state: idle, lamp: off }
          - nothing: 5ms

        """)
    let part = try RecordedScenario(of: take, named: "part", from: .milliseconds(7), to: .seconds(1)).text()
    #expect(
      part == """
        scenario: "part"
        steps:
          - press: bell
          - wait: 10ms
          - expect: { state: ringing, bar: 3, lock: off, lamp: blinking, rings: 1, playing: [ chime ] }
          - release: bell
          - nothing: 990ms

        """)
    // From bell.pressed at 5 ms to bell.released at 15 ms.
    let events = try RecordedScenario(of: take, named: "events", events: 1...3).text()
    #expect(events.hasSuffix("  - release: bell\n  - nothing: 5ms\n"))
  }
}
