import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `{ sheet: bme280, number: temperature, i2c: 0x76 }`: a reading of a chip that a sheet describes.
package struct SheetSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "a chip with a sheet", summary: "chip that a sheet describes, on I²C, SPI or a serial line",
    sample: "{ sheet: bme280, number: temperature, i2c: 0x76 }",
    keys: [
      SheetUse.sheetKey,
      SourceNumber.key,
    ] + SheetUse.placeKeys
      + SheetUse.settingNames.map { $0 == "channel" ? KernelChannel.key : SheetUse.settingKey($0) })

  package static let ports: [any Port.Type] = [
    NumberSourcePort.self, I2CBusPort.self, SPIBusPort.self, SerialPort.self,
  ]

  package let place: SheetLocation
  private let settings: SheetSettings
  private let sheet: Sheet
  private let connection: SheetLocation.Place
  private let reading: (name: String, reading: Sheet.Reading)

  package static func == (one: Self, other: Self) -> Bool { one.place == other.place && one.sheet == other.sheet }

  package init?(reading fields: DeviceFields) {
    guard let (sheet, isReplacement) = SheetUse.sheet(of: fields, replacement: Self.replacement) else { return nil }
    guard !sheet.readings.isEmpty else {
      fields.addProblem(at: "sheet", "\(sheet.name) has no readings; \(SheetUse.advice(on: sheet))")
      return nil
    }
    let settings = isReplacement ? SheetSettings() : SheetUse.settings(of: fields, sheet)
    let reading = Self.reading(of: fields, sheet)
    let connection = SheetUse.connection(of: fields, sheet)
    guard let settings, let reading, let connection else { return nil }
    (self.sheet, self.reading, self.connection, self.settings) = (sheet, reading, connection, settings)
    place = SheetLocation(sheet, connection, reading.name, settings: settings)
  }

  /// A sheet that is never used for a measurement.
  private static func replacement(named name: String, of fields: DeviceFields) -> Sheet {
    let reading = Sheet.Reading(scale: SheetExpression(1), unit: "", range: -1e12...1e12)
    return Sheet(
      name: name, about: "", source: "", bus: SheetUse.anyBus(of: fields),
      numbers: [
        Sheet.Number(name: fields.text("number") ?? "number", slot: 0, formula: SheetExpression(0), reading: reading)
      ], valueCount: 1, example: SheetExample())
  }

  private static func reading(
    of fields: DeviceFields, _ sheet: Sheet
  ) -> (name: String, reading: Sheet.Reading)? {
    let readings = sheet.readings
    guard fields.has("number") else {
      if readings.count == 1 { return readings[0] }
      fields.addProblem(
        at: "sheet", "\(sheet.name) has several readings; write number: and one of \(listed(readings.map(\.name)))")
      return nil
    }
    guard let name = fields.text("number") else { return nil }
    if let found = readings.first(where: { $0.name == name }) { return found }
    fields.addProblem(
      at: "number", "\(sheet.name) has no reading \(quoted(name)); it has \(listed(readings.map(\.name)))")
    return nil
  }

  package var usedPorts: [any Port.Type] {
    switch connection {
    case .i2c: [NumberSourcePort.self, I2CBusPort.self]
    case .spi: [NumberSourcePort.self, SPIBusPort.self]
    case .serial: [SerialPort.self]
    }
  }

  package var readable: [ClosedRange<Double>] { [reading.reading.range] }
  package var deviceClass: String? { Self.deviceClasses[reading.name] }

  /// Home Assistant's classes of readings with these names.
  private static let deviceClasses = [
    "temperature": "temperature", "humidity": "humidity", "pressure": "pressure", "illuminance": "illuminance",
    "voltage": "voltage", "current": "current", "power": "power", "co2": "carbon_dioxide", "distance": "distance",
  ]

  package func wiring(named name: String) -> WiringPlan.Device? {
    SheetUse.wiring(of: sheet, at: connection, named: name, isInput: true)
  }

  // MARK: - Driver

  package func number(on platform: Platform) -> any NumberSource {
    guard case .serial = connection else { return platform.number(at: place) }
    return simulated(on: platform) ?? place.makeSource()
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    if case .serial = connection { return simulated(on: platform) }
    guard let source = platform.simulatedNumber(at: place) else { return nil }
    guard let chip = SheetUse.chipWorld(at: connection, on: platform) else {
      source.tellsChanges = true
      return source
    }
    return SheetNumberWorld(source, of: chip)
  }

  /// The reading of the simulated device; nil on a real line.
  private func simulated(on platform: Platform) -> SimulatedDeviceNumber<SimulatedSheetDevice>? {
    guard case .serial(let path) = connection,
      let device = SheetUse.device(of: sheet, at: path, on: platform)
    else { return nil }
    let chip = SheetUse.chip(sheet, at: connection, on: platform)
    return SimulatedDeviceNumber(
      chip.source(of: reading.name, settings: settings), device, .init(reading.name, settings),
      forget: { [weak chip] in chip?.forgetMeasurement() })
  }
}
