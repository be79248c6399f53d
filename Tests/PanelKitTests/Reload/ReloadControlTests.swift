import HardwarePlatform
import HardwareSimulation
import Terminal
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// A panel whose file is read when the test says so.
private final class Rig: ControlServerRig, @unchecked Sendable {
  let stage: ReloadStage
  let reloader: PanelReloader
  private let panel: PanelControlService
  /// What is to be read.
  private var readings: [@Sendable () -> Void] = []
  private(set) var logged: [String] = []

  /// The panel runs as user 999.
  init(_ text: String, file: String) throws {
    let stage = try ReloadStage(text)
    var add: (@escaping @Sendable () -> Void) -> Void = { _ in }
    let reloader = PanelReloader(
      of: file, kinds: .standard, done: {}, owner: 999, now: { stage.session.now }, beside: { body in add(body) })
    let panel = PanelControlService(stage.session, Diagnostics(.error), reloader: reloader)
    let server = ControlServer(panel)
    (self.stage, self.reloader, self.panel) = (stage, reloader, panel)
    super.init(server, of: stage.session)
    reloader.exchange = { (content) throws(RemoteRefusal) in
      let lines = try stage.session.reload(to: content.panel, sounds: content.sounds)
      panel.noteReload()
      return lines
    }
    reloader.answer = { connection, answer in server.finish(connection, with: answer, at: stage.session.now) }
    reloader.log = { [unowned self] in logged.append($0) }
    add = { [unowned self] in readings.append($0) }
  }

  /// The file has been read.
  func read() {
    for reading in readings { reading() }
    readings = []
    reloader.turn()
  }
}

@Suite("A request to reload")
struct ReloadControlTests {
  private static let text = """
    panel: Small
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    accept: { press: [ bell ] }
    initial: idle
    states: { idle: { on: { bell.pressed: lit } }, lit: { show: { lamp: on } } }

    """

  @Test("whoever watches gets all of the new panel, then what changes; the panel goes on while the file is read")
  func watch() throws {
    try withFiles(["small.panel.yaml": Self.text.replacing("idle", with: "rest")]) { folder in
      let rig = try Rig(Self.text, file: "\(folder)/small.panel.yaml")
      let (link, watcher) = (rig.connect(), rig.connect())
      #expect(try rig.ask("watch", on: watcher).count == 1)
      #expect(try rig.ask("reload", on: link) == [])
      #expect(try rig.ask("status brief", on: link) == [])
      #expect(try rig.ask("reload", on: rig.connect()) == ["error 69 a panel file is being read already; ask again"])
      #expect(try rig.stage.take("press bell; wait 20ms; expect state=lit") == [])
      _ = watcher.takeHeard()
      rig.read()
      #expect(link.takeHeard() == ["line GPIO1 kept", "line GPIO10 kept", "state main kept lit", "ok"])
      let all = watcher.takeHeard()
      #expect(all.count == 1 && all[0].contains(#""main": "lit""#) && all[0].contains(#""lamp": "on""#))
      // What was asked meanwhile is answered now.
      rig.server.turn(at: rig.stage.session.now)
      #expect(link.takeHeard().last == "ok")
      try rig.stage.take("release bell; wait 20ms")
      #expect(watcher.takeHeard() == [#"{"inputs": {"bell": "released"}}"#])
    }
  }

  @Test("reload bypasses accept: a file is named by root and the panel's own user alone")
  func naming() throws {
    let evil = Self.text.replacing("panel: Small", with: "panel: Evil").replacing(
      "accept: { press: [ bell ] }\n", with: "")
    try withFiles(["small.panel.yaml": Self.text, "evil.panel.yaml": evil]) { folder in
      let rig = try Rig(Self.text, file: "\(folder)/small.panel.yaml")
      #expect(
        try rig.ask("reload \(folder)/evil.panel.yaml", on: rig.connect(as: 1000)) == [
          "error 77 only root and the panel's own user may name a file; write reload, which reads \(folder)/small.panel.yaml again"
        ])
      rig.read()
      #expect(rig.stage.session.panel.name == "Small")
      for user: UInt32 in [999, 0] {
        let link = rig.connect(as: user)
        #expect(try rig.ask("reload \(folder)/evil.panel.yaml", on: link) == [])
        rig.read()
        #expect(link.takeHeard().last == "ok" && rig.stage.session.panel.name == "Evil")
        #expect(try rig.ask("reload \(folder)/small.panel.yaml", on: link) == [])
        rig.read()
        #expect(link.takeHeard().last == "ok" && rig.stage.session.panel.name == "Small")
      }
    }
  }

  @Test("of a wrong file others hear the place alone, once in a second; who runs the panel, and the log, have the text")
  func places() throws {
    try withFiles(["small.panel.yaml": "panel: hunter2-correct-horse\nsecret: hunter3\n"]) { folder in
      let file = "\(folder)/small.panel.yaml"
      let rig = try Rig(Self.text, file: file)
      let (other, own) = (rig.connect(as: 1000), rig.connect(as: 999))
      #expect(try rig.ask("reload", on: other) == [])
      rig.read()
      let heard = other.takeHeard()
      #expect(heard.contains("\(file):2:1: something is wrong here"))
      #expect(heard.last == "error 65 nothing was changed; the panel's log shows what is wrong")
      #expect(heard.allSatisfy { !$0.contains("hunter") && !$0.contains("secret") })
      #expect(rig.logged.contains { $0.hasPrefix("\(file):2:1: ") && $0.contains("secret") })
      let count = rig.logged.count
      #expect(try rig.ask("reload", on: other) == ["error 69 it has been read less than 1 s ago; ask again"])
      try rig.stage.session.bench.advance(by: .seconds(1))
      #expect(try rig.ask("reload", on: other) == [])
      rig.read()
      #expect(other.takeHeard().count == heard.count && rig.logged.count == count, "the log has it once in 10 s")
      #expect(try rig.ask("reload", on: own) == [])
      rig.read()
      #expect(own.takeHeard().contains { $0.hasPrefix("\(file):2:1: ") && $0.contains("secret") })
    }
  }

  @Test("that a file can't take the panel's place is told to others without a word of it")
  func refusal() throws {
    let other = Self.text.replacing("inputs:", with: "chip: hunter2\ninputs:")
    try withFiles(["small.panel.yaml": other]) { folder in
      let rig = try Rig(Self.text, file: "\(folder)/small.panel.yaml")
      let link = rig.connect(as: 1000)
      _ = try rig.ask("reload", on: link)
      rig.read()
      #expect(
        link.takeHeard() == [
          "the file can't replace the running one",
          "error 69 nothing was changed; the panel's log shows what is wrong",
        ])
      #expect(rig.logged == ["the panel's chip is hunter2 now, and was auto; restart the panel"])
    }
  }

  @Test("a file that is not there, or can't be read, is told to all: that is what the system says")
  func absent() throws {
    let rig = try Rig(Self.text, file: "/nowhere/small.panel.yaml")
    let link = rig.connect(as: 1000)
    _ = try rig.ask("reload", on: link)
    rig.read()
    #expect(
      link.takeHeard() == [
        "/nowhere/small.panel.yaml: no such file; check the path",
        "error 66 nothing was changed; the panel's log shows what is wrong",
      ])
  }

  @Test("somebody who hangs up while the file is read has it reloaded all the same")
  func hangUp() throws {
    try withFiles(["small.panel.yaml": Self.text.replacing("idle", with: "rest")]) { folder in
      let rig = try Rig(Self.text, file: "\(folder)/small.panel.yaml")
      let link = rig.connect()
      _ = try rig.ask("reload", on: link)
      link.hasHungUp = true
      rig.server.arrived(on: link)
      rig.server.turn(at: rig.stage.session.now)
      rig.read()
      #expect(rig.stage.session.panel.states.contains { $0.name == "rest" })
      rig.server.turn(at: rig.stage.session.now)
      #expect(rig.server.connectionCount == 0)
    }
  }
}
