import CycleCore
import HardwareDrivers

/// A chip whose contacts a sheet describes, on a simulated I²C bus. Its contacts are the lines of ``pins``, a simulated
/// chip on which the simulated environment has contacts to ground.
///
///     let pads = SimulatedSheetContacts(sheet, on: bus, at: 0x5A)
///     try pads.pins.contact(at: "3").press()
///
/// The chip answers with the registers of the sheet's example, in which the bit of each contact is set or cleared.
public final class SimulatedSheetContacts: SimulatedI2CDevice, SimulatedHardware {
  /// The lines of the contacts: low is closed.
  public let pins: SimulatedChip
  /// The registers of the chip.
  public let chip: SimulatedSheetChip
  /// The chip's connection to the bus, for faults of only the chip.
  public private(set) var socket: I2CSocket!
  private let bits: [Sheet.ContactBit?]
  private let names: [LineName]
  private let checked: [Int]
  private let interrupt: SimulatedLine?
  private let request: any LineRequest

  /// - Parameters:
  ///   - sheet: a sheet with contacts, whose example has registers.
  ///   - bus: the bus.
  ///   - address: the address on the bus.
  ///   - line: the line that the chip's interrupt is wired to, which is low from a change of a contact to the end of the
  ///     next read; nil for none.
  ///   - prefix: the text before the name of each line: with `pads.`, a line is `pads.3`.
  ///   - settings: the settings of the chip; nil for those of the sheet's example.
  public init(
    _ sheet: Sheet, on bus: SimulatedI2CBus, at address: I2CAddress, interrupt line: SimulatedLine? = nil,
    linePrefix prefix: String = "", settings: SheetSettings? = nil
  ) {
    names = sheet.contacts.map { LineName(prefix + $0.name) }
    bits = sheet.contactBits(settings)
    checked = sheet.checkedRegisters
    interrupt = line
    pins = SimulatedChip(bus.bench, label: sheet.name, names: names)
    request = Self.inputs(names, of: pins)
    chip = SimulatedSheetChip(sheet)
    socket = bus.connect(self, at: address)
    for place in names.indices { set(place) }
    chip.powerUp(losing: checked)
    for (place, name) in names.enumerated() {
      pins.line(name).onChange { [weak self] _, _ in self?.notice(place) }
    }
    chip.onRead { [weak self] in self?.interrupt?.drive(nil) }
  }

  private static func inputs(_ names: [LineName], of pins: SimulatedChip) -> any LineRequest {
    do {
      return try pins.otherProgram().request(names.map { LineConfiguration($0, .input(.pullUp), edges: .none) })
    } catch {
      preconditionFailure("a new chip's lines are free: \(error)")
    }
  }

  private func set(_ place: Int) {
    guard let bit = bits[place] else { return }
    let isClosed = pins.line(names[place]).level == .low
    chip.set(isClosed == bit.isClosedIfSet, mask: bit.mask, at: bit.register)
  }

  private func notice(_ place: Int) {
    set(place)
    if isPlugged { interrupt?.drive(.low) }
  }

  // MARK: - The bus

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    chip.begin(reading: reading, at: moment)
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement { chip.receive(byte, at: moment) }
  public func send(at moment: Moment) -> UInt8 { chip.send(at: moment) }
  public func end(at moment: Moment) { chip.end(at: moment) }

  // MARK: - The other side of the wire

  public var isPlugged: Bool { socket.isPlugged }

  /// Cuts the power: the chip acknowledges nothing.
  public func unplug() {
    socket.isPlugged = false
    interrupt?.drive(nil)
  }

  /// Restores the power: the chip has lost its settings.
  public func plug() {
    guard !isPlugged else { return }
    socket.isPlugged = true
    powerUp()
  }

  /// Cuts the power and restores it.
  public func powerUp() { chip.powerUp(losing: checked) }
}

extension Sheet {
  /// The registers that the check reads.
  var checkedRegisters: [Int] {
    checkSteps.compactMap { step in
      if case .expect(let register, _) = step { register.reduce(0) { $0 << 8 | Int($1) } } else { nil }
    }
  }
}
