import CycleCore
import Synchronization

/// A chip with a ``Sheet``, on a bus. It measures for several sensors and sets its outputs, from several threads, one
/// at a time.
///
///     let chip = SheetChip(sheet, I2CDevice(bus, at: 0x76))
///     Sensor(chip.source(of: "temperature"), settings: .init(decimals: 1))
///
/// The sensors of one chip with the same settings share a measurement: it gives each of its numbers once, for 500 ms.
/// A ``SheetLevel`` sets an output.
public final class SheetChip: @unchecked Sendable {
  public let sheet: Sheet
  /// The name of the chip in errors: `bme280 at 0x76 on i2c-1`.
  public let name: String
  public let needsThread: Bool
  /// Protects the state, and the bus during a measurement.
  private let lock = Mutex(())
  private let link: SheetLink
  private var state = State()

  private struct State {
    /// Whether the chip was identified and set up since the last error.
    var isReady = false
    /// The values that `once` has read.
    var constants: [Int128] = []
    /// The last measurement.
    var measured: Measurement?
  }

  /// A measurement that several sensors share.
  private struct Measurement {
    var settings: SheetSettings
    var values: [Int128]
    var moment: Moment
    /// The numbers that were read from it.
    var given: Set<String>
  }

  /// The time for which a measurement gives each of its numbers.
  private static let sharing = Duration.milliseconds(500)

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - sheet: a sheet for I²C.
  ///   - device: the chip on the bus.
  public convenience init(_ sheet: Sheet, _ device: I2CDevice) {
    self.init(sheet, .i2c(device), Self.name(of: sheet, device), needsThread: device.bus.needsThread)
  }

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - sheet: a sheet for SPI.
  ///   - bus: the bus.
  ///   - chipSelect: the number of the chip select.
  public convenience init(_ sheet: Sheet, _ bus: any SPIBus, chipSelect: Int) {
    guard case .spi(let settings) = sheet.bus else { preconditionFailure("\(sheet.name) is no chip for SPI") }
    self.init(
      sheet, .spi(SPIDevice(bus, chipSelect: chipSelect, settings)),
      "\(sheet.name) at chip select \(chipSelect) of \(bus.name)", needsThread: bus.needsThread)
  }

  /// Doesn't open the line.
  ///
  /// - Parameters:
  ///   - sheet: a sheet for a serial line.
  ///   - line: the line, with no other device.
  public convenience init(_ sheet: Sheet, _ line: any SerialLine) {
    guard case .serial(let settings) = sheet.bus else { preconditionFailure("\(sheet.name) is no serial device") }
    self.init(
      sheet, .serial(SerialDevice(line, settings)), "\(sheet.name) on \(line.name)", needsThread: line.needsThread)
  }

  /// The name of a chip on I²C in errors: `bme280 at 0x76 on i2c-1`.
  static func name(of sheet: Sheet, _ device: I2CDevice) -> String {
    "\(sheet.name) at \(device.address) on \(device.bus.name)"
  }

  private init(_ sheet: Sheet, _ link: SheetLink, _ name: String, needsThread: Bool) {
    self.sheet = sheet
    self.name = name
    self.needsThread = needsThread
    self.link = link
  }

  /// The source of one of the sheet's readings.
  ///
  /// - Parameters:
  ///   - number: the name of the reading; one that the sheet lacks is a programmer's mistake.
  ///   - settings: the settings that the sheet has; the others have their defaults.
  public func source(of number: String, settings: SheetSettings = SheetSettings()) -> any NumberSource {
    SheetNumberSource(self, number, settings)
  }

  /// Reads a number: measures, or takes it from the last measurement.
  ///
  /// - Throws: the error of the bus, or kind `failed` if the chip answers what the sheet does not allow.
  func read(_ number: String, _ settings: SheetSettings, on clock: WorkClock) throws(DriverError) -> Double {
    try lock.withLock { _ throws(DriverError) in
      if let last = state.measured, last.settings == settings, !last.given.contains(number),
        clock.now - last.moment <= Self.sharing
      {
        state.measured?.given.insert(number)
        return sheet.reading(number, last.values, settings)
      }
      state.measured = nil
      do throws(DriverError) {
        let values = try measure(settings, on: clock)
        state.measured = Measurement(settings: settings, values: values, moment: clock.now, given: [number])
        return sheet.reading(number, values, settings)
      } catch {
        state.isReady = false
        throw error
      }
    }
  }

  /// Sets an output to a number of its range.
  ///
  /// - Throws: the error of the bus, or kind `failed` if the chip answers what the sheet does not allow.
  func set(
    _ output: Sheet.Output, to number: Int, _ settings: SheetSettings, on clock: WorkClock
  ) throws(DriverError) {
    try lock.withLock { _ throws(DriverError) in
      do throws(DriverError) {
        let steps = SheetSteps(link: link, name: name, verb: "set")
        try setUp(settings, by: steps, on: clock)
        var values = sheet.values(settings, keeping: state.constants)
        values[output.slot] = Int128(number)
        try steps.write(output.write, values, on: clock)
      } catch {
        state.isReady = false
        throw error
      }
    }
  }

  /// Sets an output, by its name, to a level of 0 to 1.
  package func set(
    _ output: String, to level: Double, _ settings: SheetSettings, on clock: WorkClock
  ) throws(DriverError) {
    guard let output = sheet.outputs.first(where: { $0.name == output }) else { return }
    try set(output, to: output.number(of: level), settings, on: clock)
  }

  /// Drops the shared measurement: the world has changed.
  package func forgetMeasurement() { lock.withLock { _ in state.measured = nil } }

  /// Wakes the watcher when a bus that is away is back; returns nil if nothing announces that.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    switch link {
    case .i2c(let device): try device.bus.watchForReturn(watcher)
    case .spi(let device): try device.bus.watchForReturn(watcher)
    case .serial(let device): try device.line.watchForReturn(watcher)
    }
  }

  /// Closes the bus. The next transfer opens it again.
  func close() {
    lock.withLock { _ in
      switch link {
      case .i2c(let device): device.close()
      case .spi(let device): device.close()
      case .serial(let device):
        device.close()
        state.isReady = false
      }
    }
  }

  private func measure(_ settings: SheetSettings, on clock: WorkClock) throws(DriverError) -> [Int128] {
    // The device may have sent frames by itself since the last measurement.
    if case .serial(let device) = link { try device.dropArrived(on: clock) }
    let steps = SheetSteps(link: link, name: name, verb: "read")
    try setUp(settings, by: steps, on: clock)
    var values = sheet.values(settings, keeping: state.constants)
    try steps.run(sheet.measure, &values, on: clock)
    try steps.checkFaults(of: sheet, values)
    try steps.calculate(sheet, &values)
    return values
  }

  /// Identifies the chip and sets it up, unless that was done since the last error.
  private func setUp(_ settings: SheetSettings, by steps: SheetSteps, on clock: WorkClock) throws(DriverError) {
    guard !state.isReady else { return }
    var values = sheet.values(settings)
    try steps.run(sheet.identify, &values, on: clock)
    try steps.run(sheet.once, &values, on: clock)
    state.constants = values
    state.isReady = true
  }
}

/// One reading of a ``SheetChip``.
private struct SheetNumberSource: NumberSource {
  private let chip: SheetChip
  private let number: String
  private let settings: SheetSettings
  let unit: String

  init(_ chip: SheetChip, _ number: String, _ settings: SheetSettings) {
    guard let reading = chip.sheet.readings.first(where: { $0.name == number })?.reading else {
      preconditionFailure("\(chip.sheet.name) has no reading \(number)")
    }
    (self.chip, self.number, self.settings) = (chip, number, settings)
    unit = reading.unit
  }

  var name: String { "\(chip.sheet.name) \(number)" }
  var needsThread: Bool { chip.needsThread }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    try chip.read(number, settings, on: clock)
  }

  func close() { chip.close() }
}
