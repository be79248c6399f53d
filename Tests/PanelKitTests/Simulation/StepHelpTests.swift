import Testing

@testable import PanelKit

@Suite("The help of the line mode")
struct StepHelpTests {
  private func help(_ line: String) throws -> [String] {
    let request = try #require(StepHelp.Request(line))
    return StepHelp.lines(for: request, names: Names(try Stage("initial: a\nstates: { a: }").session.panel))
  }

  @Test("help lists every step, with names of the panel")
  func all() throws {
    let lines = try help("help")
    for step in StepWord.all where step.inLine != nil {
      #expect(lines.contains { $0.hasPrefix("  \(step.word) ") || $0.hasPrefix("  \(step.word)\n") }, "\(step.word)")
      #expect(StepHelp.text(of: step.word) != "", "\(step.word)")
    }
    #expect(lines.first == "  press bell          the button goes down and stays down; it counts after its")
    #expect(lines.contains("  switch mute=on      turns a switch on or off"))
    #expect(lines.suffix(2) == ["Inputs: bell, key, mute, knob.", "Outputs and values: lamp, bar, lock, level."])
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("help of one step has its form in a file, too")
  func one() throws {
    #expect(
      try help(" help  wait") == [
        "  wait 3s                   lets time pass, or waits for a condition",
        "  wait until=\"lamp == on\" at-least=1s at-most=4s",
        "                            ends when it is so; fails if that is too early or",
        "                            too late",
        "  wait for=3s while=\"lamp == on\"",
        "                            fails when it is no longer so",
        "  - wait: 3s                the same in a scenario file",
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
