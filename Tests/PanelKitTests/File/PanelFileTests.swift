import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelWiring

@Suite struct PanelFileTests {
  private typealias Panel = PanelDefinition

  @Test("the doorbell reads as exactly this panel") func doorbell() throws {
    let panel = try Fixture.doorbell()
    let expected = Panel(
      name: "Doorbell",
      chip: "auto",
      inputs: [
        .init(name: "bell", device: ButtonKind(line: "GPIO17")),
        .init(
          name: "reset",
          device: ButtonKind(
            line: "GPIO22",
            settings: .init(
              contact: .init(debounce: .milliseconds(10), pull: .up, active: .low), presses: .init(hold: .seconds(1))))),
        .init(name: "mute", device: SwitchKind(line: "GPIO27")),
        .init(name: "knob", device: EncoderKind(lines: ["GPIO5", "GPIO6"])),
      ],
      outputs: [
        .init(name: "lamp", device: LEDKind(line: "GPIO23")),
        .init(name: "bar", device: BarKind(lines: ["GPIO12", "GPIO13", "GPIO16", "GPIO19"])),
        .init(name: "lock", device: RelayKind(line: "GPIO24", active: .low)),
      ],
      sounds: [
        .init(
          name: "chime", source: .file(Fixture.folder + "/doorbell/sounds/chime.wav"),
          volume: .fixed(gain: 0.95 * 0.95 * 0.95)),
        .init(name: "hum", source: .tone(hertz: 440), volume: .fixed(gain: 0.6 * 0.6 * 0.6), loop: true),
      ],
      values: [
        .init(name: "level", initial: 7, min: 0, max: 10),
        .init(name: "rings", initial: 0, min: 0, max: 999),
      ],
      audio: .init(device: "default", volume: .value(0, decibels: nil)),
      states: Self.doorbellStates,
      regions: [.init(name: nil, initial: 1, states: [1, 2])],
      safe: [.off, .count(0), .off],
      unused: [
        .init(line: 7, column: 3, text: "nothing reacts to switch \"mute\", and no condition names it; leave it out"),
        .init(line: 17, column: 3, text: "nothing plays sound \"hum\"; play it, or leave it out"),
      ])
    #expect(panel == expected)
  }

  private static var doorbellStates: [Panel.State] {
    let top = Panel.State(
      name: "", regions: [0], show: [.init(output: 1, rule: .always(.value(0)))],
      on: [
        .init(
          event: .input(3, EncoderKind.clockwise),
          transitions: [.init(assignments: [.init(value: 0, change: .by(.constant(1)))])]),
        .init(
          event: .input(3, EncoderKind.counterclockwise),
          transitions: [.init(assignments: [.init(value: 0, change: .by(.constant(-1)))])]),
      ])
    let toIdle = Panel.Transition(target: .init(region: 0, state: 1))
    let toRinging = Panel.Transition(target: .init(region: 0, state: 2))
    let idle = Panel.State(
      name: "idle", region: 0, show: [.init(output: 0, rule: .always(.off))],
      on: [.init(event: .input(0, ButtonEvent.pressed), transitions: [toRinging])])
    let blinking = OutputAppearance.blink(on: .milliseconds(250), off: .milliseconds(250), times: nil)
    let ringing = Panel.State(
      name: "ringing", region: 0, show: [.init(output: 0, rule: .always(blinking))], play: [.sound(0)],
      enter: .init(assignments: [.init(value: 1, change: .by(.constant(1)))]),
      on: [
        .init(event: .input(0, ButtonEvent.pressed), transitions: [toRinging]),
        .init(event: .input(1, ButtonEvent.held), transitions: [toIdle]),
      ],
      after: [.init(delay: .fixed(.seconds(3)), transitions: [toIdle])])
    return [top, idle, ringing]
  }

  private func panel(_ text: String) throws -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "test", folder: "/panels", checkSound: { _ in nil })
  }

  @Test("on, off, yes and signs stay the words that were written, in quotes or not") func rawWords() throws {
    let panel = try panel(
      """
      panel: "yes"
      outputs: { lamp: { led: GPIO1 }, no: { relay: GPIO2 } }
      inputs: { "y": { switch: GPIO3 } }
      values: { n: { initial: -3, min: -5, max: +5 } }
      "on": { y.on: { set: { n: +1 } }, "y.off": { set: { n: "-1" } } }
      initial: on
      states:
        on: { show: { "lamp": "on", no: off }, on: { y.on: off } }
        off:
          show: { lamp: { blink: { on: 100ms, off: 900ms, times: 3 } } }
          on: { y.off: { set: { n: 1 }, go: on } }
      """)
    #expect(panel.name == "yes")
    #expect(panel.values == [.init(name: "n", initial: -3, min: -5, max: 5)])
    #expect(panel.states[0].on.map(\.event) == [.input(0, SwitchEvent.on), .input(0, SwitchEvent.off)])
    #expect(
      panel.states[0].on.map { $0.transitions[0].assignments[0].change } == [.by(.constant(1)), .by(.constant(-1))])
    let states = Array(panel.states.dropFirst())
    #expect(states.map(\.name) == ["on", "off"])
    #expect(states[0].show == [.init(output: 0, rule: .always(.on)), .init(output: 1, rule: .always(.off))])
    #expect(states[1].show[0].rule == .always(.blink(on: .milliseconds(100), off: .milliseconds(900), times: 3)))
    #expect(
      states[1].on[0].transitions == [
        .init(assignments: [.init(value: 0, change: .to(.number(.constant(1))))], target: .init(region: 0, state: 1))
      ])
  }

  @Test("a button tells clicks, holds and double clicks where the file asks for them") func gestures() throws {
    let panel = try panel(
      """
      panel: P
      inputs:
        plain: { button: GPIO1 }
        long: { button: GPIO2 }
        twice: { button: GPIO3, pull: down }
        own: { button: GPIO4, hold: 2s, double-click: 400ms, pull: none, active: high }
      initial: a
      states: { a: { on: { plain.clicked: a, long.held: a, twice.double-clicked: a, own.held: a } } }
      """)
    let settings = panel.inputs.compactMap { $0.device as? ButtonKind }
    #expect(settings.map(\.settings.presses.emitsClicks) == [true, false, false, false])
    #expect(settings.map(\.settings.presses.hold) == [nil, .seconds(1), nil, .seconds(2)])
    #expect(settings.map(\.settings.presses.doubleClick) == [nil, nil, .milliseconds(300), .milliseconds(400)])
    #expect(settings.map(\.settings.contact.active) == [.low, .low, .high, .high])
    #expect(settings.map(\.settings.contact.pull) == [.up, .up, .down, .none])
  }

  @Test("regions run side by side; a state at the top level is that of the one region which has it") func regions()
    throws
  {
    let panel = try panel(
      """
      panel: P
      inputs: { bell: { button: GPIO1 } }
      values: { level: { initial: 0, min: 0, max: 10 } }
      on: { bell.clicked: { go: dark, if: "state.doors == open and level>=3" } }
      regions:
        doors: { initial: open, states: { open: { after: { 1s: closed } }, closed: } }
        lights: { initial: bright, states: { bright: {}, dark: {} } }
      """)
    #expect(panel.regions.map(\.name) == ["doors", "lights"])
    #expect(
      panel.states[0].on[0].transitions == [
        .init(
          condition: .all([
            .state(.init(region: 0, state: 1)), .comparison(.value(0), .greaterOrEqual, .constant(3)),
          ]),
          target: .init(region: 1, state: 4))
      ])
  }

  @Test("each event of the specification reads") func events() throws {
    let names = [
      "b.pressed", "b.released", "b.held", "b.clicked", "b.double-clicked", "s.on", "s.off", "e.clockwise",
      "e.counterclockwise", "beep.finished", "audio.lost", "audio.restored", "gpio.lost", "gpio.restored",
    ]
    let panel = try panel(
      """
      panel: P
      inputs: { b: { button: GPIO1 }, s: { switch: GPIO2 }, e: { encoder: [GPIO3, "gpiochip0:017"] } }
      sounds: { beep: { file: beep.wav }, tone: { tone: 1.5kHz }, far: { file: /sounds/far.wav } }
      initial: a
      states: { a: { on: { \(names.map { "\($0): a" }.joined(separator: ", ")) } } }
      """)
    let expected: [PanelEvent] =
      (0..<5).map { .input(0, $0) } + (0..<2).map { .input(1, $0) } + (0..<2).map { .input(2, $0) }
      + [.finished(sound: 0), .lost(.audio), .restored(.audio), .lost(.gpio), .restored(.gpio)]
    #expect(panel.states[1].on.map(\.event) == expected)
    #expect(panel.inputs[2].device as? EncoderKind == EncoderKind(lines: ["GPIO3", "gpiochip0:17"]))
    #expect(panel.sounds.map(\.source) == [.file("/panels/beep.wav"), .tone(hertz: 1500), .file("/sounds/far.wav")])
  }

  @Test("each way of showing reads, and the safe state names every output") func showing() throws {
    let panel = try panel(
      """
      panel: P
      outputs: { l: { led: GPIO1 }, b: { bar: [GPIO2, GPIO3], active: low }, r: { relay: GPIO4 } }
      values: { v: { initial: 0, min: 0, max: 2 } }
      show: { b: 2, r: on }
      initial: a
      states:
        a: { show: { l: { blink: 250ms } }, after: { 1.5s: b } }
        b: { show: { l: { pulse: 2s }, b: v }, after: { 2m: c } }
        c: { show: { l: { level: 0.3 } } }
      safe: { r: on, b: 1 }
      """)
    #expect(panel.states[0].show == [.init(output: 1, rule: .always(.count(2))), .init(output: 2, rule: .always(.on))])
    #expect((panel.outputs[1].device as? BarKind)?.active == .low)
    let states = Array(panel.states.dropFirst())
    #expect(states[0].show[0].rule == .always(.blink(on: .milliseconds(250), off: .milliseconds(250), times: nil)))
    #expect(states[1].show.map(\.rule) == [.always(.pulse(.seconds(2))), .always(.value(0))])
    #expect(states[2].show[0].rule == .always(.level(0.3)))
    #expect(states.flatMap(\.after).map(\.delay) == [.fixed(.milliseconds(1500)), .fixed(.seconds(120))])
    #expect(panel.safe == [.off, .count(1), .on])
  }

  @Test("a circle of no time is allowed where a condition can end it") func conditionalCircle() throws {
    let panel = try panel(
      """
      panel: P
      values: { n: { initial: 0, min: 0, max: 10 } }
      initial: a
      states: { a: { after: { 0s: { go: a, if: n < 10, set: { n: +1 } } } } }
      """)
    #expect(panel.states[1].after[0].delay == .fixed(.zero))
  }

  @Test("a file that isn't there, a folder and a file that may not be opened are told without a line") func absent() {
    let absent = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(path: "/nowhere/x.yaml") }
    #expect(absent == [" no such file; check the path"])
    let folder = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(path: "/") }
    #expect(folder == [" not a file; name a panel file"])
    let device = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(path: "/dev/zero") }
    #expect(device == [" not a file; name a panel file"])
    let nameless = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(path: "") }
    #expect(nameless == [" no such file; name a panel file"])
  }

  @Test("the kind of a failure tells what the exit status depends on") func kinds() {
    func kind(_ path: String) -> Problems.Kind? {
      do throws(Problems) {
        _ = try PanelFile.read(path: path)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind("/nowhere") == .noSuchFile)
    #expect(kind(Fixture.wrongFiles + "/empty.panel.yaml") == .wrongContent)
    #expect(kind(Fixture.folder + "/doorbell/doorbell.panel.yaml") == nil)
  }

  @Test("the first hundred problems are told, then how many more") func cap() {
    let keys = (0..<250).map { "k\($0): 1" }.joined(separator: "\n")
    let found = Fixture.problems(ofPanel: "panel: P\ninitial: a\nstates: { a: {} }\n" + keys)
    #expect(found.count == 101)
    #expect(found[99].hasPrefix("103:1: unknown key \"k99\"; keys of a panel file: "))
    #expect(found[100] == " 150 more not shown; fix these first")
  }
}
