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

  @Test("a stepper stays at its position, and counts from there")
  func stepper() throws {
    let text = """
      panel: Blind
      inputs: { key: { button: GPIO5 } }
      outputs: { blind: { stepper: [GPIO17, GPIO27, GPIO22, GPIO23] } }
      initial: closed
      states:
        closed: { show: { blind: 0 }, on: { key.pressed: open } }
        open: { show: { blind: 300 }, on: { key.pressed: closed } }
      """
    let stage = try ReloadStage(text)
    try stage.take("click key; wait 2s")
    #expect(try stage.take("expect blind=300") == [])
    let lines = ["GPIO17", "GPIO27", "GPIO22", "GPIO23"]
    let edges = lines.map { stage.changes(LineName($0)) }
    // At rest, with other settings.
    try stage.reload(text.replacing("GPIO23] }", with: "GPIO23], speed: 200 }, lamp: { led: GPIO10 }"))
    #expect(try stage.take("wait 2s; expect blind=300") == [])
    #expect(lines.map { stage.changes(LineName($0)) } == edges)
    // On its way.
    try stage.take("click key; wait 500ms")
    try stage.reload(text)
    #expect(try stage.take("wait 2s; expect blind=0") == [])
    #expect(try stage.take("wait 2s; expect blind=0") == [])
    #expect(zip(lines, edges).map { stage.changes(LineName($0)) - $1 }.reduce(0, +) == 300)
    #expect(lines.map { stage.chip.line(LineName($0)).level } == [.high, .low, .low, .low])
    // Another device has these lines in between: it can move the motor, so its position counts from the one that it has.
    try stage.take("click key; wait 2s")
    let other = text.replacing("{ stepper: [GPIO17, GPIO27, GPIO22, GPIO23] }", with: "{ leds: [GPIO17, GPIO27] }")
      .replacing("blind: 300", with: "blind: on").replacing("blind: 0", with: "blind: off")
    try stage.reload(other)
    let before = lines.map { stage.changes(LineName($0)) }
    try stage.reload(text)
    try stage.take("wait 2s")
    #expect(zip(lines, before).map { stage.changes(LineName($0)) - $1 }.reduce(0, +) > 200)
  }

  @Test("a fade continues, a servo moves on at its speed, and a motor and a strip show the same again")
  func waves() throws {
    let text = """
      panel: Waves
      inputs: { key: { button: GPIO5 } }
      outputs:
        lamp: { led: GPIO12, pwm: required }
        arm: { servo: GPIO13, speed: 60 }
        fan: { motor: [GPIO20, GPIO21], enable: GPIO18, ramp: 2s }
        row: { strip: { ws2812: 4 } }
      initial: a
      states:
        a: { show: { arm: 0 }, on: { key.pressed: b } }
        b: { show: { lamp: { fade: 1, over: 2s }, arm: 90, fan: 0.5, row: red }, on: { key.pressed: a } }
      """
    let stage = try ReloadStage(text)
    func wave(_ line: LineName) throws -> PWMWave? {
      try #require(stage.session.platform.simulated(at: PWMPort(line: line))).wave
    }
    func pulse() throws -> Duration { try #require(try wave("GPIO13")).high }
    try stage.take("click key; wait 1s")
    let (share, arm) = (try #require(try wave("GPIO12")).share, try pulse())
    #expect((0.2...0.3).contains(share) && (.microseconds(1_800)...(.microseconds(1_900))).contains(arm))
    try stage.reload(text.replacing("ws2812: 4 } }", with: "ws2812: 4 } }\n  more: { led: GPIO10 }"))
    try stage.take("wait 20ms")
    #expect(abs(try #require(try wave("GPIO12")).share - share) < 0.02)
    #expect(try pulse() > arm && pulse() - arm < .microseconds(20))
    #expect(try stage.take("wait 500ms; expect fan=0.5 row=red; wait 1s; expect lamp=1 arm=90 fan=0.5 row=red") == [])
    #expect(try wave("GPIO12")?.share == 1)
  }
}
