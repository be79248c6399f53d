import CycleCore
import Synchronization

/// The contacts of a chip with a ``Sheet`` as lines, for an ``I2CExpander``: the pads of a touch sensor.
///
///     let pads = I2CExpander(SheetContacts(sheet), bus, address: 0x5A, settings: .init(poll: .milliseconds(20)))
///     Lens(pads)
///     Lens(Button(pads, line: "0"), on: { frame, event in … })
///
/// A line is low while its contact is closed, as with a contact to ground. All lines are inputs.
///
/// **Power.** A chip that has lost its power has open contacts. The sheet's `check` reads a setting back, so that this is
/// a loss.
public final class SheetContacts: ExpanderRegisters {
  public let sheet: Sheet
  private let settings: SheetSettings
  /// The values that `once` has read; nil unless the chip was set up since the last error.
  private let constants = Mutex<[Int128]?>(nil)

  /// - Parameters:
  ///   - sheet: a sheet for I²C with contacts.
  ///   - settings: the settings that the sheet has; the others have their defaults.
  public init(_ sheet: Sheet, settings: SheetSettings = SheetSettings()) {
    precondition(!sheet.contacts.isEmpty, "\(sheet.name) has no contacts")
    (self.sheet, self.settings) = (sheet, settings)
  }

  public var lineNames: [LineName] { sheet.contacts.map { LineName($0.name) } }
  public var kind: String { sheet.name }

  /// The time between two checks; nil for a sheet without them. A chip that is polled is checked each second, because
  /// its thread is awake anyway. One with an interrupt line causes no other wake-up at rest, and is checked as rarely as
  /// an output.
  package static func checkInterval(of sheet: Sheet, hasInterrupt: Bool) -> Duration? {
    if sheet.check.isEmpty { return nil }
    return hasInterrupt ? OutputProgress.checkInterval : .seconds(1)
  }

  public func refusal(of line: LineConfiguration) -> String? {
    switch line.direction {
    case .input(.pullDown): "its contacts are low while they are closed, and nothing pulls them down"
    case .input: nil
    case .output: "it has contacts only"
    }
  }

  private func steps(on chip: I2CDevice) -> SheetSteps {
    SheetSteps(link: .i2c(chip), name: SheetChip.name(of: sheet, chip), verb: "read")
  }

  /// Leaves a chip as it is that has its settings: a touch sensor that is set up again measures its pads again.
  public func setUp(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {
    if try hasSettings(chip, clock) { return }
    constants.withLock { $0 = nil }
    var values = sheet.values(settings)
    let steps = steps(on: chip)
    try steps.run(sheet.identify, &values, on: clock)
    try steps.run(sheet.once, &values, on: clock)
    constants.withLock { $0 = values }
  }

  public func writeLevels(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {}

  public func read(on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> ExpanderReading {
    let steps = steps(on: chip)
    var values = sheet.values(settings, keeping: constants.withLock { $0 } ?? [])
    do throws(DriverError) {
      try steps.run(sheet.measure, &values, on: clock)
      try steps.checkFaults(of: sheet, values)
      try steps.calculate(sheet, &values)
      do throws(SheetExpression.DivisionByZero) {
        return ExpanderReading(levels: try sheet.openContacts(values))
      } catch {
        throw steps.divisionByZero
      }
    } catch {
      constants.withLock { $0 = nil }
      throw error
    }
  }

  public func readOutputs(
    _ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock
  ) throws(DriverError) -> LineValues? {
    if try hasSettings(chip, clock) { return pins.levels }
    constants.withLock { $0 = nil }
    return nil
  }

  /// Whether the chip was set up and still has its settings; false if the sheet has no check.
  private func hasSettings(_ chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> Bool {
    guard constants.withLock({ $0 != nil }), !sheet.check.isEmpty else { return false }
    return try steps(on: chip).holds(sheet.check, on: clock)
  }
}

extension Sheet {
  /// The contacts that are open: bit n is contact n.
  func openContacts(_ values: [Int128]) throws(SheetExpression.DivisionByZero) -> LineValues {
    var open: LineValues = []
    for (place, contact) in contacts.enumerated() { open[place] = LineValue(try contact.formula.value(values) == 0) }
    return open
  }

  /// The steps of the check.
  package var checkSteps: [Step] { check }

  /// The bit of an answer that closes a contact.
  package struct ContactBit: Equatable, Sendable {
    /// The register whose bytes have the bit.
    package var register: Int
    package var mask: UInt8
    /// Whether the contact is closed while the bit is set.
    package var isClosedIfSet: Bool
  }

  /// The bit of each contact: the only one in the answers that changes it, and that changes no other contact. Nil for a
  /// contact without such a bit, and for all contacts if the example has no registers.
  ///
  /// - Parameter settings: the settings of the chip; nil for those of the example.
  package func contactBits(_ settings: SheetSettings? = nil) -> [ContactBit?] {
    let settings = settings ?? example.settings
    var bits: [ContactBit?] = contacts.map { _ in nil }
    guard case .registers(let registers) = example.answers else { return bits }
    guard let base = openContacts(settings, in: registers, flipping: nil) else { return bits }
    var seen: Set<Int> = []
    for step in measure {
      guard case .read(let bytes, let fields, nil) = step, !bytes.isEmpty else { continue }
      let first = bytes.reduce(0) { $0 << 8 | Int($1) }
      for register in first..<first + Sheet.byteCount(fields, nil) where seen.insert(register).inserted {
        for mask in (0..<8).map({ UInt8(1) << $0 }) {
          guard let open = openContacts(settings, in: registers, flipping: (register, mask)) else { continue }
          let changed = contacts.indices.filter { open[$0] != base[$0] }
          guard changed.count == 1, bits[changed[0]] == nil else { continue }
          let isSet = SheetExample.byte(at: register, in: registers) & mask != 0
          bits[changed[0]] = ContactBit(
            register: register, mask: mask, isClosedIfSet: isSet != base[changed[0]].isActive)
        }
      }
    }
    return bits
  }

  /// The open contacts of a chip with these registers; nil if a formula divides by zero.
  private func openContacts(
    _ settings: SheetSettings, in registers: [(register: Int, bytes: [UInt8])],
    flipping bit: (register: Int, mask: UInt8)?
  ) -> LineValues? {
    var values = values(settings)
    for step in once + measure {
      guard case .read(let bytes, let fields, nil) = step, !bytes.isEmpty else { continue }
      let first = bytes.reduce(0) { $0 << 8 | Int($1) }
      let answer = (first..<first + Sheet.byteCount(fields, nil)).map { register in
        SheetExample.byte(at: register, in: registers) ^ (bit?.register == register ? bit?.mask ?? 0 : 0)
      }
      Sheet.take(fields, from: answer, into: &values)
    }
    guard (try? calculate(&values)) != nil else { return nil }
    return try? openContacts(values)
  }
}

extension SheetExample {
  /// The byte in a register; 0 for one that the example doesn't have.
  static func byte(at register: Int, in registers: [(register: Int, bytes: [UInt8])]) -> UInt8 {
    for (start, bytes) in registers where start <= register && register < start + bytes.count {
      return bytes[register - start]
    }
    return 0
  }
}
