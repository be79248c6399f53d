import CycleCore
import HardwareDrivers
import HardwareLinux
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

  package let place: SheetLocation
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
    (self.sheet, self.reading, self.connection) = (sheet, reading, connection)
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
}
