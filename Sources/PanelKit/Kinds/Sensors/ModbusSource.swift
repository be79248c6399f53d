import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import Terminal

/// `{ modbus: { serial: /dev/serial/by-id/…, unit: 1, register: 0x0000, as: u16 }, scale: 0.1, unit: V }`: a register of
/// a Modbus RTU device.
package struct ModbusSource: NumberSensorSource {
  private static let place = FieldSet(
    name: "a Modbus register",
    keys: [
      Key(
        name: "serial", takes: "the path of a serial line: /dev/serial0", isRequired: true, shape: .text,
        meaning: "path of the serial line, which begins with `/dev/`"),
      Key(
        name: "unit", takes: "the address of the device, 1 to 247: 1", shape: .whole(1...247), usual: "`1`",
        meaning: "address of the device"),
      Key(
        name: "register", takes: "the number of a register: 0x0000", isRequired: true, shape: .text,
        meaning: "number of the register from 0, in decimal or as `0x0000`"),
      Key(
        name: "table", takes: "holding or input", shape: .words(ModbusRegister.Table.allCases.map(\.rawValue)),
        usual: "`holding`", meaning: "`holding` reads with function 3, `input` with function 4"),
      Key(
        name: "as", takes: "u16, s16, u32, s32 or f32",
        shape: .words(ModbusRegister.Notation.allCases.map(\.rawValue)), usual: "`u16`",
        meaning: "type of the number; one of 32 bits has two registers"),
      Key(
        name: "low-first", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "whether the low register of two comes first"),
      Key(
        name: "baud", takes: "a speed in bits per second: 9600", shape: .whole(SerialSettings.speeds), usual: "`9600`",
        meaning: "speed of the line in bits per second"),
      Key(
        name: "parity", takes: "none, even or odd", shape: .words(SerialSettings.Parity.allCases.map(\.rawValue)),
        usual: "`none`", meaning: "parity bit of a byte"),
      Key(name: "stop-bits", takes: "1 or 2", shape: .whole(1...2), usual: "`1`", meaning: "number of stop bits"),
    ])
  package static let grammar = FieldSet(
    name: "a Modbus device", summary: "device with Modbus RTU on a serial line, mostly RS-485: the place of a register",
    sample: "{ modbus: { serial: /dev/ttyUSB0, unit: 1, register: 0x0000 } }",
    keys: [
      Key(
        name: "modbus", takes: "the place of a register: { serial: /dev/ttyUSB0, unit: 1, register: 0x0000 }",
        shape: .fields(place), meaning: "place of the register")
    ] + NumberConversion.keys)
  package static let intervals = Duration.milliseconds(100)...Sensor.longestInterval

  package static let ports: [any Port.Type] = [SerialPort.self]

  package let place: ModbusLocation
  private let path: String
  private let settings: SerialSettings
  private let register: ModbusRegister
  private let conversion: NumberConversion

  package init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let inner = fields.inside("modbus", Self.place) else {
      return nil
    }
    let settings = SerialSettings(
      baud: inner.whole("baud") ?? 9600, parity: inner.choice("parity") ?? .none,
      stopBits: inner.whole("stop-bits") ?? 1)
    let unit = UInt8(inner.whole("unit") ?? 1)
    let number = Self.register(of: inner)
    let table: ModbusRegister.Table? = inner.choice("table")
    let notation: ModbusRegister.Notation? = inner.choice("as")
    let isLowFirst = inner.flag("low-first") ?? false
    guard let path = inner.serialLine("serial", settings, for: "Modbus"), let number else { return nil }
    register = ModbusRegister(
      unit: unit, number, in: table ?? .holding, as: notation ?? .u16, isLowFirst: isLowFirst)
    (self.path, self.settings, self.conversion) = (path, settings, conversion)
    place = ModbusLocation(path, register, settings: settings, conversion: conversion)
  }

  /// The number of the register. Manuals often count from 40001 or 30001; the table is a key of its own here.
  private static func register(of fields: DeviceFields) -> UInt16? {
    guard let text = fields.text("register") else { return nil }
    let number =
      text.hasPrefix("0x")
      ? (text.utf8.count <= 6 ? UInt16(text.dropFirst(2), radix: 16) : nil)
      : (text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil)
    guard let number else {
      fields.addProblem(at: "register", "\(quoted(text)) is not a register; write 0 to 65535, or 0x0000 to 0xFFFF")
      return nil
    }
    return number
  }

  package static func == (one: Self, other: Self) -> Bool { one.place == other.place }

  package var readable: [ClosedRange<Double>] {
    let ends = [register.numbers.lowerBound, register.numbers.upperBound].map { conversion.apply(to: $0) }
    return [min(ends[0], ends[1])...max(ends[0], ends[1])]
  }

  package var origin: String? {
    "it comes from the Modbus device \(register.unit) on \(path). An adapter for RS-485 connects its wires A and B"
  }

  // MARK: - Driver

  package func number(on platform: Platform) -> any NumberSource {
    simulated(on: platform) ?? place.makeSource()
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    simulated(on: platform)
  }

  /// The register of the simulated device; nil on a real line. The first sensor with an address connects its device.
  private func simulated(on platform: Platform) -> SimulatedDeviceNumber<SimulatedModbusDevice>? {
    guard let line = platform.simulated(at: SerialPort(path)) else { return nil }
    let devices = line.devices.compactMap { $0 as? SimulatedModbusDevice }
    let device = devices.first { $0.unit == register.unit } ?? SimulatedModbusDevice(line, unit: register.unit)
    let shared = Self.lines.part(.init(line, settings)) { ModbusLine(line, settings) }
    return SimulatedDeviceNumber(
      conversion.source(shared.source(of: register)), device, register, conversion: conversion.apply,
      inverse: conversion.invert)
  }

  private static let lines = SharedParts<SerialSettings, ModbusLine>()
}
