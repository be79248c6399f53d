import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun
@testable import PanelWiring

@Suite("A chip of a panel that is a driver itself")
struct BusExpanderTests {
  private static let kinds = KindList.standard.adding(chips: [BusExpanderKind.self])

  private static let text = """
    panel: Cellar
    chips:
      more: { mcp23017: 0x20, interrupt: GPIO4 }
    inputs:
      key: { button: more.GPA0 }
    outputs:
      pump: { relay: more.GPB7, active: low }
      lamp: { led: GPIO23 }
    regions:
      pump:
        initial: off
        states:
          off: { on: { key.pressed: on } }
          on: { show: { pump: on }, on: { key.pressed: off } }
      watch:
        initial: works
        states:
          works: { on: { more.lost: broken } }
          broken: { show: { lamp: { blink: 500ms } }, on: { more.restored: works } }

    """

  private func panel(_ text: String = Self.text) throws -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "test", kinds: Self.kinds)
  }

  @Test("has a lens before those of the devices on its lines")
  func devices() throws {
    let stage = try Stage(panel: Self.text, kinds: Self.kinds)
    let failures = try stage.take(
      """
      wait 100ms; expect state.pump=off pump=off; click key; wait 100ms; expect state.pump=on pump=on; wait 60m; expect pump=on;
      click key; wait 100ms; expect pump=off lamp=off
      """)
    #expect(failures == [])
  }

  @Test("is lost alone, with its bus, and with all chips", arguments: ["more", "i2c", "gpio"])
  func loss(part: String) throws {
    let stage = try Stage(panel: Self.text, kinds: Self.kinds)
    #expect(try stage.take("click key; wait 100ms; expect pump=on") == [])
    #expect(
      try stage.take(
        "unplug \(part); wait 3s; expect more=lost state.watch=broken \(part == "gpio" ? "" : "lamp=blinking")")
        == [])
    let failures = try stage.take("plug \(part); wait 10s; expect more=there state.watch=works pump=on lamp=off")
    #expect(failures == [], "\(failures)")
    #expect(try stage.take("click key; wait 100ms; expect pump=off") == [])
  }

  @Test("is there again after a power cut")
  func powerCut() throws {
    let stage = try Stage(panel: Self.text, kinds: Self.kinds)
    #expect(try stage.take("click key; wait 100ms; expect pump=on; power-cut 5s; wait 1s; expect pump=off") == [])
    #expect(try stage.take("click key; wait 100ms; expect pump=on more=there") == [])
  }

  @Test("keeps its outputs, and loses no click, when the panel is read again", arguments: [true, false])
  func reload(hasInterrupt: Bool) throws {
    let text = hasInterrupt ? Self.text : Self.text.replacing(", interrupt: GPIO4", with: "")
    let stage = try ReloadStage(text, kinds: Self.kinds)
    #expect(try stage.take("click key; wait 100ms; expect pump=on") == [])
    let relay = try #require(stage.session.chips?[0].line("more.GPB7"))
    let before = relay.changes.count
    let changes = try stage.reload(text.replacing("blink: 500ms", with: "blink: 250ms"))
    #expect(changes.contains("line more.GPB7 kept") && changes.contains("line more.GPA0 kept"), "\(changes)")
    #expect(try stage.take("wait 5s; expect pump=on more=there state.watch=works") == [])
    #expect(relay.changes.count == before)
    #expect(try stage.take("click key; wait 100ms; expect pump=off; click key; wait 100ms; expect pump=on") == [])
  }

  @Test("keeps its lines when their devices change", arguments: [true, false])
  func changedDevices(hasInterrupt: Bool) throws {
    let text = hasInterrupt ? Self.text : Self.text.replacing(", interrupt: GPIO4", with: "")
    let stage = try ReloadStage(text, kinds: Self.kinds)
    #expect(try stage.take("click key; wait 100ms; expect pump=on") == [])
    stage.session.chips?[0].line("more.GPA0").pull(.high)
    try stage.reload(
      text.replacing("on: { show: { pump: on }, on:", with: "on: { on:").replacing(
        "button: more.GPA0", with: "button: more.GPA0, pull: none, active: low"))
    #expect(try stage.take("wait 1s; expect more=there state.pump=on pump=off") == [])
    #expect(try stage.take("press key; wait 100ms; release key; wait 100ms; expect state.pump=off") == [])
  }

  @Test("loses no press that is on its way when the panel is read again", arguments: [true, false])
  func pressed(hasInterrupt: Bool) throws {
    let text = hasInterrupt ? Self.text : Self.text.replacing(", interrupt: GPIO4", with: "")
    let stage = try ReloadStage(text, kinds: Self.kinds)
    for microseconds in [0, 100, 300, 600, 2000, 9_900] {
      #expect(try stage.take("wait 1s; press key") == [])
      try stage.session.bench.advance(by: .microseconds(microseconds))
      try stage.reload(text)
      #expect(try stage.take("wait 1s; expect state.pump=on pump=on; release key; wait 1s; click key") == [])
      #expect(try stage.take("wait 1s; expect state.pump=off pump=off more=there") == [], "\(microseconds) µs")
    }
  }

  @Test("may change when the panel is read again, unless another chip is wired to it")
  func changed() throws {
    let text = Self.text.replacing(", interrupt: GPIO4", with: "")
    let stage = try ReloadStage(text, kinds: Self.kinds)
    try stage.reload(text.replacing("0x20", with: "0x21"))
    let failures = try stage.take("wait 1s; click key; wait 100ms; expect pump=on more=there")
    #expect(failures == [], "\(failures)")
    try stage.reload(text)
    #expect(try stage.take("wait 1s; expect pump=on more=there") == [])

    let wired = text.replacing(
      "inputs:",
      with: "  far: { shift-register: { data: more.GPB0, clock: more.GPB1, latch: more.GPB2 } }\ninputs:")
    let other = try ReloadStage(wired, kinds: Self.kinds)
    #expect {
      try other.reload(wired.replacing("0x20", with: "0x21"))
    } throws: {
      "\($0)".contains("the chip far is wired to a chip that has changed; restart the panel")
    }
  }

  @Test("waits for the chip of its interrupt line, and for its own lines no other program can ask")
  func interrupt() throws {
    let stage = try Stage(panel: Self.text, kinds: Self.kinds, waitsForLines: true) { $0.chip.unplug() }
    #expect(
      try stage.take("wait 3s; expect more=lost state.watch=broken; plug gpio; wait 70s; expect more=there") == [])
    #expect(try stage.take("click key; wait 100ms; expect pump=on") == [])
    #expect(
      try stage.take("busy pump") == ["no other program can have more.GPB7; the panel holds it, unplug gpio first"])
  }

  @Test("panel safe makes the other outputs safe if it can't be used, and reports writes that fail")
  func unsafe() throws {
    let panel = try panel(
      Self.text.replacing("led: GPIO23", with: "relay: GPIO23, active: low").replacing("{ blink: 500ms }", with: "on"))
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    chips.own.keepsReleasedOutputs = true
    #expect(chips.own.line("GPIO4").hold(by: "another program"))
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.contains { $0.kind == .busy && $0.description.contains("GPIO4") }, "\(errors)")
    #expect(chips.own.line("GPIO23").level == .high)

    _ = chips.own.line("GPIO4").hold(by: nil)
    let part = try #require(chips.hardware(of: 0) as? SimulatedMCP23017)
    let bus = try #require(platform.simulated(at: I2CBusPort(.number(1))))
    let before = bus.transferCount
    var isOpen = false
    bus.onTransaction {
      // The supply dips as soon as the expander is set up.
      if bus.transferCount > before + 9, !isOpen { (isOpen, part.socket.isPlugged) = (true, false) }
    }
    let failures = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(isOpen && failures.contains { $0.description.contains("0x20") }, "\(failures)")
  }

  @Test("panel safe drives its outputs to their safe levels, and says why it can't")
  func safe() throws {
    let panel = try panel()
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    #expect(SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform) == [])
    #expect(chips[0].line("more.GPB7").level == .high)
    #expect(chips[0].line("more.GPB7").changes.map(\.level) == [.low, .high])
    #expect(SafeStateSetter(of: panel).show(on: try Platform(.simulated)) == [])

    chips.hardware(of: 0).unplug()
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.contains { $0.description.contains("more.GPB7") }, "\(errors)")
  }

  @Test("can be lost alone in a proof")
  func proof() throws {
    let panel = try panel(Self.text + "never: { blind: state.watch == broken }\n")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    #expect(way.trace.events.contains { $0.move == .lose(.chip(0)) })
  }

  @Test("gets the address of one device, and its wiring has the bus")
  func address() throws {
    func problems(_ old: String, _ new: String) -> [String] {
      Fixture.problems { () throws(Problems) in
        _ = try PanelFile.read(Array(Self.text.replacing(old, with: new).utf8), file: "test", kinds: Self.kinds)
      }
    }
    #expect(
      problems("mcp23017: 0x20", "mcp23017: 32")[0].hasSuffix(
        #""mcp23017" is "32"; it takes an address 0x20...0x27: 0x20"#), "\(problems("mcp23017: 0x20", "mcp23017: 32"))")
    #expect(
      problems("inputs:", "  extra: { mcp23017: 0x20 }\ninputs:")[0].contains("0x20 of I²C bus 1"))
    let notes = WiringPlan(of: try panel()).text(isASCII: false, isColoured: false)
    #expect(!notes.contains("leave the bus off"), "\(notes)")
    #expect(notes.contains("SDA"))
  }
}
