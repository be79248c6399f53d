import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// The parts that sensors, levels and contacts of a sheet have in common in a panel file: `{ sheet: bme280, i2c: 0x76 }`.
enum SheetUse {
  /// The names that settings of sheets can have, so that a panel file can write them.
  static let settingNames = ["channel", "range", "gain", "rate", "resolution", "reference", "filter", "resistor"]

  static let sheetKey = Key(
    name: "sheet", takes: "the name of a sheet: bme280", shape: .text,
    meaning:
      "name of the sheet. `panel sheets` lists those of this program. A file `NAME.sheet.yaml` beside the panel file "
      + "comes before them")

  static let addressKey = Key(
    name: "i2c", takes: "an address 0x08...0x77: 0x76", shape: .text, usual: "the first address of the sheet",
    meaning: "address on the I²C bus")

  static let busKey = Key(
    name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
    meaning: "number of the I²C bus")

  static let placeKeys = [
    addressKey, busKey,
    Key(
      name: "spi", takes: "a bus and a chip select of it: 0.0 for /dev/spidev0.0", shape: .text, usual: "`0.0`",
      meaning: "SPI bus and chip select, as in the name of `/dev/spidev0.0`"),
    SerialSource.lineKey,
  ]

  static func settingKey(_ name: String) -> Key {
    Key(
      name: name, takes: "a choice of the sheet", shape: .text, usual: "the default of the sheet",
      meaning: "setting `\(name)` of a sheet that has one")
  }

  // MARK: - Reading

  /// The sheet that a file names. Adds a problem and returns nil if it is missing or wrong.
  ///
  /// - Parameter replacement: makes the sheet for a panel that is read without its sheets.
  static func sheet(
    of fields: DeviceFields, replacement: (_ name: String, DeviceFields) -> Sheet
  ) -> (sheet: Sheet, isReplacement: Bool)? {
    guard let name = fields.text("sheet") else { return nil }
    switch SheetLibrary.sheet(named: name, folder: fields.kinds.folder) {
    case .success(let sheet): return (sheet, false)
    case .failure where fields.kinds.replacesMissingSheets: return (replacement(name, fields), true)
    case .failure(.unknown):
      let near = nearest(to: name, among: SheetLibrary.names(folder: fields.kinds.folder))
      fields.addProblem(
        at: "sheet",
        "there is no sheet \(quoted(name)); "
          + (near.map { "did you mean \(quoted($0))?" } ?? "`panel sheets` lists all"))
      return nil
    case .failure(.wrong(let problems)):
      fields.addProblem(at: "sheet", "the sheet \(quoted(name)) can't be used: \(problems.lines.first ?? "")")
      return nil
    }
  }

  /// The bus of a sheet that is never used.
  static func anyBus(of fields: DeviceFields) -> Sheet.Bus {
    fields.has("serial")
      ? .serial(SerialSettings())
      : fields.has("spi")
        ? .spi(SPISettings(hertz: 1_000_000)) : .i2c(I2CAddress.range.compactMap { I2CAddress($0) })
  }

  /// The advice on a sheet that a device can't use.
  static func advice(on sheet: Sheet) -> String {
    if let contact = sheet.contacts.first {
      return "write chips: { pads: { sheet: \(sheet.name) } } and an input { button: pads.\(contact.name) }"
    }
    if sheet.outputs.isEmpty { return "write an input { sensor: { sheet: \(sheet.name) }, min: 0, max: 1 }" }
    return "write an output { level: { sheet: \(sheet.name) } }"
  }

  static func settings(of fields: DeviceFields, _ sheet: Sheet) -> SheetSettings? {
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

  /// The place of a chip that several devices can use.
  static func connection(of fields: DeviceFields, _ sheet: Sheet) -> SheetLocation.Place? {
    func refuse(_ keys: [String], _ words: String) -> Bool {
      guard let key = keys.first(where: { fields.has($0) }) else { return false }
      fields.addProblem(at: key, "\(sheet.name) is a chip for \(words); leave \(key) out")
      return true
    }
    switch sheet.bus {
    case .i2c:
      if refuse(["spi", "serial"], "I²C") { return nil }
      let bus = fields.whole("bus") ?? 1
      return address(of: fields, sheet, as: sheet.name, bus: bus).map { .i2c(bus: bus, $0) }
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

  /// The address of a chip on I²C.
  ///
  /// - Parameter owner: the name of the chip. Devices with the same name share the address.
  static func address(of fields: DeviceFields, _ sheet: Sheet, as owner: String, bus: Int) -> I2CAddress? {
    guard case .i2c(let addresses) = sheet.bus,
      let address = fields.i2cAddress("i2c", of: owner, usual: addresses[0], bus: bus)
    else { return nil }
    guard addresses.contains(address) else {
      fields.addProblem(
        at: "i2c", "\(sheet.name) can't be at \(address); it has \(listed(addresses.map(\.description)))")
      return nil
    }
    return address
  }

  // MARK: - Hardware

  static func hardware(at place: SheetLocation.Place) -> DeviceHardware {
    switch place {
    case .i2c(let bus, _): DeviceHardware(I2CBusPort(.number(bus)))
    case .spi(let bus, _): DeviceHardware(SPIBusPort(number: bus))
    case .serial(let path): DeviceHardware(SerialPort(path))
    }
  }

  /// The chip at a place, for all devices that use it.
  static func chip(_ sheet: Sheet, at place: SheetLocation.Place, on platform: Platform) -> SheetChip {
    func shared(_ hardware: AnyObject, _ make: () -> SheetChip) -> SheetChip {
      simulatedChips.part(.init(hardware, place), isSame: { $0.sheet == sheet }, make: make)
    }
    switch place {
    case .i2c(let bus, let address):
      guard let simulated = platform.simulated(at: I2CBusPort(.number(bus))) else { break }
      return shared(simulated) { SheetChip(sheet, I2CDevice(simulated, at: address)) }
    case .spi(let bus, let chipSelect):
      guard let simulated = platform.simulated(at: SPIBusPort(number: bus)) else { break }
      return shared(simulated) { SheetChip(sheet, simulated, chipSelect: chipSelect) }
    case .serial(let path):
      guard let simulated = platform.simulated(at: SerialPort(path)) else { break }
      return shared(simulated) { SheetChip(sheet, simulated) }
    }
    return SheetLocation.sharedChip(sheet, place)
  }

  /// The chips on simulated buses that are used now: those of equal sheets at one place of a bus are one chip.
  private static let simulatedChips = SharedParts<SheetLocation.Place, SheetChip>()

  /// The place of the chip on a simulated I²C or SPI bus, for all its readings; nil on a real bus.
  static func chipWorld(at place: SheetLocation.Place, on platform: Platform) -> SheetChipWorld? {
    switch place {
    case .i2c(let bus, _):
      platform.simulated(at: I2CBusPort(.number(bus))).map { bus in
        chipWorlds.part(.init(bus, place)) { SheetChipWorld(on: bus) }
      }
    case .spi(let bus, _):
      platform.simulated(at: SPIBusPort(number: bus)).map { bus in
        chipWorlds.part(.init(bus, place)) { SheetChipWorld(on: bus) }
      }
    case .serial: nil
    }
  }

  private static let chipWorlds = SharedParts<SheetLocation.Place, SheetChipWorld>()

  /// The simulated serial device of a sheet; nil on a real line. The first sensor of the line connects it.
  static func device(of sheet: Sheet, at path: String, on platform: Platform) -> SimulatedSheetDevice? {
    guard let line = platform.simulated(at: SerialPort(path)) else { return nil }
    for case let other as SimulatedSheetDevice in line.devices {
      if other.sheet == sheet { return other }
      line.disconnect(other)
    }
    line.isInstant = true
    return SimulatedSheetDevice(sheet, on: line)
  }

  /// The simulated chip at a place, and whether it is connected; nil on a real bus. Connects one if there is none.
  static func world(
    of sheet: Sheet, at place: SheetLocation.Place, on platform: Platform
  ) -> (chip: SimulatedSheetChip, isPlugged: () -> Bool)? {
    switch place {
    case .i2c(let bus, let address):
      guard let bus = platform.simulated(at: I2CBusPort(.number(bus))) else { return nil }
      let socket =
        bus.sockets.first { $0.address == address && $0.device is SimulatedSheetChip }
        ?? bus.connect(SimulatedSheetChip(sheet), at: address)
      return (socket.device as? SimulatedSheetChip).map { ($0, { bus.isPlugged && socket.isPlugged }) }
    case .spi(let bus, let chipSelect):
      guard let bus = platform.simulated(at: SPIBusPort(number: bus)) else { return nil }
      let socket =
        bus.sockets.first { $0.chipSelect == chipSelect && $0.device is SimulatedSheetChip }
        ?? bus.connect(SimulatedSheetChip(sheet), at: chipSelect)
      return (socket.device as? SimulatedSheetChip).map { ($0, { bus.isPlugged && socket.isPlugged }) }
    case .serial: return nil
    }
  }

  // MARK: - Wiring

  /// The wiring of a chip on a bus of the header; nil on any other bus.
  static func wiring(
    of sheet: Sheet, at place: SheetLocation.Place, named name: String, isInput: Bool
  ) -> WiringPlan.Device? {
    let (terminals, board): ([WiringTerminal], String)
    switch place {
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
      name: name, kind: sheet.name, direction: isInput ? .input : .output,
      circuits: [
        .box(sheet.name.uppercased(), terminals: terminals, supplies: ["VCC": .volts3, "GND": .ground])
      ])
    device.board = board
    return device
  }
}
