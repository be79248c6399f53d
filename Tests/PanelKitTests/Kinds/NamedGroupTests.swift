import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("Groups of outputs: names, relays, bars from the end")
struct NamedGroupTests {
  private func problems(_ outputs: String, _ show: String) -> [String] {
    let text = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      outputs: { \(outputs) }
      initial: a
      states: { a: { show: { \(show) }, on: { key.pressed: b } }, b: { on: { key.pressed: a } } }

      """
    return Fixture.problems { () throws(Problems) in _ = try PanelFile.read(Array(text.utf8), file: "test") }
  }

  @Test("the members of a map have its names, in looks, expectations and conditions")
  func names() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO17 } }
        outputs: { lights: { leds: { red: GPIO9, amber: GPIO10, green: GPIO11 } } }
        values: { at: { initial: 2, min: 0, max: 3 } }
        never: { both: lights(red) == on and lights(green) == on }
        initial: stop
        states:
          stop: { show: { lights(red): on }, on: { key.pressed: soon } }
          soon: { show: { lights(red): on, lights(amber): { blink: 100ms } }, on: { key.pressed: go } }
          go: { show: { lights(green): on }, on: { key.pressed: one } }
          one: { show: { lights: { only: at } }, on: { key.pressed: stop } }

        """)
    #expect(try stage.take("expect lights=[on,off,off]; expect lights(red)=on") == [])
    #expect(try stage.take("click key; expect lights(red)=on lights(amber)=blinking") == [])
    #expect(try stage.take("click key; expect lights=[off,off,on]; click key; expect lights=[off,on,off]") == [])
  }

  @Test("a name that is not a member is told with the names that are")
  func wrong() {
    let lights = "lights: { leds: { red: GPIO9, green: GPIO11 } }"
    #expect(problems(lights, "lights(red): on") == [])
    #expect(
      problems(lights, "lights(rad): on") == ["5:24: unknown output \"lights(rad)\"; did you mean \"lights(red)\"?"])
    #expect(
      problems("lights: { leds: { red: GPIO9, 2: GPIO11 } }", "lights: on").first?.contains("invalid name \"2\"")
        == true)
    #expect(problems("lights: { leds: { red: GPIO9 } }", "lights: on").first?.contains("a map of 1") == true)
    #expect(problems("lights: { leds: { red: GPIO9, green: GPIO9 } }", "lights: on").first?.contains("GPIO9") == true)
  }

  @Test("a group of relays shows one of them, and an interlock can name the group")
  func relays() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      outputs: { motor: { relays: { up: GPIO5, down: GPIO6 }, active: low } }
      interlocks: [ { relays: [motor], pause: 200ms } ]
      initial: up
      states:
        up: { show: { motor(up): on }, on: { key.pressed: down } }
        down: { show: { motor(down): on }, on: { key.pressed: up } }

      """
    let stage = try Stage(panel: text)
    #expect(try stage.take("wait 1s; expect motor=[on,off]; click key; wait 100ms; expect motor=off") == [])
    #expect(try stage.take("wait 200ms; expect motor=[off,on]") == [])
    let both = text.replacing("motor(down): on", with: "motor: on")
    let found = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(Array(both.utf8), file: "test") }
    #expect(found.first?.contains("they are in one interlock") == true, "\(found)")
    #expect(problems("valves: { relays: [GPIO5, GPIO6] }", "valves: on") == [])
  }

  @Test("a bar is lit from the end of its list")
  func bar() throws {
    for (from, lit) in [("start", "GPIO5"), ("end", "GPIO13")] {
      let stage = try Stage(
        panel: """
          panel: P
          outputs: { bar: { bar: [GPIO5, GPIO6, GPIO13], from: \(from) } }
          initial: a
          states: { a: { show: { bar: 1 } } }

          """)
      #expect(try stage.take("expect bar=1") == [])
      let high = ["GPIO5", "GPIO6", "GPIO13"].filter { stage.chip.line(LineName($0)).level == .high }
      #expect(high == [lit])
    }
  }
}
