import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRecording
@testable import PanelRun

/// The same text means the same in `set` of a panel file and from outside, whichever way it comes.
@Suite("Relative set: one grammar inside and outside")
struct RelativeSetTests {
  private static let text = """
    panel: Rel
    inputs:
      key: { button: GPIO17 }
    values:
      t: { initial: 0, min: -10, max: 10 }
      d: { initial: 5m, min: 0s, max: 10m }
      code: { list: 4, min: 1, max: 9 }
      level: { initial: 3, min: 0, max: 10 }
    accept: { set: [ t, d, level ] }
    mqtt: { publish: [ t ] }
    osc: { send: [ "server.lan:8000" ], publish: [ ], accept: "0.0.0.0:9000" }
    initial: a
    states:
      a:
        on: { key.pressed: { set: { t: -1, code: append 3 } } }

    """

  /// The number that a text leads to from 0, by each way in: the socket, the broker, Open Sound Control, a step of a
  /// file and of a line.
  private func numbers(_ value: String, _ text: String) throws -> [Int] {
    try [
      { (stage: NetworkStage) in
        let panel = stage.stage.session.panel
        let words = ["set", value] + text.split(separator: " ").map(String.init)
        try stage.stage.session.application.remote.perform(try RemoteCommand(words, for: panel), by: .init(number: 1))
        try stage.take("wait 1ms")
      },
      { try $0.publish(text, to: "panel/rel/set/\(value)") },
      { stage in
        let server = stage.stage.session.platform.simulated(named: "network").compactMap { $0 as? SimulatedOSC }.last
        server?.send(OSCMessage("/panel/rel/set/\(value)", [.text(text)]))
        try stage.take("wait 1ms")
      },
      { try $0.take("remote \(value)=\"\(text)\"") },
    ].map { (ask: (NetworkStage) throws -> Void) in
      let stage = try NetworkStage(Self.text)
      try ask(stage)
      let panel = stage.stage.session.panel
      let place = try #require(panel.values.firstIndex { $0.name == value })
      return stage.stage.session.frame[value: place]
    }
  }

  @Test(
    "a number sets, a sign changes, and after = a negative one is set, from everywhere",
    arguments: [
      ("t", "7", 7), ("t", "+1", 1), ("t", "-1", -1), ("t", "= -4", -4), ("t", "=-4", -4), ("t", "= 4", 4),
      ("t", "-99", -10), ("t", "+99", 10), ("t", "6.4", 6), ("t", "= -6.9999995", -7), ("t", "5.0", 5),
      ("t", "+1.0", 1),
      ("level", "-1", 2), ("d", "30s", 30_000), ("d", "-1m", 240_000), ("d", "+1m", 360_000), ("d", "= 250ms", 250),
      ("d", "-10m", 0), ("d", "1.0004s", 1000), ("d", "0.0005s", 1),
    ])
  func means(_ value: String, _ text: String, _ number: Int) throws {
    #expect(try numbers(value, text) == [number, number, number, number])
  }

  @Test("a file's own step down, and the same from outside, are one less each")
  func inside() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("press key; wait 10ms; release key; wait 10ms; expect t=-1; remote t=-1; expect t=-2") == [])
    #expect(try stage.take("remote t=-1; expect t=-3; remote t=+1; expect t=-2; remote t==-4; expect t=-4") == [])
    #expect(try stage.take("remote d=+1m; expect d=6m; remote d=-1m; expect d=5m") == [])
  }

  @Test(
    "what is no number, or outside the range, is refused with the range and the reason",
    arguments: [
      ("level", "10.6", "level is 0 to 10; 10.6 is outside"), ("level", "= -4", "level is 0 to 10; -4 is outside"),
      ("level", "=-0.5", "level is 0 to 10; -0.5 is outside"), ("level", "99", "level is 0 to 10; 99 is outside"),
      ("level", "1e30", "level is 0 to 10; 1e30 is outside"), ("level", "+1e30", "level is 0 to 10; +1e30 is outside"),
      ("level", "much", #"level is 0 to 10; "much" is not a number; write 9, +1, -1 or = -4"#),
      ("level", "+-1", #"level is 0 to 10; "+-1" is not a number; write 9, +1, -1 or = -4"#),
      ("level", "=", #"level is 0 to 10; "" is not a number; write 9, +1, -1 or = -4"#),
      ("level", "1 2", #"level is 0 to 10; "1 2" is not a number; write 9, +1, -1 or = -4"#),
      ("level", "nan", #"level is 0 to 10; "nan" is not a number; write 9, +1, -1 or = -4"#),
      ("d", "11m", "d is 0s to 10m; 11m is outside"), ("d", "= -1m", "d is 0s to 10m; -1m is outside"),
      ("d", "45", "d is 0s to 10m; 45 has no unit; write 45ms, 45s or 45m"),
      ("d", "++1s", #"d is 0s to 10m; "++1s" is not a duration; write 250ms, 3s or 2m"#),
      ("d", "-+1s", #"d is 0s to 10m; "-+1s" is not a duration; write 250ms, 3s or 2m"#),
      ("d", "later", #"d is 0s to 10m; "later" is not a duration; write 250ms, 3s or 2m"#),
    ])
  func refuses(_ value: String, _ text: String, _ why: String) throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "rel")
    let words = ["set", value] + text.split(separator: " ").map(String.init)
    let refusal = thrown(RemoteRefusal.self) { () throws(RemoteRefusal) in _ = try RemoteCommand(words, for: panel) }
    #expect(refusal == RemoteRefusal(.wrongContent, why))
  }

  @Test("a step of a file takes the same texts, and a recording has them as they are written")
  func recording() throws {
    let lines = ["remote t=\"= -4\"", "wait 1s", "remote t=-3", "wait 1s", "remote t=+1", "remote d=-1m", "wait 1s"]
    let recording = try RecordingStage.recording(Self.text, lines)
    let take = try RecordingStage.take(recording)
    #expect(try RecordingStage.digests(of: RecordingStage.resimulated(take)) == RecordingStage.digests(of: recording))
    #expect(try take.worldSteps().map(\.words) == [#"remote t="= -4""#, "remote t=-3", "remote t=+1", "remote d=-1m"])
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "rel")
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
    #expect(text.contains("remote: { t: = -4 }"), "\(text)")
  }

  @Test("random texts of signs, digits and letters are read the same by every way in, or refused")
  func random() throws {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "rel")
    var accepted = 0
    for _ in 0..<20_000 {
      let letters = Array("=+-+-0123456789..e m s")
      let text = String((0..<Int.random(in: 1...8, using: &random)).map { _ in letters.randomElement(using: &random)! })
      for (value, place) in [("t", 0), ("d", 1)] {
        let words = ["set", value] + text.split(separator: " ").map(String.init)
        guard words.count > 2, let command = try? RemoteCommand(words, for: panel) else { continue }
        accepted += 1
        switch command {
        case .set(place, let number):
          let range = panel.values[place].min...panel.values[place].max
          #expect(range.contains(number), "seed \(seed): \(text)")
        case .change(place, _): break
        default: Issue.record("seed \(seed): \(text)")
        }
        // What it is written as means the same again.
        let again = try RemoteCommand(
          ["set", value] + command.value(in: panel).split(separator: " ").map(String.init), for: panel)
        #expect(again == command, "seed \(seed): \(text)")
      }
    }
    #expect(accepted > 500)
  }
}
