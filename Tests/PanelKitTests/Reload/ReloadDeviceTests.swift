import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelNetwork
@testable import PanelRun

/// What a reload means to devices that know more than their lines.
@Suite("Reload of devices")
struct ReloadDeviceTests {
  private static let gate = """
    panel: Gate
    inputs: { up: { button: GPIO1 }, down: { button: GPIO2 } }
    outputs: { lift: { relay: GPIO10 }, lower: { relay: GPIO11 } }
    interlocks: [ { relays: [ lift, lower ], pause: 500ms } ]
    initial: still
    states:
      still: { on: { up.pressed: rising, down.pressed: falling } }
      rising: { show: { lift: on }, on: { down.pressed: falling } }
      falling: { show: { lower: on } }
    """
  private static let other = gate.replacing(
    "lower: { relay: GPIO11 }", with: "lower: { relay: GPIO11 }, lamp: { led: GPIO12 }")

  @Test("a relay of an interlock that is closed stays closed")
  func closed() throws {
    let stage = try ReloadStage(Self.gate)
    try stage.take("press up; wait 100ms")
    let edges = stage.changes("GPIO10")
    #expect(try stage.reload(Self.other).prefix(5).filter { $0.hasSuffix("kept") }.count == 4)
    try stage.take("wait 1s")
    #expect(stage.changes("GPIO10") == edges)
    #expect(stage.chip.line("GPIO10").level == .high)
    // The other one closes after the pause, as ever.
    let moment = stage.session.now
    try stage.take("press down; wait 1s")
    #expect(stage.chip.line("GPIO11").changes.last!.moment >= moment + .milliseconds(500))
    #expect(stage.chip.line("GPIO11").level == .high && stage.chip.line("GPIO10").level == .low)
  }

  @Test("the pause of an interlock is not cut short")
  func pause() throws {
    let stage = try ReloadStage(Self.gate)
    try stage.take("press up; wait 100ms; press down; wait 20ms")
    let opened = stage.chip.line("GPIO10").changes.last!
    #expect(opened.level == .low)
    try stage.reload(Self.other)
    try stage.take("wait 2s")
    let closed = stage.chip.line("GPIO11").changes.last!
    #expect(closed.level == .high && closed.moment - opened.moment >= .milliseconds(500))
  }

  @Test("a keypad's key that stays down tells nothing, and one that goes up is released")
  func keypad() throws {
    let text = """
      panel: Pad
      inputs: { pad: { keypad: { rows: [GPIO1, GPIO2], columns: [GPIO3, GPIO4] } } }
      outputs: { lamp: { led: GPIO10 } }
      initial: a
      states: { a: { on: { pad.pressed: b } }, b: { show: { lamp: on }, on: { pad.released: a } } }
      """
    let stage = try ReloadStage(text)
    try stage.take("press pad(2); wait 100ms; heard pad(2).pressed; expect lamp=on")
    try stage.reload(text.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }"))
    var failures = try stage.take(
      "wait 300ms; heard; expect lamp=on; release pad(2); wait 100ms; heard pad(2).released")
    #expect(failures == [])
    failures = try stage.take("expect lamp=off; press pad(3); wait 100ms; heard pad(3).pressed")
    #expect(failures == [])
  }

  @Test("outputs behind a shift register stay as they are; a register that is new needs a start")
  func register() throws {
    let text = """
      panel: Row
      chips: { row: { shift-register: { data: GPIO1, clock: GPIO2, latch: GPIO3 } } }
      inputs: { key: { button: GPIO5 } }
      outputs: { one: { led: row.Q0 }, two: { led: row.Q1 } }
      initial: a
      states: { a: { on: { key.pressed: b } }, b: { show: { one: on, two: on } } }
      """
    let stage = try ReloadStage(text)
    try stage.take("press key; wait 100ms")
    let row = try #require(stage.session.chips?[0])
    let levels = { ["row.Q0", "row.Q1", "row.Q2"].map { row.line(LineName($0)).level } }
    #expect(levels() == [.high, .high, .low])
    let edges = row.line("row.Q0").changes.count
    let next = text.replacing("two: { led: row.Q1 }", with: "three: { led: row.Q2 }").replacing(
      "two: on", with: "three: on")
    #expect(
      try stage.reload(next).filter { $0.hasPrefix("line") } == [
        "line GPIO5 kept", "line row.Q0 kept", "line row.Q2 new", "line row.Q1 unused",
      ])
    #expect(levels() == [.high, .low, .high])
    #expect(row.line("row.Q0").changes.count == edges)
    let refusal = thrown(RemoteRefusal.self) { try stage.reload(next.replacing("latch: GPIO3", with: "latch: GPIO4")) }
    #expect(refusal?.text == "the chip row is new or has changed; restart the panel")
    #expect(try stage.take("expect one=on three=on") == [])
  }
}
