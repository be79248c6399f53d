import Glibc
import TestSupport
import Testing

// One at a time: a process started beside another would inherit its pipes.
@Suite("The command", .serialized)
struct CommandTests {
  static let doorbell = "Examples/doorbell/doorbell.panel.yaml"

  @Test("steps on standard input are taken in virtual time, and what each one changed is printed")
  func steps() {
    let result = PanelProcess.run(
      ["simulate", Self.doorbell],
      input: """
        # a visitor
        press bell
        wait 10ms
        expect lamp=blinking state=ringing playing=chime rings=1
        turn knob=-3
        wait 5s
        expect state=idle level=4 playing=
        show
        """)
    #expect(
      result
        == .init(
          status: 0,
          output: """
            Doorbell
            0.000s  state=idle  lamp=off  bar=3  lock=off  level=7  rings=0  playing=nothing
            0.010s  state=ringing  lamp=blinking  rings=1  playing=chime
            0.022s  bar=2  level=4
            5.022s  state=idle  lamp=off  playing=nothing
            5.022s  state=idle  lamp=off  bar=2  lock=off  level=4  rings=1  playing=nothing  bell=pressed  reset=released  mute=off

            """,
          errors: ""))
  }

  @Test("a panel that stops at its start says so")
  func haltedAtStart() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      initial: x
      states: { x: { when: { a == released: y } }, y: { when: { a == released: x } } }

      """
    withFiles(["p.panel.yaml": text]) { folder in
      let result = PanelProcess.run(["simulate", "\(folder)/p.panel.yaml"], input: "show\n")
      #expect(result.status == 1)
      #expect(result.errors == "P: endless loop of \"when\": y, x, y, x; all outputs are in their safe state\n")
    }
  }

  @Test("a panel that stops for good says why in the line mode, once, and ends with 1")
  func halted() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      outputs: { l: { led: GPIO2 } }
      never: { dark: l == off and a == pressed }
      initial: x
      states: { x: { show: { l: on }, on: { a.pressed: y } }, y: { on: { a.released: x } } }

      """
    withFiles(["p.panel.yaml": text]) { folder in
      let result = PanelProcess.run(
        ["simulate", "\(folder)/p.panel.yaml"], input: "press a\nwait 10ms\nwait 1s\nshow\n")
      #expect(result.status == 1)
      #expect(
        result.errors.hasPrefix(
          "<standard input>:2:1: never dark: l == off and a == pressed, after a.pressed in x; all outputs are in their safe state until the panel is restarted\n"
        ))
      #expect(result.errors.split(separator: "\n").count { $0.contains("never dark") } == 1)
    }
  }

  @Test("an expectation that isn't met ends with 1 and says what was there, and what had happened")
  func unmetExpectation() {
    let result = PanelProcess.run(
      ["simulate", Self.doorbell], input: "press bell\nwait 10ms\nexpect lamp=off\n")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        <standard input>:3:1: expected lamp off; it is blinking
          1 input and 1 line of the last second:
            0.005s  bell.pressed  idle -> ringing
            0.005s  chime started

        """)
  }

  @Test("a line that can't be read ends with 65, and nothing after it runs")
  func wrongLine() {
    let result = PanelProcess.run(["simulate", Self.doorbell], input: "press bel\npress bell\nwait 1s\n")
    #expect(result.status == 65)
    #expect(result.errors == "<standard input>:1:7: unknown input \"bel\"; did you mean \"bell\"?\n")
    #expect(!result.output.contains("ringing"))
  }

  @Test("the sample panel needs no file, and an empty input ends it at once")
  func sample() {
    let result = PanelProcess.run(["simulate"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("Doorbell\n0.000s  state.door=closed  state.bell=idle  lamp=off"))
  }

  @Test("the sample panel rings, opens and falls silent")
  func sampleRings() {
    let result = PanelProcess.run(
      ["simulate"],
      input: """
        press bell
        wait 10ms
        expect state.bell=ding playing=ding lamp=blinking
        wait 500ms
        expect state.bell=dong playing=dong
        release bell
        hold open=1200ms
        expect lock=on
        wait 4s
        expect lock=off state.bell=idle playing=
        switch quiet=on
        wait 10ms
        expect night=pulsing
        """)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test(
    "the exit statuses are those of sysexits.h",
    arguments: [
      (["check", doorbell], 0),
      (["simulate", "no-such-file.yaml"], 66),
      (["run"], 64),
      (["run", doorbell, "--gpio", "virtual"], 64),
      (["check", "Package.swift"], 65),
      (["safe", doorbell, "--gpio", "simulated"], 0),
      (["run", doorbell, "--gpio", "simulated", "--audio", "/no/such/folder/out.wav"], 69),
    ] as [([String], Int32)])
  func statuses(_ arguments: [String], _ status: Int32) {
    #expect(PanelProcess.run(arguments).status == status)
  }

  @Test("a sound device that isn't there is told in words, and nothing is started")
  func noCard() throws {
    let result = withFiles(["asound.conf": "pcm.!default { type hw card 31 }\n"]) { folder in
      PanelProcess.run(["simulate", "--audio", "real"], environment: ["ALSA_CONFIG_PATH=\(folder)/asound.conf"])
    }
    #expect(result.status == 69)
    #expect(result.output == "")
    #expect(
      result.errors == """
        panel: cannot open the sound device "default": there is no such device (ENOENT). `aplay -L` lists the devices; \
        name one in the panel file, or use --audio simulated.

        """)
  }

  @Test("a panel without sounds opens no sound device: there need not be one")
  func silentPanel() throws {
    let panel = "panel: Silent\noutputs: { lamp: { led: GPIO23 } }\ninitial: a\nstates: { a: { show: { lamp: on } } }\n"
    withFiles(["asound.conf": "pcm.!default { type hw card 31 }\n", "p.yaml": panel]) { folder in
      let process = PanelProcess(
        ["run", "\(folder)/p.yaml", "--gpio", "simulated", "--log-level", "info"],
        environment: ["ALSA_CONFIG_PATH=\(folder)/asound.conf"])
      #expect(
        process.readErrorLine()
          == "Silent: running: 0 inputs and 1 output on a simulated chip, no sound")
      process.send(SIGTERM)
      let result = process.finish(closingInput: false)
      #expect(result.status == 0)
      #expect(result.errors == "Silent: stopped\n")
    }
  }

  @Test("a sound file that can't be played is told by check, with its place, and ends with 65")
  func wrongSound() {
    let result = PanelProcess.run(["check", "Tests/PanelKitTests/WrongFiles/sound-structure.panel.yaml"])
    #expect(result.status == 65)
    #expect(
      result.errors.contains("sound-structure.panel.yaml:3:18: sound file \"three-channels.wav\": it has 3 channels"))
  }

  @Test("check notes what is most likely not meant, and ends with 0")
  func notes() {
    let panel =
      "panel: N\ninputs: { key: { button: GPIO4, active: high } }\nuntouched: { 1m: a }\ninitial: a\nstates: { a: }\n"
    withFiles(["p.yaml": panel]) { folder in
      let result = PanelProcess.run(["check", "\(folder)/p.yaml"])
      #expect(result.status == 0)
      #expect(result.errors.hasPrefix("\(folder)/p.yaml:2:41: note: \"key\" is pressed while its contact is open; "))
      #expect(result.output.hasSuffix(": nothing is wrong\n"))
    }
  }

  @Test("virtual time has an end, which is told")
  func endOfTime() {
    let result = PanelProcess.run(["simulate"], input: String(repeating: "wait 1000000m\n", count: 160))
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("panel: cannot advance the clock at "))
    #expect(result.errors.hasSuffix(": the range of the clock ends after 292 years. Wait for less time.\n"))
  }

  @Test("a chip that isn't there is told in words, and so is where it was looked for")
  func noChip() throws {
    let panel = """
      panel: Lost
      chip: no-such-chip
      outputs: { lamp: { led: GPIO23 } }
      initial: on
      states: { on: { show: { lamp: on } } }

      """
    let result = withFiles(["lost.panel.yaml": panel]) { folder in
      PanelProcess.run(["run", "\(folder)/lost.panel.yaml", "--audio", "simulated"])
    }
    #expect(result.status == 69)
    #expect(result.errors.hasPrefix("panel: cannot find "))
    #expect(result.errors.contains("GPIO chip"))
  }

  @Test("scenarios are told one by one, and how many passed")
  func scenarios() {
    let result = PanelProcess.run(
      [
        "test", "Examples/quiz/quiz.panel.yaml", "Examples/quiz/first-wins.scenario.yaml",
        "Examples/quiz/too-late.scenario.yaml",
      ])
    #expect(
      result
        == .init(
          status: 0,
          output: """
            passed  Examples/quiz/first-wins.scenario.yaml: The first to press wins, the other one's button is dead
            passed  Examples/quiz/too-late.scenario.yaml: Nobody scores when the time is over and the host holds
            2 passed, 0 failed

            """, errors: ""))
  }

  @Test("Ctrl-C and SIGTERM end a panel with 0", arguments: [SIGINT, SIGTERM])
  func signals(_ signal: Int32) {
    let simulation = PanelProcess(["simulate", Self.doorbell])
    #expect(simulation.readLine() == "Doorbell")
    simulation.send(signal)
    #expect(simulation.finish(closingInput: false).status == 0)

    let panel = PanelProcess([
      "run", Self.doorbell, "--gpio", "simulated", "--audio", "simulated", "--log-level", "info",
    ])
    #expect(
      panel.readErrorLine()
        == "Doorbell: running: 4 inputs and 3 outputs on a simulated chip, sound on a simulated card")
    panel.send(signal)
    let result = panel.finish(closingInput: false)
    #expect(result.status == 0)
    #expect(result.errors == "Doorbell: stopped\n")
  }

  @Test("control characters in a name reach neither a terminal nor a journal")
  func controlCharacters() {
    let panel = #"""
      panel: "\e]0;owned\a\n<0>forged"
      initial: a
      states: { a: {} }

      """#
    let scenario = #"""
      scenario: "\e[2Jx"
      steps: [ show ]

      """#
    withFiles(["p.yaml": panel, "s.yaml": scenario]) { folder in
      let file = "\(folder)/p.yaml"
      let commands = [["check", file], ["simulate", file], ["test", file, "\(folder)/s.yaml"]]
      for command in commands {
        let result = PanelProcess.run(command)
        #expect(result.status == 0)
        #expect(!result.output.contains("\u{1B}"))
        #expect(!result.output.contains("\n<0>"))
      }
      #expect(PanelProcess.run(commands[1]).output.hasPrefix(#"\u{1b}]0;owned\u{7}\n<0>forged"#))
    }
  }

  @Test("the same steps give the same bytes of sound, every time")
  func determinism() throws {
    let steps = "seed 3\nbounce bell=2ms\nclick bell\nwait 700ms\nclick bell\nwait 4s\n"
    try withFiles { folder in
      for name in ["a", "b"] {
        let arguments = ["simulate", Self.doorbell, "--audio", "\(folder)/\(name).wav"]
        #expect(PanelProcess.run(arguments, input: steps).status == 0)
      }
      let sound = try #require(bytes(of: "\(folder)/a.wav"))
      #expect(sound.count > 200_000)
      #expect(sound == bytes(of: "\(folder)/b.wav"))
    }
  }

  @Test("a panel file may have any name")
  func file() {
    withFiles(["panel.yaml": "panel: P\ninitial: a\nstates: { a: }\n"]) { folder in
      let name = Array("\(folder)/n".utf8) + [0xE9] + Array(".yaml".utf8) + [0]
      let path = name.map { CChar(bitPattern: $0) }
      rename("\(folder)/panel.yaml", path)
      let result = PanelProcess.run([], prefix: #"set -- "$1" check "\#(folder)/$(printf 'n\351.yaml')";"#)
      #expect(
        result
          == .init(
            status: 0, output: "\(folder)/n\\xe9.yaml: P: 0 inputs, 0 outputs, 0 sounds, 1 state: nothing is wrong\n",
            errors: ""))
      unlink(path)
    }
  }
}
