import CycleCore
import Synchronization

/// A chip with a ``Sheet``, on a bus. It measures for several sensors, from several threads, one measurement at a time.
///
///     let chip = SheetChip(sheet, I2CDevice(bus, at: 0x76))
///     Sensor(chip.source(of: "temperature"), settings: .init(decimals: 1))
///
/// The sensors of one chip with the same settings share a measurement: it gives each of its numbers once, for 500 ms.
public final class SheetChip: @unchecked Sendable {
  public let sheet: Sheet
  /// The name of the chip in errors: `bme280 at 0x76 on i2c-1`.
  public let name: String
  public let needsThread: Bool
  /// Protects the state, and the bus during a measurement.
  private let lock = Mutex(())
  private var state: State

  private struct State {
    var link: Link
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

  /// The chip's place on a bus.
  enum Link {
    case i2c(I2CDevice)
    case spi(SPIDevice)
    case serial(SerialDevice)
  }

  /// The time for which a measurement gives each of its numbers.
  private static let sharing = Duration.milliseconds(500)
  /// The time between two looks at a condition.
  private static let pollInterval = Duration.milliseconds(1)

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - sheet: a sheet for I²C.
  ///   - device: the chip on the bus.
  public convenience init(_ sheet: Sheet, _ device: I2CDevice) {
    self.init(sheet, .i2c(device), "\(sheet.name) at \(device.address)", needsThread: device.bus.needsThread)
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
      sheet, .spi(SPIDevice(bus, chipSelect: chipSelect, settings)), "\(sheet.name) at chip select \(chipSelect)",
      needsThread: bus.needsThread)
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

  private init(_ sheet: Sheet, _ link: Link, _ name: String, needsThread: Bool) {
    self.sheet = sheet
    self.name = name
    self.needsThread = needsThread
    state = State(link: link)
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

  /// Closes the serial line, which no other program can open before. The next reading opens it again.
  func close() {
    lock.withLock { _ in
      guard case .serial(let device) = state.link else { return }
      device.close()
      state.isReady = false
    }
  }

  private func measure(_ settings: SheetSettings, on clock: WorkClock) throws(DriverError) -> [Int128] {
    // The device may have sent frames by itself since the last measurement.
    if case .serial(let device) = state.link { try device.dropArrived(on: clock) }
    if !state.isReady {
      var values = sheet.values(settings)
      try run(sheet.identify, &values, state.link, on: clock)
      try run(sheet.once, &values, state.link, on: clock)
      state.constants = values
      state.isReady = true
    }
    var values = sheet.values(settings, keeping: state.constants)
    try run(sheet.measure, &values, state.link, on: clock)
    do throws(SheetExpression.DivisionByZero) {
      try sheet.calculate(&values)
    } catch {
      throw fault(
        "a formula divides by zero", "The chip gives numbers that its data sheet does not allow: check its wires.")
    }
    return values
  }

  // MARK: - Steps

  private func run(
    _ steps: [Sheet.Step], _ values: inout [Int128], _ link: Link, on clock: WorkClock
  ) throws(DriverError) {
    for step in steps {
      switch step {
      case .write(let bytes): try write(self.bytes(bytes, values), link, on: clock)
      case .read(let register, let fields, let checksum):
        let bytes = try read(Sheet.byteCount(fields, checksum), at: register, link, on: clock)
        guard let plain = checksum.map({ $0.checked(bytes) }) ?? bytes else {
          throw fault("a checksum is wrong", "Check its wires: shorter ones, and a good ground.")
        }
        Sheet.take(fields, from: plain, into: &values)
      case .transfer(let bytes, let fields):
        Sheet.take(fields, from: try exchange(self.bytes(bytes, values), link, on: clock), into: &values)
      case .receive(let frame, let fields, let time):
        guard case .serial(let device) = link else { preconditionFailure("only a serial device sends frames") }
        Sheet.take(fields, from: try device.receive(frame, within: time, on: clock), into: &values)
      case .wait(let time): clock.sleep(for: time)
      case .until(let register, let mask, let wanted, let time):
        let end = clock.now + time
        while try read(1, at: register, link, on: clock)[0] & mask != wanted {
          guard clock.now < end else {
            throw fault("it is not ready in time", "Switch its power off and on; it may be another chip.")
          }
          clock.sleep(for: Self.pollInterval)
        }
      case .expect(let register, let wanted):
        let byte = try read(1, at: register, link, on: clock)[0]
        guard wanted.contains(byte) else {
          throw fault(
            "register \(Self.text(register)) contains 0x\(byte.hexadecimal), not "
              + "\(wanted.map { "0x\($0.hexadecimal)" }.joined(separator: " or "))",
            "Another chip is at this place, or none: check the part and its address.")
        }
      }
    }
  }

  private func bytes(_ formulas: [SheetExpression], _ values: [Int128]) throws(DriverError) -> [UInt8] {
    var bytes: [UInt8] = []
    for formula in formulas {
      do throws(SheetExpression.DivisionByZero) {
        bytes.append(UInt8(truncatingIfNeeded: try formula.value(values)))
      } catch {
        throw fault("a formula divides by zero", "Correct the sheet, or its settings.")
      }
    }
    return bytes
  }

  private static func text(_ register: Sheet.Register) -> String {
    "0x" + register.map(\.hexadecimal).joined()
  }

  private func fault(_ reason: String, _ remedy: String) -> DriverError {
    DriverError(.failed, of: name, cannot: "read \(name)", reason: reason, remedy: remedy)
  }

  // MARK: - Bus

  private func write(_ bytes: [UInt8], _ link: Link, on clock: WorkClock) throws(DriverError) {
    switch link {
    case .i2c(let device): try device.write(bytes, on: clock)
    case .spi(let device): try device.write(bytes, on: clock)
    case .serial(let device): try device.write(bytes, on: clock)
    }
  }

  private func read(
    _ count: Int, at register: Sheet.Register, _ link: Link, on clock: WorkClock
  ) throws(DriverError) -> [UInt8] {
    switch link {
    case .i2c(let device):
      if register.isEmpty { return try device.read(count, on: clock) }
      return try device.read(count, after: register, on: clock)
    case .spi(let device):
      if register.isEmpty { return try device.transfer([.read(count)], on: clock) }
      return try device.read(count, after: register, on: clock)
    case .serial: preconditionFailure("a serial device has no registers")
    }
  }

  private func exchange(_ bytes: [UInt8], _ link: Link, on clock: WorkClock) throws(DriverError) -> [UInt8] {
    switch link {
    case .i2c, .serial: preconditionFailure("only a sheet for SPI has transfers")
    case .spi(let device): return try device.exchange(bytes, on: clock)
    }
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
