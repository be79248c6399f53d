import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("The sources of sensors")
struct SensorSourceTests {
  private static let sources = SensorSourceReader(of: .standard)

  @Test("the keys of all sources are those that name them, then their settings, each once")
  func grammar() {
    let names = Self.sources.grammar.keys.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.prefix(Self.sources.types.count) == ArraySlice(Self.sources.types.map { $0.word }))
    #expect(
      names.filter { ["channel", "scale", "offset", "unit"].contains($0) } == ["channel", "scale", "offset", "unit"])
    #expect(Self.sources.grammar.keys.allSatisfy { !$0.isRequired })
  }

  @Test(
    "a sum of pulses begins at 0 when the panel starts again or is reloaded, and a sum is what is counted since then")
  func pulseSum() throws {
    let text = """
      panel: P
      inputs: { rain: { sensor: { pulses: GPIO24, count: true }, min: 0, max: 100 } }
      outputs: { bar: { bar: [GPIO5, GPIO6] } }
      initial: s
      states: { s: { show: { bar: 1 } } }

      """
    let stage = try ReloadStage(text)
    #expect(try stage.take("sense rain=3; wait 2s; expect rain=3; sense rain=5; wait 2s; expect rain=5") == [])
    #expect(
      try stage.take("unplug gpio; wait 2s; plug gpio; wait 3s; expect rain=5; sense rain=6; wait 2s; expect rain=6")
        == [])
    try stage.session.restart()
    #expect(
      try stage.take("expect rain=0; sense rain=4; wait 2s; expect rain=4; sense rain=7; wait 2s; expect rain=7") == [])
    try stage.session.cutPower(for: .seconds(1))
    #expect(try stage.take("wait 1s; expect rain=0; sense rain=8; wait 2s; expect rain=8") == [])
    try stage.reload(text.replacing("bar: 1", with: "bar: 2"))
    #expect(try stage.take("wait 1s; expect rain=0; sense rain=9; wait 2s; expect rain=9") == [])
  }

  @Test("pulses last longer than the debounce time, and a rate that it leaves out can't be sensed")
  func debouncedPulses() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          sum: { sensor: { pulses: GPIO24, count: true, debounce: 5ms, scale: 0.01 }, min: 0, max: 100, decimals: 2 }
          flow: { sensor: { pulses: GPIO25, debounce: 5ms }, min: 0, max: 1000 }
        initial: s
        states: { s: }

        """)
    #expect(try stage.take("sense sum=0.01; wait 2s; expect sum=0.01; sense sum=0.06; wait 2s; expect sum=0.06") == [])
    #expect(try stage.take("sense flow=90; wait 4s; expect flow=89..91") == [])
    // A hundred pulses per second have levels of 5 ms.
    var lines: [String] = []
    do { _ = try stage.take("sense flow=101") } catch let error as Problems { lines = error.lines }
    #expect(lines == ["-:1:12: \"flow\" can't read 101; write 0...100"])
  }

  @Test(
    "the rate of pulses is read within the time that the source names",
    arguments: [
      ("", 3_010), ("silent: 20s", 30_010), ("silent: 100ms", 2_010), ("count: true", 1_010),
      ("count: true, debounce: 50ms", 1_110),
    ])
  func pulseDelay(settings: String, milliseconds: Int) throws {
    let text = """
      panel: P
      inputs: { flow: { sensor: { pulses: GPIO24\(settings.isEmpty ? "" : ", ")\(settings) }, min: 0, max: 100 } }
      outputs: { bar: { bar: [GPIO5, GPIO6] } }
      initial: s
      states: { s: { show: { bar: 1 } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let delay = panel.inputs[0].device.readingDelay
    #expect(delay == .milliseconds(milliseconds))
    guard !settings.contains("count"), !settings.contains("100ms") else { return }
    let stage = try Stage(panel: text)
    // From a fast rate to a slow one, and to a standstill.
    for (rate, range) in [("50", "49..51"), ("1", "1"), ("0", "0"), ("1", "1"), ("30", "29..31")] {
      #expect(try stage.take("sense flow=\(rate); wait \(milliseconds)ms; expect flow=\(range)") == [])
    }
  }

  @Test(
    "a 1-wire sensor is called by its family and number, not by a line",
    arguments: [
      ("28-00000a1b2c3d", true), ("3b-1", true), ("any", true), ("GPIO4", false), ("28-0000000000001", false),
      ("28-00000A1B2C3D", false), ("28-", false), ("0028-1", false), ("28-1-2", false), ("../x", false),
    ])
  func oneWireNames(name: String, isGood: Bool) {
    #expect(
      Fixture.problems(
        ofPanel: "panel: P\ninputs: { a: { sensor: { w1: \(name) }, min: 0, max: 9 } }\ninitial: s\nstates: { s: }\n")
        == (isGood
          ? []
          : [
            "2:30: \"\(name)\" is not a 1-wire sensor; write a name that ls /sys/bus/w1/devices prints, 28-00000a1b2c3d, or any"
          ]))
  }

  @Test(
    "another device at GPIO4 is right for a check, as the 1-wire bus may be elsewhere; a wiring says where it is usually"
  )
  func oneWireLine() throws {
    func panel(_ inputs: String) throws -> PanelDefinition {
      try PanelFile.read(
        Array("panel: P\ninputs: { \(inputs) }\nuntouched: { 1m: s }\ninitial: s\nstates: { s: }\n".utf8), file: "p")
    }
    let (key, air) = ("key: { button: GPIO4 }", "air: { sensor: { w1: any }, min: 0, max: 9 }")
    let dew = "dew: { sensor: { w1: 28-1 }, min: 0, max: 9 }"
    let note = "GPIO4 is the line of the 1-Wire thermometer, unless config.txt names another line for the bus"
    for inputs in ["\(key), \(air), \(dew)", "\(air), \(dew), \(key)"] {
      let panel = try panel(inputs)
      #expect(panel.notes == [])
      let plan = WiringPlan(of: panel)
      let notes = NumberedNotes(plan)
      let number = try #require(notes.notes.firstIndex { $0.text.hasPrefix(note) }) + 1
      #expect(!notes.notes.contains { $0.isDanger })
      #expect(notes.numbers.allSatisfy { $0.contains(number) })
    }
    for inputs in ["\(air), \(dew), key: { button: GPIO6 }", "key: { button: GPIO5 }, \(air)"] {
      let panel = try panel(inputs)
      #expect(panel.notes == [])
      #expect(!NumberedNotes(WiringPlan(of: panel)).notes.contains { $0.text.hasPrefix(note) })
    }
  }

  @Test("two sensors are the same only with the same source and the same settings")
  func equality() throws {
    func device(_ text: String) throws -> any InputKind {
      try PanelFile.read(
        Array("panel: P\ninputs: { a: { sensor: \(text) } }\ninitial: s\nstates: { s: }\n".utf8), file: "p"
      ).inputs[0].device
    }
    let thermometer = try device("{ w1: any }, min: 0, max: 9")
    let same = try device("{ w1: any }, min: 0, max: 9, every: 10s")
    let slower = try device("{ w1: any }, min: 0, max: 9, every: 11s")
    let file = try device("{ file: /any }, min: 0, max: 9, every: 10s")
    #expect(thermometer.isEqual(to: same))
    #expect(!thermometer.isEqual(to: slower))
    #expect(!thermometer.isEqual(to: file))
  }
}
