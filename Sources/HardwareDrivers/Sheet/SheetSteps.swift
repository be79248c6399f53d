import CycleCore

/// The place of a chip with a sheet on a bus.
enum SheetLink {
  case i2c(I2CDevice)
  case spi(SPIDevice)
  case serial(SerialDevice)
}

/// Runs steps of a ``Sheet`` on a bus.
struct SheetSteps {
  let link: SheetLink
  /// The name of the chip in errors.
  let name: String
  /// The verb of its errors: `read` for `cannot read bme280 at 0x76 on i2c-1`.
  let verb: String

  /// The time between two looks at a condition.
  private static let pollInterval = Duration.milliseconds(1)

  /// Runs steps, whose answers change the values.
  func run(_ steps: [Sheet.Step], _ values: inout [Int128], on clock: WorkClock) throws(DriverError) {
    for step in steps {
      switch step {
      case .write(let bytes): try write(bytes, values, on: clock)
      case .read(let register, let fields, let checksum):
        let bytes = try read(Sheet.byteCount(fields, checksum), at: register, on: clock)
        guard let plain = checksum.map({ $0.checked(bytes) }) ?? bytes else {
          throw fault("a checksum is wrong", "Check its wires: shorter ones, and a good ground.")
        }
        Sheet.take(fields, from: plain, into: &values)
      case .transfer(let bytes, let fields):
        Sheet.take(fields, from: try exchange(self.bytes(bytes, values), on: clock), into: &values)
      case .receive(let frame, let fields, let time):
        guard case .serial(let device) = link else { preconditionFailure("only a serial device sends frames") }
        Sheet.take(fields, from: try device.receive(frame, of: name, within: time, on: clock), into: &values)
      case .wait(let time): clock.sleep(for: time)
      case .until(let register, let mask, let wanted, let time):
        let end = clock.now + time
        while try read(1, at: register, on: clock)[0] & mask != wanted {
          guard clock.now < end else {
            throw fault("it is not ready in time", "Switch its power off and on; it may be another chip.")
          }
          clock.sleep(for: Self.pollInterval)
        }
      case .expect(let register, let wanted):
        let byte = try read(1, at: register, on: clock)[0]
        guard wanted.contains(byte) else {
          throw fault(
            "register \(Self.text(register)) contains 0x\(byte.hexadecimal), not "
              + "\(wanted.map { "0x\($0.hexadecimal)" }.joined(separator: " or "))",
            "Another chip is at this place, or none: check the part and its address.")
        }
      }
    }
  }

  /// Whether each byte that the steps expect is there.
  func holds(_ steps: [Sheet.Step], on clock: WorkClock) throws(DriverError) -> Bool {
    for step in steps {
      guard case .expect(let register, let wanted) = step else { continue }
      if try !wanted.contains(read(1, at: register, on: clock)[0]) { return false }
    }
    return true
  }

  /// Throws the first fault that the chip reports.
  func checkFaults(of sheet: Sheet, _ values: [Int128]) throws(DriverError) {
    for fault in sheet.faults {
      let isPresent: Bool
      do throws(SheetExpression.DivisionByZero) {
        isPresent = try fault.formula.value(values) != 0
      } catch {
        throw divisionByZero
      }
      if isPresent { throw self.fault(fault.text, "The chip reports it: check the part that is connected to it.") }
    }
  }

  /// Calculates the numbers of a sheet.
  func calculate(_ sheet: Sheet, _ values: inout [Int128]) throws(DriverError) {
    do throws(SheetExpression.DivisionByZero) {
      try sheet.calculate(&values)
    } catch {
      throw divisionByZero
    }
  }

  /// The error of a formula that divides by zero.
  var divisionByZero: DriverError {
    fault("a formula divides by zero", "The chip gives numbers that its data sheet does not allow: check its wires.")
  }

  /// Writes bytes, each the last 8 bits of a formula.
  func write(_ formulas: [SheetExpression], _ values: [Int128], on clock: WorkClock) throws(DriverError) {
    let bytes = try bytes(formulas, values)
    switch link {
    case .i2c(let device): try device.write(bytes, on: clock)
    case .spi(let device): try device.write(bytes, on: clock)
    case .serial(let device): try device.write(bytes, on: clock)
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
    DriverError(.failed, of: name, cannot: "\(verb) \(name)", reason: reason, remedy: remedy)
  }

  // MARK: - Bus

  private func read(
    _ count: Int, at register: Sheet.Register, on clock: WorkClock
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

  private func exchange(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    switch link {
    case .i2c, .serial: preconditionFailure("only a sheet for SPI has transfers")
    case .spi(let device): return try device.exchange(bytes, on: clock)
    }
  }
}
