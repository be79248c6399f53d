import CycleCore
import Glibc
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Terminal
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("A panel that is asked over its control socket")
struct ControlledPanelTests {
  private static let text = """
    panel: Small
    inputs: { bell: { button: GPIO1 }, mute: { switch: GPIO2 } }
    outputs: { lamp: { led: GPIO10 } }
    sounds: { hum: { tone: 440Hz } }
    values:
      level: { initial: 7, min: 0, max: 10 }
      wait: { initial: 1s, min: 0s, max: 5s }
      code: { list: 4, min: 0, max: 9 }
    accept: { set: [ level ], press: [ bell ] }
    initial: idle
    states:
      idle: { on: { bell.pressed: lit } }
      lit: { show: { lamp: { blink: 250ms } }, play: [ hum ], on: { bell.pressed: idle, mute.on: { set: { code: append 1 } } } }
    """

  private final class Rig: ControlServerRig {
    let stage: Stage
    let diagnostics = Diagnostics(.error)

    init(_ text: String = ControlledPanelTests.text) throws {
      stage = try Stage(panel: text)
      let panel = PanelControlService(
        stage.session, diagnostics, more: { [.init(name: "version", value: .text("9"))] })
      super.init(ControlServer(panel), of: stage.session)
    }
  }

  @Test("the status has states, values, inputs, outputs, sounds and trouble")
  func status() throws {
    let rig = try Rig()
    let link = rig.connect()
    #expect(
      try rig.ask("status", on: link) == [
        #"{"panel": "Small", "state": {"main": "idle"}, "values": {"level": 7, "wait": "1s", "code": []}, "#
          + #""inputs": {"bell": "released", "mute": "off"}, "outputs": {"lamp": "off"}, "playing": [], "trouble": {}, "#
          + #""uptime_s": 0, "events": 0, "events_lost": 0, "version": "9"}"#, "ok",
      ])
    #expect(try rig.ask("press bell", on: link) == ["ok"])
    try rig.stage.session.bench.advance(by: .seconds(2))
    #expect(try rig.ask("set level 9", on: link) == ["ok"])
    let line = try rig.ask("status", on: link)[0]
    for part in [
      #""main": "lit""#, #""level": 9"#, #""bell": "pressed""#, #""lamp": "blinking""#, #""playing": ["hum"]"#,
      #""uptime_s": 2"#,
    ] { #expect(line.contains(part), "\(part) in \(line)") }
    #expect(try rig.ask("status brief", on: link) == ["lit\t2\t3\t\t2", "ok"])
    let numbers = try rig.ask("status prometheus small", on: link)
    for row in [
      #"panel_up{panel="small"} 1"#, #"panel_value{panel="small",name="level"} 9"#,
      #"panel_state{panel="small",region="main",state="lit"} 1"#, #"panel_events_total{panel="small",lens="remote"} 2"#,
    ] { #expect(numbers.contains(row), "\(row)") }
    _ = try rig.stage.take("unplug gpio; unplug audio; wait 20ms")
    #expect(try rig.ask("status brief", on: link)[0].contains("\taudio lost; gpio lost\t"))
  }

  @Test("what is not accepted, wrong or unknown is refused, with the code of a command that ends so")
  func refusals() throws {
    let rig = try Rig()
    let link = rig.connect()
    for (request, answer) in [
      ("press mute", "error 65 mute is a switch, which press is not for"),
      (
        "set wait 2s", "error 77 refused: the panel file does not allow the value \"wait\"; add accept: { set: [wait] }"
      ),
      ("set level 11", "error 65 level is 0 to 10; 11 is outside"),
      ("statsu", "error 64 there is no request \"statsu\"; did you mean status?"),
      ("status all", "error 64 write status, status brief or status prometheus NAME"),
      ("watch me", "error 64 write watch"),
      ("log loud", "error 64 write log error, log warning, log info or log debug"),
      ("release bell", "error 69 bell is not pressed from here"),
    ] { #expect(try rig.ask(request, on: link) == [answer]) }
  }

  @Test("who watches gets all of it, and then a line for each frame with what is otherwise")
  func watch() throws {
    let rig = try Rig()
    let (watcher, link) = (rig.connect(), rig.connect())
    let all = try rig.ask("watch", on: watcher)
    #expect(all.count == 1 && all[0].hasPrefix(#"{"state": {"main": "idle"}, "values": {"level": 7,"#))
    _ = try rig.ask("press bell", on: link)
    #expect(
      watcher.takeHeard() == [
        #"{"state": {"main": "lit"}, "inputs": {"bell": "pressed"}, "outputs": {"lamp": "blinking"}, "playing": ["hum"]}"#
      ])
    _ = try rig.stage.take("switch mute=on; wait 10ms; unplug audio; wait 20ms")
    #expect(
      watcher.takeHeard() == [
        #"{"values": {"code": [1]}, "inputs": {"mute": "on"}}"#, #"{"playing": [], "trouble": {"audio": "lost"}}"#,
      ])
    _ = try rig.stage.take("plug audio; wait 20ms")
    #expect(watcher.takeHeard() == [#"{"playing": ["hum"], "trouble": {"audio": null}}"#])
    watcher.hasHungUp = true
    rig.server.arrived(on: watcher)
    rig.server.turn(at: rig.stage.session.now)
    _ = try rig.ask("release bell", on: link)
    #expect(watcher.isClosed && watcher.heard.isEmpty)
  }

  @Test("a press ends with its connection, whether it hung up or was silent for too long")
  func connectionEnds() throws {
    let rig = try Rig()
    let link = rig.connect()
    _ = try rig.ask("press bell", on: link)
    #expect(try rig.stage.take("wait 5s; expect bell=pressed") == [])
    link.hasHungUp = true
    rig.server.arrived(on: link)
    rig.server.turn(at: rig.stage.session.now)
    try rig.stage.session.bench.settle()
    #expect(try rig.stage.take("expect bell=released") == [])
  }

  @Test("the level of the log is another one from then on")
  func log() throws {
    let rig = try Rig()
    #expect(try rig.ask("log debug", on: rig.connect()) == ["ok"])
    #expect(rig.diagnostics.level == .debug)
  }

  @Test("a panel that has stopped says why, and can't be operated")
  func stopped() throws {
    let rig = try Rig(
      Self.text.replacing("initial: idle\n", with: "never: { high: level > 9 }\ninitial: idle\n"))
    let link = rig.connect()
    #expect(try rig.ask("set level 10", on: link) == ["ok"])
    #expect(try rig.ask("press bell", on: link) == ["error 70 the panel has stopped; restart it"])
    #expect(
      try rig.ask("status brief", on: link)[0].contains(
        "panel never high: level > 9, after a command for level in idle; all outputs are in their safe state until the panel is restarted\t"
      ))
  }
}
