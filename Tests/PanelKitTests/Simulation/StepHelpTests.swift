import Testing

@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRun

@Suite("The help of the line mode")
struct StepHelpTests {
  private func help(_ line: String) throws -> [String] {
    let request = try #require(StepHelp.Request(line))
    return StepHelp.lines(for: request, names: Names(try Stage("initial: a\nstates: { a: }").session.panel))
  }

  @Test("help lists the steps that the panel has something for, with its names")
  func all() throws {
    let lines = try help("help")
    let others = ["type", "sense", "draw", "remote", "event", "clock"]
    for step in StepWord.all where step.inLine != nil {
      let isListed = lines.contains { $0.hasPrefix("  \(step.word) ") || $0.hasPrefix("  \(step.word)\n") }
      #expect(isListed == !others.contains(step.word), "\(step.word)")
      #expect(StepHelp.text(of: step.word) != "", "\(step.word)")
    }
    #expect(lines.first == "  press bell          the button goes down and stays down; it counts after its")
    #expect(lines.contains("  switch mute=on      moves a switch into one of its positions"))
    #expect(lines.suffix(2) == ["Inputs: bell, key, mute, knob.", "Outputs and values: lamp, bar, lock, level."])
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("each example of a panel is a step that it takes")
  func examples() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          door: { switch: GPIO1, words: { on: shut, off: open } }
          air: { sensor: { w1: 28-00000a1b2c3d }, min: -20, max: 60, decimals: 1 }
        outputs: { text: { display: { i2c: 0x27 } } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        initial: a
        states: { a: { on: { door.shut: { go: a, set: { n: random 1..6 } } } } }

        """)
    let lines = StepHelp.lines(for: .help(nil), names: stage.names).filter { !$0.hasPrefix("   ") }
    let steps = lines.dropLast(3).map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).prefix { $0 != "" }.prefix(2).joined(separator: " ")
    }
    #expect(steps.contains("switch door=shut"))
    #expect(steps.contains("jam door=open"))
    #expect(steps.contains("sense air=60"))
    #expect(steps.contains("draw 3,1,2s"))
    #expect(steps.contains("expect text=off"))
    for word in ["press", "type", "turn", "stutter"] { #expect(!steps.contains { $0.hasPrefix(word) }) }
    for step in steps where !step.hasPrefix("show") {
      #expect(throws: Never.self, "\(step)") {
        try StepLineReader.read(step, line: 1, file: "-", names: stage.names)
      }
    }
  }

  @Test("help of one step has its form in a file, too")
  func one() throws {
    #expect(
      try help(" help  wait") == [
        "  wait 3s                     time passes, or the step waits for a condition",
        "  wait until=\"lamp == on\" at-least=1s at-most=4s",
        "                              ends when the condition holds; fails if that is",
        "                              too early or too late",
        "  wait for=3s while=\"lamp == on\"",
        "                              fails when the condition ends",
        "  - wait: 3s                  the same in a scenario file",
      ])
    #expect(try help("help tunr") == [#"there is no step "tunr", did you mean turn? `help` lists the steps"#])
  }

  @Test("quit ends, and other lines are steps")
  func others() {
    #expect(StepHelp.Request("quit") == .quit)
    for line in ["", "press bell", "quit now", "helps", "help a b"] {
      #expect(StepHelp.Request(line) == nil, "\(line)")
    }
  }
}
