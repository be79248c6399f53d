import CycleCore
import HardwarePlatform
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("Levels of a chip with a sheet")
struct SheetLevelTests {
  /// A DAC on a simulated bus.
  private struct Stand {
    let base: SheetStand
    let model: SimulatedSheetChip
    let socket: I2CSocket
    let chip: SheetChip
    var bench: Bench { base.bench }
    var bus: SimulatedI2CBus { base.bus }
    var sheet: Sheet { base.sheet }

    init(_ name: String = "mcp4725") throws {
      base = try SheetStand(name)
      model = SimulatedSheetChip(base.sheet)
      socket = base.bus.connect(model, at: base.address)
      chip = SheetChip(base.sheet, I2CDevice(base.bus, at: base.address))
    }
  }

  @Test("a level is written as the nearest number of the chip, once")
  func levels() throws {
    let stand = try Stand()
    let trial = DriverBench(SheetLevel(stand.chip, output: "out"), showing: .level(0.25), on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    for model in [Light<Brightness>.on, .level(0.50001), .level(0.5), .off] {
      try trial.show(model)
      try stand.bench.advance(by: .milliseconds(100))
    }
    // 0.50001 and 0.5 are the same number.
    #expect(
      stand.model.written == [[0x40, 0x40, 0x00], [0x40, 0xFF, 0xF0], [0x40, 0x80, 0x00], [0x40, 0x00, 0x00]])
    trial.stop()
    #expect(stand.bus.openCount == 0 && trial.troubles == [])
  }

  @Test("a fade changes the level evenly, at most 50 times a second, and ends")
  func fade() throws {
    let stand = try Stand()
    let output = SimulatedSheetOutput(stand.model, stand.sheet, output: "out", isPlugged: { stand.socket.isPlugged })
    let trial = DriverBench(SheetLevel(stand.chip, output: "out"), showing: .off, on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(10))
    try trial.show(.fade(to: 1, over: .seconds(2), on: .linear))
    try stand.bench.advance(by: .seconds(1))
    #expect(abs(try #require(output.level) - 0.5) < 0.01)
    #expect((48...52).contains(stand.model.written.count))
    try stand.bench.advance(by: .seconds(1))
    #expect(output.level == 1)
    let count = stand.model.written.count
    try stand.bench.advance(by: .seconds(50))
    #expect(stand.model.written.count == count)
    // A chip without power has forgotten its level.
    try stand.bench.advance(by: .seconds(600))
    #expect(stand.model.written.count == count + 1 && stand.model.written.last == [0x40, 0xFF, 0xF0])
    trial.stop()
  }

  @Test("a lost chip is reported once, and has the newest level when it is back")
  func loss() throws {
    let stand = try Stand()
    let trial = DriverBench(SheetLevel(stand.chip, output: "out"), showing: .on, on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    stand.socket.isPlugged = false
    try trial.show(.level(0.5))
    try trial.show(.level(0.75))
    try stand.bench.advance(by: .seconds(30))
    #expect(trial.troubles.count == 1)
    stand.socket.isPlugged = true
    try stand.bench.advance(by: .seconds(60))
    #expect(trial.troubles.last == .restored && trial.troubles.count == 2)
    #expect(stand.model.written.last == [0x40, 0xBF, 0xF0])
    trial.stop()
  }

  @Test("the outputs of one chip are set one after the other, with the chip's settings")
  func outputs() throws {
    let stand = try Stand("mcp4728")
    let settings = SheetSettings(words: ["range": "2.048V"])
    let other = CompanionDriver(SheetLevel(stand.chip, output: "D", settings: settings), showing: .on)
    let trial = DriverBench(
      SheetLevel(stand.chip, output: "B", settings: settings), showing: .level(0.5), beside: [other], on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(100))
    #expect(Set(stand.model.written) == [[0x42, 0x88, 0x00], [0x46, 0x8F, 0xFF]])
    trial.stop()
    #expect(stand.bus.openCount == 0)
  }

  @Test("a level follows the laws of drivers, also if only the chip is unplugged", arguments: [false, true])
  func laws(isChip: Bool) throws {
    let sheet = try SheetLibrary.sheet(named: "mcp4725", folder: "/nowhere").get()
    let violations = DriverLaws.violations(
      models: [.on, .level(0.3), .fade(to: 1, over: .milliseconds(50), on: .linear)],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        let model = SimulatedSheetChip(sheet.example)
        let socket = bus.connect(model, at: 0x60)
        let output = SimulatedSheetOutput(
          model, sheet, output: "out", isPlugged: { bus.isPlugged && socket.isPlugged })
        return BusLawHarness(
          bus, plug: isChip ? { socket.isPlugged = $0 } : nil, picture: { "\(output.level ?? -1)" },
          showsFromStart: false)
      },
      driver: { SheetLevel(SheetChip(sheet, I2CDevice($0.bus, at: 0x60)), output: "out", check: nil) })
    #expect(violations == [])
  }

  // MARK: - In a panel

  private static let panel = """
    panel: P
    inputs: { key: { button: GPIO17 }, knob: { encoder: [GPIO5, GPIO6] } }
    outputs:
      heat: { level: { sheet: mcp4725, i2c: 0x61 } }
      left: { level: { sheet: mcp4728, i2c: 0x60, output: A } }
      right: { level: { sheet: mcp4728, output: B, range: 4.096V } }
    values: { power: { initial: 2, min: 0, max: 4 } }
    on: { knob.clockwise: { set: { power: power + 1 } } }
    initial: a
    states:
      a: { show: { heat: 0.25, left: power }, on: { key.pressed: b } }
      b: { show: { heat: { fade: 1, over: 1s }, right: { keys: [[0s, 0], [1s, 1]] } }, on: { key.pressed: c } }
      c: { show: { heat: on, right: { level: power } } }
    safe: { right: 0.1 }

    """

  @Test("levels, values, fades and keys are shown")
  func shows() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("wait 30ms; expect heat=0.25 left=0.5 right=off") == [])
    #expect(try stage.take("turn knob=1; wait 30ms; expect left=0.75") == [])
    #expect(
      try stage.take("click key; wait 200ms; expect heat=fading left=off; wait 1s; expect heat=on right=on") == [])
    #expect(try stage.take("click key; wait 30ms; expect heat=on right=0.75") == [])
  }

  @Test("a level on a bus that is unplugged is off, and has the newest level when it is back")
  func unplugged() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("wait 1s; unplug i2c; expect heat=off; click key; wait 3s; plug i2c; wait 10s") == [])
    #expect(try stage.take("expect heat=on right=on") == [])
  }

  @Test("panel safe sets all levels to their safe state, and names a sheet that is missing")
  func safe() throws {
    func errors(_ text: String) throws -> (errors: [DriverError], written: [[UInt8]]) {
      let panel = try PanelFile.read(
        Array(text.utf8), file: "p", kinds: KindList.standard.withoutSheets, checkSound: { _ in nil })
      let platform = try Platform(.simulated)
      let chips = try #require(SimulatedChips(of: panel, on: platform))
      let bus = try #require(platform.simulated(at: I2CBusPort(.number(1))))
      let models = [0x60 as I2CAddress, 0x61].map { address in
        let model = SimulatedSheetChip(SheetExample())
        bus.connect(model, at: address)
        return model
      }
      let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
      return (errors, models.flatMap(\.written))
    }
    let (faults, written) = try errors(Self.panel)
    #expect(faults.isEmpty, "\(faults)")
    #expect(written == [[0x40, 0x00, 0x00], [0x42, 0x91, 0x9A], [0x40, 0x00, 0x00]])
    let (missing, _) = try errors(Self.panel.replacing("sheet: mcp4725", with: "sheet: gone"))
    #expect(missing.count == 1 && missing[0].kind == .misconfigured)
    #expect("\(missing)".contains("Put gone.sheet.yaml beside the panel file."))
  }

  @Test(
    "wrong settings and shows are problems",
    arguments: [
      ("{ sheet: mcp4726 }", "0.5", "there is no sheet \"mcp4726\"; did you mean \"mcp4725\"?"),
      ("{ sheet: mcp4728 }", "0.5", "mcp4728 has several outputs; write output: and one of A, B, C, D"),
      ("{ sheet: mcp4728, output: E }", "0.5", "mcp4728 has no output \"E\"; it has A, B, C, D"),
      ("{ sheet: bme280 }", "0.5", "bme280 has no levels; write an input { sensor: { sheet: bme280 }"),
      ("{ sheet: mpr121 }", "0.5", "mpr121 has no levels; write chips: { pads: { sheet: mpr121 } }"),
      ("{ sheet: mcp4725, i2c: 0x20 }", "0.5", "mcp4725 can't be at 0x20"),
      ("{ sheet: mcp4725, spi: 0.0 }", "0.5", "mcp4725 is a chip for I²C; leave spi out"),
      ("{ sheet: mcp4728, output: A, range: 5V }", "0.5", "it takes one of supply, 2.048V, 4.096V"),
      ("{ i2c: 0x60 }", "0.5", "a level is an output of a chip with a sheet"),
      ("{ sheet: mcp4725 }", "1.5", "level \"out\" can't show \"1.5\""),
      ("{ sheet: mcp4725 }", "{ fade: 1 }", "a fade takes a time; write { fade: 1.0, over: 2s }"),
      ("{ sheet: mcp4725 }", "{ level: 1, over: 2s }", "over can't be beside level; it belongs to fade"),
      ("{ sheet: mcp4725 }", "{ level: 1, keys: [[0s, 0], [1s, 1]] }", "keys can't be beside level"),
      ("{ sheet: mcp4725 }", "{}", "can't show"),
    ])
  func problems(device: String, show: String, message: String) {
    let text = """
      panel: P
      outputs: { out: { level: \(device) } }
      initial: a
      states: { a: { show: { out: \(show) } } }

      """
    let problems = SheetStand.problems(text)
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("one output has one use, and outputs of one chip are one board in the wiring")
  func sharing() throws {
    let twice = Self.panel.replacing("output: B, range: 4.096V", with: "output: A")
    let problems = SheetStand.problems(twice)
    #expect(problems.contains { $0.contains("the output A of 0x60 of I²C bus 1") }, "\(problems)")
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    #expect(WiringPlan(of: panel).devices.map(\.name).contains("left, right"))
  }
}
