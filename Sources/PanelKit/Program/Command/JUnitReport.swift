import CycleCore
import PanelRun
import Terminal

/// The results of scenarios as JUnit XML, for build servers: a suite for each panel, a test case for each scenario.
struct JUnitReport {
  struct TestCase {
    /// The scenario's file.
    var file: String
    var name: String
    /// The real time that the scenario took; zero if it did not begin.
    var time: Duration
    var result: ScenarioRun.Result
  }

  /// A reason why scenarios did not run.
  struct Fault {
    /// The file with the problem.
    var file: String
    /// The problems, one line each; at least one.
    var lines: [String]
  }

  struct Suite {
    /// The panel's file.
    var name: String
    var cases: [TestCase] = []
    var faults: [Fault] = []
  }

  private(set) var suites: [Suite] = []

  /// Adds a test case to the suite of a panel.
  mutating func add(_ one: TestCase, to panel: String) { suites[place(of: panel)].cases.append(one) }

  /// Adds a fault to the suite of a panel.
  mutating func add(_ fault: Fault, to panel: String) { suites[place(of: panel)].faults.append(fault) }

  /// Begins the suite of a panel if it does not exist.
  mutating func begin(_ panel: String) { _ = place(of: panel) }

  private mutating func place(of panel: String) -> Int {
    if let place = suites.firstIndex(where: { $0.name == panel }) { return place }
    suites.append(Suite(name: panel))
    return suites.count - 1
  }

  var text: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"]
    for suite in suites {
      let failed = suite.cases.count { $0.result.outcome == .failed }
      let errors = suite.faults.count + suite.cases.count { $0.result.outcome == .givenUp }
      let skipped = suite.cases.count { $0.result.outcome == .notRun }
      let time = suite.cases.reduce(Duration.zero) { $0 + $1.time }
      lines.append(
        "  <testsuite name=\(attribute(suite.name)) tests=\"\(suite.cases.count + suite.faults.count)\" "
          + "failures=\"\(failed)\" errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(seconds(time))\">")
      for one in suite.cases { lines += self.lines(of: one) }
      for fault in suite.faults { lines += self.lines(of: fault) }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of one: TestCase) -> [String] {
    var lines = [
      "    <testcase classname=\(attribute(one.file)) name=\(attribute(one.name)) time=\"\(seconds(one.time))\">",
      "      <properties><property name=\"virtual-time\" value=\"\(seconds(one.result.span))\"/></properties>",
    ]
    for failure in one.result.failures {
      let message = failure.texts.joined(separator: "; ")
      lines.append("      <failure message=\(attribute(message))>")
      lines += failure.log.map(escaped)
      lines.append("      </failure>")
    }
    if let cut = one.result.cut {
      switch one.result.outcome {
      case .givenUp: lines += ["      <error message=\(attribute(cut))>", "      </error>"]
      case .notRun: lines.append("      <skipped message=\(attribute(cut))/>")
      case .passed, .failed: lines.append("      <system-err>\(escaped(cut))</system-err>")
      }
    }
    lines.append("    </testcase>")
    return lines
  }

  private func lines(of fault: Fault) -> [String] {
    [
      "    <testcase classname=\(attribute(fault.file)) name=\(attribute(fault.file)) time=\"0.000\">",
      "      <error message=\(attribute(fault.lines[0]))>",
    ] + fault.lines.map(escaped) + ["      </error>", "    </testcase>"]
  }

  private func seconds(_ span: Duration) -> String { String(SecondsText.text(of: span).dropLast()) }
  private func attribute(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Escapes a text for XML. Control characters are replaced, because XML forbids them even if they are escaped.
  private func escaped(_ text: String) -> String {
    visible(text).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
