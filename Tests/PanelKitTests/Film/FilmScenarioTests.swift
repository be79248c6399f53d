import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("A scenario of a film")
struct FilmScenarioTests {
  /// Every scenario of every example.
  private static let suites: [(panel: String, scenario: String)] = {
    let plan = TestPlan(["\(checkoutRoot)/Examples"])
    return plan.suites.flatMap { suite in
      suite.panel.contains("/ColourLamp/") ? [] : suite.scenarios.map { (suite.panel, $0) }
    }
  }()

  /// Films a scenario's cases.
  private func films(of scenario: Scenario, _ panel: PanelDefinition, _ source: FilmHeader.Source) throws -> [[UInt8]] {
    try scenario.cases.map { one in
      let memory = FilmMemory()
      var run = ScenarioRun(scenario, of: panel)
      run.film = (memory, source)
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
    "of each example's scenario: what is saved of its film passes, and its film has the same frames; so has a resimulation",
    arguments: suites.map(\.scenario))
  func saved(path: String) throws {
    let file = try #require(Self.suites.first { $0.scenario == path }?.panel)
    let panel = try PanelFile.read(path: file)
    let source = FilmHeader.Source(file: file, text: String(decoding: try #require(bytes(of: file)), as: UTF8.self))
    let scenario = try ScenarioFile.read(path: path, for: panel)
    for (number, film) in try films(of: scenario, panel, source).enumerated() {
      let digests = try FilmStage.digests(of: film)
      let take = try FilmStage.take(film)
      let resimulated = try FilmStage.resimulated(take)
      #expect(FilmStage.causes(of: resimulated) == FilmStage.causes(of: film), "case \(number)")
      let text: String
      do {
        text = try FilmScenario(of: take, named: "saved", to: .seconds(30)).text()
      } catch let fault as FilmFault {
        #expect(fault.reason.hasPrefix("the scenario would have more than 5000 steps"), "case \(number)")
        continue
      }
      let saved = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
      let again = try films(of: saved, panel, source)[0]
      #expect(try FilmStage.digests(of: again).elementsEqual(digests.prefix(FilmStage.digests(of: again).count)))
    }
  }

  @Test("the doorbell's film is this scenario")
  func text() throws {
    let file = "\(checkoutRoot)/Examples/doorbell/doorbell.panel.yaml"
    let panel = try PanelFile.read(path: file)
    let source = FilmHeader.Source(file: file, text: String(decoding: try #require(bytes(of: file)), as: UTF8.self))
    let scenario = try ScenarioFile.read(
      path: "\(checkoutRoot)/Examples/doorbell/rings-three-seconds.scenario.yaml", for: panel)
    let film = try films(of: scenario, panel, source)[0]
    let take = try FilmStage.take(film)
    #expect(
      try FilmScenario(of: take, named: "It \"rings\"").text() == """
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
    let part = try FilmScenario(of: take, named: "part", from: .milliseconds(7), to: .seconds(1)).text()
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
    let events = try FilmScenario(of: take, named: "events", events: 1...3).text()
    #expect(events.hasSuffix("  - release: bell\n  - nothing: 5ms\n"))
  }
}
