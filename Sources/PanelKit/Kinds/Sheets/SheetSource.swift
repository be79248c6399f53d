import CycleCore
import HardwareDrivers
import HardwareLinux
import PanelLanguage
import PanelWiring
import Terminal

/// `{ sheet: bme280, number: temperature, i2c: 0x76 }`: a reading of a chip that a sheet describes.
package struct SheetSource: NumberSensorSource {
  /// The names that settings of sheets can have, so that a panel file can write them.
  package static let settingNames = [
    "channel", "range", "gain", "rate", "resolution", "reference", "filter", "resistor",
  ]

  package static let grammar = FieldSet(
    name: "a chip with a sheet", summary: "chip that a sheet describes, on I²C, SPI or a serial line",
    sample: "{ sheet: bme280, number: temperature, i2c: 0x76 }",
    keys: [
      Key(
        name: "sheet", takes: "the name of a sheet: bme280", shape: .text,
        meaning:
          "name of the sheet. `panel sheets` lists those of this program. A file `NAME.sheet.yaml` beside the panel file "
          + "comes before them"),
      SourceNumber.key,
      Key(
        name: "i2c", takes: "an address 0x08...0x77: 0x76", shape: .text, usual: "the first address of the sheet",
        meaning: "address on the I²C bus"),
      Key(
        name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
        meaning: "number of the I²C bus"),
      Key(
        name: "spi", takes: "a bus and a chip select of it: 0.0 for /dev/spidev0.0", shape: .text, usual: "`0.0`",
        meaning: "SPI bus and chip select, as in the name of `/dev/spidev0.0`"),
      SerialSource.lineKey,
    ]
      + settingNames.map { name in
        if name == "channel" { return KernelChannel.key }
        return Key(
          name: name, takes: "a choice of the sheet", shape: .text, usual: "the default of the sheet",
          meaning: "setting `\(name)` of a sheet that has one")
      })

  package let place: SheetLocation
  private let sheet: Sheet
  private let connection: SheetLocation.Place
  private let reading: (name: String, reading: Sheet.Reading)

  package static func == (one: Self, other: Self) -> Bool { one.place == other.place && one.sheet == other.sheet }

  package init?(reading fields: DeviceFields) {
    guard let (sheet, isReplacement) = Self.sheet(of: fields) else { return nil }
    let settings = isReplacement ? SheetSettings() : Self.settings(of: fields, sheet)
    let reading = Self.reading(of: fields, sheet)
    let connection = Self.connection(of: fields, sheet)
    guard let settings, let reading, let connection else { return nil }
    (self.sheet, self.reading, self.connection) = (sheet, reading, connection)
    place = SheetLocation(sheet, connection, reading.name, settings: settings)
  }

  private static func sheet(of fields: DeviceFields) -> (sheet: Sheet, isReplacement: Bool)? {
    guard let name = fields.text("sheet") else { return nil }
    switch SheetLibrary.sheet(named: name, folder: fields.kinds.folder) {
    case .success(let sheet): return (sheet, false)
    case .failure where fields.kinds.replacesMissingSheets:
      return (replacement(named: name, number: fields.text("number") ?? "number", fields), true)
    case .failure(.unknown):
      let near = nearest(to: name, among: SheetLibrary.names)
      fields.addProblem(
        at: "sheet",
        "there is no sheet \(quoted(name)); "
          + (near.map { "did you mean \(quoted($0))?" } ?? "`panel sheets` lists all"))
      return nil
    case .failure(.wrong(let problems)):
      fields.addProblem(at: "sheet", "the sheet \(quoted(name)) is wrong: \(problems.lines.first ?? ""); correct it")
      return nil
    }
  }

  /// A sheet that is never used for a measurement.
  private static func replacement(named name: String, number: String, _ fields: DeviceFields) -> Sheet {
    let reading = Sheet.Reading(scale: SheetExpression(1), unit: "", range: -1e12...1e12)
    let bus: Sheet.Bus =
      fields.has("serial")
      ? .serial(SerialSettings())
      : fields.has("spi") ? .spi(SPISettings(hertz: 1_000_000)) : .i2c(I2CAddress.range.compactMap { I2CAddress($0) })
    return Sheet(
      name: name, about: "", source: "",
      bus: bus, settings: [], identify: [], once: [], measure: [],
      numbers: [Sheet.Number(name: number, slot: 0, formula: SheetExpression(0), reading: reading)], valueCount: 1,
      example: SheetExample(settings: SheetSettings(), answers: .inTurn([]), written: nil, gives: []))
  }

  private static func settings(of fields: DeviceFields, _ sheet: Sheet) -> SheetSettings? {
    var chosen = SheetSettings()
    for name in settingNames where fields.has(name) {
      guard let text = fields.text(name) else { return nil }
      guard let setting = sheet.settings.first(where: { $0.name == name }) else {
        let known = sheet.settings.map(\.name)
        fields.addProblem(
          at: name,
          "\(sheet.name) has no \(quoted(name)); "
            + (known.isEmpty ? "leave it out" : "its settings are \(listed(known))"))
        return nil
      }
      guard SheetReader.choose(text, for: setting, in: &chosen) else {
        let choices =
          switch setting.values {
          case .choices(let choices, _): "one of \(listed(choices.map(\.word)))"
          case .number(let range, let unit, _):
            "a number \(range.lowerBound)...\(range.upperBound)\(unit.isEmpty ? "" : " \(unit)")"
          }
        fields.addProblem(at: name, "\(quoted(name)) is \(quoted(text)); it takes \(choices)")
        return nil
      }
    }
    return chosen
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

  private static func connection(of fields: DeviceFields, _ sheet: Sheet) -> SheetLocation.Place? {
    func refuse(_ keys: [String], _ words: String) -> Bool {
      guard let key = keys.first(where: { fields.has($0) }) else { return false }
      fields.addProblem(at: key, "\(sheet.name) is a chip for \(words); leave \(key) out")
      return true
    }
    switch sheet.bus {
    case .i2c(let addresses):
      if refuse(["spi", "serial"], "I²C") { return nil }
      let bus = fields.whole("bus") ?? 1
      guard let address = fields.i2cAddress("i2c", of: sheet.name, usual: addresses[0], bus: bus) else { return nil }
      guard addresses.contains(address) else {
        fields.addProblem(
          at: "i2c", "\(sheet.name) can't be at \(address); it has \(listed(addresses.map(\.description)))")
        return nil
      }
      return .i2c(bus: bus, address)
    case .spi:
      if refuse(["i2c", "bus", "serial"], "SPI") { return nil }
      return fields.spiDevice("spi", of: sheet.name).map { .spi(bus: $0.bus, chipSelect: $0.chipSelect) }
    case .serial(let settings):
      if refuse(["i2c", "bus", "spi"], "a serial line") { return nil }
      guard fields.has("serial") else {
        fields.addProblem(at: "sheet", "\(sheet.name) is on a serial line; write serial: /dev/serial0")
        return nil
      }
      return fields.serialLine("serial", settings, for: sheet.name).map { .serial($0) }
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
    let (terminals, board): ([WiringTerminal], String)
    switch connection {
    case .i2c(let bus, let address):
      guard bus == 1 else { return nil }
      terminals = [WiringTerminal("GPIO2", "SDA", for: .i2c), WiringTerminal("GPIO3", "SCL", for: .i2c)]
      board = "\(sheet.name) at \(address)"
    case .spi(let bus, let chipSelect):
      guard bus == 0, chipSelect < 2 else { return nil }
      terminals = [
        WiringTerminal("GPIO10", "MOSI", for: .spi), WiringTerminal("GPIO9", "MISO", for: .spi),
        WiringTerminal("GPIO11", "SCLK", for: .spi), WiringTerminal("GPIO\(8 - chipSelect)", "CS", for: .spi),
      ]
      board = "\(sheet.name) at chip select \(chipSelect)"
    case .serial(let path):
      guard SerialPort.headerPaths.contains(path) else { return nil }
      terminals = [
        WiringTerminal("GPIO15", "TX", for: .serialConsole), WiringTerminal("GPIO14", "RX", for: .serialConsole),
      ]
      board = "\(sheet.name) on \(path)"
    }
    var device = WiringPlan.Device(
      name: name, kind: sheet.name, direction: .input,
      circuits: [
        .box(sheet.name.uppercased(), terminals: terminals, supplies: ["VCC": .volts3, "GND": .ground])
      ])
    device.board = board
    return device
  }
}
