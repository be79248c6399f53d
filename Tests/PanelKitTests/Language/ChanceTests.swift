import CycleCore
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelRun

@Suite("Chance and time")
struct ChanceTests {
  private static let draws = """
    panel: P
    inputs: { b: { button: GPIO1 } }
    values: { n: { initial: 0, min: -5, max: 9 }, q: { list: 64, min: 1, max: 4 }, t: { initial: 0s, min: 0s, max: 9s } }
    on: { b.pressed: { set: { n: random -2..2, q: append random 1..4, t: random 1s..2s } } }
    initial: x
    states: { x: {} }

    """

  @Test("the same seed draws the same numbers, another one others, and all are in their range")
  func seeds() throws {
    func run(_ seed: String) throws -> [Int] {
      let stage = try Stage(panel: Self.draws)
      try stage.take("seed \(seed)")
      var numbers: [Int] = []
      for _ in 0..<64 {
        try stage.take("click b")
        #expect((-2...2).contains(stage.value("n")))
        #expect((1000...2000).contains(stage.value("t")))
        numbers += [stage.value("n"), stage.value("t")]
      }
      #expect(stage.list("q").count == 64)
      #expect(Set(stage.list("q")) == [1, 2, 3, 4])
      return numbers + stage.list("q")
    }
    let first = try run("7")
    #expect(try run("7") == first)
    #expect(try run("8") != first)
  }

  @Test("each number of a range is as likely as the others, to three deviations")
  func evenness() {
    var stream = SeededGenerator(seed: 1)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<60_000 { counts[stream.number(in: 1...6) - 1] += 1 }
    // The deviation of each count is 91.
    for count in counts { #expect((10_000 - 274...10_000 + 274).contains(count)) }
    #expect(stream.number(in: .min ... .max) != stream.number(in: .min ... .max))
    #expect(stream.number(in: 5...5) == 5)
  }

  @Test("prescribed results come first; one outside of the range is told, and drawn by chance instead")
  func prescribed() throws {
    let stage = try Stage(panel: Self.draws)
    _ = try stage.session.perform(.draw([2, 3, 1500, 7]))
    try stage.take("wait 0s; click b")
    #expect(stage.value("n") == 2)
    #expect(stage.list("q") == [3])
    #expect(stage.value("t") == 1500)
    try stage.take("click b")
    #expect((-2...2).contains(stage.value("n")))
    #expect(stage.session.application.frame.troubles == [.drawOutside(7, -2...2)])
  }

  @Test("a delay between two times is drawn at each entering, both ends included; that of every, at each tick")
  func delays() throws {
    let stage = try Stage(
      panel: """
        panel: P
        values: { n: { initial: 0, min: 0, max: 999999 } }
        every: { 1ms..2ms: { set: { n: +1 } } }
        initial: x
        states: { x: { after: { 1s..4s: y } }, y: { after: { 0s: x } } }

        """)
    var waits: [Int] = []
    for _ in 0..<20 {
      _ = try stage.session.perform(.draw([]))
      let before = stage.session.now
      while stage.session.application.frame[entry: 0] < 2 * (waits.count + 1) + 1 { try stage.take("wait 1ms") }
      waits.append(Int((stage.session.now - before).wholeNanoseconds / 1_000_000))
    }
    #expect(waits.allSatisfy { (1000...4000).contains($0) })
    #expect(Set(waits).count > 15)
    let ticks = Double(waits.reduce(0, +)) / Double(stage.value("n"))
    #expect((1.4...1.6).contains(ticks))
  }

  @Test("a delay by a value waits for what the value was when the state was entered")
  func delayByValue() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { b: { button: GPIO1 } }
        values: { t: { initial: 2s, min: 0s, max: 9s } }
        on: { b.pressed: { set: { t: 5s } } }
        initial: x
        states: { x: { after: { t: y } }, y: { after: { t: z } }, z: {} }

        """)
    try stage.take("wait 1s; click b; wait 944ms")
    #expect(stage.state == "x")
    try stage.take("wait 1ms")
    #expect(stage.state == "y")
    try stage.take("wait 4999ms")
    #expect(stage.state == "y")
    try stage.take("wait 1ms")
    #expect(stage.state == "z")
  }

  @Test("elapsed counts from the entering of the state that it is written in, also from the start and after trouble")
  func elapsed() throws {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1, debounce: 0ms }, c: { button: GPIO2, debounce: 0ms } }
      values: { t: { initial: 0s, min: 0s, max: 1m }, n: { initial: 0, min: 0, max: 999 } }
      initial: x
      states:
        x:
          on: { b.pressed: { set: { t: elapsed } }, c.pressed: { go: z, if: elapsed >= 2s }, gpio.lost: y }
          exit: { set: { n: elapsed / 1ms } }
          initial: inner
          states: { inner: { on: { c.released: other } }, other: {} }
        y: { on: { gpio.restored: { go: z, set: { t: elapsed } } } }
        z: {}

      """
    let stage = try Stage(panel: text, prepare: { try? $0.session.bench.advance(by: .seconds(100)) })
    try stage.take("wait 700ms; press b")
    #expect(stage.value("t") == 700)
    try stage.take("press c; release c; wait 1299ms; press c; wait 0ms")
    #expect(stage.state == "other")
    try stage.take("release c; wait 1ms; press c; wait 0ms")
    #expect(stage.state == "z")
    #expect(stage.value("n") == 2000 - 1001)
  }

  @Test("untouched comes once for each time that nobody touches the panel; sensors touch nothing")
  func untouched() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          b: { button: GPIO1, debounce: 0ms }
          knob: { encoder: [GPIO2, GPIO3] }
          air: { sensor: { w1: any }, min: 0, max: 50 }
        values: { n: { initial: 0, min: 0, max: 9 }, m: { initial: 0, min: 0, max: 9 } }
        untouched: { 2m: { set: { m: +1 } } }
        initial: x
        states:
          x: { untouched: { 10s: { set: { n: +1 } } }, on: { b.pressed: y } }
          y: { untouched: { 10s: x } }

        """)
    try stage.take("wait 9s; turn knob=1; wait 9s")
    #expect(stage.value("n") == 0)
    try stage.sense("air", 20)
    try stage.take("wait 1s")
    #expect(stage.value("n") == 1)
    try stage.take("wait 1m")
    #expect(stage.value("n") == 1)
    try stage.take("turn knob=-1; wait 9s; press b; wait 5s; release b; wait 9s")
    #expect(stage.state == "y")
    try stage.take("wait 1s")
    #expect(stage.state == "x")
    try stage.take("wait 10s")
    #expect(stage.value("n") == 2)
    #expect(stage.value("m") == 0)
    try stage.take("wait 90s; wait 10s; wait 2m")
    #expect(stage.value("m") == 1)
    #expect(stage.value("n") == 2)
  }

  @Test(
    "what chance and time can't be is told at its place",
    arguments: [
      ("set: { n: random 4..1 }", "8:18: 4..1 is in the wrong order; write 1..4"),
      ("set: { n: random 1..10 }", "8:21: 10 is outside the range of \"n\"; write 0...9"),
      ("set: { n: random 1 }", "8:11: \"random\" takes the smallest and the largest number; write random 1..4"),
      (
        "set: { n: random 1..2 + 1 }",
        "8:23: \"+\" is not allowed after \"random\"; set a value to the random number first"
      ),
      (
        "set: { n: 1 + random 1..2 }",
        "8:15: \"random\" is not allowed here; set a value to the random number first: set: { n: random 1..4 }"
      ),
      ("set: { n: random 1s..2s }", "8:18: 1s is a duration and \"n\" a number; \"n\" can't be set to it"),
      ("set: { n: elapsed }", "8:11: \"elapsed\" is a duration and \"n\" a number; \"n\" can't be set to it"),
    ])
  func wrong(transition: String, message: String) {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 } }
      values: { n: { initial: 0, min: 0, max: 9 }, t: { initial: 0s, min: 0s, max: 9s } }
      initial: x
      states: { x: { after: {
          1s: {
          go: x,
      \(transition) } } } }
      """
    #expect(Fixture.problems(ofPanel: text) == [message])
  }

  @Test(
    "what a state shows or plays can't follow the time since it was entered",
    arguments: [
      (
        "show: { lamps: { only: elapsed / 1s } }",
        #"7:24: "elapsed" in "only" is always 0; set a value to it in a transition, and write the value here"#
      ),
      (
        "play: [ notes(elapsed / 1s) ]",
        #"7:15: "elapsed" in "play" is always 0; set a value to it in a transition, and write the value here"#
      ),
      (
        "enter: { play: [ notes(elapsed / 1s) ] }",
        #"7:24: "elapsed" in "play" is always 0; set a value to it in a transition, and write the value here"#
      ),
      ("on: { b.pressed: { play: [ notes(elapsed / 1s) ] } }", nil),
      ("exit: { play: [ notes(elapsed / 1s) ] }", nil),
    ])
  func shown(key: String, message: String?) {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 } }
      outputs: { lamps: { leds: [ GPIO2, GPIO3 ] } }
      sounds: { notes: { tones: [ 262Hz, 330Hz ], for: 80ms } }
      initial: x
      states: { x: {
      \(key) } }
      """
    #expect(Fixture.problems(ofPanel: text) == (message.map { [$0] } ?? []))
  }

  @Test(
    "a delay that makes no sense is told at its place",
    arguments: [
      ("after: { 2s..1s: x }", "5:10: 2s..1s is in the wrong order; write 1s..2s"),
      ("after: { n: x }", "5:10: \"n\" is not a duration; write one, or a value whose min and max have units"),
      (
        "every: { t: { set: { n: 1 } } }",
        "5:10: \"t\" is a value; \"every\" takes a duration, write one, or a state that goes to itself after: { t: STATE }"
      ),
      ("untouched: { 1s..2s: x }", "5:14: \"untouched\" takes one duration; write 1s"),
      ("after: { 1s..2m: x, 1s..2m: x }", "5:21: duplicate key \"1s..2m\"; it is already on line 5, remove one"),
    ])
  func wrongDelay(key: String, message: String) {
    let text = """
      panel: P
      values: { n: { initial: 0, min: 0, max: 9 }, t: { initial: 0s, min: 0s, max: 9s } }
      initial: x
      states: { x: {
      \(key) } }
      """
    #expect(Fixture.problems(ofPanel: text) == [message])
  }
}
