import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

@Suite("What scenarios have tried of a panel")
struct CoverageTests {
  static let panel = """
    panel: P
    inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, door: { switch: GPIO3, words: { on: shut, off: open } } }
    values: { n: { initial: 0, min: 0, max: 3 } }
    on: { b.held: { set: { n: 0 } } }
    initial: x
    states:
      x:
        on:
          a.pressed: [ { go: y, if: door == shut and n < 3 }, { set: { n: +1 } } ]
          b.pressed | b.released: y
      y:
        when: { door != shut and not n == 2: z }
        after: { 3s: x }
      z: { initial: z1, states: { z1: { after: { 1s: z2 } }, z2: { final: true } }, done: x }

    """

  private func coverage(_ steps: String, _ text: String = Self.panel) throws -> (lines: [String], percent: Int) {
    let panel = try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
    let coverage = Coverage(of: panel)
    let scenario = try ScenarioFile.read(Array("scenario: S\nsteps: [ \(steps) ]".utf8), file: "s", for: panel)
    var run = ScenarioRun(scenario, of: panel)
    run.coverage = coverage
    #expect(try run.run(scenario.cases[0]).failures == [])
    return (coverage.lines(file: "p.panel.yaml", tried: "1 scenario"), coverage.percent)
  }

  @Test("a state of a repeated region has the name of its member")
  func members() throws {
    let (lines, _) = try coverage(
      "click: keys(2)",
      """
      panel: P
      inputs: { keys: { buttons: [GPIO5, GPIO6] } }
      regions:
        room: { each: 1..2, initial: calm, states: { calm: { on: { keys(each).pressed: called } }, called: { initial: slow, states: { slow: { after: { 5m: fast } }, fast: } } } }

      """)
    #expect(
      lines.filter { $0.contains("state ") }.map { $0.drop { $0 != "s" } } == [
        "state room(1).called was never entered", "state room(1).slow was never entered",
        "state room(1).fast was never entered", "state room(2).fast was never entered",
      ])
  }

  @Test("without a step all but the start is untried")
  func start() throws {
    let (lines, percent) = try coverage("show")
    #expect(
      lines == [
        "p.panel.yaml: states 1 of 5, transitions 0 of 8, conditions both ways 0 of 4, 1 scenario",
        "  4:7    never fired: b.held", "  9:20   never fired: a.pressed -> y",
        "  9:33   was never checked: door == shut",
        "  9:50   was never checked: n < 3", "  9:59   never fired: a.pressed",
        "  10:7   never fired: b.pressed | b.released -> y", "  11:3   state y was never entered",
        "  12:13  never fired: door != shut and not n == 2 -> z", "  12:34  was never checked: n == 2",
        "  13:14  never fired: 3s -> x", "  14:3   state z was never entered",
        "  14:31  state z1 was never entered", "  14:46  never fired: 1s -> z2",
        "  14:58  state z2 was never entered", "  14:81  never fired: done -> x",
      ])
    #expect(percent == 5)
  }

  @Test("of a conjunction the second part is asked only where the first one holds")
  func conjunction() throws {
    let lines = try coverage("{ click: a }, { switch: { door: shut } }, { wait: 10ms }, { click: a }, { wait: 4s }")
      .lines
    #expect(lines[0] == "p.panel.yaml: states 2 of 5, transitions 3 of 8, conditions both ways 1 of 4, 1 scenario")
    #expect(lines.contains("  9:50   was always true: n < 3"))
    #expect(!lines.contains { $0.contains("9:33") })
    #expect(lines.contains("  12:34  was never checked: n == 2"))
  }

  @Test("several events of one transition are one transition, taken with any of them")
  func alternatives() throws {
    let lines = try coverage("{ click: b }, { wait: 10s }").lines
    #expect(!lines.contains { $0.contains("never fired: b.pressed") })
    #expect(!lines.contains { $0.contains("done") || $0.contains("z") })
  }

  @Test("a panel whose states, transitions and conditions were all tried has nothing but its first line")
  func whole() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      values: { n: { initial: 0, min: 0, max: 3 } }
      initial: x
      states: { x: { on: { a.pressed: [ { go: y, if: n == 1 }, { set: { n: +1 } } ] } }, y: { after: { 1s: x } } }
      """
    let (lines, percent) = try coverage("{ click: a }, { click: a }, { wait: 2s }", text)
    #expect(lines == ["p.panel.yaml: states 2 of 2, transitions 3 of 3, conditions both ways 1 of 1, 1 scenario"])
    #expect(percent == 100)
  }

  @Test("where something is written is no part of what a panel is")
  func equality() throws {
    let one = try PanelFile.read(Array("panel: P\ninitial: x\nstates: { x: }".utf8), file: "p")
    let other = try PanelFile.read(Array("panel: P\n\ninitial: x\nstates:\n  x:\n".utf8), file: "p")
    #expect(one == other)
    #expect(one.states[1].written.source?.position != other.states[1].written.source?.position)
  }

  @Test("the conditions of computed switches and of never count, each comparison of a never by itself")
  func standing() throws {
    let text = """
      panel: P
      inputs:
        air: { sensor: { file: /run/air }, min: 0, max: 50, initial: 26, if-lost: min }
        door: { switch: GPIO3 }
        warm: { switch: { on: air > 28, off: air < 25 } }
      outputs: { fan: { relay: GPIO4 } }
      never: { open: fan == on and door == on, hot: air > 45 }
      initial: x
      states: { x: { on: { warm.on: y } }, y: { show: { fan: on }, on: { warm.off: x } } }

      """
    let first = try coverage("{ sense: { air: 26 } }", text).lines
    #expect(first[0] == "p.panel.yaml: states 1 of 2, transitions 0 of 2, conditions both ways 0 of 4, 1 scenario")
    #expect(first.contains("  5:25  was always false: air > 28"))
    #expect(first.contains("  5:40  was always false: air < 25"))
    #expect(first.contains("  7:16  was always false: fan == on"))
    #expect(first.contains("  7:30  was always false: door == on"))
    let second = try coverage(
      "{ sense: { air: 30 } }, { sense: { air: 20 } }, { switch: { door: on } }, { wait: 1s }", text
    ).lines
    #expect(second == ["p.panel.yaml: states 2 of 2, transitions 2 of 2, conditions both ways 4 of 4, 1 scenario"])
  }
}
