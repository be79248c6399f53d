import CycleCore
import HardwarePlatform
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelProof
@testable import PanelRecording
@testable import PanelRun
@testable import PanelWiring

@Suite("Kinds of a package outside")
struct OutsideKindTests {
  private static let kinds = KindList.standard.adding(inputs: [PedalKind.self], sensors: [LoadSource.self])

  private static func panel(_ inputs: String, end: String = "", kinds: KindList = kinds) throws(Problems)
    -> PanelDefinition
  {
    try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { \(inputs) }
        outputs: { lamp: { led: GPIO23 } }
        initial: a
        states: { a: { on: { foot.down: b } }, b: { show: { lamp: on }, on: { foot.up: a }, when: { busy > 2: c } }, c: }
        \(end)

        """.utf8), file: "test", kinds: kinds)
  }

  private static let inputs = "foot: { pedal: GPIO17 }, busy: { sensor: { busy: 5, per: core }, min: 0, max: 9 }"

  @Test("scenarios act on them, and on those of the toolkit beside them")
  func scenario() throws {
    let panel = try Self.panel(Self.inputs)
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: S
        steps: [ press: foot, wait: 19ms, expect: { foot: up }, wait: 1ms, expect: { foot: down, lamp: on }, release: foot,
          wait: 30ms, expect: { lamp: off }, sense: { busy: 3 }, press: foot, wait: 30ms, expect: { state: c }, unplug: busy,
          wait: 10ms, expect: { busy: lost } ]

        """.utf8), file: "test", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
  }

  @Test(
    "what is wrong with them is told as of the others",
    arguments: [
      (
        "foot: { pedal: GPIO17, pull: up }, busy: { sensor: { busy: 5, per: core }, min: 0, max: 9 }",
        "2:34: unknown key \"pull\"; keys of a pedal: pedal"
      ),
      (
        "foot: { pedal: GPIO17 }, busy: { sensor: { busy: 5 }, min: 0, max: 9 }",
        "2:54: busy has no per; write per: core or machine"
      ),
      (
        "foot: { pedal: GPIO17 }, busy: { sensor: { busy: 4, per: core }, min: 0, max: 9 }",
        "2:60: the kernel has no average of 4 minutes; write 1, 5 or 15"
      ),
      (
        "foot: { pedal: GPIO17 }, busy: { sensor: { busy: 50, per: core }, min: 0, max: 9 }",
        "2:60: \"busy\" is 50; it takes a number of minutes: 5, in 1...15"
      ),
      (
        "foot: { pedal: GPIO17 }, busy: { sensor: { busy: 5, per: core, unit: x }, min: 0, max: 9 }",
        "2:74: busy has no \"unit\"; leave it out"
      ),
    ])
  func wrong(inputs: String, message: String) {
    #expect(Fixture.problems { () throws(Problems) in _ = try Self.panel(inputs) }.first == message)
  }

  @Test("a chip of theirs carries devices, and an input may be on no lines")
  func chip() throws {
    let kinds = KindList.standard.adding(inputs: [FlagKind.self], chips: [DrainKind.self])
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        chips: { power: { drains: [GPIO5, GPIO6, GPIO13] } }
        inputs: { away: { flag: /run/away } }
        outputs: { pump: { relay: power.DRAIN7 }, valve: { relay: power.DRAIN0, active: low } }
        never: { dry: pump == on and away == down }
        initial: home
        states: { home: { on: { away.up: out } }, out: { show: { pump: on, valve: on }, on: { away.down: home } } }

        """.utf8), file: "test", kinds: kinds)
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: S
        steps: [ expect: { pump: off, valve: off, away: down }, switch: { away: up }, wait: 10ms, expect: { pump: on, valve: on, away: up },
          heard: [ away.up ], jam: { away: down }, wait: 10ms, expect: { pump: off, valve: off }, free: away, wait: 10ms,
          expect: { state: out }, power-cut: 1s, wait: 10ms, expect: { pump: off, away: up } ]

        """.utf8), file: "test", for: panel)
    let failures = try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts)
    #expect(failures == [])
    #expect(
      Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run().isComplete)
    let wiring = WiringPlan(of: panel).text(isASCII: true, isColoured: false)
    for part in ["SER", "Devices at \"power\" (row of drains)", "Each drain carries 150 mA to ground."] {
      #expect(wiring.contains(part), "\(part)")
    }
    #expect(FileSchemas(kinds: kinds).panel.lines.contains("\"drains\": {"))
    let problems = Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array(
          """
          panel: P
          chips: { power: { drains: [GPIO5, GPIO6, GPIO13] } }
          inputs: { away: { flag: /run/away }, gone: { flag: /run/away } }
          outputs: { pump: { relay: power.DRAIN8 } }
          initial: home
          states: { home: }

          """.utf8), file: "test", kinds: kinds)
    }
    #expect(
      problems == [
        "3:52: the file /run/away of \"gone\" is already used by \"away\" on line 3; choose another",
        "4:27: \"DRAIN8\" is not a line of power; write power. and DRAIN0...DRAIN7",
      ])
  }

  @Test("a motor of theirs is interlocked, has its class in Home Assistant and its picture on the page")
  func motor() throws {
    let kinds = KindList.standard.adding(outputs: [SpindleKind.self])
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { key: { button: GPIO17 } }
        outputs: { left: { spindle: GPIO20 }, right: { spindle: GPIO21 } }
        interlocks: [ { relays: [ left, right ], pause: 1s } ]
        mqtt: { publish: all, discovery: homeassistant }
        initial: a
        states: { a: { show: { left: on }, on: { key.pressed: b } }, b: { show: { right: on } } }

        """.utf8), file: "test", kinds: kinds)
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: S
        steps: [ wait: 2s, expect: { left: on, right: off }, press: key, wait: 500ms, expect: { left: off, right: off },
          wait: 1s, expect: { left: off, right: on } ]

        """.utf8), file: "test", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
    #expect(HomeAssistantDiscovery(of: panel, id: "p").message.line.contains(text: #""device_class": "running""#))
    let session = try PanelSession(panel, on: Platform(.simulated))
    var writer = JSONWriter()
    PanelDescription(session.application, file: "").write(to: &writer)
    #expect(writer.text.contains(text: #""kind":"spindle","picture":"contact""#))
  }

  @Test("the toolkit alone doesn't know them")
  func standard() {
    let problems = Fixture.problems { () throws(Problems) in _ = try Self.panel(Self.inputs, kinds: .standard) }
    #expect(problems.contains { $0.hasPrefix("2:19: unknown input type \"pedal\"; use button, switch,") })
  }

  @Test("they are in the schema, and in a wiring picture")
  func following() throws {
    #expect(FileSchemas(kinds: Self.kinds).panel.lines.contains("\"pedal\": {"))
    #expect(FileSchemas(kinds: Self.kinds).panel.lines.contains("\"busy\": {"))
    let text = WiringPlan(of: try Self.panel(Self.inputs)).text(isASCII: true, isColoured: false)
    #expect(text.contains("foot, foot switch at a line"))
  }

  @Test("a proof takes them as any other")
  func proof() throws {
    let panel = try Self.panel(
      Self.inputs, end: "never: { lit: lamp == on and busy > 1, both: state == c and lamp == on }")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    #expect(outcome.part(of: .never(1))?.search.isComplete == true)
    let ways = outcome.violations.map {
      CounterexampleReport(panel: panel, file: "test", way: $0)
    }
    #expect(ways.count == 1, "what both say of c can't be")
    #expect(ways.first?.lines.contains { $0.contains("foot.down") } == true, "\(ways.map(\.lines))")
  }
}
