import Foundation
import HardwareSimulation
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("Chips with sheets in a panel")
struct SheetSourceTests {
  private func text(_ sensors: String...) -> String {
    """
    panel: Panel
    inputs: { \(sensors.enumerated().map { "air\($0 + 1): { sensor: \($1) }" }.joined(separator: ", ")) }
    outputs: { lamp: { led: GPIO18 } }
    initial: cool
    states:
      cool: { when: { air1 > 25: warm } }
      warm: { show: { lamp: on } }

    """
  }

  private func problems(_ sensors: String..., folder: String = "/nowhere") -> [String] {
    let list = sensors.enumerated().map { "air\($0 + 1): { sensor: \($1) }" }.joined(separator: ", ")
    let file = text("{}").parts(between: "air1: { sensor: {} }").joined(separator: list)
    return Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array(file.utf8), file: "x", folder: folder, kinds: .standard, checkSound: { _ in nil })
    }
  }

  private static let bme = "{ sheet: bme280, number: temperature, i2c: 0x76 }, min: 0, max: 50"

  @Test("sensors of one chip share its address, and another chip can't be there")
  func sharing() {
    #expect(problems(Self.bme) == [])
    #expect(problems(Self.bme, "{ sheet: bme280, number: humidity, i2c: 0x76 }, min: 0, max: 100") == [])
    #expect(
      problems(Self.bme, "{ sheet: bmp280, number: pressure, i2c: 0x76 }, min: 300, max: 1100").first?.contains(
        "0x76 of I²C bus 1 of \"bmp280\" is already used by \"bme280\"") == true)
    #expect(
      problems(
        "{ sheet: mcp3008, number: level, spi: 0.0 }, min: 0, max: 100",
        "{ sheet: mcp3008, number: level, channel: 3 }, min: 0, max: 1") == [])
    #expect(
      problems(
        "{ sheet: pms5003, number: pm25, serial: /dev/serial0 }, min: 0, max: 100",
        "{ sheet: pms5003, number: pm10, serial: /dev/serial0 }, min: 0, max: 100") == [])
    #expect(
      problems(
        "{ sheet: pms5003, number: pm25, serial: /dev/serial0 }, min: 0, max: 100",
        "{ serial: /dev/serial0, match: '{x}' }, min: 0, max: 100"
      ).first?.contains("/dev/serial0 has lines of text here, and pms5003 on line 2") == true)
    #expect(
      problems(
        "{ sheet: tmp102 }, min: 0, max: 50", "{ sheet: ads1115 }, min: 0, max: 5"
      ).first?.contains("0x48 of I²C bus 1 of \"ads1115\" is already used by \"tmp102\"") == true)
  }

  @Test(
    "each mistake is told with what to write",
    arguments: [
      ("{ sheet: bme281, number: temperature }", "there is no sheet \"bme281\"; did you mean \"bme280\"?"),
      ("{ sheet: bme280 }", "bme280 has several readings; write number: and one of temperature, pressure"),
      ("{ sheet: bme280, number: wind }", "bme280 has no reading \"wind\"; it has temperature, pressure, humidity"),
      ("{ sheet: bme280, number: temperature, i2c: 0x40 }", "bme280 can't be at 0x40; it has 0x76, 0x77"),
      ("{ sheet: bme280, number: temperature, spi: 0.0 }", "bme280 is a chip for I²C; leave spi out"),
      ("{ sheet: mcp3008, number: level, i2c: 0x40 }", "mcp3008 is a chip for SPI; leave i2c out"),
      ("{ sheet: mcp3008, number: level, spi: 0 }", "\"spi\" is \"0\"; it takes a bus and a chip select of it"),
      ("{ sheet: bme280, number: temperature, channel: A1 }", "bme280 has no \"channel\"; leave it out"),
      ("{ sheet: ads1115, channel: A9 }", "\"channel\" is \"A9\"; it takes one of A0, A1, A2, A3, A0-A1, A0-A3"),
      ("{ sheet: mcp3002, number: level, channel: 5 }", "\"channel\" is \"5\"; it takes one of 0, 1, 0-1, 1-0"),
      ("{ sheet: mcp3008, number: voltage, reference: 12 }", "it takes a number 0.5...6.0 V"),
      ("{ sheet: mcp3008, number: voltage, reference: -1 }", "it takes a number 0.5...6.0 V"),
      ("{ sheet: ../secret, number: x }", "there is no sheet"),
      (
        "{ sheet: mpr121 }",
        "mpr121 has no readings; write chips: { pads: { sheet: mpr121 } } and an input { button: pads.0 }"
      ), ("{ sheet: mcp4725 }", "mcp4725 has no readings; write an output { level: { sheet: mcp4725 } }"),
      ("{ sheet: mh-z19 }", "mh-z19 is on a serial line; write serial: /dev/serial0"),
      ("{ sheet: mh-z19, i2c: 0x40 }", "mh-z19 is a chip for a serial line; leave i2c out"),
      ("{ sheet: bme280, number: pressure, serial: /dev/serial0 }", "bme280 is a chip for I²C; leave serial out"),
      ("{ w1: any, serial: /dev/serial0 }", "serial can't be beside w1; write one of them"),
    ])
  func mistakes(source: String, message: String) {
    let problems = problems("\(source), min: 0, max: 1")
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a scenario senses numbers, whatever the chip is")
  func scenario() throws {
    let stage = try Stage(panel: text(Self.bme), kinds: .standard)
    #expect(try stage.take("sense air1=20; expect lamp=off; sense air1=26; expect lamp=on") == [])
  }

  @Test("a panel is made safe, and its recordings are replayed, also without the sheets")
  func missing() throws {
    let text = text("{ sheet: gone, number: wind, channel: A1, i2c: 0x21 }, min: 0, max: 50")
    func problems(_ kinds: KindList) -> [String] {
      Fixture.problems { () throws(Problems) in
        _ = try PanelFile.read(Array(text.utf8), file: "x", kinds: kinds, checkSound: { _ in nil })
      }
    }
    #expect(problems(.standard).first?.contains("there is no sheet \"gone\"") == true)
    #expect(problems(.standard.withoutSheets) == [])
  }

  @Test("a sheet beside the panel file comes before that of the program")
  func beside() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sheets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = try #require(SheetLibrary.texts.first { $0.name == "tmp102" }?.text)
    let file = folder.appendingPathComponent("ours.sheet.yaml")
    try own.replacingOccurrences(of: "sheet: tmp102", with: "sheet: ours").write(
      to: file, atomically: true, encoding: .utf8)
    #expect(problems("{ sheet: ours }, min: 0, max: 50", folder: folder.path) == [])
    #expect(
      problems("{ sheet: our }, min: 0, max: 50", folder: folder.path).first?.contains("did you mean \"ours\"?") == true
    )
    try own.write(to: file, atomically: true, encoding: .utf8)
    #expect(
      problems("{ sheet: ours }, min: 0, max: 50", folder: folder.path).first?.contains(
        "the sheet \"tmp102\" is in the file of \"ours\"; write sheet: ours, or rename the file") == true)
    try "sheet: ours\n".write(to: file, atomically: true, encoding: .utf8)
    #expect(
      problems("{ sheet: ours }, min: 0, max: 50", folder: folder.path).first?.contains(
        "the sheet \"ours\" can't be used: ")
        == true)
  }

  @Test(
    "the readings of a chip are lost with the chip and with its bus, and return together",
    arguments: [
      ("bme280", "temperature", "humidity", "i2c"), ("max31855", "temperature", "internal", "spi"),
    ])
  func lost(sheet: String, one: String, other: String, bus: String) throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          air: { sensor: { sheet: \(sheet), number: \(one) }, min: 0, max: 50 }
          more: { sensor: { sheet: \(sheet), number: \(other) }, min: 0, max: 50 }
        initial: x
        states: { x: {} }
        """, kinds: .standard)
    for (step, result) in [
      ("sense air=20; wait 2s", "air=20 more=unknown"), ("unplug \(bus); wait 2s", "air=lost more=lost"),
      // A sensor that never had a number gives none.
      ("plug \(bus); wait 2s", "air=20 more=lost"), ("sense more=30; unplug air; wait 2s", "air=lost more=lost"),
      ("unplug \(bus); plug more; wait 2s", "air=lost more=lost"), ("plug \(bus); wait 2s", "air=20 more=30"),
      ("unplug more; wait 2s", "air=lost more=lost"), ("sense air=25; wait 2s", "air=25 more=30"),
    ] {
      #expect(try stage.take(step) == [])
      #expect(try stage.take("expect \(result)") == [], "\(step)")
    }
  }

  @Test("several readings of one chip are one board in the wiring")
  func wiring() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs:
          air: { sensor: { sheet: bme280, number: temperature }, min: 0, max: 50 }
          damp: { sensor: { sheet: bme280, number: humidity }, min: 0, max: 100 }
          far: { sensor: { sheet: bme280, number: temperature, i2c: 0x77 }, min: 0, max: 50 }
        initial: x
        states: { x: {} }

        """.utf8), file: "p")
    #expect(WiringPlan(of: panel).devices.map(\.name) == ["air, damp", "far"])
  }
}
