import Glibc
import TestSupport
import Testing

@testable import PanelKit

@Suite("The command test", .serialized)
struct TestCommandTests {
  static let panel = """
    panel: P
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO23 } }
    initial: dark
    states:
      dark: { on: { key.pressed: lit } }
      lit: { show: { lamp: on }, after: { 1s: dark } }

    """
  static let good = """
    scenario: "It <lights> & goes out"
    cases: [ { how: 500ms, look: on }, { how: 2s, look: off } ]
    steps: [ { press: key }, { wait: $how }, { expect: { lamp: $look } } ]

    """
  static let bad =
    "scenario: It fails\nsteps: [ { click: key }, { expect: { lamp: off } }, { expect: { lamp: off } } ]\n"

  @Test("a folder's panels are tested with the scenarios that belong to them, and each case is told")
  func folder() {
    let files = [
      "door.panel.yaml": Self.panel, "door-bell.panel.yaml": Self.panel, "door.scenario.yaml": Self.good,
      "door-bell.more.scenario.yaml": "scenario: S\nsteps: [ show ]\n", "notes.txt": "",
    ]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", folder])
      #expect(
        result
          == .init(
            status: 0,
            output: """
              0.000s  state=dark  lamp=off  key=released
              passed  \(folder)/door-bell.more.scenario.yaml: S
              passed  \(folder)/door.scenario.yaml: It <lights> & goes out, case 1 (how 500ms, look on)
              passed  \(folder)/door.scenario.yaml: It <lights> & goes out, case 2 (how 2s, look off)
              3 passed, 0 failed

              """, errors: ""))
    }
  }

  @Test("what can't be tested is told, with what to do")
  func refusals() {
    let two = [
      "a.panel.yaml": Self.panel, "b.panel.yaml": Self.panel, "c.scenario.yaml": Self.good,
      "d.scenario.yaml": Self.good,
    ]
    withFiles(two) { folder in
      let result = PanelProcess.run(["test", folder])
      #expect(result.status == 65)
      #expect(
        result.errors
          == ["c", "d"].map { name in
            "\(folder)/\(name).scenario.yaml: it belongs to none of a.panel.yaml, b.panel.yaml; begin its name with that of a panel, as a-\(name).scenario.yaml\n"
          }.joined())
      let alone = PanelProcess.run(["test", "\(folder)/a.panel.yaml"])
      #expect(alone.status == 66)
      #expect(
        alone.errors
          == "\(folder)/a.panel.yaml: no scenario beside it belongs to it; write \(folder)/a.scenario.yaml, or name a scenario\n"
      )
      let stray = PanelProcess.run(["test", "\(folder)/c.scenario.yaml"])
      #expect(stray.status == 66)
      #expect(
        stray.errors == """
          \(folder)/c.scenario.yaml: it belongs to none of a.panel.yaml, b.panel.yaml; name it first: panel test FILE.panel.yaml \
          \(folder)/c.scenario.yaml

          """)
    }
    withFiles(["a.panel.yaml": Self.panel, "a.scenario.yaml": Self.good]) { folder in
      let words = ["test", "\(folder)/a.panel.yaml"]
      let passed = "passed  \(folder)/a.scenario.yaml: "
      #expect(PanelProcess.run(words).output.hasPrefix(passed))
      #expect(PanelProcess.run(["test", "\(folder)/a.scenario.yaml"]).output.hasPrefix(passed))
      #expect(PanelProcess.run(["test", "a"], prefix: "cd \(folder);").output.hasPrefix("passed  a.scenario.yaml: "))
      let json = PanelProcess.run(words + ["--json", "--coverage"]).output.split(separator: "\n")
      #expect(json.count == 4)
      #expect(
        json[0].hasPrefix(#"{"panel": "\#(folder)/a.panel.yaml", "file": "\#(folder)/a.scenario.yaml", "name": "#))
      #expect(json[2].contains(#""coverage": "#))
      #expect(json[3] == #"{"passed": 2, "failed": 0, "given_up": 0, "not_run": 0}"#)
    }
    withFiles(["x.txt": ""]) { folder in
      let result = PanelProcess.run(["test", folder])
      #expect(result.status == 66)
      #expect(
        result.errors == "\(folder): no panel in this folder; the names of panel files end with .panel.yaml\n")
    }
    let missing = PanelProcess.run(["test", "/no/such/folder", "x"])
    #expect(missing.status == 66)
    #expect(missing.errors == "/no/such/folder: no such file; check the path\n")
  }

  @Test("a scenario ends at its first failed step; with --keep-going it doesn't")
  func firstFailure() {
    withFiles(["p.yaml": Self.panel, "s.yaml": Self.bad]) { folder in
      let result = PanelProcess.run(["test", "\(folder)/p.yaml", "\(folder)/s.yaml"])
      #expect(result.status == 1)
      #expect(result.output == "FAILED  \(folder)/s.yaml: It fails\n0 passed, 1 failed\n")
      #expect(
        result.errors == """
          \(folder)/s.yaml:2:28: expected lamp off; it is on
            2 inputs of the last second:
              0.005s  key.pressed  dark -> lit
              0.055s  key.released

          """)
      let all = PanelProcess.run(["test", "--keep-going", "\(folder)/p.yaml", "\(folder)/s.yaml"])
      #expect(all.errors.split(separator: "\n").count { $0.contains("expected") } == 2)
      #expect(all.status == 1)
    }
  }

  @Test("--trace prints each event and each change")
  func trace() {
    withFiles(["p.yaml": Self.panel, "s.yaml": "scenario: S\nsteps: [ { click: key }, { wait: 2s } ]\n"]) { folder in
      #expect(
        PanelProcess.run(["test", "--trace", "\(folder)/p.yaml", "\(folder)/s.yaml"]).output == """
          0.000s  state=dark  lamp=off
          0.005s  key.pressed  dark -> lit
          0.005s  state=lit  lamp=on
          0.055s  key.released
          1.005s  after 1s in lit  lit -> dark
          1.005s  state=dark  lamp=off
          passed  \(folder)/s.yaml: S
          1 passed, 0 failed

          """)
    }
  }

  @Test("--coverage lists what was not tried, and --min-coverage fails below its value")
  func coverage() {
    withFiles(["p.yaml": Self.panel, "s.yaml": "scenario: S\nsteps: [ click: key ]\n"]) { folder in
      let files = ["\(folder)/p.yaml", "\(folder)/s.yaml"]
      let result = PanelProcess.run(["test", "--coverage"] + files)
      #expect(result.status == 0)
      #expect(
        result.output == """
          passed  \(folder)/s.yaml: S
          \(folder)/p.yaml: states 2 of 2, transitions 1 of 2, conditions both ways 0 of 0, 1 scenario
            7:39  never fired: 1s -> dark
          1 passed, 0 failed

          """)
      #expect(PanelProcess.run(["test", "--min-coverage", "75"] + files).status == 0)
      let less = PanelProcess.run(["test", "--coverage", "--min-coverage", "76"] + files)
      #expect(less.status == 1)
      #expect(less.errors == "\(folder)/p.yaml: coverage is 75%, below --min-coverage 76\n")
      #expect(PanelProcess.run(["test", "--min-coverage", "101"] + files).status == 64)
    }
  }

  @Test("--junit writes the results as XML")
  func junit() {
    let files = ["p.panel.yaml": Self.panel, "good.scenario.yaml": Self.good, "bad.scenario.yaml": Self.bad]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", "--junit", "\(folder)/out.xml", folder])
      #expect(result.status == 1)
      let text = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      let timeless = text.replacing(#/ time="[0-9]+\.[0-9]{3}"/#, with: " time=\"T\"")
        .replacing("\(folder)/", with: "")
      #expect(
        timeless == """
          <?xml version="1.0" encoding="UTF-8"?>
          <testsuites>
            <testsuite name="p.panel.yaml" tests="3" failures="1" errors="0" skipped="0" time="T">
              <testcase classname="bad.scenario.yaml" name="It fails" time="T">
                <properties><property name="virtual-time" value="0.055"/></properties>
                <failure message="bad.scenario.yaml:2:28: expected lamp off; it is on">
            2 inputs of the last second:
              0.005s  key.pressed  dark -&gt; lit
              0.055s  key.released
                </failure>
              </testcase>
              <testcase classname="good.scenario.yaml" name="It &lt;lights&gt; &amp; goes out, case 1 (how 500ms, look on)" time="T">
                <properties><property name="virtual-time" value="0.500"/></properties>
              </testcase>
              <testcase classname="good.scenario.yaml" name="It &lt;lights&gt; &amp; goes out, case 2 (how 2s, look off)" time="T">
                <properties><property name="virtual-time" value="2.000"/></properties>
              </testcase>
            </testsuite>
          </testsuites>

          """)
    }
  }

  @Test("a report that can't be written ends with its own status")
  func unwritableReport() {
    withFiles(["p.panel.yaml": Self.panel, "good.scenario.yaml": Self.good]) { folder in
      let result = PanelProcess.run(["test", "--junit", "\(folder)/no/out.xml", folder])
      #expect(result.status == 74)
      #expect(result.output.hasSuffix("2 passed, 0 failed\n"))
    }
  }

  @Test("--junit has a wrong file as an error")
  func junitOfWrongFile() {
    let files = ["p.panel.yaml": Self.panel, "p.scenario.yaml": "scenario: S\nsteps: [ { press: nobody } ]"]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", "--junit", "\(folder)/out.xml", folder])
      #expect(result.status == 65)
      let text = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      let told = "p.scenario.yaml:2:19: unknown input &quot;nobody&quot;; inputs: key"
      #expect(
        text.replacing("\(folder)/", with: "") == """
          <?xml version="1.0" encoding="UTF-8"?>
          <testsuites>
            <testsuite name="p.panel.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.000">
              <testcase classname="p.scenario.yaml" name="p.scenario.yaml" time="0.000">
                <error message="\(told)">
          \(told)
                </error>
              </testcase>
            </testsuite>
          </testsuites>

          """)
    }
  }

  static let endless = """
    panel: Ev
    outputs: { lamp: { led: GPIO23 } }
    values: { n: { initial: 0, min: 0, max: 999999999 } }
    every: { 1ms: { set: { n: +1 } } }
    initial: a
    states:
      a: { show: { lamp: on } }

    """

  @Test("endless test: a scenario that takes too long is given up, and the others are run")
  func endless() {
    let files = [
      "a.panel.yaml": Self.endless, "a.scenario.yaml": "scenario: long\nsteps:\n  - wait: 1000000m\n  - show\n",
      "b.panel.yaml": Self.panel, "b.scenario.yaml": Self.good,
    ]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", "--seconds", "1", "--junit", "\(folder)/out.xml", folder])
      #expect(result.status == 75)
      #expect(result.output.hasPrefix("GIVEN UP  \(folder)/a.scenario.yaml: long\n"))
      #expect(result.output.hasSuffix("2 passed, 0 failed, 1 given up\n"))
      #expect(result.errors.hasPrefix("\(folder)/a.scenario.yaml:3:5: stopped after 1 s, at "))
      let report = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(report.contains(#"a.panel.yaml" tests="1" failures="0" errors="1""#) && report.contains("stopped after"))
      #expect(PanelProcess.run(["test", "--seconds", "0", folder]).status == 64)
    }
  }

  @Test(
    "Ctrl-C keeps a failure that was found, and the report has the reason for each missing result",
    arguments: [true, false])
  func interrupted(isFailing: Bool) {
    let lamp = isFailing ? "off" : "on"
    let text = "scenario: long\nsteps: [ { expect: { lamp: \(lamp) } }, show, { wait: 1000000m } ]\n"
    let counts = isFailing ? #"failures="1" errors="0" skipped="0""# : #"failures="0" errors="0" skipped="1""#
    let files = [
      "a.panel.yaml": Self.endless, "a.scenario.yaml": text, "b.panel.yaml": Self.panel, "b.scenario.yaml": Self.good,
    ]
    withFiles(files) { folder in
      let process = PanelProcess(["test", "--keep-going", "--junit", "\(folder)/out.xml", folder])
      // The command watches for Ctrl-C before it runs a scenario, and only the long wait follows this line.
      #expect(process.readLine().hasPrefix("0.000s  state=a  lamp=on"))
      process.send(SIGINT)
      let result = process.finish()
      #expect(result.status == (isFailing ? 1 : 130))
      let failure = "FAILED  \(folder)/a.scenario.yaml: long\n0 passed, 1 failed, 2 not run: stopped by Ctrl-C\n"
      #expect(result.output == (isFailing ? failure : "0 passed, 0 failed, 3 not run: stopped by Ctrl-C\n"))
      #expect(result.errors.contains("expected lamp off; it is on") == isFailing)
      let report = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(report.contains(#"a.panel.yaml" tests="1" \#(counts)"#), "\(report)")
      #expect(report.contains("stopped by Ctrl-C, at ") && !report.contains("stopped after"), "\(report)")
      #expect(report.contains(#"b.panel.yaml" tests="2" failures="0" errors="0" skipped="2""#), "\(report)")
      #expect(
        report.contains("<skipped message=\"\(folder)/b.scenario.yaml: not run: stopped by Ctrl-C\"/>"), "\(report)")
    }
  }

  @Test("a panel without scenarios is reported, and the others are run")
  func panelWithoutScenarios() {
    let files = [
      "a.panel.yaml": Self.panel, "a.scenario.yaml": "scenario: S\nsteps: [ { click: key } ]\n",
      "e.panel.yaml": Self.panel,
    ]
    withFiles(files) { folder in
      let result = PanelProcess.run([
        "test", "--junit", "\(folder)/out.xml", "\(folder)/a.panel.yaml", "\(folder)/e.panel.yaml",
      ])
      #expect(result.status == 66)
      #expect(result.output == "passed  \(folder)/a.scenario.yaml: S\n1 passed, 0 failed, 1 not run: see above\n")
      #expect(result.errors.hasPrefix("\(folder)/e.panel.yaml: no scenario beside it belongs to it; "))
      let report = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(report.contains(#"a.panel.yaml" tests="1" failures="0" errors="0""#), "\(report)")
      #expect(report.contains(#"e.panel.yaml" tests="1" failures="0" errors="1""#), "\(report)")
    }
  }

  @Test("a wrong panel hides nothing of the others: they are run, and the status says that a file is wrong")
  func others() {
    let files = [
      "a.panel.yaml": "panel: [", "a.scenario.yaml": Self.good, "b.panel.yaml": Self.panel,
      "b.scenario.yaml": Self.good,
      "b-bad.scenario.yaml": Self.bad, "b-wrong.scenario.yaml": "scenario: S\nsteps: [ { press: nobody } ]",
      "stray.scenario.yaml": Self.good,
    ]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", "--junit", "\(folder)/out.xml", folder])
      #expect(result.status == 65)
      #expect(result.output.hasSuffix("2 passed, 1 failed, 3 not run: see above\n"))
      for text in [
        "a.panel.yaml:2:1: ", "b-wrong.scenario.yaml:2:19: unknown input", "stray.scenario.yaml: it belongs to none",
      ] {
        #expect(result.errors.contains("\(folder)/\(text)"), "\(text)")
      }
      let report = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(report.contains(#"a.panel.yaml" tests="1" failures="0" errors="1""#))
      #expect(report.contains(#"b.panel.yaml" tests="4" failures="1" errors="1""#))
    }
  }

  @Test("a result of chance that is drawn in no case is noted, and fails nothing")
  func undrawn() {
    let panel = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      values: { n: { initial: 0, min: 0, max: 6 } }
      initial: x
      states: { x: { on: { key.pressed: { set: { n: random 1..6 } } } } }

      """
    let scenario = """
      scenario: S
      cases: [ { times: 1 }, { times: 2 } ]
      steps: [ { draw: [ 3, 4, 5 ] }, { repeat: { times: $times, steps: [ { click: key } ] } } ]

      """
    withFiles(["p.panel.yaml": panel, "p.scenario.yaml": scenario]) { folder in
      let result = PanelProcess.run(["test", folder])
      #expect(result.status == 0)
      #expect(result.errors == "\(folder)/p.scenario.yaml:3:12: note: no random choice used 5\n")
    }
  }

  @Test("a panel that doesn't come to rest fails its scenario, and the others are run")
  func restless() {
    let restless = """
      panel: R
      values: { n: { initial: 0, min: 0, max: 5 } }
      initial: x
      states:
        x: { after: { 0s: { go: y, if: n == 0 } } }
        y: { after: { 0s: { go: x, if: n == 0 } } }

      """
    let files = [
      "a.panel.yaml": restless, "a.scenario.yaml": "scenario: S\nsteps: [ { wait: 1s } ]\n", "b.panel.yaml": Self.panel,
      "b.scenario.yaml": "scenario: T\nsteps: [ { wait: 1s } ]\n",
    ]
    withFiles(files) { folder in
      let result = PanelProcess.run(["test", "--junit", "\(folder)/out.xml", folder])
      #expect(result.status == 1)
      #expect(
        result.output
          == "FAILED  \(folder)/a.scenario.yaml: S\npassed  \(folder)/b.scenario.yaml: T\n1 passed, 1 failed\n")
      #expect(result.errors.hasPrefix("\(folder)/a.scenario.yaml:2:12: endless loop of \"after\": x, y"))
      let report = bytes(of: "\(folder)/out.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(report.contains(#"<testsuite name="\#(folder)/a.panel.yaml" tests="1" failures="1" errors="0""#))
    }
  }
}
