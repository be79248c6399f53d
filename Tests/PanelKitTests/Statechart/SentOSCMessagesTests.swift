import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

@Suite("Messages that a panel sends, as its frames have them")
struct SentOSCMessagesTests {
  static let text = """
    panel: Show
    inputs: { key: { button: GPIO1 }, other: { button: GPIO2 } }
    values: { n: { initial: 0, min: 0, max: 999 } }
    osc: { send: [ "qlab.lan:53000" ] }
    accept: { event: [ burst ] }
    initial: off
    states:
      off: { on: { key.pressed: { go: lit, set: { n: +1 }, send: { osc: /on, with: [ "{n}" ] } } } }
      lit: { exit: { send: { osc: /exit } }, on: { key.pressed: { go: off, send: { osc: /go } } } }

    """

  @Test("a frame has how many there were and the last ones, and what was sent between two frames is known")
  func frames() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "show")
    let rules = PanelRules(panel: panel)
    var frame = rules.seed
    #expect(frame.sentCount == 0 && frame.sentMessages.since(0).sent.isEmpty)
    for _ in 0..<3 { rules.react(to: .input(0, ButtonKind.pressedForTest), at: .zero, in: &frame) }
    let (sent, lost) = frame.sentMessages.since(1)
    let words = sent.map { panel.messages[$0.message].words(with: $0.results) }
    #expect(frame.sentCount == 4 && words == ["/exit", "/go", "/on 2"] && lost == 0)
    for _ in 0..<40 { rules.react(to: .input(0, ButtonKind.pressedForTest), at: .zero, in: &frame) }
    let late = frame.sentMessages.since(4)
    #expect(late.sent.count == 32 && late.lost == frame.sentCount - 36)
    #expect(FrameColumns(of: panel).names.contains("sent[31].1"))
  }

  @Test("a panel without messages has no numbers for them")
  func none() throws {
    let panel = try PanelFile.read(
      Array("panel: P\ninputs: { k: { button: GPIO1 } }\ninitial: a\nstates: { a: { on: { k.pressed: a } } }\n".utf8),
      file: "p")
    #expect(PanelRules(panel: panel).seed.places.sentMessages.isEmpty)
    #expect(!FrameColumns(of: panel).names.contains("sent"))
  }

  @Test("the driver sends what is new in its model, once; what is too much is told, and at the end nothing is sent")
  func driver() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "show")
    let rules = PanelRules(panel: panel)
    var frame = rules.seed
    var told: [String] = []
    let bench = Bench()
    let driver = DriverBench(
      MessageSender { told.append(panel.messages[$0.message].words(with: $0.results)) }, showing: frame.sentMessages,
      on: bench)
    try driver.start()
    rules.react(to: .input(0, ButtonKind.pressedForTest), at: .zero, in: &frame)
    try driver.show(frame.sentMessages)
    try driver.show(frame.sentMessages)
    #expect(told == ["/on 1"])
    for _ in 0..<40 { rules.react(to: .input(0, ButtonKind.pressedForTest), at: .zero, in: &frame) }
    try driver.show(frame.sentMessages)
    #expect(told.count == 33 && driver.troubles == [.eventsLost(frame.sentCount - 33)])
    driver.stop()
    #expect(told.count == 33)
  }

  @Test("what must never be is not sent")
  func violated() throws {
    let text = Self.text + "never: { lit: state == lit }\n"
    let stage = try OSCStage(text)
    try stage.take("press key; wait 100ms; expect ended=70; expect sent=")
    #expect(!stage.arrived().contains("/on 1"))
  }

  @Test("a recording of a panel that sends replays to the same frames")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.text, ["click key", "wait 1s", "click key", "remote burst=do", "wait 100ms"])
    let take = try RecordingStage.take(recording)
    let again = RecordingBuffer()
    _ = try take.playAsRecorded(to: again)
    #expect(try RecordingStage.digests(of: again.bytes) == RecordingStage.digests(of: recording))
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    #expect(text.contains(text: "sent: [ "), "\(text)")
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "show")
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [], "\(text)")
  }

  @Test("a proof looks at the same situations whether messages are sent or not")
  func proof() {
    let never = "never: { three: n == 3 and state == lit and other == pressed }\n"
    let sending = prove(Self.text + never)
    var silent = Self.text
    for part in [#", send: { osc: /on, with: [ "{n}" ] }"#, "exit: { send: { osc: /exit } }, ", ", send: { osc: /go }"]
    {
      silent = silent.split(separator: part).joined()
    }
    let without = prove(silent + never)
    #expect(sending.status == without.status && sending.errors == "" && without.errors == "")
    func situations(_ lines: [String]) -> Substring? { lines.last?.prefix { $0 != "," } }
    #expect(situations(sending.lines) == situations(without.lines), "\(sending.lines)\n\(without.lines)")
  }
}

extension ButtonKind {
  /// The place of `pressed` among the events of a button.
  fileprivate static var pressedForTest: Int { 0 }
}
