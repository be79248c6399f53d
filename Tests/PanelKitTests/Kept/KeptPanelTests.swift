import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("Kept values of a panel")
struct KeptPanelTests {
  private static let text = """
    panel: P
    inputs: { key: { button: GPIO1 }, other: { button: GPIO2 } }
    outputs: { lamp: { led: GPIO10 } }
    values:
      a: { initial: 1, min: 0, max: 9, keep: true }
      b: { initial: 1, min: 0, max: 999, keep: { within: 5s } }
      c: { initial: 1, min: 0, max: 9 }
    on: { key.pressed: { set: { a: +1, b: a + 1, c: +1 } } }
    initial: x
    states: { x: { on: { other.pressed: y } }, y: { show: { lamp: on } } }
    """

  private func folder(of stage: Stage) throws -> SimulatedStateFolder {
    try #require(stage.session.kept?.folder.simulated)
  }

  @Test("what is kept survives a power cut once it is saved; what is not, and the states, begin anew")
  func powerCut() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("click key; click other; expect a=2 b=2 c=2 state=y; wait 1s") == [])
    #expect(try stage.take("power-cut 2s; wait 10ms; expect a=2 b=2 c=1 state=x") == [])
    #expect(try stage.take("click key; power-cut 2s; wait 10ms; expect a=2 b=2") == [])
  }

  @Test("a stop saves what has changed; the panel starts with it at once")
  func restart() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("click key; click key; restart after=stop; expect a=3 b=3 c=1 state=x") == [])
    #expect(stage.session.elapsed == .milliseconds(115))
    #expect(try stage.take("restart after=power-cut; wait 10ms; expect a=3 b=3") == [])
  }

  @Test("wherever the power is cut in a save, the set before it or the new one is there, and never a mix of both")
  func cuts() throws {
    for place in KeptValuesFolder.PowerCut.allCases {
      for seed in 0..<20 {
        let stage = try Stage(panel: Self.text)
        try stage.take("seed \(seed); click key; wait 2s; click key; wait 6s; click key")
        #expect(try stage.take("restart after=power-cut at=\(place.rawValue)") == [], "\(place), seed \(seed)")
        let (a, b) = (stage.value("a"), stage.value("b"))
        #expect(a == b && (a == 3 || a == 4), "\(place), seed \(seed): \(a), \(b)")
        if place == .done { #expect(a == 4) }
        if [.write, .fsync, .link, .rename].contains(place) { #expect(a == 3, "\(place), seed \(seed)") }
        #expect(stage.session.kept?.start.warnings == [])
        #expect(try stage.take("click key; wait 6s; power-cut 1s; wait 10ms; expect a=\(a + 1) b=\(a + 1)") == [])
      }
    }
  }

  @Test("a cut in the middle of a random session leaves a set that was shown, wherever it is")
  func randomCuts() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let stage = try Stage(panel: Self.text.replacing(each: "max: 9, keep", by: "max: 999, keep"))
      try stage.take("seed \(seed)")
      var shown: Set<[Int]> = [[1, 1]]
      for _ in 0..<6 {
        try folder(of: stage).stepsUntilCut = Int.random(in: 0..<12, using: &random)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          try stage.take("press key")
          try stage.take("wait \(Int.random(in: 30...3000, using: &random))ms; release key; wait 30ms")
          shown.insert([stage.value("a"), stage.value("b")])
        }
        try stage.take("power-cut 1s; wait 10ms")
        let now = [stage.value("a"), stage.value("b")]
        #expect(shown.contains(now), "seed \(seed): \(now)")
        #expect(stage.session.kept?.start.warnings == [], "seed \(seed)")
      }
    }
  }

  @Test("the elements of a list are kept, with its length if that varies, and a scenario can start with them")
  func lists() throws {
    let text = """
      panel: P
      inputs: { keys: { buttons: [ GPIO5, GPIO6 ] }, clear: { button: GPIO13 } }
      values:
        places: { list: 2, filled: 1, min: 1, max: 9, keep: true }
        code: { list: 3, min: 1, max: 9, keep: true }
      on: { keys.pressed: { set: { places(keys): +1, code: append keys } }, clear.pressed: { set: { code: [] } } }
      initial: a
      states: { a: }

      """
    let stage = try Stage(panel: text)
    #expect(
      try stage.take(
        "click keys(1); click keys(1); click keys(2); restart after=stop; expect places=[3,2] code=[1,1,2]")
        == [])
    #expect(try stage.take("click clear; wait 6s; power-cut 1s; wait 10ms; expect places=[3,2] code=[]") == [])
    #expect(try stage.take("click keys(2); restart after=stop; expect places=[3,3] code=[2]") == [])
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: S
        start: { places: [ 4, 9 ], code: [ 7 ] }
        steps: [ { expect: { places: [ 4, 9 ], code: [ 7 ] } } ]
        """.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("a save that never comes can't be cut, and the step says so")
  func noSave() throws {
    let stage = try Stage(panel: Self.text)
    #expect(
      try stage.take("restart after=power-cut at=rename")
        == ["no save reached rename: change a kept value before the restart"])
    #expect(try stage.take("click key; wait 2s; expect a=2; power-cut 1s; expect a=2") == [])
  }

  @Test("a day without a change writes nothing, and a press that changes nothing kept writes nothing")
  func idle() throws {
    let stage = try Stage(panel: Self.text)
    try stage.take("click other; wait 1440m; click other")
    #expect(try folder(of: stage).stepCount == 0)
    stage.session.stop()
    #expect(try folder(of: stage).writtenByteCount == 0)
  }

  @Test("a value that always changes is written once in its time", arguments: [("true", 10), ("{ within: 60s }", 60)])
  func alwaysChanging(keep: String, seconds: Int) throws {
    let stage = try Stage(
      panel: """
        panel: P
        values: { n: { initial: 0, min: 0, max: 999999, keep: \(keep) } }
        initial: x
        states: { x: { every: { 500ms: { set: { n: +1 } } } } }
        """)
    try stage.take("wait 20m")
    let moments = try folder(of: stage).writeMoments
    #expect((1200 / (seconds + 1)...1200 / seconds).contains(moments.count))
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= .seconds(seconds) })
  }

  @Test("what the first frame does to a value is kept, too: starts are counted")
  func counted() throws {
    let stage = try Stage(
      panel: """
        panel: P
        values: { starts: { initial: 0, min: 0, max: 9, keep: true } }
        initial: x
        states: { x: { enter: { set: { starts: +1 } } } }
        """)
    #expect(try stage.take("expect starts=1; restart after=stop; expect starts=2; wait 2s") == [])
    #expect(try stage.take("power-cut 1s; expect starts=3; wait 500ms; power-cut 1s; expect starts=3") == [])
  }

  @Test("a disk that hangs delays nothing on the panel")
  func hangingDisk() throws {
    let stage = try Stage(panel: Self.text)
    try folder(of: stage).hang = .seconds(3600)
    try stage.take("click key; wait 2s; press other; wait 21ms")
    #expect(stage.state == "y")
    #expect(stage.chip.line("GPIO10").changes.last?.moment == Moment.zero + .milliseconds(2060))
    #expect(try stage.take("click key; expect a=3") == [])
  }

  @Test("a full disk is trouble, tried again each minute, until it has room")
  func fullDisk() throws {
    let stage = try Stage(panel: Self.text)
    try folder(of: stage).refusal = .full
    try stage.take("click key; wait 2s")
    #expect(stage.session.frame.hasKeptTrouble)
    let trouble = PanelStatus(of: stage.session).parts.last?.value
    #expect(
      trouble
        == .object([
          "values": .text(
            "cannot save the values in /state: the disk is full (ENOSPC). "
              + "This failure was asked for; the save is retried.")
        ]))
    try folder(of: stage).refusal = nil
    try stage.take("wait 60s")
    #expect(!stage.session.frame.hasKeptTrouble)
    #expect(PanelStatus(of: stage.session).parts.last?.value == .object([:]))
    #expect(try stage.take("power-cut 1s; expect a=2") == [])
  }

  // MARK: - What was kept before

  private func session(_ kept: [KeptFile: [UInt8]]) throws -> PanelSession {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let session = try PanelSession(panel, on: Platform(.simulated))
    for (file, bytes) in kept { session.kept?.folder.simulated?.set(bytes, as: file) }
    return session
  }

  @Test("a broken file is told, and the set before is used until something is saved")
  func broken() throws {
    let session = try session([.values: Array("panel-values 1\na 3".utf8), .old: KeptText.bytes(of: ["a": 4, "b": 5])])
    try session.start()
    defer { session.stop() }
    let names = Names(session.panel)
    func take(_ line: String) throws -> [String] {
      try StepLineReader.read(line, line: 1, file: "-", names: names).map { try session.perform($0.step) } ?? []
    }
    #expect(try take("restart after=power-cut") == [])
    #expect(try take("expect a=4 b=5") == [])
    let told =
      "values failed: cannot use the kept values of /state/values: it is cut. values.old is used: the last save was cut."
    #expect(session.frame.troubles.map(\.text) == [told])
    #expect(session.frame.hasKeptTrouble)
    _ = try take("click key")
    _ = try take("wait 2s")
    #expect(session.frame.troubles.map(\.text) == [told, "values restored"])
    #expect(try take("expect a=5 b=5") == [])
  }

  @Test("a number out of its range becomes the nearest one, which is told; unknown names are carried along")
  func clamped() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let session = try PanelSession(
      panel, on: Platform(.simulated), keeping: .simulated(["a": 70, "b": 5000, "gone": 12]))
    try session.start()
    #expect(session.frame.recordingNumbers.first != nil)
    #expect([session.frame[value: 0], session.frame[value: 1]] == [9, 999])
    #expect(
      session.kept?.warnings == ["cannot start b with 5000, which was kept: its range is 0 to 999. It starts with 999."]
    )
    #expect(
      session.frame.troubles.map(\.text) == [
        "values failed: cannot start a with 70, which was kept: its range is 0 to 9. It starts with 9."
      ])
    _ = try session.perform(.click([0]))
    session.stop()
    let folder = try #require(session.kept?.folder)
    #expect(KeptStart(reading: folder).numbers == ["a": 70, "b": 10, "gone": 12])
  }

  @Test("a panel that keeps something and has no place says so, and runs")
  func nowhere() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let session = try PanelSession(panel, on: Platform(.simulated), keeping: .nowhere)
    try session.start()
    defer { session.stop() }
    #expect(session.kept == nil)
    #expect(
      PanelStatus(of: session).parts.last?.value
        == .object(["values": .text("not kept: run it with --state FOLDER")]))
    _ = try session.perform(.click([0]))
    #expect(session.frame[value: 0] == 2)
  }

  // MARK: - Reload

  @Test("a reload keeps the numbers and saves them, and what an earlier file has kept is there again")
  func reload() throws {
    let stage = try ReloadStage(Self.text)
    #expect(try stage.take("click key; expect a=2 b=2 c=2") == [])
    let next = Self.text.replacing(each: "  b: { initial: 1, min: 0, max: 999, keep: { within: 5s } }\n", by: "")
      .replacing(each: ", b: a + 1", by: "").replacing(each: "max: 9 }", by: "max: 9, keep: true }")
    try stage.reload(next)
    #expect(try stage.take("expect a=2 c=2; power-cut 1s; expect a=2 c=1") == [])
    #expect(try stage.take("click key; wait 2s; power-cut 1s; expect a=3 c=2") == [])
    try stage.reload(Self.text)
    #expect(try stage.take("expect a=3 b=2 c=2; click key; wait 2s; power-cut 1s; expect a=4 b=4 c=1") == [])
    #expect(stage.session.kept?.start.numbers == ["a": 4, "b": 4, "c": 2])
  }

  @Test("what a full disk has not saved before a reload is saved when there is room")
  func reloadUnsaved() throws {
    let stage = try ReloadStage(Self.text)
    let folder = try #require(stage.session.kept?.folder.simulated)
    folder.refusal = .full
    try stage.take("click key; wait 2s")
    try stage.reload(Self.text)
    try stage.take("wait 2s")
    folder.refusal = nil
    #expect(try stage.take("wait 61s; power-cut 1s; expect a=2 b=2") == [])
  }

  @Test("a panel that kept nothing keeps something after a reload, and the other way round")
  func reloadToKeeping() throws {
    let plain = Self.text.replacing(each: ", keep: true", by: "").replacing(each: ", keep: { within: 5s }", by: "")
    let stage = try ReloadStage(plain)
    #expect(try stage.take("click key; click key") == [])
    try stage.reload(Self.text)
    #expect(try stage.take("expect a=3 b=3; wait 2s; power-cut 1s; expect a=3 b=3 c=1") == [])
    try stage.reload(plain)
    #expect(stage.session.kept == nil)
    #expect(try stage.take("expect a=3; power-cut 1s; expect a=1") == [])
  }

  // MARK: - Recordings

  @Test(
    "a recording has the numbers with which the panel began: its replay and its resimulation lead to the same frames")
  func recordings() throws {
    let recording = try recording(keeping: ["a": 5, "b": 7])
    let panel = try ReplayableRecording(recording, name: "test.recording", kinds: .standard)
    #expect(panel.kept == ["a": 5, "b": 7])
    _ = try panel.application().cycle.replay(panel.recording(), ReplayOptions(hasDigest: false))
    let resimulated = try RecordingStage.resimulated(RecordingStage.take(recording))
    #expect(try RecordingStage.digests(of: resimulated) == RecordingStage.digests(of: recording))
    #expect(RecordingStage.causes(of: recording).contains { $0.contains("saved") })
  }

  private func recording(keeping kept: [String: Int]) throws -> [UInt8] {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let session = try PanelSession(panel, on: Platform(.simulated), keeping: .simulated(kept))
    let memory = RecordingBuffer()
    try session.record(to: [memory], source: .init(file: "test", text: Self.text))
    try session.start()
    let names = Names(panel)
    for line in [
      "click key", "wait 2s", "click key", "restart after=power-cut at=rename", "wait 1s", "click key",
      "restart after=stop", "click key", "wait 20s", "power-cut 1s", "wait 1s",
    ] {
      if let placed = try StepLineReader.read(line, line: 1, file: "-", names: names) {
        #expect(try session.perform(placed.step) == [])
      }
    }
    session.stop()
    return memory.bytes
  }

  @Test("a recording becomes a scenario that begins with what was kept")
  func scenario() throws {
    let recording = try recording(keeping: ["a": 5])
    let text = try RecordedScenario(of: RecordingStage.take(recording), named: "S").text()
    #expect(text.contains(text: "start: { a: 5 }"))
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("a panel that keeps nothing has no lens for it, and no number in its frames")
  func nothingKept() throws {
    let text = Self.text.replacing(each: ", keep: true", by: "")
      .replacing(each: ", keep: { within: 5s }", by: "")
    let stage = try Stage(panel: text)
    #expect(stage.session.kept == nil)
    #expect(!FrameColumns(of: stage.session.panel).names.contains { $0.hasSuffix("kept") || $0 == "kept.trouble" })
    #expect(FrameColumns(of: try Stage(panel: Self.text).session.panel).names.contains("b.kept"))
  }
}
