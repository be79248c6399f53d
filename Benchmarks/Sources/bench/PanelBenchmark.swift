import Glibc
import PanelKit

/// The cost of the panel language, through the command as its users call it. Only instructions and memory: what it
/// prints goes nowhere.
let panelBenchmarks =
  comparisonsWithBefore + [
    Benchmark("panel check of 4096 values", timed: 0, counted: 1) {
      let file = makeFile("values.panel.yaml", valuesPanel(4096))
      return { for _ in 0..<$0 { try panel(["check", file]) } }
    },
    Benchmark("a step of panel simulate with 4096 values", timed: 0, counted: 50) {
      let file = makeFile("values.panel.yaml", valuesPanel(4096))
      return { try panel(["simulate", file], steps: (0..<$0).map { _ in "click key" }) }
    },
    Benchmark("a scenario of panel test", timed: 0, counted: 20) {
      let file = makeFile("scenario.panel.yaml", valuesPanel(4))
      let text =
        "scenario: S\nsteps:\n  - click: key\n  - expect: { state: b, v0: 1 }\n  - wait: 1s\n  - expect: { state: a }\n"
      // A file that is named twice is run once.
      return { count in
        try panel(["test", file] + (0..<count).map { makeFile("scenario-\($0).scenario.yaml", text) })
      }
    },
    Benchmark("a reload of 40 lines, with the reading of the file", timed: 100, counted: 20) {
      let file = makeFile("forty.panel.yaml", fortyLines(first: 2))
      _ = makeFile("other.panel.yaml", fortyLines(first: 3))
      return { count in
        let reloads = (0..<count).map { "  - reload: \($0 % 2 == 0 ? "other" : "forty").panel.yaml" }
        let scenario = makeFile(
          "reload.scenario.yaml", "scenario: S\nsteps:\n  - click: key\n\(reloads.joined(separator: "\n"))\n")
        try panel(["test", file, scenario])
      }
    }.demanding(.milliseconds, atMost: 20),
    Benchmark(
      "a click on 1000 states in 32 regions that all hear it", against: "on a doorbell", timed: 0, counted: 1_000
    ) {
      let file = makeFile("regions.panel.yaml", regionsPanel)
      let small = makeFile("doorbell.panel.yaml", doorbellPanel)
      return ({ try clicks(on: "k0", $0, file) }, { try clicks(on: "bell", $0, small) })
    }.slow,
    Benchmark(
      "a click in 32 repeated regions", against: "in the same regions written out", timed: 0, counted: 1_000
    ) {
      let (each, whole) = repeatedPanels()
      return ({ try clicks(on: "\"keys(1)\"", $0, each) }, { try clicks(on: "\"keys(1)\"", $0, whole) })
    }.demanding(.ratioOfInstructions, atMost: 1.3),
    Benchmark("panel check of 32 repeated regions", against: "of the same regions written out", timed: 0, counted: 1) {
      let (each, whole) = repeatedPanels()
      return (
        { for _ in 0..<$0 { try panel(["check", each]) } }, { for _ in 0..<$0 { try panel(["check", whole]) } }
      )
    }.demanding(.ratioOfInstructions, atMost: 1.3),
    Benchmark("panel check of 400 states", timed: 0, counted: 1) {
      let file = makeFile("states.panel.yaml", transitionsPanel(states: 400))
      return { for _ in 0..<$0 { try panel(["check", file]) } }
    },
    Benchmark("panel check of 1 MB of transitions", against: "twice half of it", timed: 1, counted: 1) {
      let whole = makeFile("whole.panel.yaml", transitionsPanel(states: largestPanel))
      let half = makeFile("half.panel.yaml", transitionsPanel(states: largestPanel / 2))
      return (
        { for _ in 0..<$0 { try panel(["check", whole]) } }, { for _ in 0..<2 * $0 { try panel(["check", half]) } }
      )
    }.slow,
    Benchmark(memoryOf: "a panel of 4000 states and 512 outputs", count: 1) {
      let file = makeFile("large.panel.yaml", largePanel(states: 4000, outputs: 512))
      return { _ in try panel(["simulate", file], steps: ["click key"]) }
    },
    Benchmark(memoryOf: "an hour of a doorbell", count: 720) {
      let file = makeFile(
        "ringing.panel.yaml",
        """
        panel: D
        inputs: { bell: { button: GPIO1 } }
        outputs: { lamp: { led: GPIO2 } }
        sounds: { ring: { tone: 880Hz, volume: 0.2 } }
        initial: idle
        states:
          idle: { on: { bell.pressed: ringing } }
          ringing: { show: { lamp: { blink: 100ms } }, play: [ ring ], after: { 2s: idle } }
        """)
      return { try panel(["simulate", file], steps: (0..<$0).flatMap { _ in ["click bell", "wait 4950ms"] }) }
    },
  ]

/// A bell that lights a lamp, and the next press puts it out: an event and nothing that sounds.
let doorbellPanel = """
  panel: Doorbell
  inputs: { bell: { button: GPIO1 } }
  outputs: { lamp: { led: GPIO2 } }
  initial: idle
  states:
    idle: { on: { bell.pressed: ringing } }
    ringing: { show: { lamp: on }, on: { bell.pressed: idle } }
  """

/// A key and 39 lamps, all of which are lit: one of the lines of two such panels differs.
private func fortyLines(first: Int) -> String {
  let lamps = (first..<first + 39).map { "lamp\($0): { led: GPIO\($0) }" }
  return """
    panel: Forty
    inputs: { key: { button: GPIO1 } }
    outputs: { \(lamps.joined(separator: ", ")) }
    initial: dark
    states:
      dark: { on: { key.pressed: lit } }
      lit: { show: { \((first..<first + 39).map { "lamp\($0): on" }.joined(separator: ", ")) } }

    """
}

/// 32 regions of 32 states of 10 transitions. Each region hears each key, and one of them, in turn, goes on and changes
/// its lamp.
private let regionsPanel: String = {
  let regions = (0..<32).map { region in
    "  r\(region):\n    initial: s\(region)x0\n    states:\n"
      + (0..<32).map { state in
        let on = (0..<10).map { key in
          "k\(key).pressed: { go: s\(region)x\((state + key + 1) % 32), if: turn == \(region), "
            + "set: { turn: \((region + 1) % 32) } }"
        }
        return "      s\(region)x\(state): { show: { l\(region): \(state % 2 == 0 ? "off" : "on") }, "
          + "on: { \(on.joined(separator: ", ")) } }\n"
      }.joined()
  }
  return """
    panel: Regions
    inputs:
    \((0..<10).map { "  k\($0): { button: \"gpiochip0:\($0)\" }\n" }.joined())
    outputs:
    \((0..<32).map { "  l\($0): { led: \"gpiochip0:\($0 + 20)\" }\n" }.joined())
    values: { turn: { initial: 0, min: 0, max: 31 } }
    regions:
    \(regions.joined())
    """
}()

/// A panel with a key and a lamp for each of 32 seats: written with `each`, and written out.
private func repeatedPanels() -> (each: String, whole: String) {
  func region(_ name: String, _ number: String, _ each: String = "") -> String {
    """
      \(name):
        \(each)
        initial: free
        states:
          free: { on: { keys(\(number)).pressed: taken } }
          taken:
            show: { lamps(\(number)): { blink: 300ms } }
            on: { keys(\(number)).pressed: { go: free, set: { n: +1 } } }
            after: { 5m: free }

    """
  }
  func file(_ name: String, _ regions: String) -> String {
    makeFile(
      name,
      """
      panel: Seats
      inputs: { keys: { keys: [\((1...32).map { $0 <= 24 ? "f\($0)" : "kp\($0 - 24)" }.joined(separator: ", "))], device: Pad } }
      outputs: { lamps: { leds: [\((32..<64).map { "\"gpiochip0:\($0)\"" }.joined(separator: ", "))] } }
      values: { n: { initial: 0, min: 0, max: 999 } }
      regions:
      \(regions)
      """)
  }
  return (
    file("each.panel.yaml", region("seat", "each", "each: 1..32")),
    file("whole.panel.yaml", (1...32).map { region("seat\($0)", "\($0)") }.joined())
  )
}

/// So many states make the largest file that is taken, 1 MiB.
private let largestPanel = 4_400

/// States with four transitions each.
private func transitionsPanel(states: Int) -> String {
  let all = (0..<states).map { state in
    let on = (0..<4).map { key in
      "k\(key).pressed: { go: s\((state + key + 1) % states), if: n < 9, set: { n: +1 } }"
    }
    return "  s\(state): { on: { \(on.joined(separator: ", ")) } }\n"
  }
  return """
    panel: Transitions
    inputs:
    \((0..<4).map { "  k\($0): { button: GPIO\($0 + 2) }\n" }.joined())
    values: { n: { initial: 0, min: 0, max: 9 } }
    initial: s0
    states:
    \(all.joined())
    """
}

/// Clicks a button in a scenario, by this program or another one in place of it.
private func clicks(on button: String, _ count: Int, _ panelFile: String, program: String? = nil) throws {
  let steps = (0..<count).map { _ in "  - click: \(button)\n" }.joined()
  let scenario = makeFile("clicks.scenario.yaml", "scenario: S\nsteps:\n\(steps)")
  guard let program else { return try panel(["test", panelFile, scenario]) }
  // In place of this process, so that its instructions are counted: it never comes back.
  let arguments = [program, "test", panelFile, scenario].map { (text: String) in strdup(text) } + [nil]
  execv(program, arguments)
  preconditionFailure("cannot run \(program)")
}

/// The panel program of an earlier commit that `make bench BEFORE=COMMIT` has built.
let programBefore: String? = getenv("PANEL_BEFORE").map { String(cString: $0) }

/// Rows against ``programBefore``; none without it.
private let comparisonsWithBefore =
  programBefore == nil
  ? []
  : [
    Benchmark("a click on a doorbell in panel test", against: "the program before", timed: 0, counted: 1_000) {
      let file = makeFile("doorbell.panel.yaml", doorbellPanel)
      return ({ try clicks(on: "bell", $0, file) }, { try clicks(on: "bell", $0, file, program: programBefore) })
    }
  ]

/// A key that goes from one state to the other, and values of which it changes one.
private func valuesPanel(_ count: Int) -> String {
  """
  panel: Values
  inputs: { key: { button: GPIO1 } }
  values:
  \((0..<count).map { "  v\($0): { initial: 0, min: 0, max: 1000000 }\n" }.joined())
  initial: a
  states:
    a: { on: { key.pressed: { go: b, set: { v0: +1 } } } }
    b: { after: { 1s: a }, on: { key.pressed: { go: a, set: { v0: +1 } } } }
  """
}

/// Each state lights one lamp of many, and the key goes on to the next state.
private func largePanel(states: Int, outputs: Int) -> String {
  let lamps = (0..<outputs).map { "  l\($0): { led: \"gpiochip0:\($0 + 8)\" }\n" }.joined()
  let all = (0..<states).map { state in
    "  s\(state): { show: { l\(state % outputs): on }, on: { key.pressed: s\((state + 1) % states) } }\n"
  }
  return """
    panel: Large
    inputs: { key: { button: "gpiochip0:1" } }
    outputs:
    \(lamps)
    initial: s0
    states:
    \(all.joined())
    """
}

/// Runs the command with these steps on its standard input, and with what it prints going nowhere.
func panel(_ arguments: [String], steps: [String] = []) throws {
  let input = open(makeFile("steps", steps.map { "\($0)\n" }.joined()), O_RDONLY | O_CLOEXEC)
  let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
  let streams = (dup(STDIN_FILENO), dup(STDOUT_FILENO), dup(STDERR_FILENO))
  dup2(input, STDIN_FILENO)
  dup2(output, STDOUT_FILENO)
  dup2(output, STDERR_FILENO)
  let status = PanelCommand.run(arguments)
  dup2(streams.0, STDIN_FILENO)
  dup2(streams.1, STDOUT_FILENO)
  dup2(streams.2, STDERR_FILENO)
  for descriptor in [input, output, streams.0, streams.1, streams.2] { close(descriptor) }
  precondition(status == 0, "panel \(arguments.prefix(2)) ended with \(status)")
}
