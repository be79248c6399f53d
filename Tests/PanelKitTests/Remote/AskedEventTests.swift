import CycleCore
import Glibc
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRecording
@testable import PanelRun

@Suite("Events that others ask for")
struct AskedEventTests {
  static let text = """
    panel: Light
    inputs: { bell: { button: GPIO1, hold: 1s } }
    outputs: { lamp: { led: GPIO10 } }
    accept: { press: [ bell ], event: [ light, dark ] }
    initial: unlit
    states:
      unlit: { on: { network.light: lit } }
      lit: { show: { lamp: on }, on: { network.dark | bell.held: unlit } }

    """

  @Test("an event comes whoever asks for it, and only the states that hear it do anything")
  func events() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("remote dark=do; expect state=unlit; remote light=do; expect lamp=on") == [])
    #expect(try stage.take("heard network.dark,network.light; remote light=do; expect lamp=on") == [])
    #expect(try stage.take("remote dark=do; expect lamp=off; heard network.light,network.dark") == [])
  }

  @Test("a button is held from outside for so long, 10 s at most")
  func hold() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("remote light=do; remote bell=\"hold 900ms\"; wait 1s; expect lamp=on bell=released") == [])
    #expect(try stage.take("remote bell=\"hold 2s\"; wait 1010ms; expect lamp=off bell=pressed") == [])
    #expect(try stage.take("wait 1s; expect bell=released") == [])
    for (span, fits) in [("10s", true), ("10001ms", false), ("0s", false), ("long", false)] {
      let refusal = thrown(RemoteRefusal.self) { () throws(RemoteRefusal) in
        _ = try RemoteCommand(["hold", "bell", span], for: stage.session.panel)
      }
      #expect((refusal == nil) == fits && (fits || refusal?.text == "bell is held for 1ms to 10s"))
    }
  }

  @Test(
    "what is not accepted is refused with 77, also with what it would take",
    arguments: [
      ("do night", 77, "refused: the panel file does not allow the event \"night\"; did you mean \"light\"?"),
      ("do music", 77, "refused: the panel file does not allow the event \"music\"; add accept: { event: [music] }"),
      ("do", 64, "write do NAME"), ("hold bell", 64, "write hold NAME DURATION"),
    ])
  func refused(_ line: String, _ status: Int, _ text: String) throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "light")
    let refusal = thrown(RemoteRefusal.self) { () throws(RemoteRefusal) in
      _ = try RemoteCommand(line.split(separator: " ").map(String.init), for: panel)
    }
    #expect(refusal.map { Int($0.status) } == status && refusal?.text == text, "\(refusal?.text ?? "")")
  }

  @Test("over a broker: any payload asks that is no zero, and a retained message asks for nothing")
  func broker() throws {
    let stage = try NetworkStage(Self.text + "mqtt: { publish: all, discovery: homeassistant }\n") {
      $0.publish("1", to: "panel/light/do/light", isRetained: true)
    }
    try stage.take("expect lamp=off")
    try stage.publish("whatever it is", to: "panel/light/do/light")
    try stage.take("expect lamp=on")
    try stage.publish("", to: "panel/light/do/dark")
    try stage.take("expect lamp=off")
    try stage.publish("hold 2s", to: "panel/light/press/bell")
    try stage.take("wait 1900ms; expect bell=pressed; wait 200ms; expect bell=released")
    try stage.publish("", to: "panel/light/do/night")
    let refused = stage.broker.messages.map(\.payload).filter { $0.contains(text: "why") }
    #expect(refused.count == 2 && refused[0].contains(text: "it is retained"), "\(refused)")
    let discovery = HomeAssistantDiscovery(of: stage.stage.session.panel, id: "light").message.line
    #expect(
      discovery.contains(
        text: #""do_light": {"p": "button", "unique_id": "panel_light_do_light", "name": "Light", "#
          + #""command_topic": "panel/light/do/light", "payload_press": "do"}"#), "\(discovery)")
  }

  @Test("a recording has it, replays it, and becomes a scenario that asks again")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.text, ["remote light=do", "wait 1s", "remote bell=\"hold 2s\"", "wait 3s", "remote light=do", "wait 100ms"])
    let take = try RecordingStage.take(recording)
    let again = RecordingBuffer()
    let outcome = try take.playAsRecorded(to: again)
    #expect(try RecordingStage.digests(of: again.bytes) == RecordingStage.digests(of: recording))
    #expect(outcome.rows.map(\.text).contains("network.light"))
    #expect(try RecordingStage.digests(of: RecordingStage.resimulated(take)) == RecordingStage.digests(of: recording))
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    for item in ["remote: { light: do }", "remote: { bell: hold 2s }"] { #expect(text.contains(text: item), "\(text)") }
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "light")
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
  }

  @Test("a proof has it come at any time, and the way is a scenario that fails")
  func proof() {
    let proved = prove(
      Self.text + "never: { dark: lamp == on and bell == pressed and gpio == lost }\n", ["--no-faults"])
    #expect(proved.status == 0 || proved.status == 75, "\(proved)")
    let found = prove(Self.text + "never: { lit: lamp == on }\n")
    #expect(found.status == 1, "\(found)")
    #expect(found.lines.contains { $0.contains(text: "network.light") }, "\(found.lines)")
    #expect(found.lines.contains { $0.contains(text: "written to ") }, "\(found.lines)")
  }

  @Test("panel do asks a running panel for it, and panel press --for holds a button")
  func commands() throws {
    withFiles(["light.panel.yaml": Self.text]) { folder in
      let home = "\(folder)/light"
      mkdir(home, 0o755)
      defer {
        for name in names(in: home) { unlink("\(home)/\(name)") }
        rmdir(home)
      }
      let process = PanelProcess(
        [
          "run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control",
          "\(folder)/light.panel.yaml",
        ])
      #expect(process.readErrorLine().hasPrefix("Light: running: "))
      let here = ["--run", folder]
      let watch = PanelProcess(["watch", "light"] + here)
      #expect(watch.readLine().hasPrefix(#"{"state": {"main": "unlit"}"#))
      #expect(PanelProcess.run(["do", "light", "light"] + here) == .init(status: 0, output: "", errors: ""))
      #expect(watch.readLine() == #"{"state": {"main": "lit"}, "outputs": {"lamp": "on"}}"#)
      #expect(PanelProcess.run(["press", "light", "bell", "--for", "1200ms"] + here).status == 0)
      #expect(watch.readLine() == #"{"inputs": {"bell": "pressed"}}"#)
      #expect(watch.readLine() == #"{"state": {"main": "unlit"}, "outputs": {"lamp": "off"}}"#)
      #expect(watch.readLine() == #"{"inputs": {"bell": "released"}}"#)
      #expect(
        PanelProcess.run(["do", "light", "music"] + here)
          == .init(
            status: 77, output: "",
            errors:
              "panel do: refused: the panel file does not allow the event \"music\"; add accept: { event: [music] }\n"))
      #expect(PanelProcess.run(["press", "light", "bell", "--for", "1m"] + here).status == 65)
      process.send(SIGTERM)
      #expect(watch.finish().status == 0)
      #expect(process.finish().errors.contains("Light: do light, asked for by uid \(getuid()), pid "))
    }
  }

  @Test("an exploration asks for it, too")
  func explored() throws {
    withFiles(["light.panel.yaml": Self.text + "never: { lit: lamp == on }\n"]) { folder in
      let result = PanelProcess.run(["explore", "\(folder)/light.panel.yaml", "--runs", "20"])
      #expect(result.status == 1 && result.output.contains("remote: { light: do }"), "\(result)")
    }
  }
}
