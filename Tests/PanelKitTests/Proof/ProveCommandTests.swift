import Glibc
import TestSupport
import Testing

/// Runs `panel prove` on a panel file `p.panel.yaml`; lines without the folder that it is in.
func prove(_ text: String, _ options: [String] = []) -> (status: Int32, lines: [String], errors: String) {
  withFiles(["p.panel.yaml": text]) { folder in
    let result = PanelProcess(["prove", "\(folder)/p.panel.yaml"] + options).finish()
    let lines = result.output.split(separator: "\n").map { line in
      line.split(separator: "\(folder)/", omittingEmptySubsequences: false).joined()
    }
    return (result.status, lines, result.errors)
  }
}

// One at a time: a process started beside another would inherit its pipes.
@Suite("The command panel prove", .serialized)
struct ProveCommandTests {
  /// A garage door that is turned round by what is in its way.
  static let garage = """
    panel: Garage door
    inputs:
      key:    { button: GPIO5, hold: 3s }
      top:    { switch: GPIO6 }
      bottom: { switch: GPIO13 }
      beam:   { switch: GPIO19, active: high, words: { on: broken, off: whole } }
    outputs:
      up:   { relay: GPIO24 }
      down: { relay: GPIO25 }
      lamp: { led: GPIO23 }
    interlocks: [ { relays: [up, down], pause: 500ms } ]
    never: { crushing: down == on and beam == broken }
    reach: [ fault ]
    initial: resting
    states:
      resting:
        on: { key.clicked: [ { go: closing, if: top == on and beam == whole }, { go: opening, if: top == off } ] }
        initial: stopped
        states:
          stopped: { when: { top == on: open, bottom == on: closed } }
          open:    { show: { lamp: on }, when: { top == off: stopped } }
          closed:  { when: { bottom == off: stopped } }
      moving:
        show: { lamp: { blink: 250ms } }
        on: { key.clicked: stopped }
        after: { 20s: fault }
        initial: opening
        states:
          opening: { show: { up: on }, when: { top == on: open } }
          closing: { show: { down: on }, when: { beam == broken: opening, bottom == on: closed } }
      fault:
        show: { lamp: { blink: { on: 100ms, off: 900ms } } }
        on: { key.held: stopped }
    safe: { up: off, down: off }

    """

  @Test("tells what is proved and what is reached, and what was looked at")
  func proved() {
    let result = prove(Self.garage)
    #expect(result.status == 0 && result.errors == "")
    #expect(
      result.lines.dropLast() == [
        "p.panel.yaml: Garage door",
        "  proved      never crushing          down == on and beam == broken",
        "  proved      interlock up, down      never switched on together",
        "  reached     fault                   after 1 input, at 20.011s",
      ])
    #expect(
      result.lines.last?.filter { !$0.isNumber }
        == " situations in  configurations, at most  clock, .s. Assumed arbitrary: contacts (except for debounce), sensors, random numbers, ends of sounds, faults."
    )
  }

  @Test("tells the shortest way to a violation, and writes a scenario that fails for as long as it is there")
  func violated() throws {
    let broken = Self.garage.replacing(" and beam == whole", with: "").replacing("beam == broken: opening, ", with: "")
    try withFiles(["p.panel.yaml": broken, "garage.panel.yaml": Self.garage]) { folder in
      let file = "\(folder)/p.panel.yaml"
      let scenario = "\(folder)/p.crushing.scenario.yaml"
      let result = PanelProcess(["prove", file]).finish()
      #expect(result.status == 1)
      #expect(
        result.output == """
          \(file):12:10: never crushing is violated: down == on and beam == broken
            shortest counterexample: 1 input, at 11ms, from the start with top on, beam broken
              11ms  key.clicked    resting/open -> moving/closing         17:26
            written to \(scenario); panel test \(file) \(scenario) reproduces it

          """)
      let text = try #require(bytes(of: scenario).map { String(decoding: $0, as: UTF8.self) })
      #expect(
        text == """
          scenario: "never crushing: down == on and beam == broken"
          start: { top: on, beam: broken }
          steps: [ { press: key }, { wait: 6ms }, { release: key }, { wait: 5ms }, { expect: not (down == on and beam == broken) } ]

          """)
      #expect(PanelProcess(["test", file, scenario]).finish().status == 1)
      // With the file put right it is a regression test.
      #expect(PanelProcess(["test", "\(folder)/garage.panel.yaml", scenario]).finish().status == 0)
    }
  }

  @Test("a scenario that somebody has written stays, one of the last proof is replaced")
  func names() throws {
    let panel = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      never: { bad: state == y }
      initial: x
      states: { x: { on: { a.pressed: y } }, y: { on: { a.pressed: x } } }

      """
    let own = "scenario: Mine\nsteps: [ show ]\n"
    try withFiles(["p.panel.yaml": panel, "p.bad.scenario.yaml": own]) { folder in
      let path = "\(folder)/p.bad-2.scenario.yaml"
      for _ in 0..<2 {
        let result = PanelProcess(["prove", "\(folder)/p.panel.yaml"]).finish()
        #expect(result.status == 1)
        #expect(
          result.output.hasSuffix(
            "  written to \(path), as \(folder)/p.bad.scenario.yaml has another scenario; "
              + "panel test \(folder)/p.panel.yaml \(path) reproduces it\n"))
      }
      let kept = try #require(bytes(of: "\(folder)/p.bad.scenario.yaml"))
      #expect(String(decoding: kept, as: UTF8.self) == own)
      #expect(bytes(of: path).map { $0.starts(with: "scenario: \"never bad: state == y\"\n".utf8) } == true)
      #expect(bytes(of: "\(folder)/p.bad-3.scenario.yaml") == nil)
    }
  }

  @Test("each property that can be violated is told, the one with the fewest inputs first")
  func several() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
      interlocks: [ { relays: [up, down] } ]
      never: { third: state.one == w, never: up == on and state.one == x, first: state.two == s }
      regions:
        one:
          initial: x
          states:
            x: { on: { a.pressed: y } }
            y: { on: { a.pressed: z } }
            z: { show: { up: on }, on: { a.pressed: w } }
            w: { on: { a.pressed: x } }
        two:
          initial: r
          states: { r: { on: { b.pressed: s } }, s: { show: { down: on }, on: { b.pressed: r } } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(
      result.lines.filter { $0.contains("is violated") } == [
        "p.panel.yaml:5:69: never first is violated: state.two == s",
        "p.panel.yaml:4:15: interlock up, down is violated: switched on together",
        "p.panel.yaml:5:10: never third is violated: state.one == w",
      ])
    #expect(result.lines.count { $0.hasPrefix("  written to") } == 3)
  }

  @Test("what is violated at the start is told with the start, and a scenario expects that the panel works")
  func atStart() throws {
    let never = prove("panel: P\nnever: { bad: state == x }\ninitial: x\nstates: { x: {} }\n")
    #expect(
      never.lines == [
        "p.panel.yaml:2:10: never bad is violated: state == x",
        "  shortest counterexample: no input, at 0ms, from the start",
        "     0ms  (start)        x",
        "  written to p.bad.scenario.yaml; panel test p.panel.yaml p.bad.scenario.yaml reproduces it",
      ])
    let endless = """
      panel: P
      inputs: { a: { switch: GPIO5 } }
      initial: x
      states: { x: { when: { a == on: y } }, y: { when: { a == on: x } } }

      """
    try withFiles(["p.panel.yaml": endless]) { folder in
      #expect(PanelProcess(["prove", "\(folder)/p.panel.yaml"]).finish().status == 1)
      let text = try #require(
        bytes(of: "\(folder)/p.endless.scenario.yaml").map { String(decoding: $0, as: UTF8.self) })
      #expect(text.hasSuffix("{ expect: { ended: 0 } } ]\n"), "\(text)")
    }
  }

  @Test("a state of reach that two regions have is said with its region")
  func reachInRegion() {
    let region = "{ initial: stop, states: { stop: { on: { a.pressed: run } }, run: { on: { a.pressed: stop } } } }"
    let text =
      "panel: P\ninputs: { a: { button: GPIO5 } }\nreach: [ r.run ]\nregions:\n  l: \(region)\n  r: \(region)\n"
    let result = prove(text)
    #expect(result.status == 0)
    #expect(result.lines.contains { $0.hasPrefix("  reached     r.run  ") }, "\(result.lines)")
  }

  @Test("a panel without properties says that there is nothing to prove")
  func nothing() {
    let result = prove("panel: P\ninitial: x\nstates: { x: {} }\n")
    #expect(result.status == 0)
    #expect(result.lines.first == "p.panel.yaml: P: nothing to prove; add never: or reach: to the file")
    #expect(result.lines.count == 2)
  }

  @Test("two relays of an interlock that are asked for together are a violation")
  func interlock() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
      interlocks: [ { relays: [up, down] } ]
      regions:
        one: { initial: x, states: { x: { on: { a.pressed: y } }, y: { show: { up: on }, on: { a.pressed: x } } } }
        two: { initial: v, states: { v: { on: { b.pressed: w } }, w: { show: { down: on }, on: { b.pressed: v } } } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(result.lines.first == "p.panel.yaml:4:15: interlock up, down is violated: switched on together")
    #expect(result.lines.contains { $0.hasPrefix("  written to p.interlock-up-down.scenario.yaml") })
  }

  @Test("a state that is never reached ends with 1, and the condition that never holds is named")
  func unreached() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      reach: [ y ]
      initial: x
      states:
        x: { on: { a.pressed: [ { go: y, if: n == 5 }, { set: { n: 3 } } ] } }
        y: { on: { a.pressed: x } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(result.lines.first == "p.panel.yaml:4:10: y is never reached; 7:40 is never true: n == 5")
    #expect(result.lines.contains("  unreached   y"))
  }

  @Test("what never happens and what can't be left is noted")
  func notes() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, s: { switch: GPIO6 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      initial: x
      states:
        x: { on: { a.pressed: [ { go: y, if: n == 1 }, { set: { n: 1 }, if: n < 9 } ], s.on: z } }
        y: { on: { a.pressed: { go: y, if: n == 1 }, s.off: x } }
        z: { on: { a.pressed: w } }
        w: { on: { a.pressed: w2, a.released: w2 } }
        w2: { after: { 1s: w } }

      """
    let result = prove(text)
    #expect(result.status == 0)
    #expect(
      result.lines.dropFirst().dropLast() == [
        "  note        6:71: always true: n < 9",
        "  note        7:38: always true: n == 1",
        "  note        from z no path leads back to x",
      ])
  }

  // In the program the devices of a chip come back one kind after the other: a line that another program holds keeps
  // the chip missing, while its button tells presses.
  @Test("what is on a chip may tell events before the whole chip is back")
  func returning() {
    let text = """
      panel: P
      chips: { more: { expander: mcp23017 } }
      inputs: { k: { button: more.GPA0 } }
      outputs: { l: { relay: GPIO6 }, e: { led: more.GPA1 } }
      never: { foo: l == on and more == lost }
      initial: x
      states:
        x: { on: { k.pressed: y } }
        y: { show: { l: on }, on: { more.lost: x, k.released: x } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(result.lines.contains { $0.contains("never foo is violated") }, "\(result)")
    let scenario = """
      scenario: one line of the chip is held
      steps:
        - { unplug: more }
        - { wait: 1s }
        - { busy: e }
        - { plug: more }
        - { wait: 60m }
        - { press: k }
        - { wait: 1s }
        - { expect: { more: lost, ended: 70 } }
      """
    withFiles(["p.panel.yaml": text, "p.scenario.yaml": scenario]) { folder in
      let run = PanelProcess.run(["test", "\(folder)/p.panel.yaml", "\(folder)/p.scenario.yaml"])
      #expect(run.status == 0, "\(run)")
    }
    // A rule that looks at the state of the chip holds at all times.
    let safe = prove(text.replacing("y: { show", with: "y: { when: { more == lost: x }, show"))
    #expect(safe.status == 0, "\(safe)")
    let notes = prove(
      text.replacing(
        "x: { on: { k.pressed: y } }",
        with: "x: { on: { more.lost: gone } }\n  gone: { on: { more.restored: x, k.pressed: y } }"))
    #expect(!notes.lines.contains { $0.contains("never entered") || $0.contains("never taken") }, "\(notes)")
  }

  @Test("of several chips one is lost alone, and what is on the others still tells")
  func oneOfSeveralChips() {
    let text = """
      panel: P
      chips: { more: { expander: pcf8574 } }
      inputs: { key: { button: GPIO26 } }
      outputs: { lamp: { led: more.0 }, door: { relay: GPIO5 } }
      never: { open: door == on and gpio == lost }
      initial: x
      states:
        x: { show: { lamp: on }, on: { gpio.lost: bad } }
        bad: { on: { key.pressed: open, gpio.restored: x } }
        open: { show: { door: on }, on: { gpio.restored: x } }

      """
    let result = prove(text)
    #expect(result.status == 1, "\(result)")
    #expect(result.lines.contains { $0.contains(".lost") }, "\(result)")
    // The lamp is dark as soon as the panel has heard that a chip is lost, of whichever event.
    let dark = prove(text.replacing("open: door == on and gpio", with: "lit: lamp == on and more"))
    #expect(dark.status == 0, "\(dark)")
    let safe = prove(text.replacing("bad: { on: { key.pressed: open", with: "bad: { on: { gpio.lost: open"))
    #expect(safe.status == 0, "\(safe)")
  }

  @Test("a sensor that is only shown, or kept in a value that is, has no more numbers than it is compared with")
  func shownSensor() {
    func text(_ shown: String) -> String {
      """
      panel: Shown
      inputs: { temp: { sensor: { w1: any }, min: 0, max: 99, decimals: 2, if-lost: keep }, key: { button: GPIO17 } }
      outputs: { heater: { relay: GPIO27 }, screen: { display: { i2c: 0x27 } } }
      values: { last: { initial: 0, min: 0, max: 99 } }
      never: { hot: heater == on and temp > 60 }
      show: { screen: "\(shown)" }
      initial: a
      states:
        a: { on: { key.pressed: { go: b, if: temp < 50, set: { last: temp } } } }
        b: { show: { heater: on }, when: { temp >= 50: a } }

      """
    }
    let shown = ["hello", "{temp}", "{last}"].map { prove(text($0)) }
    for result in shown {
      #expect(
        result.status == 0 && result.lines.last?.prefix { $0 != " " } == shown[0].lines.last?.prefix { $0 != " " })
    }
  }

  @Test("an age that is asked at a loss is that of the state")
  func ageAtLoss() {
    let text = """
      panel: P
      inputs: { air: { sensor: { w1: any }, min: 0, max: 9 } }
      reach: [ late, soon ]
      initial: x
      states:
        x: { on: { air.restored: y } }
        y: { on: { air.lost: [ { go: late, if: elapsed >= 3s }, soon ] } }
        late: { on: { gpio.lost: [ { go: x, if: elapsed < 1s }, soon ] } }
        soon: { on: { air.restored: x } }

      """
    let result = prove(text)
    #expect(result.status == 0)
    #expect(result.lines.contains { $0.hasPrefix("  reached     late") && $0.contains("3s") })
  }

  @Test("deadlines that come at once and lead to each other for ever are a violation")
  func circle() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, s: { switch: GPIO6 } }
      initial: x
      states:
        x: { on: { a.pressed: y } }
        y: { after: { 0s: [ { go: z, if: s == on }, { go: x } ] } }
        z: { after: { 0s: [ { go: y, if: s == on }, { go: x } ] } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(
      result.lines.prefix(3) == [
        "p.panel.yaml: endless loop of \"after\": z, y, z, y",
        "  shortest counterexample: 1 input, at 5ms, from the start with s on",
        "     5ms  a.pressed      x -> y                                 5:14",
      ])
  }

  @Test("chance, knobs, sensors, losses and ages are in the scenario that is written")
  func everything() {
    let text = """
      panel: P
      inputs:
        a: { button: GPIO5, hold: 1s }
        k: { encoder: [ GPIO7, GPIO8 ] }
        air: { sensor: { w1: 28-00000a1b2c3d }, min: -20, max: 60, decimals: 1 }
        warm: { switch: { on: air > 28, off: air < 25 }, debounce: 2s }
      values: { n: { initial: 0, min: 0, max: 6 }, l: { list: 2, min: 1, max: 3 } }
      never: { bad: "state == z and l == '31' and air == lost and gpio == lost" }
      initial: x
      states:
        x: { on: { a.held: { go: y, set: { n: random 4..6 } } } }
        y: { after: { 1s..4s: [ { go: w, if: n == 5, set: { l: append random 1..3 } }, { go: x } ] } }
        w: { on: { k.clockwise: { go: v, if: elapsed == 250ms, set: { l: append random 1..3 } } }, after: { 1s: x } }
        v: { on: { warm.on: z } }
        z: { on: { a.clicked: x } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(result.lines.last?.hasPrefix("  written to p.bad.scenario.yaml; panel test") == true, "\(result.lines)")
  }

  @Test("the end of a sound is awaited as long as the card takes for it")
  func sound() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      sounds: { beep: { tone: 1kHz, for: 80ms } }
      never: { bad: state == z }
      initial: x
      states:
        x: { on: { a.pressed: y } }
        y: { play: [ beep ], on: { beep.finished: z }, after: { 500ms: x } }
        z: { on: { a.pressed: x } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(result.lines.last?.hasPrefix("  written to p.bad.scenario.yaml; panel test") == true, "\(result.lines)")
  }

  @Test("a file that can't be read ends as with every command")
  func unreadable() {
    #expect(PanelProcess(["prove", "/nowhere.panel.yaml"]).finish().status == 66)
    #expect(prove("panel: P\n").status == 65)
  }

  @Test("a relay closes exactly a pause after the one before it has opened, and is unknown while its chip is lost")
  func contacts() {
    func text(_ span: String) -> String {
      """
      panel: P
      inputs: { key: { button: GPIO5 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
      interlocks: [ { relays: [ up, down ], pause: 500ms } ]
      never: { late: state == late }
      reach: [ travels ]
      initial: still
      states:
        still: { on: { key.pressed: rising } }
        rising: { show: { up: on }, when: { up == closed: high } }
        high: { show: { up: on }, on: { key.pressed: falling } }
        falling: { show: { down: on }, when: { down == closed: travels }, after: { \(span): late } }
        travels: { show: { down: on }, on: { key.pressed: still } }
        late: {}

      """
    }
    let proved = prove(text("501ms"), ["--no-faults"])
    #expect(proved.status == 0, "\(proved)")
    #expect(
      proved.lines.contains { $0.hasPrefix("  reached     travels") && $0.contains("after 2 inputs") }, "\(proved)")
    let violated = prove(text("499ms"), ["--no-faults"])
    #expect(violated.status == 1, "\(violated)")
    #expect(violated.lines.contains { $0.hasPrefix("  written to p.late.scenario.yaml; panel test") }, "\(violated)")
    let lost = prove(text("501ms"))
    #expect(lost.status == 1, "\(lost)")
    #expect(lost.lines.contains { $0.contains("gpio.lost") }, "\(lost)")
  }

  @Test("what a sensor counts as while it is lost is a number that it can have at any moment")
  func lostSensor() {
    func text(_ setting: String) -> String {
      """
      panel: P
      inputs: { air: { sensor: { w1: any }, min: 0, max: 9, if-lost: \(setting) }, key: { button: GPIO5 } }
      outputs: { heater: { relay: GPIO24 } }
      never: { hot: heater == on and air > 7 }
      initial: still
      states:
        still: { on: { key.pressed: { go: heats, if: air < 5 } } }
        heats: { show: { heater: on }, on: { key.pressed: still }, when: { air == 8: still } }

      """
    }
    let violated = prove(text("max"))
    #expect(violated.status == 1, "\(violated)")
    let mended = text("max").replacing("air == 8: still", with: "air >= 8: still")
    #expect(prove(mended).status == 0)
    #expect(prove(mended.replacing("if-lost: max", with: "if-lost: 7")).status == 0)
    // Only the loss leads beyond what is read.
    let limited = prove(text("max"), ["--limit", "air=0..4"])
    #expect(limited.status == 1 && limited.lines.contains { $0.contains("air.lost") }, "\(limited)")
  }

  @Test("a rule whose comparison the limits decide is undecided, and the note names the values")
  func decidedByLimits() {
    func text(_ guarded: String) -> String {
      """
      panel: P
      inputs: { key: { button: GPIO5 } }
      outputs: { motor: { relay: GPIO24 } }
      values: { today: { initial: 0, min: 0, max: 30, keep: true }, most: { initial: 14, min: 1, max: 30, keep: true } }
      accept: { set: [ most ] }
      never: { overfed: motor == on and today > most, idle: motor == on and state == still }
      initial: still
      states:
        still: { on: { key.pressed: { go: turns, set: { today: +1 }\(guarded) } } }
        turns: { show: { motor: on }, after: { 1s: still }\(guarded.isEmpty ? "" : ", when: { today > most: still }") }

      """
    }
    let faulty = text("")
    #expect(prove(faulty).status == 1)
    // Without a common number, nothing is found; and that proves nothing.
    let apart = prove(faulty, ["--limit", "today=0..3", "--limit", "most=14..17"])
    #expect(apart.status == 75, "\(apart)")
    #expect(apart.lines.contains { $0.hasPrefix("  undecided   never overfed") }, "\(apart)")
    #expect(
      apart.lines.contains(
        "  note        the limits decide how today and most compare in overfed; limit them to the same numbers"),
      "\(apart)")
    #expect(apart.lines.contains { $0.hasPrefix("  proved      never idle") }, "\(apart)")
    let same = ["--limit", "today=0..3", "--limit", "most=1..3"]
    #expect(prove(faulty, same).status == 1)
    let right = text(", if: today < most")
    #expect(prove(right, same).status == 0, "\(prove(right, same))")
  }
}
