import HardwareLinux
import HardwareSimulation
import Terminal
import TestSupport
import Testing

@testable import PanelKit

/// A panel whose file is read when the test says so.
private final class Rig: DeskRig, @unchecked Sendable {
  let stage: ReloadStage
  let reloader: PanelReloader
  private let panel: ControlledPanel
  /// What is to be read.
  private var readings: [@Sendable () -> Void] = []

  init(_ text: String, file: String) throws {
    let stage = try ReloadStage(text)
    var add: (@escaping @Sendable () -> Void) -> Void = { _ in }
    let reloader = PanelReloader(of: file, kinds: .standard, done: {}, beside: { body in add(body) })
    let panel = ControlledPanel(stage.session, Diagnostics(.error), reloader: reloader)
    let desk = ControlDesk(panel)
    (self.stage, self.reloader, self.panel) = (stage, reloader, panel)
    super.init(desk, of: stage.session)
    reloader.exchange = { (content) throws(RemoteRefusal) in
      let lines = try stage.session.reload(to: content.panel, sounds: content.sounds)
      panel.noteReload()
      return lines
    }
    reloader.answer = { connection, answer in desk.finish(connection, with: answer, at: stage.session.now) }
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
      rig.desk.turn(at: rig.stage.session.now)
      #expect(link.takeHeard().last == "ok")
      try rig.stage.take("release bell; wait 20ms")
      #expect(watcher.takeHeard() == [#"{"inputs": {"bell": "released"}}"#])
    }
  }

  @Test("somebody who hangs up while the file is read has it reloaded all the same")
  func hangUp() throws {
    try withFiles(["small.panel.yaml": Self.text.replacing("idle", with: "rest")]) { folder in
      let rig = try Rig(Self.text, file: "\(folder)/small.panel.yaml")
      let link = rig.connect()
      _ = try rig.ask("reload", on: link)
      link.hasHungUp = true
      rig.desk.arrived(on: link)
      rig.desk.turn(at: rig.stage.session.now)
      rig.read()
      #expect(rig.stage.session.panel.states.contains { $0.name == "rest" })
      rig.desk.turn(at: rig.stage.session.now)
      #expect(rig.desk.connectionCount == 0)
    }
  }
}
