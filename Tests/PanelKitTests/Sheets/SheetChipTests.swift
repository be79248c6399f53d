import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds
@testable import PanelLanguage

@Suite("SheetChip")
struct SheetChipTests {
  private static func sheet(_ name: String) throws -> Sheet {
    try SheetLibrary.sheet(named: name, folder: "/nowhere").get()
  }

  /// A chip on a simulated I²C bus.
  private struct Stand {
    let base: SheetStand
    let model: SimulatedSheetChip
    let socket: I2CSocket
    let chip: SheetChip
    let clock = WorkClock(at: .zero)
    var bus: SimulatedI2CBus { base.bus }

    init(_ name: String) throws {
      base = try SheetStand(name)
      model = SimulatedSheetChip(base.sheet)
      socket = base.bus.connect(model, at: base.address)
      chip = SheetChip(base.sheet, I2CDevice(base.bus, at: base.address))
    }

    func read(_ number: String, _ settings: SheetSettings = SheetSettings()) throws -> Double {
      try chip.source(of: number, settings: settings).readNumber(on: clock)
    }

    func error(_ number: String) -> DriverError? { thrown(DriverError.self) { _ = try read(number) } }
  }

  @Test("the sensors of one chip share a measurement, which gives each number once, for 500 ms")
  func sharing() throws {
    let stand = try Stand("bme280")
    #expect(abs(try stand.read("temperature") - 25.08) < 0.001)
    let count = stand.bus.transferCount
    #expect(abs(try stand.read("pressure") - 1006.53) < 0.01)
    #expect(abs(try stand.read("humidity") - 39.356) < 0.01)
    #expect(stand.bus.transferCount == count)
    // The number was given already.
    _ = try stand.read("humidity")
    let again = stand.bus.transferCount
    #expect(again > count)
    stand.clock.sleep(for: .milliseconds(501))
    _ = try stand.read("pressure")
    #expect(stand.bus.transferCount > again)
    // The chip was identified and set up once.
    #expect(stand.model.written.filter { $0 == [0xE0, 0xB6] }.count == 1)
  }

  /// A device on a simulated serial line.
  private struct SerialStand {
    let line = SimulatedSerial(Bench())
    let model: SimulatedSheetChip
    let chip: SheetChip
    let clock = WorkClock(at: .zero)

    init(_ name: String) throws {
      let sheet = try SheetChipTests.sheet(name)
      model = SimulatedSheetChip(sheet.example)
      model.connect(to: line, sendsByItself: sheet.writtenBytes == nil)
      chip = SheetChip(sheet, line)
    }

    func read(_ number: String) throws -> Double { try chip.source(of: number).readNumber(on: clock) }
    func error(_ number: String) -> DriverError? { thrown(DriverError.self) { _ = try read(number) } }
  }

  @Test("a serial device that sends by itself is read with its next frame, and its numbers share it")
  func frames() throws {
    let stand = try SerialStand("pms5003")
    #expect(try stand.read("pm25") == 13)
    #expect(try stand.read("pm10") == 22)
    let first = stand.clock.now
    #expect(try stand.read("pm10") == 22)
    #expect(stand.clock.now - first > .milliseconds(900))
    stand.model.damagedAnswers = 1
    #expect(try stand.read("pm1") == 5)
  }

  @Test("a serial device answers a command; silence, noise and a line that is gone are errors with its name")
  func commands() throws {
    let stand = try SerialStand("mh-z19")
    #expect(try stand.read("co2") == 608)
    #expect(stand.model.written == [[0xFF, 0x01, 0x86, 0, 0, 0, 0, 0, 0x79]])
    stand.line.lostBytes = 9
    #expect(
      stand.error("co2")?.description.hasPrefix("cannot read mh-z19 on /dev/ttyUSB0: nothing has arrived within 1 s")
        == true)
    stand.line.lostBytes = 1
    #expect(stand.error("co2")?.reason == "8 bytes have arrived, and no whole answer is among them")
    stand.model.damagedAnswers = 1
    #expect(stand.error("co2")?.kind == .failed)
    #expect(try stand.read("co2") == 608)
    stand.line.unplug()
    #expect(stand.error("co2")?.kind == .lost)
    stand.line.plug()
    #expect(try stand.read("co2") == 608)
    stand.chip.close()
    #expect(stand.line.openCount == 0)
  }

  @Test("sensors with different settings have measurements of their own")
  func settings() throws {
    let stand = try Stand("ads1115")
    for (word, byte) in [("A0", 0xC3), ("A1", 0xD3), ("A2-A3", 0xB3)] {
      #expect(try stand.read("voltage", SheetSettings(words: ["channel": word])) == 2.048)
      #expect(stand.model.written.last == [0x01, UInt8(byte), 0x83])
    }
    #expect(try stand.read("voltage", SheetSettings(words: ["range": "0.256V"])) == 0.128)
  }

  @Test("another chip, a wrong checksum, silence and a chip that is not ready are errors with the sheet's name")
  func faults() throws {
    let other = try Stand("bme280")
    other.model.set([0x58], at: 0xD0)
    #expect(
      other.error("temperature")?.description
        == "cannot read bme280 at 0x76 on i2c-1: register 0xd0 contains 0x58, not 0x60. Another chip is at this place, or none: "
        + "check the part and its address.")
    let busy = try Stand("bme280")
    busy.model.set([0x08], at: 0xF3)
    #expect(busy.error("temperature")?.reason == "it is not ready in time")
    let damaged = try Stand("sht4x")
    damaged.model.damagedAnswers = 1
    #expect(damaged.error("temperature")?.reason == "a checksum is wrong")
    #expect(try damaged.read("temperature") > 24)
    let silent = try Stand("sht4x")
    silent.socket.isPlugged = false
    #expect(silent.error("humidity")?.kind == .failed)
    #expect(silent.error("humidity")?.reason == "no device answers at 0x44")
    silent.socket.isPlugged = true
    #expect(try silent.read("humidity") > 56)
  }

  @Test("a chip that has failed is set up again")
  func again() throws {
    let stand = try Stand("bme280")
    _ = try stand.read("temperature")
    stand.socket.silentTransactions = 1
    #expect(stand.error("temperature")?.kind == .failed)
    _ = try stand.read("temperature")
    #expect(stand.model.written.filter { $0 == [0xE0, 0xB6] }.count == 2)
    #expect(stand.bus.openCount == 1)
  }

  @Test("a converter on SPI sends and reads at the same time")
  func spi() throws {
    let sheet = try Self.sheet("mcp3008")
    let bus = SimulatedSPIBus(Bench())
    let model = SimulatedSheetChip(sheet.example)
    let socket = bus.connect(model, at: 1)
    let chip = SheetChip(sheet, bus, chipSelect: 1)
    let source = chip.source(
      of: "voltage", settings: SheetSettings(words: ["channel": "7"], numbers: ["reference": 5]))
    #expect(try source.readNumber(on: WorkClock(at: .zero)) == 2.5)
    #expect(model.written == [[0x01, 0xF0, 0x00]])
    socket.stuckOutput = .high
    #expect(try source.readNumber(on: WorkClock(at: .zero)) > 4.9)
  }

  @Test("a fault that the chip reports is the reason of the error, with the chip and its place")
  func chipFaults() throws {
    let sheet = try Self.sheet("max31855")
    for (last, reason) in [
      (0x01, "the thermocouple is open"), (0x02, "the thermocouple has a short circuit to ground"),
      (0x04, "the thermocouple has a short circuit to the supply"), (0x00, "the chip reports a fault"),
    ] as [(UInt8, String)] {
      let bus = SimulatedSPIBus(Bench())
      var example = sheet.example
      example.answers = .inTurn([[0x64, 0x01, 0x19, last]])
      bus.connect(SimulatedSheetChip(example), at: 0)
      let chip = SheetChip(sheet, bus, chipSelect: 0)
      let error = thrown(DriverError.self) {
        _ = try chip.source(of: "internal").readNumber(on: WorkClock(at: .zero))
      }
      #expect(
        error?.description == "cannot read max31855 at chip select 0 of spi0: \(reason). "
          + "The chip reports it: check the part that is connected to it.")
    }
  }

  @Test("a chip on SPI whose registers are read by their numbers has a simulated one", arguments: [false, true])
  func spiRegisters(hasLongRegisters: Bool) throws {
    let (kind, data) = hasLongRegisters ? ("0x0180", "0x0181") : ("0x80", "0x83")
    func text(_ answers: String) -> String {
      """
      sheet: ours
      about: A test
      source: none
      bus: { spi: { mode: 0, hertz: 1MHz } }
      identify: [ { read: \(kind), expect: [0x42] } ]
      measure: [ read: { at: \(data), as: { raw: u16be } }, read: { at: \(kind), as: { _: u8, second: u8 } } ]
      numbers:
        level: { is: raw, min: 0, max: 65535 }
        low: { is: second, min: 0, max: 255 }
      example:
        \(answers)
        gives: { level: 4660, low: 7 }

      """
    }
    for answers in [
      "registers: { \(kind): [0x42, 7], \(data): [0x12, 0x34] }", "answers: [[0x42], [0x12, 0x34], [0x42, 7]]",
    ] {
      let sheet = try SheetReader.read(Array(text(answers).utf8), file: "ours.sheet.yaml")
      #expect(sheet.exampleFaults() == [])
    }
  }

  @Test(
    "a converter gives the share and the voltage of its reference, for a single channel and for a difference",
    arguments: [
      ("mcp3002", 10, "1", [0x78, 0x00], "1-0", [0x58, 0x00]),
      ("mcp3004", 10, "3", [0x01, 0xB0, 0x00], "3-2", [0x01, 0x30, 0x00]),
      ("mcp3008", 10, "1", [0x01, 0x90, 0x00], "0-1", [0x01, 0x00, 0x00]),
      ("mcp3202", 12, "1", [0x01, 0xE0, 0x00], "1-0", [0x01, 0x60, 0x00]),
      ("mcp3204", 12, "1", [0x06, 0x40, 0x00], "1-0", [0x04, 0x40, 0x00]),
      ("mcp3208", 12, "7", [0x07, 0xC0, 0x00], "7-6", [0x05, 0xC0, 0x00]),
    ] as [(String, Int, String, [UInt8], String, [UInt8])])
  func converters(
    name: String, bits: Int, channel: String, sent: [UInt8], pair: String, sentForPair: [UInt8]
  ) throws {
    let sheet = try Self.sheet(name)
    let count = 1 << bits
    for (channel, sent) in [(channel, sent), (pair, sentForPair)] {
      for raw in [0, count / 2 - 1, count - 1] {
        // The chip drives no level before its first bit, so the bits before the number are ones here.
        let answer = sent.indices.map { UInt8(truncatingIfNeeded: (-count | raw) >> (8 * (sent.count - 1 - $0))) }
        var example = sheet.example
        example.answers = .inTurn([answer])
        let bus = SimulatedSPIBus(Bench())
        let model = SimulatedSheetChip(example)
        bus.connect(model, at: 0)
        let chip = SheetChip(sheet, bus, chipSelect: 0)
        let settings = SheetSettings(words: ["channel": channel], numbers: ["reference": 5])
        let level = try chip.source(of: "level", settings: settings).readNumber(on: WorkClock(at: .zero))
        let voltage = try chip.source(of: "voltage", settings: settings).readNumber(on: WorkClock(at: .zero))
        #expect(abs(level - Double(raw) / Double(count - 1)) < 1e-6, "\(channel): \(raw)")
        #expect(abs(voltage - Double(raw) * 5 / Double(count)) < 1e-6, "\(channel): \(raw)")
        #expect(model.written == [sent])
      }
    }
  }

  @Test("calibration at the ends of its fields gives numbers, and never a trap", arguments: 0..<200)
  func random(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    for name in ["bme280", "bmp280", "bmp180", "ms5611"] {
      let sheet = try Self.sheet(name)
      var values = [Int128](repeating: 0, count: sheet.valueCount)
      for step in sheet.once + sheet.measure {
        guard case .read(_, let fields, _) = step else { continue }
        let count = Sheet.byteCount(fields, nil)
        let bytes = (0..<count).map { _ in
          [0, 0xFF, 0x7F, 0x80, UInt8(truncatingIfNeeded: numbers.next())][Int(numbers.next() % 5)]
        }
        Sheet.take(fields, from: bytes, into: &values)
      }
      guard (try? sheet.calculate(&values)) != nil else { continue }
      for (name, reading) in sheet.readings {
        let number = sheet.reading(name, values, SheetSettings())
        #expect(reading.range.contains(number), "seed \(seed)")
      }
    }
  }
}
