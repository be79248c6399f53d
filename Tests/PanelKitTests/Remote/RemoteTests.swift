import CycleCore
import HardwarePlatform
import HardwareSimulation
import Terminal
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelProof
@testable import PanelRecording
@testable import PanelRun

@Suite("A panel that is operated from outside")
struct RemoteTests {
  static let text = """
    panel: Remote
    inputs:
      bell: { button: GPIO1, hold: 500ms }
      key: { button: GPIO2, double-click: 300ms }
      pad: { buttons: [GPIO6, GPIO7] }
      knob: { encoder: [GPIO4, GPIO5] }
      warm: { switch: GPIO8 }
    outputs: { lamp: { led: GPIO10 } }
    values:
      level: { initial: 5, min: 0, max: 10 }
      wait: { initial: 1s, min: 0s, max: 5s }
      held: { initial: 0, min: 0, max: 99 }
      clicks: { initial: 0, min: 0, max: 99 }
      presses: { initial: 0, min: 0, max: 99 }
      double: { initial: 0, min: 0, max: 99 }
      secret: { initial: 0, min: 0, max: 9 }
    accept: { set: [ level, wait ], press: [ bell, key, pad ], turn: [ knob ] }
    on:
      bell.held: { set: { held: +1 } }
      bell.clicked: { set: { clicks: +1 } }
      bell.pressed: { set: { presses: +1 } }
      key.double-clicked: { set: { double: +1 } }
      key.clicked: { set: { secret: 1 } }
      knob.clockwise: { set: { level: +1 } }
      knob.counterclockwise: { set: { level: -1 } }
    initial: idle
    states:
      idle: { on: { pad(2).pressed: lit }, when: { level == 10: hot } }
      lit: { show: { lamp: on } }
      hot: { enter: { set: { secret: 9 } }, when: { level < 3: idle } }

    """

  private static let somebody = RemoteCommandInput.Holder(number: 1)

  /// A panel, and commands to it.
  private final class Rig {
    let stage: Stage

    init() throws { stage = try Stage(panel: RemoteTests.text) }

    /// Does a command, and what is due at once.
    func ask(_ line: String, by holder: RemoteCommandInput.Holder = somebody) throws {
      let command = try RemoteCommand(line.split(separator: " ").map(String.init), for: stage.session.panel)
      try stage.session.application.remote.perform(command, by: holder)
      try stage.session.bench.settle()
    }

    /// Why a command is refused.
    func refusal(of line: String) -> RemoteRefusal? {
      do { try ask(line) } catch { return error as? RemoteRefusal }
      return nil
    }
  }

  @Test("a press and its release are events of the button, with a click, or a hold")
  func press() throws {
    let rig = try Rig()
    try rig.ask("press bell")
    #expect(rig.stage.value("presses") == 1)
    #expect(try rig.stage.take("expect bell=pressed; wait 100ms") == [])
    try rig.ask("release bell")
    #expect(rig.stage.value("clicks") == 1)
    try rig.ask("press bell")
    #expect(try rig.stage.take("wait 499ms; expect held=0; wait 1ms; expect held=1") == [])
    try rig.ask("release bell")
    #expect(try rig.stage.take("expect bell=released clicks=1 held=1 presses=2") == [])
    try rig.ask("click pad(2)")
    #expect(try rig.stage.take("expect pad(2)=pressed lamp=on; wait 50ms; expect pad(2)=released") == [])
  }

  @Test("a press that nobody releases ends after 10 s, and with whoever pressed")
  func presses() throws {
    let rig = try Rig()
    try rig.ask("press pad(1)")
    try rig.ask("press bell", by: .init(number: 2))
    #expect(
      try rig.stage.take("wait 9999ms; expect pad(1)=pressed bell=pressed; wait 1ms; expect pad(1)=released") == [])
    try rig.ask("press pad(1)")
    try rig.ask("press bell", by: .init(number: 2))
    #expect(rig.refusal(of: "release bell") == .init(.busy, "bell is not pressed from here"))
    rig.stage.session.application.remote.release(allOf: .init(number: 2))
    try rig.stage.session.bench.settle()
    #expect(try rig.stage.take("expect pad(1)=pressed bell=released") == [])
  }

  @Test("two clicks in time are a double click, one alone a click when the time is over")
  func doubleClick() throws {
    let rig = try Rig()
    try rig.ask("click key")
    #expect(try rig.stage.take("wait 100ms") == [])
    try rig.ask("click key")
    #expect(try rig.stage.take("wait 1s; expect double=1 secret=0") == [])
    try rig.ask("click key")
    #expect(try rig.stage.take("wait 349ms; expect secret=0; wait 1ms; expect secret=1") == [])
  }

  @Test("a knob turns by detents, one each 5 ms")
  func turn() throws {
    let rig = try Rig()
    try rig.ask("turn knob 3")
    #expect(rig.refusal(of: "turn knob 1") == .init(.busy, "knob is still turning; ask again"))
    #expect(try rig.stage.take("expect level=6; wait 5ms; expect level=7; wait 10ms; expect level=8") == [])
    try rig.ask("turn knob -5")
    #expect(try rig.stage.take("wait 50ms; expect level=3") == [])
  }

  @Test("a value is set within its range, and what follows from it happens")
  func set() throws {
    let rig = try Rig()
    try rig.ask("set level 8")
    #expect(try rig.stage.take("expect level=8 state=idle") == [])
    try rig.ask("set level +9")
    #expect(try rig.stage.take("expect level=10 secret=9 state=hot") == [])
    try rig.ask("set wait 250ms")
    #expect(rig.stage.value("wait") == 250)
    #expect(rig.refusal(of: "set level 11") == .init(.wrongContent, "level is 0 to 10; 11 is outside"))
    #expect(rig.refusal(of: "set level = -1") == .init(.wrongContent, "level is 0 to 10; -1 is outside"))
    #expect(rig.refusal(of: "set wait 6s") == .init(.wrongContent, "wait is 0s to 5s; 6s is outside"))
    #expect(rig.stage.value("level") == 10)
  }

  @Test("a press by hand within one from outside is not heard, nor is its end; and the other way round")
  func hands() throws {
    let rig = try Rig()
    try rig.ask("press bell")
    #expect(try rig.stage.take("press bell; wait 600ms; expect presses=1 held=1") == [])
    try rig.ask("release bell")
    #expect(try rig.stage.take("expect bell=released; release bell; wait 20ms; expect clicks=0 bell=released") == [])
    #expect(try rig.stage.take("press bell; wait 10ms; expect presses=2 bell=pressed") == [])
    #expect(rig.refusal(of: "press bell") == .init(.busy, "bell is pressed already"))
    #expect(try rig.stage.take("release bell; wait 10ms; expect clicks=1 bell=released") == [])
    try rig.ask("click bell")
    #expect(try rig.stage.take("wait 50ms; expect clicks=2 presses=3") == [])
  }

  @Test("a button whose lines are missing can't be pressed, and a press that was is no hold any more")
  func loss() throws {
    let rig = try Rig()
    try rig.ask("press bell")
    #expect(try rig.stage.take("unplug gpio; wait 1s; expect held=0") == [])
    #expect(rig.refusal(of: "press key") == .init(.busy, "the lines of key are missing"))
    try rig.ask("release bell")
    #expect(try rig.stage.take("plug gpio; wait 1s; expect bell=released clicks=0") == [])
    try rig.ask("click bell")
    #expect(try rig.stage.take("wait 1s; expect clicks=1") == [])
  }

  @Test(
    "what is not accepted, and what is no command, is refused with what to do",
    arguments: [
      ("press bel", .wrongContent, "unknown input \"bel\"; did you mean \"bell\"?"),
      ("press knob", .wrongContent, "knob is an encoder, which press is not for"),
      ("press warm", .wrongContent, "warm is a switch, which press is not for"),
      ("turn bell 1", .wrongContent, "bell is a button, which turn is not for"),
      ("turn knob 0", .wrongContent, "knob turns by 1 to 100 detents, or by -1 to -100"),
      ("turn knob 101", .wrongContent, "knob turns by 1 to 100 detents, or by -1 to -100"),
      (
        "set secret 1", .notAccepted,
        "refused: the panel file does not allow the value \"secret\"; add accept: { set: [secret] }"
      ),
      ("set lamp 1", .wrongContent, "unknown value \"lamp\"; values: level, wait"),
      ("press", .wrongUsage, "write press NAME"), ("set level", .wrongUsage, "write set NAME VALUE"),
      ("turn knob", .wrongUsage, "write turn NAME N"),
      ("open door", .wrongUsage, "there is no command \"open\"; press, release, click, hold, turn, set, do are"),
    ] as [(String, RemoteRefusal.Kind, String)])
  func refused(line: String, kind: RemoteRefusal.Kind, text: String) throws {
    let rig = try Rig()
    #expect(rig.refusal(of: line) == RemoteRefusal(kind, text))
  }

  @Test("a panel that says nothing accepts nothing, and has no lens for it")
  func nothing() throws {
    let stage = try Stage("initial: a\nstates: { a: { on: { bell.pressed: b } }, b: }\n")
    let panel = stage.session.panel
    #expect(panel.accept.isEmpty)
    #expect(
      throws: RemoteRefusal(
        .notAccepted, "refused: the panel file does not allow the button \"bell\"; add accept: { press: [bell] }")
    ) {
      try RemoteCommand(["press", "bell"], for: panel)
    }
    #expect(!stage.session.application.journals.contains { $0.source.lens == "remote" })
    #expect(!FrameColumns(of: panel).names.contains("bell.muted"))
  }

  @Test("a recording of what was done from outside replays to the same frames")
  func recording() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "remote")
    let session = try PanelSession(panel, on: Platform(.simulated))
    let memory = RecordingBuffer()
    try session.record(to: [memory], source: .init(file: "remote", text: Self.text))
    try session.start()
    for line in ["press bell", "set level 9", "turn knob -2", "release bell", "set level +1", "click pad(2)"] {
      let command = try RemoteCommand(line.split(separator: " ").map(String.init), for: panel)
      try session.application.remote.perform(command, by: Self.somebody)
      try session.bench.advance(by: .milliseconds(700))
    }
    session.stop()
    let take = try RecordingStage.take(memory.bytes)
    #expect(take.take.played.count > 8)
    let again = RecordingBuffer()
    let outcome = try take.playAsRecorded(to: again)
    #expect(try RecordingStage.digests(of: again.bytes) == RecordingStage.digests(of: memory.bytes))
    #expect(outcome.rows.map(\.text).contains("level set to 9"))
    #expect(outcome.rows.map(\.text).contains("bell.held"))
  }

  @Test("a step of a scenario asks from outside, and fails with what is said to whoever asks")
  func steps() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("remote bell=press; wait 600ms; remote bell=release; expect held=1 bell=released") == [])
    #expect(try stage.take("remote level=8; remote level=+1; remote knob=-3; wait 20ms; expect level=6") == [])
    #expect(try stage.take("remote wait=250ms; expect wait=250ms; remote pad(2)=click; expect lamp=on") == [])
    #expect(try stage.take("remote bell=release") == ["bell is not pressed from here"])
    for (line, text) in [
      ("remote secret=1", "refused: the panel file does not allow the value \"secret\"; add accept: { set: [secret] }"),
      ("remote level=99", "level is 0 to 10; 99 is outside"),
      ("remote nobody=1", "unknown input \"nobody\"; inputs: knob"),
    ] {
      let problems = thrown(Problems.self) { _ = try stage.take(line) }
      #expect(problems?.list.map(\.text) == [text])
    }
  }

  @Test(
    "a recording of it, with steps or of real hardware, is resimulated and becomes a scenario with the same frames",
    arguments: [true, false])
  func resimulation(hasSteps: Bool) throws {
    let lines = [
      "remote bell=press", "wait 600ms", "remote bell=release", "remote level=8", "remote level=+9", "wait 1s",
      "remote knob=-3", "wait 1s", "press bell", "wait 100ms", "release bell", "remote key=click", "wait 1s",
    ]
    let recording = try RecordingStage.recording(Self.text, lines, withEdges: !hasSteps)
    let digests = try RecordingStage.digests(of: recording)
    #expect(digests.count > 12)
    let take = try RecordingStage.take(recording)
    #expect(try RecordingStage.digests(of: RecordingStage.resimulated(take)) == digests)
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    for item in ["remote: { bell: press }", "remote: { level: 8 }", "remote: { level: +9 }", "remote: { knob: -"] {
      #expect(text.contains(item), "\(item) in \(text)")
    }
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "remote")
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
  }

  @Test("a take without one of the detents that somebody turned from outside turns by one less")
  func takeOfTurns() throws {
    let recording = try RecordingStage.recording(Self.text, ["remote knob=3", "wait 100ms"])
    let take = try RecordingStage.take(recording, "off 2")
    #expect(try take.worldSteps().map(\.words) == ["remote knob=2"])
  }

  @Test("a proof says that it can't follow a value that is set from outside, and follows a press as one by hand")
  func proof() throws {
    func gap(_ accept: String) throws -> String? {
      let text = """
        panel: P
        inputs: { a: { button: GPIO1 }, b: { button: GPIO2, double-click: 300ms } }
        values: { n: { initial: 0, min: 0, max: 9 }, m: { initial: 0, min: 0, max: 9 } }
        accept: \(accept)
        never: { much: n > 5 or a == pressed and b == pressed }
        on: { a.pressed: { set: { n: 1, m: 1 } }, b.double-clicked: { set: { n: 2 } } }
        initial: x
        states: { x: }
        """
      return try ProofModel(PropertySlice(whole: PanelFile.read(Array(text.utf8), file: "p")), sounds: []).gap?.text
    }
    #expect(try gap("{ set: [ n ] }") == nil)
    #expect(try gap("{ set: [ m ], press: [ a ] }") == nil)
    #expect(
      try gap("{ press: [ a, b ] }")
        == "presses of b by hand and by remote command can overlap in more ways than presses of one button")
  }
}
