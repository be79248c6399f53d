import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite struct ScenarioTests {
  @Test("the doorbell's scenario reads as exactly these steps") func doorbell() throws {
    let path = Fixture.folder + "/doorbell/rings.scenario.yaml"
    let scenario = try ScenarioFile.read(path: path, for: Fixture.doorbell())
    #expect(scenario.name == "The bell rings three seconds")
    #expect(scenario.file == path)
    #expect(
      scenario.cases[0].steps.map(\.step) == [
        .expect([.state(.init(region: 0, state: 1), of: nil), .output(0, .off), .playing([])]),
        .press([0]),
        .wait(.span(.milliseconds(10))),
        .expect([.state(.init(region: 0, state: 2), of: nil), .output(0, .blinking), .playing([0]), .value(1, 1...1)]),
        .release([0]),
        .wait(.span(.seconds(3))),
        .expect([.state(.init(region: 0, state: 1), of: nil), .output(0, .off)]),
      ])
    #expect(scenario.cases[0].steps.map(\.position.line) == [3, 4, 5, 6, 7, 8, 9])
    #expect(scenario.cases[0].steps.map(\.position.column) == [5, 5, 5, 5, 5, 5, 5])
  }

  static let stepForms = StepWord.all.filter {
    !["type", "sense", "draw", "remote", "event", "clock"].contains($0.word)
  }
  .compactMap {
    word in
    word.inLine.map { [word.inFile, $0] }
  }

  @Test("a step in a file is the same as in a line", arguments: stepForms)
  func sameInFileAndLine(forms: [String]) throws {
    let doorbell = try Fixture.doorbell()
    let text = "scenario: S\nsteps:\n  - \(forms[0])\n"
    let inFile = try ScenarioFile.read(Array(text.utf8), file: "test", for: doorbell).cases[0].steps.map(\.step)
    let inLine = try StepLineReader.read(forms[1], line: 1, file: "-", for: doorbell)
    #expect(inFile == [inLine?.step])
  }

  @Test("regions are expected in a map") func regions() throws {
    let panelText = """
      panel: P
      regions:
        doors: { initial: open, states: { open: } }
        lights: { initial: dark, states: { dark: } }
      """
    let panel = try PanelFile.read(Array(panelText.utf8), file: "test")
    let text = "scenario: S\nsteps: [ expect: { state: { lights: dark, doors: open } }, show, show: ]"
    let steps = try ScenarioFile.read(Array(text.utf8), file: "test", for: panel).cases[0].steps.map(\.step)
    #expect(
      steps == [
        .expect([.state(.init(region: 1, state: 2), of: 1), .state(.init(region: 0, state: 1), of: 0)]), .show, .show,
      ])
  }
}
