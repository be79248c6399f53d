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

@Suite("Chips that a panel's file declares")
struct ChipTests {
  /// Two shift registers in a chain and an expander, with a register of its own on its lines.
  private static let panel = """
    panel: P
    chips:
      out: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13, enable: GPIO19 }, registers: 2 }
      more: { expander: mcp23017 }
      far: { shift-register: { data: more.GPB0, clock: more.GPB1, latch: more.GPB2 } }
    inputs:
      key: { button: GPIO26 }
      go: { button: more.GPA0 }
      mute: { switch: more.1 }
      knob: { encoder: [more.GPA2, more.3] }
      pad: { keypad: { rows: [more.4, more.5], columns: [more.6, more.7] } }
    outputs:
      lamp: { led: out.Q0 }
      dots: { bar: [out.Q1, out.2, out.Q15] }
      lock: { relay: out.Q3, active: low }
      up: { relay: more.GPB3 }
      down: { relay: more.GPB4 }
      red: { led: far.Q7 }
      own: { led: GPIO20 }
    values: { n: { initial: 0, min: 0, max: 3 } }
    interlocks: [ { relays: [up, down], pause: 500ms } ]
    show: { dots: n }
    on: { knob.clockwise: { set: { n: +1 } } }
    initial: idle
    states:
      idle: { on: { go.pressed: busy, pad(3).pressed: other, gpio.lost: bad } }
      busy: { show: { lamp: on, lock: on, up: on, own: on, red: { blink: 100ms } }, on: { pad.pressed: other, gpio.lost: bad } }
      other: { show: { down: on, red: on }, on: { go.pressed: idle, gpio.lost: bad } }
      bad: { show: { own: { blink: 50ms } }, on: { gpio.restored: idle } }

    """

  @Test("inputs and outputs are on their lines as on those of the panel's own chip")
  func devices() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("expect state=idle lamp=off dots=0 lock=off up=off down=off red=off") == [])
    #expect(try stage.take("click go; expect state=busy lamp=on lock=on up=on down=off red=blinking own=on") == [])
    #expect(try stage.take("turn knob=2; wait 10ms; expect dots=2; switch mute=on; wait 10ms; expect mute=on") == [])
    #expect(try stage.take("click pad(3); expect state=other lamp=off lock=off up=off down=off") == [])
    #expect(try stage.take("wait 500ms; expect down=on red=on") == [])
  }

  @Test("a relay behind a register that is closed by a low level stays open from the first row on")
  func firstRow() throws {
    let stage = try Stage(panel: Self.panel)
    let chips = try #require(stage.session.chips)
    let lock = chips[0].line("out.Q3")
    // While the outputs are off the line is low here: the register enables them when the first row is there.
    #expect(lock.changes.map(\.level) == [.low, .high])
    chips.own.keepsReleasedOutputs = true
    stage.session.stop()
    #expect(lock.level == .high && chips[0].line("out.Q0").level == .low)
    #expect(chips.all.allSatisfy { $0.heldLines == 0 })
  }

  @Test("a chip that is lost is told for its own devices, and the others go on")
  func loss() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("unplug more; wait 10ms; expect state=bad gpio=lost own=blinking") == [])
    let troubles = stage.session.frame.troubles.map { "\($0.text.prefix { $0 != ":" })" }
    #expect(
      troubles == [
        "gpio (buttons on more) lost", "gpio (switches on more) lost", "gpio (encoders on more) lost",
        "gpio (keypad pad on more) lost", "gpio (leds on far) lost", "gpio (interlock up, down on more) lost",
      ])
    #expect(try stage.take("turn knob=1; press go; wait 10ms; expect n=0 state=bad") == [])
    #expect(try stage.take("plug more; wait 20ms; expect state=busy gpio=there go=pressed") == [])
    #expect(
      try stage.take("unplug gpio; wait 10ms; expect state=bad gpio=lost; plug gpio; wait 10ms; expect gpio=there")
        == [])
  }

  private static let severalChips = """
    panel: P
    chips:
      more: { expander: mcp23017 }
      rest: { expander: mcp23008 }
      far: { shift-register: { data: more.GPB0, clock: more.GPB1, latch: more.GPB2 } }
    inputs: { a: { button: GPIO5 }, b: { switch: more.GPA0 }, c: { button: rest.GP0 } }
    outputs: { lamp: { led: GPIO6 }, red: { led: far.Q0 } }
    values: { n: { initial: 0, min: 0, max: 9 }, all: { initial: 0, min: 0, max: 9 } }
    on: { gpio.lost: { set: { all: +1 } }, gpio.restored: { set: { all: +1 } }, more.restored | chip.restored: { set: { n: +1 } } }

    """

  @Test("each chip is lost and comes back by itself: its event comes before that of all, and only for its own")
  func alone() throws {
    let stage = try Stage(
      panel: Self.severalChips + """
        initial: idle
        states:
          idle: { on: { more.lost: [ { go: first, if: gpio == lost and all == 0 and chip == there }, wrong ] }, when: { rest == lost: third } }
          first: { on: { chip.lost: second } }
          second: { show: { lamp: on }, when: { more == there and chip == there and gpio == there: idle } }
          third: { when: { rest == there: idle } }
          wrong: {}

        """)
    #expect(try stage.take("unplug more; wait 10ms; expect state=first more=lost chip=there gpio=lost all=1") == [])
    #expect(try stage.take("unplug chip; wait 10ms; expect state=second chip=lost rest=there all=1") == [])
    #expect(try stage.take("plug more; wait 10ms; expect state=second more=there n=1 gpio=lost all=1") == [])
    #expect(try stage.take("plug chip; wait 10ms; expect state=idle n=2 gpio=there all=2") == [])
    #expect(
      try stage.take("unplug rest; wait 10ms; expect state=third n=2; plug rest; wait 10ms; expect state=idle") == [])
    #expect(
      try stage.take(
        "unplug gpio; wait 10ms; expect more=lost chip=lost rest=lost; plug gpio; wait 10ms; expect gpio=there") == [])
  }

  @Test("nothing is called chip beside a chip that can be lost alone", arguments: ["chip", "k"])
  func nameOfOwnChip(name: String) {
    let wrong = """
      panel: P
      chips: { \(name == "chip" ? "chip" : "more"): { expander: mcp23017 } }
      inputs: { \(name == "chip" ? "k" : "chip"): { button: GPIO5 } }
      """
    var lines: [String] = []
    do throws(Problems) { _ = try PanelFile.read(Array(wrong.utf8), file: "p") } catch { lines = error.lines }
    #expect(
      lines.contains {
        $0.hasSuffix(": \"chip\" is the panel's own chip in a file with \"chips\"; choose another name")
      }, "\(lines)")
    let right = "panel: P\ninputs: { chip: { button: GPIO5 } }\ninitial: x\nstates: { x: {} }\n"
    #expect((try? PanelFile.read(Array(right.utf8), file: "p")) != nil)
  }

  @Test(
    "a proof loses each chip alone, and shows the way in a scenario",
    arguments: [
      ("x: more == lost and chip == there", "unplug: more"), ("x: chip == lost and more == there", "unplug: chip"),
      ("x: rest == lost and more == lost and chip == there", "unplug: rest"),
      ("x: more == lost and gpio == there", nil),
      ("x: rest == there and gpio == lost and chip == there and more == there", nil),
      ("x: chip == lost and state == two", "unplug: chip"),
    ])
  func proof(never: String, step: String?) throws {
    let panel = try PanelFile.read(
      Array(
        (Self.severalChips.split(separator: "\n").dropLast().joined(separator: "\n") + """

          never: { \(never) }
          initial: one
          states:
            one: { on: { b.on: two } }
            two: { on: { b.off | more.lost: one } }

          """).utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    // The way to a violation ends the search.
    #expect(outcome.isComplete == (step == nil))
    #expect(outcome.violations.count == (step == nil ? 0 : 1))
    guard let step, let way = outcome.violations.first else { return }
    let counterexample = CounterexampleReport(panel: panel, file: "p", way: way)
    let scenario = try #require(counterexample.failingScenario().text)
    #expect("\(scenario)".contains(step), "\(scenario)")
  }

  @Test("a chip that is away at the start, and one that comes back after the power was cut")
  func start() throws {
    let stage = try Stage(panel: Self.panel, waitsForLines: true) { try? $0.session.world.plug(.chip(1), false) }
    #expect(
      try stage.take("wait 10ms; expect gpio=lost; plug more; wait 10ms; expect gpio=there; click go; expect lock=on")
        == [])
    #expect(try stage.take("power-cut 1s; wait 10ms; expect state=idle lamp=off lock=off dots=0 red=off") == [])
  }

  @Test("a scenario begins without a chip")
  func scenario() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let text = """
      scenario: S
      start: { more: lost, key: pressed }
      steps: [ { wait: 10ms }, { expect: { gpio: lost, key: pressed, own: blinking } }, { plug: more }, { wait: 10ms }, { expect: { gpio: there } } ]

      """
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    let failures = try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures
    #expect(failures == [])
    let wrong = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(
        Array("scenario: S\nstart: { out: lost }\nsteps: [ show ]\n".utf8), file: "s", for: panel)
    }
    #expect(
      wrong == ["2:10: \"out\" has no connection of its own, and is lost with the chip of its lines; write gpio"])
  }

  @Test("another program takes the lines of the register that a device is behind")
  func occupied() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("busy lamp") == ["no other program can have GPIO5; the panel holds it, unplug gpio first"])
    #expect(
      try stage.take("busy red") == ["no other program can have more.GPB0; the panel holds it, unplug gpio first"])
  }

  @Test("panel safe brings the outputs of all chips into the safe state, none of them by way of another level")
  func safe() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    for chip in chips.all { chip.keepsReleasedOutputs = true }
    chips[1].line("more.GPB3").drive(.high)
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.isEmpty)
    #expect(chips[0].line("out.Q3").changes.map(\.level) == [.low, .high])
    #expect(chips[0].line("out.Q0").level == .low)
    #expect(chips[1].line("more.GPB3").level == .low)
    #expect(chips.all.allSatisfy { $0.heldLines == 0 })
  }

  @Test("on this machine lines are called by the expander's label and number, or as the kernel calls them")
  func realNames() throws {
    let text = """
      panel: P
      chips: { more: { expander: 1-0020 } }
      inputs: { key: { button: more.P11 }, bell: { button: more.INT } }
      initial: idle
      states: { idle: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let bench = Bench()
    let real = SimulatedChip(bench, names: ["1-0020:9", "INT"])
    let kind = try #require(panel.chips[0].kind as? KernelExpanderKind)
    #expect(panel.inputs.map(\.device.lines) == [["more.P11"], ["more.INT"]])
    let chip = kind.renamed(real)
    let request = try chip.request(
      panel.inputs.map { LineConfiguration(LineName($0.device.lines[0]), .input(.pullUp)) }, consumer: "test")
    real.line("1-0020:9").drive(.high)
    #expect(try request.readValues() == .first(2))
    try request.reconfigure([
      LineConfiguration("more.P11", .output(.inactive, .pushPull)), LineConfiguration("more.INT", .input(.pullUp)),
    ])
    real.line("1-0020:9").drive(nil)
    #expect(real.line("1-0020:9").level == .low)
    request.release()
    #expect(real.heldLines == 0)
  }

  @Test("a wiring has the registers at their lines, and a table of the devices on each chip")
  func wiring() throws {
    let plan = WiringPlan(of: try PanelFile.read(Array(Self.panel.utf8), file: "p"))
    #expect(plan.isOnHeader)
    #expect(plan.devices.map(\.name) == ["out", "key", "own"])
    #expect(
      plan.chips.map { $0.devices.map(\.name) } == [
        ["lamp", "dots", "lock"], ["far", "go", "mute", "knob", "pad", "up", "down"], ["red"],
      ])
    #expect(plan.lamps.count == 1)
    let text = plan.text()
    for part in [
      "  pin 29 GPIO5  ── DS ", "\nDevices at \"out\" (chain of 2 shift registers)\n",
      "\nDevices at \"more\" (port expander mcp23017)\n", "\n  · 1 × port expander mcp23017\n",
      "\n  out.Q3        ── IN ", "\n  more.GPB0     ── DS ", "\n  more.1 ", "\n  · 3 × 74HC595\n",
      " The LED takes 5 mA from the lines. ",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let picture = try #require(plan.svg())
    for part in ["Devices at &quot;out&quot;", "out.Q1 (1), out.Q2 (2)", "far.Q7: &quot;red&quot; (LED)"] {
      #expect(picture.contains(part), "\(part)")
    }
  }

  @Test(
    "a line that a chip doesn't have, and a chip's name with a slip, are wrong; other names are the kernel's",
    arguments: [
      ("rwo.Q0", "4:22: there is no chip \"rwo\"; did you mean \"row.Q0\"?"),
      ("mor.GPA0", "4:22: there is no chip \"mor\"; did you mean \"more.GPA0\"?"),
      ("kitchen.Q0", nil), ("mor.01", nil), ("rwo.Q9", nil), ("row-lamp", nil), ("PA.1", nil), ("more.GPA7", nil),
      ("more.INT", nil), ("more.15", nil),
      ("more.GPA8", "4:22: \"GPA8\" is not a line of more; write more. and 0...15, GPA0...GPA7 or GPB0...GPB7"),
      ("more.gpa0", "4:22: \"gpa0\" is not a line of more; write more. and 0...15, GPA0...GPA7 or GPB0...GPB7"),
      ("more.P3", "4:22: \"P3\" is not a line of more; write more. and 0...15, GPA0...GPA7 or GPB0...GPB7"),
      ("more.16", "4:22: \"16\" is not a line of more; write more. and 0...15, GPA0...GPA7 or GPB0...GPB7"),
      ("small.8", "4:22: \"8\" is not a line of small; write small. and 0...7 or P0...P7"), ("small.P7", nil),
      ("wide.P17", nil), ("other.63", nil), ("other.GPB7", nil), ("other.P20", nil),
      ("other.GP17", nil), ("old.GP7", nil),
      (
        "other.64",
        "4:22: \"64\" is not a line of other; write other. and 0...63, GP0...GP7, GPA0...GPA7, GPB0...GPB7, P0...P7, P00...P07, P10...P17, or the kernel's name of a line"
      ),
      ("row.Q8", "4:22: \"Q8\" is not a line of row; write row. and Q0...Q7"),
    ])
  func lines(line: String, message: String?) {
    let text = """
      panel: P
      chips: { row: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 } }, more: { expander: mcp23017 },
       small: { expander: pcf8574a }, wide: { expander: pcf8575 }, other: { expander: 1-0020 }, old: { expander: mcp23s08 } }
      outputs: { a: { led: \(line) } }
      initial: s
      states: { s: { show: { a: on } } }

      """
    #expect(Fixture.problems(ofPanel: text) == (message.map { [$0] } ?? []))
  }

  @Test("two names of one line are one line, and each device's is called as the file does")
  func otherNames() throws {
    func text(_ first: String, _ second: String) -> String {
      """
      panel: P
      chips: { more: { expander: mcp23017 } }
      outputs: { a: { led: \(first) }, b: { led: \(second) } }
      initial: s
      states: { s: { show: { a: on, b: on } } }

      """
    }
    #expect(
      Fixture.problems(ofPanel: text("more.GPB0", "more.8"))
        == ["3:45: line more.8 of \"b\" is already used by \"a\" on line 3; choose another"])
    let panel = try PanelFile.read(Array(text("more.GPB0", "more.9").utf8), file: "p")
    let wiring = WiringPlan(of: panel).text()
    #expect(wiring.contains("more.GPB0 ") && wiring.contains("more.9 ") && !wiring.contains("more.8"))
  }

  @Test(
    "a pull-down that a chip can't give is noted, and told in the wiring",
    arguments: [("mcp23017", true), ("pcf8574", true), ("1-0020", false)])
  func pullDown(chip: String, isNoted: Bool) throws {
    let text = """
      panel: P
      chips: { more: { expander: \(chip) } }
      inputs: { a: { button: more.1, pull: down }, b: { button: more.2 }, c: { button: GPIO5, pull: down } }
      untouched: { 1m: s }
      initial: s
      states: { s: }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    #expect(
      panel.notes.map { "\($0.line):\($0.column): \($0.text)" }
        == (isNoted
          ? [
            "3:38: more, which has more.1, has no resistors that pull down; wire the contact to ground and write pull: up, or give more.1 a resistor and write pull: none"
          ] : []))
    let plan = WiringPlan(of: panel)
    let notes = NumberedNotes(plan)
    let number = notes.notes.firstIndex { $0.text.hasPrefix("more has no resistors to ground") }
    #expect((number != nil) == isNoted)
    let concerned = plan.allDevices.indices.filter { device in
      number.map { notes.numbers[device].contains($0 + 1) } ?? false
    }
    #expect(concerned.map { plan.allDevices[$0].name } == (isNoted ? ["a"] : []))
  }

  @Test(
    "steps and starts name the chips that can be lost by themselves",
    arguments: [
      ("unplug out", "9:8: \"out\" has no connection of its own, and is lost with the chip of its lines; write gpio"),
      ("unplug lamp", "9:8: can't unplug \"lamp\"; write one of audio, gpio, chip, more"),
      (
        "expect out=lost",
        "9:8: \"out\" has no connection of its own, and is lost with the chip of its lines; write gpio"
      ),
    ])
  func steps(line: String, message: String) throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read(line, line: 9, file: "-", names: Names(panel))
    }
    #expect(found == [message])
  }
}
