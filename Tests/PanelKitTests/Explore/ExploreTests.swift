import CycleCore
import Glibc
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelExplore
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("panel explore")
struct ExploreTests {
  private static func read(_ text: String) throws -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
  }

  private static func explore(
    _ panel: PanelDefinition, runs: Int = 1000, seed: UInt64 = 0, steps: Int = 100
  ) throws -> RandomSearch<ExploredPanel>.Discovery? {
    let subject = try ExploredPanel(panel, sounds: PanelSound.all(panel.sounds), steps: steps)
    return try RandomSearch(subject, runs: runs, seed: seed).explore().discovery
  }

  @Test("a planted fault is found, and shown in as few steps as by hand, or one more", arguments: PlantedFault.all)
  func planted(fault: PlantedFault) throws {
    let panel = try Self.read(fault.panel)
    let discovery = try #require(try Self.explore(panel))
    #expect(discovery.violation.kind == .never(0))
    #expect(discovery.run.steps.count <= fault.steps + 1, "\(discovery.run.steps)")
    let scenario = Reproducer(panel: panel, discovery: discovery, options: .init()).text
    #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
    let again = try #require(try Self.explore(panel))
    #expect(Reproducer(panel: panel, discovery: again, options: .init()).text == scenario)
  }

  @Test(
    "each port is unplugged at any moment, and all outputs show their states after its return",
    arguments: [
      "led", "rgb", "servo", "motor", "buzzer", "strip", "matrix", "digits", "screen", "display", "level",
      "expander", "pwm", "keys", "code", "sensor-serial", "sensor-modbus",
    ])
  func ports(name: String) throws {
    let path = "\(checkoutRoot)/Examples/devices/\(name).panel.yaml"
    let panel = try PanelFile.read(path: path, kinds: .standard, checkSound: { _ in nil })
    #expect(try Self.explore(panel, runs: 20, seed: 0) == nil)
    var random = SeededGenerator(seed: 1)
    let steps = StepGenerator(of: panel).run(of: 2_000, after: nil, &random).steps
    let ports = Names(panel).portWords.filter { $0 != "sensor" }
    for port in ports { #expect(steps.contains(.unplugPort(port)) && steps.contains(.plugPort(port)), "\(port)") }
  }

  @Test("no step can be left out of what is shown", arguments: PlantedFault.all)
  func minimal(fault: PlantedFault) throws {
    let panel = try Self.read(fault.panel)
    let discovery = try #require(try Self.explore(panel, seed: 1))
    let check = RunCheck(panel: panel, sounds: PanelSound.all(panel.sounds))
    for place in discovery.run.steps.indices {
      var run = discovery.run
      run.steps.remove(at: place)
      #expect(try check.run(run.repaired(for: panel))?.kind != discovery.violation.kind, "without step \(place + 1)")
    }
  }

  /// How many runs each example has: EXPLORE_RUNS says otherwise.
  static let exampleRuns = getenv("EXPLORE_RUNS").flatMap { Int(String(cString: $0)) } ?? 2
  static let examples: [String] = names(in: "\(checkoutRoot)/Examples").flatMap { folder in
    names(in: "\(checkoutRoot)/Examples/\(folder)").filter { $0.hasSuffix(".panel.yaml") }
      .map { "\(checkoutRoot)/Examples/\(folder)/\($0)" }
  }

  @Test("nothing is found on the example panels, and what isn't reached is listed", arguments: examples)
  func example(path: String) throws {
    let panel = try PanelFile.read(path: path)
    let steps = Self.exampleRuns > 2 ? 100 : 40
    let subject = try ExploredPanel(panel, sounds: PanelSound.all(panel.sounds), steps: steps)
    let discovery = try RandomSearch(subject, runs: Self.exampleRuns).explore().discovery
    #expect(discovery == nil, "seed 0: \(discovery?.violation.text ?? "")")
    let lines = subject.coverage.lines(file: path, tried: "2 runs")
    let shares = try #require(
      lines.first?.split(separator: "transitions ").last?.split(separator: ",").first?.split(separator: " of "))
    let missing = try #require(Int(shares[1])) - #require(Int(shares[0]))
    #expect(lines.count(where: { $0.contains("never fired: ") }) == missing)
  }

  /// How many random panels are explored: EXPLORE_PANELS says otherwise.
  static let panels = getenv("EXPLORE_PANELS").flatMap { Int(String(cString: $0)) } ?? 60

  @Test("what is found on random panels, a proof finds too, from seed 0 on")
  func agreesWithProof() throws {
    var found = 0
    for seed in 0..<UInt64(Self.panels) {
      let chart = RandomChart(seed: seed)
      guard let panel = try? Self.read(chart.text) else { continue }
      guard let discovery = try Self.explore(panel, runs: 10, seed: seed, steps: 40) else { continue }
      found += 1
      let proof = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
      #expect(
        !proof.violations.isEmpty, "seed \(seed): \(discovery.violation.text), \(discovery.run.steps)\n\(chart.text)")
    }
    #expect(found > Self.panels / 10)
  }

  @Test("a run that can't end, and one that never rests, is found")
  func endless() throws {
    let discovery = try #require(try Self.explore(.endless()))
    #expect(discovery.violation.kind == .endless)
    #expect(discovery.run.steps == [.click([0])])
  }

  @Test("a display that is still being written is not taken for a wrong one, from seed 0 on")
  func slowDisplay() throws {
    let panel = try Self.read(
      """
      panel: Clock
      inputs: { key: { button: GPIO5 } }
      outputs: { screen: { display: { i2c: 0x27 } } }
      values: { time: { initial: 5m, min: 0s, max: 5m } }
      show: { screen: [ "Time {time}" ] }
      initial: ready
      states:
        ready: { on: { key.pressed: running } }
        running:
          every: { 100ms: { set: { time: -100ms } } }
          on: { key.pressed: { go: ready, set: { time: 5m } } }
      """)
    let found = try Self.explore(panel, runs: 20, steps: 30)
    #expect(found == nil, "\(found?.violation.text ?? "")")
  }

  @Test("a display that shows another character, as E for €, is not taken for a wrong one")
  func replacedCharacters() throws {
    let text = """
      panel: Price
      inputs: { key: { button: GPIO5 } }
      outputs: { screen: { display: { i2c: 0x27 } } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      show: { screen: "{n} € À" }
      initial: a
      states: { a: { on: { key.pressed: { set: { n: +1 } } } } }

      """
    let found = try Self.explore(Self.read(text), runs: 20, steps: 30)
    #expect(found == nil, "\(found?.violation.text ?? "")")
    let stage = try Stage(panel: text)
    #expect(try stage.take("wait 1s; expect screen=\"0 € À\"; expect screen=\"0 E A\"") == [])
    #expect(try stage.take("expect screen=\"0 e A\"") == ["expected screen 0 e A; it is 0 E A"])
  }

  @Test("values that the outside may set are set, also to numbers at which a condition changes")
  func settings() throws {
    let unreached = try Self.unreached(
      """
      panel: Level
      outputs: { lamp: { led: GPIO23 } }
      values: { level: { initial: 0, min: 0, max: 10000 } }
      accept: { set: [ level ] }
      initial: a
      states: { a: { when: { level == 4711: b } }, b: { show: { lamp: on }, when: { level == 10000: a } } }

      """, runs: 20)
    #expect(unreached == [])
  }

  private static func unreached(_ text: String, runs: Int) throws -> [String] {
    let panel = try read(text)
    let subject = try ExploredPanel(panel, sounds: [], steps: 100)
    let discovery = try RandomSearch(subject, runs: runs).explore().discovery
    #expect(discovery == nil, "\(discovery?.violation.text ?? "")")
    return subject.coverage.lines(file: "p", tried: "").dropFirst().map { "\($0)" }
  }

  @Test("the buttons of a chord are pressed together")
  func chords() throws {
    let unreached = try Self.unreached(
      """
      panel: Chord
      inputs: { left: { button: GPIO5 }, right: { button: GPIO6 }, both: { chord: [left, right], within: 5ms, hold: 1s } }
      initial: a
      states: { a: { on: { both.held: b } }, b: { on: { both.released: a } } }

      """, runs: 60)
    #expect(unreached == [])
  }

  @Test("what counts a time down to its end is waited for")
  func countedDown() throws {
    let unreached = try Self.unreached(
      """
      panel: Timer
      inputs: { key: { button: GPIO5 } }
      values: { left: { initial: 4m, min: 0s, max: 4m } }
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { every: { 1s: { set: { left: -1s } } }, on: { key.pressed: a }, when: { left == 0s: c } }
        c:

      """, runs: 40)
    #expect(unreached == [])
  }

  @Test("runs go on from where a comparison has come nearer to its other outcome")
  func nearer() throws {
    // Fourteen presses in the right order: one run of eight hundred would do that by chance.
    let unreached = try Self.unreached(
      """
      panel: Steps
      inputs: { left: { button: GPIO5 }, right: { button: GPIO6 } }
      values: { n: { initial: 0, min: 0, max: 7 } }
      initial: a
      states:
        a: { on: { left.pressed: b, right.pressed: { set: { n: 0 } } }, when: { n == 7: c } }
        b: { on: { right.pressed: { go: a, set: { n: +1 } }, left.pressed: { go: a, set: { n: 0 } } } }
        c:

      """, runs: 150)
    #expect(unreached == [])
  }

  @Test("kinds of a package outside are operated as they say")
  func outsideKinds() throws {
    let kinds = KindList.standard.adding(inputs: [PedalKind.self], sensors: [LoadSource.self])
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { foot: { pedal: GPIO17 }, busy: { sensor: { busy: 5, per: core }, min: 0, max: 9 } }
        never: { bad: state == c }
        initial: a
        states: { a: { on: { foot.down: b } }, b: { on: { foot.up: a }, when: { busy > 6: c } }, c: }

        """.utf8), file: "test", kinds: kinds)
    let discovery = try #require(try Self.explore(panel))
    #expect(discovery.run.steps.count <= 3)
    #expect(discovery.run.steps.contains { if case .sense(1, 7...9) = $0 { true } else { false } })
  }

  @Test("the generator does only what somebody could do, and always as many steps as it should")
  func generator() throws {
    for path in Self.examples {
      let panel = try PanelFile.read(path: path)
      let generator = StepGenerator(of: panel)
      var random = SeededGenerator(seed: 7)
      for _ in 0..<20 {
        let run = generator.run(of: 100, after: nil, &random)
        #expect(run.steps.count == 100)
        #expect(run.repaired(for: panel) == run)
      }
    }
  }

  @Test(
    "the command writes what it has found as a scenario, runs that first the next time, and finds nothing once it is mended"
  )
  func command() throws {
    let fault = try #require(PlantedFault.all.first { $0.name == "lamp-left-on" })
    try withFiles(["lamp.panel.yaml": fault.panel]) { folder in
      let file = "\(folder)/lamp.panel.yaml"
      let scenario = "\(folder)/lamp.explored-left.scenario.yaml"
      let first = PanelProcess.run(["explore", file])
      #expect(first.status == 1 && first.errors == "")
      #expect(
        first.output.contains(": never left: state.work == resting and lamp == on, after 3s in "), "\(first.output)")
      #expect(
        first.output.hasSuffix("  written to \(scenario); panel test \(file) \(scenario) shows it\n"), "\(first.output)"
      )
      let text = String(decoding: try #require(bytes(of: scenario)), as: UTF8.self)
      #expect(text.hasPrefix("# panel explore --seed 0 --steps 100, run "))
      let test = PanelProcess.run(["test", file, scenario])
      #expect(test.status == 1)
      #expect(
        test.errors.contains(": never left: state.work == resting and lamp == on, after 3s in "), "\(test.errors)")

      let second = PanelProcess.run(["explore", file])
      #expect(second.status == 1)
      #expect(
        second.output.hasSuffix("\(scenario): found by an earlier exploration, and not fixed yet\n"),
        "\(second.output)")

      unlink(file)
      let mended = fault.panel.replacing("on: { mute.on: dark }", with: "on: { mute.on: dark }, after: { 3s: dark }")
        .replacing("never: { left: state.work == resting and lamp == on }\n", with: "")
      #expect(mended != fault.panel)
      try mended.write(to: file)
      let third = PanelProcess.run(["explore", file, "--runs", "20"])
      #expect(third.status == 0, "\(third)")
      #expect(third.output.hasSuffix("nothing wrong was found, seed 0\n"))

      let digest = ["explore", file, "--runs", "5", "--digest"]
      let sum = PanelProcess.run(digest)
      #expect(sum.status == 0 && sum.output.utf8.count == 17 && sum.errors == "", "\(sum)")
      #expect(PanelProcess.run(digest) == sum)
      #expect(PanelProcess.run(digest + ["--seed", "1"]).output != sum.output)
    }
  }
}

extension String {
  fileprivate func write(to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(self, file)
    fclose(file)
  }
}
