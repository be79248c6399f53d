import CycleCore
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelExplore
@testable import PanelLanguage

// One at a time: a process started beside another would inherit its pipes.
@Suite("The command panel explore", .serialized)
struct ExploreCommandTests {
  private static func fault() throws -> String {
    try #require(PlantedFault.all.first { $0.name == "lamp-left-on" }).panel
  }

  private static let lamp = """
    panel: Lamp
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO23 } }
    initial: dark
    states: { dark: { on: { key.pressed: lit } }, lit: { show: { lamp: on }, on: { key.pressed: dark } } }

    """

  @Test("writes and reads no file for a panel from standard input without a name, and prints the scenario")
  func standardInput() throws {
    let panel = try Self.fault()
    withFiles { folder in
      for _ in 0..<2 {
        let found = PanelProcess.run(["explore", "-"], input: panel, prefix: "cd '\(folder)' &&")
        #expect(found.status == 1 && found.errors == "")
        #expect(
          found.output.contains("  this scenario shows it:\n    # panel explore --seed 0 --steps 100, run "),
          "\(found.output)")
      }
      #expect(names(in: folder) == [])
    }
  }

  @Test("writes into a folder also for standard input; the printed command shows the violation")
  func folder() throws {
    let panel = try Self.fault()
    withFiles { folder in
      let path = "\(folder)/standard-input.explored-left.scenario.yaml"
      let found = PanelProcess.run(["explore", "-", "--output", folder], input: panel)
      #expect(found.output.hasSuffix("  written to \(path); panel test - \(path) shows it\n"), "\(found.output)")
      #expect(names(in: folder) == ["standard-input.explored-left.scenario.yaml"])
      #expect(PanelProcess.run(["test", "-", path], input: panel).status == 1)
      let again = PanelProcess.run(["explore", "-", "--output", folder], input: panel)
      #expect(again.output.hasSuffix("\(path): found by an earlier exploration, and not fixed yet\n"))
    }
  }

  @Test("prints as JSON the steps, the scenario, its path, and the seed as a number")
  func json() throws {
    let panel = try Self.fault()
    withFiles(["lamp.panel.yaml": panel]) { folder in
      let path = "\(folder)/lamp.explored-left.scenario.yaml"
      let printed = PanelProcess.run(["explore", "-", "--json"], input: panel, prefix: "cd '\(folder)' &&").output
      #expect(printed.contains(#", "steps": 100, "seed": 0, "finding": "never left: "#), "\(printed)")
      #expect(printed.contains(#", "steps_taken": ["click: start", "#), "\(printed)")
      #expect(printed.contains(##", "scenario": "# panel explore --seed 0"##), "\(printed)")
      #expect(printed.hasSuffix(", \"scenario_file\": null}\n"), "\(printed)")

      let written = PanelProcess.run(["explore", "\(folder)/lamp.panel.yaml", "--json"]).output
      #expect(written.contains(#""result": "violation""#) && written.contains(#", "steps_taken": ["#), "\(written)")
      #expect(written.hasSuffix(", \"scenario_file\": \"\(path)\"}\n"), "\(written)")
      let earlier = PanelProcess.run(["explore", "\(folder)/lamp.panel.yaml", "--json"])
      #expect(earlier.status == 1)
      #expect(earlier.output.contains(#""result": "earlier""#), "\(earlier.output)")
      #expect(earlier.output.hasSuffix(", \"scenario_file\": \"\(path)\"}\n"), "\(earlier.output)")
    }
  }

  @Test("prints the digest also as JSON, and the greatest seed as it is")
  func digest() {
    let seed = "\(UInt64.max)"
    let words = ["explore", "-", "--runs", "3", "--seed", seed, "--digest"]
    let text = PanelProcess.run(words, input: Self.lamp)
    #expect(text.status == 0 && text.output.utf8.count == 17)
    let digest = text.output.dropLast()
    let json = PanelProcess.run(words + ["--json"], input: Self.lamp)
    #expect(json.output.hasSuffix(", \"seed\": \(seed), \"digest\": \"\(digest)\"}\n"), "\(json.output)")
  }

  @Test("a long run ends between two steps, while it is made and while it is performed")
  func longRun() throws {
    let panel = try PanelFile.read(Array(Self.lamp.utf8), file: "p")
    var asked = 0
    func mayContinue() -> Bool {
      asked += 1
      return asked < 100
    }
    let long = try ExploredPanel(panel, sounds: [], steps: 10_000_000)
    let outcome = try RandomSearch(long, runs: 1) { _ in mayContinue() }.explore()
    #expect(outcome.runs == 0 && outcome.discovery == nil)

    let short = try ExploredPanel(panel, sounds: [], steps: 200)
    var random = SeededGenerator(seed: 0)
    let run = short.run(after: nil, &random) { true }
    asked = 0
    let checked = try short.check(run, counts: false, while: mayContinue)
    #expect(checked == nil && asked <= 101)
  }
}
