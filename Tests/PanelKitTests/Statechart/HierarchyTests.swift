import Testing

@testable import PanelLanguage
@testable import PanelRun

/// What docs/panels/reference.md says of states inside states, sentence by sentence.
@Suite("States inside states")
struct HierarchyTests {
  @Test("a state is entered with its initial one inside, and both show and react, the inner one first")
  func inner() throws {
    let stage = try Stage(
      """
      initial: off
      states:
        off: { on: { key.pressed: on } }
        on:
          show: { lamp: on, bar: 1 }
          on: { key.pressed: off, mute.on: { set: { level: 9 } } }
          initial: low
          states:
            low: { show: { bar: 2 }, on: { bell.pressed: high } }
            high: { on: { key.pressed: low } }
      """)
    #expect(try stage.take("expect state=off; click key; expect state=on; expect state=low lamp=on bar=2") == [])
    #expect(
      try stage.take(
        "click bell; expect state=high bar=1 lamp=on; switch mute=on; wait 10ms; expect level=9 state=high") == [])
    #expect(try stage.take("click key; expect state=low; click key; expect state=off lamp=off") == [])
    #expect(try stage.take("expect state=on") == ["expected state on; it is off"])
    #expect(try stage.take("click key; expect state=high") == ["expected state high; it is on/low"])
    #expect(stage.session.view.all.first?.text == "on/low")
  }

  @Test("going to a state inside its source leaves only what is inside; going to the source itself leaves that")
  func inside() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a:
          enter: { set: { level: +1 } }
          exit: { set: { level: +3 } }
          after: { 1s: done }
          on: { key.pressed: y, bell.pressed: a }
          initial: x
          states: { x: {}, y: {} }
        done: {}
      """)
    #expect(
      try stage.take("expect level=6; wait 500ms; click key; expect state=y level=6; wait 400ms; expect state=a") == [])
    #expect(try stage.take("wait 60ms; expect state=done level=9") == [])
  }

  @Test(
    "all states are left first, the innermost first, then values are set, then states are entered, the outermost first")
  func order() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a:
          exit: { set: { level: 2 * level } }
          initial: x
          states: { x: { exit: { set: { level: level - 3 } }, on: { key.pressed: { go: n, set: { level: +1 } } } } }
        m:
          enter: { set: { level: level * 2 } }
          initial: n
          states: { n: { enter: { set: { level: level - 1 } } } }
      """)
    // (5 - 3) * 2 + 1 = 5; 5 * 2 = 10; 10 - 1 = 9.
    #expect(try stage.take("click key; expect state=n level=9") == [])
  }

  @Test("of one event in several regions: all states are left first, then values are set in the order of the regions")
  func orderOfRegions() throws {
    let stage = try Stage(
      """
      initial: both
      states:
        both:
          regions:
            one:
              initial: a
              states:
                a: { exit: { set: { level: 3 } }, on: { key.pressed: { go: b, set: { level: level * 2 } } } }
                b: {}
            two:
              initial: c
              states:
                c: { on: { key.pressed: { go: d, set: { level: level + 1 } } } }
                d: {}
      """)
    #expect(try stage.take("click key; expect state.one=b state.two=d level=7") == [])
  }

  @Test("regions inside a state are entered and left with it, and done follows when each has come to a final state")
  func regions() throws {
    let stage = try Stage(
      """
      initial: idle
      states:
        idle: { on: { key.pressed: work } }
        work:
          done: { go: finished, set: { level: 7 } }
          on: { mute.on: idle }
          regions:
            pressing: { initial: down, states: { down: { show: { lock: on }, after: { 2s: up } }, up: { final: true } } }
            heating: { initial: hot, states: { hot: { show: { lamp: on }, after: { 1s: cold } }, cold: { final: true } } }
        finished: {}
      """)
    #expect(
      try stage.take("click key; expect state=work; expect state.pressing=down state.heating=hot lock=on lamp=on") == []
    )
    #expect(
      try stage.take(
        "wait 1s; expect state.pressing=down state.heating=cold lamp=off; wait 1s; expect state=finished level=7") == []
    )
    #expect(stage.session.view.all.map(\.text).prefix(3) == ["finished", "-", "-"])
  }

  @Test("resume enters a state as it was left, and the first time as it begins")
  func resume() throws {
    let stage = try Stage(
      """
      initial: pause
      states:
        pause: { on: { key.pressed: { resume: game } } }
        game:
          on: { bell.pressed: pause }
          initial: white
          states:
            white: { on: { mute.on: black } }
            black: { initial: slow, states: { slow: { on: { mute.off: fast } }, fast: {} } }
      """)
    #expect(
      try stage.take(
        "click key; expect state=white; switch mute=on; wait 10ms; switch mute=off; wait 10ms; expect state=fast") == []
    )
    #expect(try stage.take("click bell; expect state=pause; click key; expect state=fast") == [])
    #expect(stage.session.view.all.first?.text == "game/black/fast")
  }

  @Test(
    "each region asks the top level for itself, which reacts once; what leads to a state is only for the region of that state"
  )
  func topLevel() throws {
    let stage = try Stage(
      """
      on: { key.pressed: { set: { level: +1 } }, mute.on: stopped }
      regions:
        motor: { initial: runs, states: { runs: {}, stopped: { on: { bell.pressed: runs } } } }
        light: { initial: dark, states: { dark: { on: { key.pressed: lit, mute.on: lit } }, lit: {} } }
      """)
    #expect(try stage.take("click key; expect state.light=lit level=6") == [])
    #expect(try stage.take("switch mute=on; wait 10ms; expect state.motor=stopped") == [])
  }

  @Test("of transitions that would leave the same state the inner source's is taken, else the first one")
  func conflicts() throws {
    let stage = try Stage(
      """
      initial: both
      states:
        both:
          on: { key.pressed: end }
          regions:
            one: { initial: a, states: { a: { on: { key.pressed: b, bell.pressed: end } }, b: {} } }
            two: { initial: c, states: { c: { on: { bell.pressed: d } }, d: {} } }
        end: { on: { key.pressed: both } }
      """)
    #expect(try stage.take("click key; expect state.one=b state.two=c; expect state=both") == [])
    #expect(try stage.take("click key; expect state=end; click key; click bell; expect state=end") == [])
  }

  @Test("either of several events leads on")
  func alternatives() throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { on: { \"key.pressed | bell.pressed|mute.on\": b } }, b: { on: { key.pressed: a } } }\n"
    )
    for step in ["click key", "click bell", "switch mute=on; wait 10ms"] {
      #expect(try stage.take("expect state=a; \(step); expect state=b; click key") == [])
    }
  }

  @Test("what is wrong with states inside states is told")
  func faults() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      outputs: { l: { led: GPIO2 } }
      initial: x
      states:
        x: { on: { a.pressed | a.pressed: y, a.held: { resume: y } } }
        y: { done: x, show: { l: on }, on: { a.clicked: z } }
        z:
          initial: i
          regions: {}
          states: { i: {} }
        w: { final: true }
        v: { states: { x: {} } }
        u:
          regions:
            p: { initial: q, states: { q: { show: { l: on } } } }
            r: { initial: s, states: { s: { show: { l: off } }, t: { final: true, play: [] } } }
      """
    let problems = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(Array(text.utf8), file: "p") }
    #expect(
      problems == [
        #"6:26: event "a.pressed" is written twice; write it once"#,
        #"6:58: "y" has no states inside to resume; write go: y"#,
        #"7:8: "done" needs states inside this state; add states, one of them final"#,
        #"9:5: "initial" can't be beside "regions"; write it in one of the regions"#,
        #"10:5: "regions" is empty; it takes a map of regions: doors: { initial: open, states: ... }"#,
        #"11:5: "states" can't be beside "regions"; write it in one of the regions"#,
        #"12:8: "final" can't be at the top level, because a panel has no end; leave it out"#,
        #"13:3: missing key "initial" of a state; it takes a state's name"#,
        #"13:18: duplicate state "x"; it is already on line 6, choose another name"#,
        #"17:47: output "l" is already shown by region "p" on line 16; \#(Self.advice)"#,
        #"17:77: "play" can't be beside "final"; a final state has no other keys, write it in the state around it"#,
      ])
  }

  /// What to do about an output `l` that is shown by the regions `p` and `r`.
  private static let advice =
    #"show it in one region, or give "l" shown-by: [p, r] (the first one that shows it wins)"#

  @Test("an output that two regions of a state show is told, however many other states show it too")
  func shownByMany() {
    let others = (0..<20).map { "  s\($0): { show: { l: on }, on: { a.pressed: s\($0 + 1) } }\n" }.joined()
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      outputs: { l: { led: GPIO2 } }
      initial: s0
      states:
      \(others)  s20:
          regions:
            p: { initial: q, states: { q: { show: { l: on } } } }
            r: { initial: s, states: { s: { show: { l: off } } } }
      """
    #expect(
      Fixture.problems(ofPanel: text)
        == [#"29:47: output "l" is already shown by region "p" on line 28; \#(Self.advice)"#])
  }
}
