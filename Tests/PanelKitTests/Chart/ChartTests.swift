import Glibc
import TestSupport
import Testing

@testable import PanelChart
@testable import PanelLanguage

@Suite("The picture of a statechart")
struct ChartTests {
  private static let door = """
    panel: 'The "garage"'
    inputs: { key: { button: GPIO5, hold: 3s }, top: { switch: GPIO6 } }
    outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
    values: { n: { initial: 0, min: 0, max: 9 } }
    on: { key.held: resting, top.on: { set: { n: +1 } } }
    initial: resting
    states:
      resting: { on: { key.clicked: [ { go: lowering, if: n<n+1 and top == on }, { go: moving, if: n < 3 } ] } }
      moving:
        on: { key.clicked: resting }
        after: { 20s: end }
        done: { resume: moving }
        regions:
          motor:
            initial: up-slow
            states: { up-slow: { show: { up: on }, when: { "n > 3": stop } }, stop: { final: true } }
          lowering-time: { initial: lowering, states: { lowering: { after: { 2s: ended } }, ended: { final: true } } }
      end: { on: { key.pressed | top.off: resting, key.released: resting } }
    """

  private func chart(_ text: String) throws -> (panel: PanelDefinition, arrows: [ChartArrow]) {
    try withFiles(["p.yaml": text]) { folder in
      let path = "\(folder)/p.yaml"
      let panel = try PanelFile.read(path: path)
      return (panel, ChartReader(of: panel).arrows(try PanelFile.tree(path: path)))
    }
  }

  @Test("as text for Mermaid: states inside states, regions, and arrows with what is written")
  func mermaid() throws {
    let (panel, arrows) = try chart(Self.door)
    #expect(
      MermaidText(panel, arrows).text == #"""
        ---
        title: "The \"garage\""
        ---
        stateDiagram-v2
          [*] --> resting
          resting
          state moving {
            state motor {
              [*] --> up__slow
              state "up-slow" as up__slow
              stop
              stop --> [*]
            }
            --
            state "lowering-time" as lowering__time
            state lowering__time {
              [*] --> lowering
              lowering
              ended
              ended --> [*]
            }
          }
          state "end" as end__
          state "any state" as any
          any --> resting : key.held
          resting --> lowering : key.clicked [n< n+1 and top == on]
          resting --> moving : key.clicked [n < 3]
          moving --> resting : key.clicked
          moving --> end__ : after 20s
          moving --> moving : done, as it was left
          up__slow --> stop : when n > 3
          lowering --> ended : after 2s
          end__ --> resting : key.pressed | top.off<br/>key.released

        """#)
  }

  @Test("as text for Graphviz: an arrow ends at the border of a state with others inside")
  func graphviz() throws {
    let (panel, arrows) = try chart(Self.door)
    let lines = GraphvizText(panel, arrows).text.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in [
      #"digraph "The \"garage\"" {"#, "subgraph cluster_state2 {", #"label="lowering-time"; style="rounded,dashed";"#,
      #"state4 [label="stop", peripheries=2];"#, "begin1 -> state3;",
      #"any [label="any state", style="rounded,dashed"];"#, #"any -> state1 [label="key.held"];"#,
      #"state1 -> begin1 [label="key.clicked [n < 3]", lhead=cluster_state2];"#,
      #"begin1 -> state7 [label="after 20s", ltail=cluster_state2];"#,
      #"state7 -> state1 [label="key.pressed | top.off\nkey.released"];"#,
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
    #expect(lines.count { $0.hasSuffix("{") } == lines.count { $0 == "}" })
  }

  @Test(
    "several regions of the top level are inside a box of the panel's name, and names that occur twice are told apart")
  func topRegions() throws {
    let (panel, arrows) = try chart(
      """
      panel: Two
      inputs: { a: { button: GPIO5 } }
      regions:
        one: { initial: x, states: { x: { on: { a.pressed: y } }, y: { after: { 1s: x } } } }
        x: { initial: x, states: { x: { on: { a.pressed: y } }, y: { after: { 2s: x } } } }
      """)
    #expect(
      MermaidText(panel, arrows).text == """
        ---
        title: "Two"
        ---
        stateDiagram-v2
          state "Two" as panel
          state panel {
            state one {
              [*] --> x
              x
              y
            }
            --
            state "x" as x__3
            state x__3 {
              [*] --> x__2
              state "x" as x__2
              state "y" as y__2
            }
          }
          x --> y : a.pressed
          y --> x : after 1s
          x__2 --> y__2 : a.pressed
          y__2 --> x__2 : after 2s

        """)
  }

  @Test("each arrow of the examples is a transition of the panel that has a target", arguments: SchemaTests.examples)
  func examples(path: String) throws {
    guard path.hasSuffix(".panel.yaml") else { return }
    let path = "\(checkoutRoot)/\(path)"
    let panel = try PanelFile.read(path: path)
    let arrows = ChartReader(of: panel).arrows(try PanelFile.tree(path: path))
    let read = Set(arrows.map { [$0.source, $0.target] })
    var expected: Set<[Int]> = []
    for (number, state) in panel.states.enumerated() {
      let transitions = state.on.flatMap(\.transitions) + state.after.flatMap(\.transitions) + state.when + state.done
      for target in transitions.compactMap(\.target) { expected.insert([number, target.state]) }
    }
    #expect(read == expected)
    if path.contains("/steps/10-") { #expect(!read.isEmpty) }
  }
}

@Suite("The command panel draw", .serialized)
struct DrawCommandTests {
  private static let quiz = "Examples/quiz/quiz.panel.yaml"

  @Test("prints text for Mermaid, or for Graphviz")
  func text() {
    let mermaid = PanelProcess.run(["draw", Self.quiz])
    #expect(mermaid.status == 0 && mermaid.output.contains("\nstateDiagram-v2\n"))
    let graphviz = PanelProcess.run(["draw", "--dot", Self.quiz])
    #expect(graphviz.status == 0 && graphviz.output.hasPrefix("digraph \"Quiz\" {\n"))
  }

  @Test("without Graphviz a picture can't be made, which is told with what to do, and no file is left")
  func missing() {
    withFiles { folder in
      let result = PanelProcess.run(
        ["draw", Self.quiz, "-o", "\(folder)/quiz.svg"], environment: ["PATH=\(folder)"])
      #expect(result.status == 69)
      #expect(result.errors == "no \"dot\" found; install graphviz, or use the Mermaid text\n")
      #expect(names(in: folder) == [])
    }
  }

  /// Draws with the script `dot` in the folder, as Graphviz need not be installed.
  private func draw(in folder: String) -> PanelProcess.Result {
    let path = "\(folder)/dot"
    #expect(chmod(path, 0o755) == 0)
    return PanelProcess.run(
      ["draw", Self.quiz, "-o", "\(folder)/quiz.svg"], environment: ["PATH=\(folder):/usr/bin:/bin"])
  }

  @Test("the picture is what dot prints, in place of one that is there")
  func picture() {
    let script = "#!/bin/sh\necho \"<svg> $*\"\ncat\n"
    withFiles(["dot": script, "quiz.svg": "old"]) { folder in
      let result = draw(in: folder)
      #expect(result == .init(status: 0, output: "", errors: ""))
      let graph = PanelProcess.run(["draw", "--dot", Self.quiz]).output
      #expect(bytes(of: "\(folder)/quiz.svg").map { String(decoding: $0, as: UTF8.self) } == "<svg> -Tsvg\n\(graph)")
    }
  }

  @Test("a dot that fails, also without reading, leaves the old picture")
  func failing() {
    let script = "#!/bin/sh\nexit 3\n"
    withFiles(["dot": script, "quiz.svg": "old"]) { folder in
      let result = draw(in: folder)
      #expect(result.status == 69)
      #expect(result.errors == "dot ended with 3; try `panel draw --dot` and dot by hand\n")
      #expect(bytes(of: "\(folder)/quiz.svg").map { String(decoding: $0, as: UTF8.self) } == "old")
    }
  }

  @Test("with --coverage what scenarios have entered and taken has another colour than the rest")
  func coverage() {
    let panel = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      initial: x
      states:
        x: { on: { key.pressed: y, key.held: z } }
        y: { after: { 1s: x, 2s: z } }
        z: { on: { key.pressed: [ { go: x } ] } }

      """
    let scenario = "scenario: S\nsteps: [ { click: key }, { wait: 1s } ]\n"
    withFiles(["p.panel.yaml": panel, "p.scenario.yaml": scenario]) { folder in
      let files = ["\(folder)/p.panel.yaml", "\(folder)/p.scenario.yaml"]
      let mermaid = PanelProcess(["draw", "--coverage"] + files).finish()
      #expect(mermaid.status == 0 && mermaid.errors == "")
      #expect(
        mermaid.output.hasSuffix(
          """
            x --> y : key.pressed
            x --> z : key.held (never fired)
            y --> x : after 1s
            y --> z : after 2s (never fired)
            z --> x : key.pressed (never fired)
            classDef entered fill:#dafbe1,stroke:#1a7f37,color:#000
            class x,y entered
            classDef never fill:#ffebe9,stroke:#cf222e,color:#000
            class z never

          """), "\(mermaid.output)")
      let graph = PanelProcess(["draw", "--coverage", "--dot"] + files).finish().output
      #expect(
        graph.contains("state1 [label=\"x\", style=\"rounded,filled\", color=\"#1a7f37\", fillcolor=\"#dafbe1\"];"))
      #expect(
        graph.contains("state3 [label=\"z\", style=\"rounded,filled\", color=\"#cf222e\", fillcolor=\"#ffebe9\"];"))
      #expect(graph.contains("state1 -> state2 [label=\"key.pressed\", color=\"#1a7f37\", fontcolor=\"#1a7f37\"];"))
      #expect(graph.contains("[label=\"after 2s (never fired)\", color=\"#cf222e\", fontcolor=\"#cf222e\"];"))
      #expect(PanelProcess(["draw", "--coverage", files[0]]).finish().status == 64)
      #expect(PanelProcess(["draw"] + files).finish().status == 64)
    }
  }
}
