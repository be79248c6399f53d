import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The plan of a test")
struct TestPlanTests {
  @Test("panels are found in folders inside folders, sorted")
  func folders() {
    let suites = TestPlan(["\(checkoutRoot)/Examples"]).suites
    let panels = suites.map { $0.panel.split(separator: "/").suffix(2).joined(separator: "/") }
    #expect(panels == panels.sorted())
    for name in ["counter/counter", "quiz/quiz", "steps/01-lamp"] { #expect(panels.contains("\(name).panel.yaml")) }
    func scenarios(of panel: String) -> [Substring?]? {
      suites.first { $0.panel.hasSuffix(panel) }?.scenarios.map { $0.split(separator: "/").last }
    }
    #expect(scenarios(of: "/quiz.panel.yaml") == ["first-wins.scenario.yaml", "too-late.scenario.yaml"])
    // In a folder of several panels, each has those that begin with its name.
    #expect(scenarios(of: "/03-timer.panel.yaml") == ["03-timer-rings.scenario.yaml", "03-timer.scenario.yaml"])
  }

  @Test(
    "a scenario belongs to the panel whose name its own begins with, of several the longest, or to the only one",
    arguments: [
      ("garage.scenario.yaml", "garage.panel.yaml"), ("garage-night.scenario.yaml", "garage.panel.yaml"),
      ("garage.night.scenario.yaml", "garage.panel.yaml"), ("garage-door.scenario.yaml", "garage-door.panel.yaml"),
      ("garage-door-x.scenario.yaml", "garage-door.panel.yaml"), ("garages.scenario.yaml", nil),
      ("other.scenario.yaml", nil),
    ])
  func belonging(scenario: String, panel: String?) {
    #expect(TestPlan.panel(of: scenario, among: ["garage-door.panel.yaml", "garage.panel.yaml"]) == panel)
    #expect(TestPlan.panel(of: scenario, among: ["one.panel.yaml"]) == "one.panel.yaml")
  }

  /// A folder with a panel and its scenario.
  private func withPanel(_ name: String, _ body: (_ folder: String) -> Void) {
    withFiles(["\(name).panel.yaml": "", "\(name).scenario.yaml": ""], body)
  }

  private func suite(_ folder: String, _ name: String) -> TestPlan.Suite {
    .init(panel: "\(folder)/\(name).panel.yaml", scenarios: ["\(folder)/\(name).scenario.yaml"])
  }

  @Test("a folder before scenarios is no panel for them: each runs on the panel beside it")
  func folderFirst() {
    withPanel("lamp") { lamp in
      withPanel("a") { a in
        withPanel("b") { b in
          let plan = TestPlan([lamp, "\(a)/a.scenario.yaml", "\(b)/b.scenario.yaml"])
          #expect(plan.suites == [suite(a, "a"), suite(b, "b"), suite(lamp, "lamp")])
          #expect(plan.strays == [])
          let named = TestPlan([lamp, "\(a)/a.panel.yaml", "\(b)/b.scenario.yaml"])
          #expect(
            named.suites == [
              .init(panel: "\(a)/a.panel.yaml", scenarios: ["\(b)/b.scenario.yaml"]), suite(lamp, "lamp"),
            ])
        }
      }
    }
  }

  @Test("an operand without a panel or a scenario hides nothing of the others")
  func strays() {
    withPanel("a") { a in
      withFiles(["e.panel.yaml": ""]) { e in
        withFiles { empty in
          for (first, other, stray) in [
            ("\(a)/a.panel.yaml", "\(e)/e.panel.yaml", "\(e)/e.panel.yaml"),
            ("\(a)/a.panel.yaml", e, "\(e)/e.panel.yaml"), (a, e, "\(e)/e.panel.yaml"), (a, empty, empty),
            ("\(a)/a.scenario.yaml", "\(empty)/x.scenario.yaml", "\(empty)/x.scenario.yaml"),
            ("\(a)/a.scenario.yaml", "\(empty)/no/x.scenario.yaml", "\(empty)/no/"),
            (a, "no-such-panel", "no-such-panel"),
          ] {
            for operands in [[first, other], [other, first]] {
              let plan = TestPlan(operands)
              #expect(plan.suites == [suite(a, "a")], "\(operands)")
              #expect(plan.strays.map(\.file) == [stray], "\(operands)")
              #expect(plan.strays.map(\.exitStatus) == [66], "\(operands)")
            }
          }
        }
      }
    }
  }

  @Test("a scenario that several operands name, or that has several paths, runs once on its panel")
  func duplicates() {
    withPanel("a") { a in
      for operands in [
        ["\(a)/a.panel.yaml", a], [a, a], [a, "\(a)/"], ["\(a)/a.panel.yaml", "\(a)/."],
        ["\(a)/a.scenario.yaml", "\(a)/./a.scenario.yaml", a], ["\(a)/a.panel.yaml", "\(a)/./a.panel.yaml"],
        ["\(a)/a.scenario.yaml", "\(a)/a.panel.yaml"],
      ] {
        let plan = TestPlan(operands)
        #expect(plan.suites == [suite(a, "a")], "\(operands)")
        #expect(plan.strays == [], "\(operands)")
      }
      withPanel("b") { b in
        // The same scenario on another panel is another test.
        let scenario = "\(a)/a.scenario.yaml"
        let plan = TestPlan(["\(a)/a.panel.yaml", scenario, "\(b)/b.panel.yaml", scenario, scenario])
        #expect(plan.suites == [suite(a, "a"), .init(panel: "\(b)/b.panel.yaml", scenarios: [scenario])])
      }
    }
  }
}
