import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `{ serial: /dev/serial0, match: "$GPGGA,*,{latitude:nmea}", checksum: nmea }`: a number in the lines of text of a
/// serial device.
package struct SerialSource: SensorSource {
  /// The key that names the source, and a setting of chips with a sheet.
  static let lineKey = Key(
    name: "serial", takes: "the path of a serial line: /dev/serial0", shape: .text,
    meaning: "path of the serial line, which begins with `/dev/`")

  package static let grammar = FieldSet(
    name: "a serial device", summary: "device that sends lines of text with a number: the path of its serial line",
    sample: "{ serial: /dev/serial0, match: \"t={temperature}\" }",
    keys: [
      lineKey,
      Key(
        name: "match", takes: "a pattern with a number: \"t={temperature}\"", isRequired: true, shape: .text,
        meaning: "pattern of the lines: text, `*` for any text, and the number as `{name}`"),
      SourceNumber.key,
      Key(
        name: "checksum", takes: "nmea", shape: .words(TextChecksum.allCases.map(\.rawValue)), usual: "none",
        meaning: "checksum at the end of each line. A line without it, or with a wrong one, is dropped"),
      Key(
        name: "baud", takes: "a speed in bits per second: 9600", shape: .whole(SerialSettings.speeds), usual: "`9600`",
        meaning: "speed of the line in bits per second"),
      Key(name: "bits", takes: "the data bits of a byte, 5 to 8: 7", shape: .whole(5...8), usual: "`8`"),
      Key(
        name: "parity", takes: "none, even or odd", shape: .words(SerialSettings.Parity.allCases.map(\.rawValue)),
        usual: "`none`", meaning: "parity bit of a byte"),
      Key(name: "stop-bits", takes: "1 or 2", shape: .whole(1...2), usual: "`1`", meaning: "number of stop bits"),
      Silence.key,
    ] + NumberConversion.keys)
  package static let ports: [any Port.Type] = [SerialPort.self]
  package static let isPolled = false

  private let path: String
  private let settings: TextSensor.Settings
  private let conversion: NumberConversion

  private var port: SerialPort { SerialPort(path) }

  package static func == (one: Self, other: Self) -> Bool {
    one.path == other.path && one.settings == other.settings && one.conversion == other.conversion
  }

  package init?(reading fields: DeviceFields) {
    let conversion = NumberConversion(reading: fields)
    let line = Self.line(of: fields)
    let pattern = Self.pattern(of: fields)
    guard let conversion, let (path, settings) = line, let (pattern, number) = pattern else { return nil }
    (self.path, self.conversion) = (path, conversion)
    let checksum: TextChecksum? = fields.choice("checksum")
    self.settings = TextSensor.Settings(
      pattern, number: number, line: settings, checksum: checksum, scale: conversion.scale, offset: conversion.offset,
      silent: fields.duration("silent") ?? TextSensor.usualSilence)
    if checksum == .nmea, !pattern.source.hasPrefix("$"), !pattern.source.hasPrefix("!") {
      fields.addProblem(
        at: "checksum", "checksum: nmea is for lines that begin with $ or !; begin match with one, or leave it out")
    }
  }

  private static func line(of fields: DeviceFields) -> (path: String, settings: SerialSettings)? {
    let settings = SerialSettings(
      baud: fields.whole("baud") ?? 9600, bits: fields.whole("bits") ?? 8,
      parity: fields.choice("parity") ?? .none, stopBits: fields.whole("stop-bits") ?? 1)
    return fields.serialLine("serial", settings, for: "lines of text").map { ($0, settings) }
  }

  private static func pattern(of fields: DeviceFields) -> (pattern: TextPattern, number: String)? {
    guard let text = fields.text("match") else { return nil }
    let pattern: TextPattern
    do throws(TextPattern.Mistake) {
      pattern = try TextPattern(text)
    } catch {
      fields.addProblem(at: "match", "the pattern \(quoted(text)) is wrong: \(error.reason)")
      return nil
    }
    let names = pattern.names
    guard fields.has("number") else {
      if names.count == 1 { return (pattern, names[0]) }
      fields.addProblem(
        at: "match", "the pattern has several numbers; write number: and one of \(listed(names))")
      return nil
    }
    guard let name = fields.text("number") else { return nil }
    guard names.contains(name) else {
      fields.addProblem(at: "number", "the pattern has no {\(name)}; it has \(listed(names))")
      return nil
    }
    return (pattern, name)
  }

  package static let canSmooth = true
  package var unit: String { conversion.unit ?? "" }
  package var hardware: [DeviceHardware] { [DeviceHardware(port)] }

  /// Whether the line is that of a Raspberry Pi's header.
  private var isOnHeader: Bool { SerialPort.headerPaths.contains(path) }

  package var origin: String? {
    isOnHeader ? nil : "it comes from the device on \(path), which needs no other wires"
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    guard isOnHeader else { return nil }
    let terminals = [
      WiringTerminal("GPIO15", "TX", for: .serialConsole), WiringTerminal("GPIO14", "RX", for: .serialConsole),
    ]
    var device = WiringPlan.Device(
      name: name, kind: "serial device", direction: .input,
      circuits: [.box("SERIAL", terminals: terminals, supplies: ["VCC": .volts3, "GND": .ground])])
    device.board = "serial device on \(path)"
    return device
  }

  package func lenses(in context: SensorLensContext) -> LensBundle {
    var settings = settings
    (settings.decimals, settings.smoothing) = (context.decimals, context.smoothing)
    return context.lenses(
      of: TextSensor(context.platform.hardware(at: port), settings), showing: NoModel()
    ) { event in
      switch event {
      case .reading(let number): .reading(number)
      case .damaged(let count): .damaged(count)
      }
    }
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    platform.simulated(at: port).map { SerialWorld(line: $0, settings: settings, conversion: conversion) }
  }
}

/// The simulated side of a serial device. The sensors of one line are one device.
private struct SerialWorld: SimulatedSensor {
  let line: SimulatedSerial
  let settings: TextSensor.Settings
  let conversion: NumberConversion

  /// Sends a line with the number.
  func sense(_ number: Double) {
    line.textSensors.set(
      conversion.invert(number), settings.number, of: settings.pattern, checksum: settings.checksum)
  }

  func plug() { line.plug() }
  /// Unplugs the device, with all its sensors.
  func unplug() { line.unplug() }

  func silence() {
    line.textSensors.clear(settings.number, of: settings.pattern)
    line.plug()
  }
}
