import CycleCore
import HardwareDrivers

/// An MCP23017 on a simulated bus. Its lines are those of ``pins``, a simulated chip on which the world has contacts
/// and drives levels as on any other.
///
///     let expander = SimulatedMCP23017(on: bus, at: 0x20, interrupt: chip.line("GPIO4"))
///     try expander.pins.contact(at: "GPA0").press()
///     #expect(expander.pins.line("GPB7").level == .high)
///
/// A register takes effect at the moment at which its transfer is requested, up to some milliseconds too early, so that
/// a reading in the same step of a worker finds it. After a power-up all lines are inputs without resistors.
///
/// Source: Microchip MCP23017, DS20001952, sections 3.4 to 3.6.
public final class SimulatedMCP23017: SimulatedI2CDevice, SimulatedHardware {
  /// The lines GPA0 to GPA7 and GPB0 to GPB7, seen from the circuit outside.
  public let pins: SimulatedChip
  /// The expander's connection to the bus, for faults of only the expander.
  public private(set) var socket: I2CSocket!

  private let bench: Bench
  private let interrupt: SimulatedLine?
  private let request: any LineRequest
  private var registers = [UInt8](repeating: 0, count: 22)
  /// The register that the next byte is for; nil before the first byte of a message.
  private var pointer: Int?
  /// The lines whose change has raised the interrupt, and the levels at that moment.
  private var flags: UInt16 = 0
  private var captured: UInt16 = 0
  /// The levels at the last moment, against which changes are compared.
  private var known: UInt16 = 0

  private let names: [LineName]

  /// - Parameters:
  ///   - bus: the bus.
  ///   - address: the address on the bus.
  ///   - line: the line that INTA and INTB are wired to; nil for none. They are open-drain if the program has
  ///     configured that; if not, they drive high, too.
  ///   - prefix: the text before the name of each line: with `more.`, a line is `more.GPA0`.
  public init(
    on bus: SimulatedI2CBus, at address: I2CAddress, interrupt line: SimulatedLine? = nil,
    linePrefix prefix: String = ""
  ) {
    bench = bus.bench
    interrupt = line
    names = ["A", "B"].flatMap { port in (0..<8).map { LineName("\(prefix)GP\(port)\($0)") } }
    pins = SimulatedChip(bench, label: "MCP23017", names: names)
    request = Self.inputs(names, of: pins)
    for name in names { pins.line(name).onChange { [weak self] _, _ in self?.notice() } }
    powerUp()
    socket = bus.connect(self, at: address)
  }

  private static func inputs(_ names: [LineName], of pins: SimulatedChip) -> any LineRequest {
    do {
      return try pins.otherProgram().request(names.map { LineConfiguration($0, .input(.disabled), edges: .none) })
    } catch {
      preconditionFailure("a new chip's lines are free: \(error)")
    }
  }

  // MARK: - The world's side

  public var isPlugged: Bool { socket.isPlugged }

  /// Cuts the power: the lines are not driven, and the expander acknowledges nothing.
  public func unplug() {
    guard isPlugged else { return }
    socket.isPlugged = false
    powerUp()
  }

  /// Restores the power.
  public func plug() {
    guard !isPlugged else { return }
    socket.isPlugged = true
    powerUp()
  }

  private func powerUp() {
    registers = [UInt8](repeating: 0, count: 22)
    (registers[0], registers[1]) = (0xFF, 0xFF)
    (pointer, flags, captured) = (nil, 0, 0)
    apply()
  }

  // MARK: - The bus

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    if !reading { pointer = nil }
    return .acknowledged
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    guard let register = pointer else {
      guard byte < registers.count else { return .refused }
      pointer = Int(byte)
      return .acknowledged
    }
    advance()
    store(byte, in: register)
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 {
    let register = pointer ?? 0
    advance()
    return load(register)
  }

  private func advance() {
    pointer = ((pointer ?? 0) + 1) % registers.count
  }

  private func load(_ register: Int) -> UInt8 {
    let shift = UInt16(register % 2 * 8)
    switch register {
    case 0x0E, 0x0F: return UInt8(truncatingIfNeeded: flags >> shift)
    case 0x10, 0x11:
      defer { clear(shift) }
      return UInt8(truncatingIfNeeded: captured >> shift)
    case 0x12, 0x13:
      defer { clear(shift) }
      return UInt8(truncatingIfNeeded: levels >> shift)
    default: return registers[register]
    }
  }

  /// Ends the interrupt of one port.
  private func clear(_ shift: UInt16) {
    flags &= ~(0xFF << shift)
    signal()
  }

  private func store(_ byte: UInt8, in register: Int) {
    switch register {
    case 0x0A, 0x0B: (registers[0x0A], registers[0x0B]) = (byte & 0x7E, byte & 0x7E)
    case 0x0E...0x11: return
    case 0x12, 0x13: registers[register + 2] = byte
    default: registers[register] = byte
    }
    apply()
  }

  // MARK: - The lines

  private func word(_ register: Int) -> UInt16 { UInt16(registers[register]) | UInt16(registers[register + 1]) << 8 }

  private var levels: UInt16 {
    var levels: UInt16 = 0
    for (index, name) in names.enumerated() where pins.line(name).level == .high { levels |= 1 << UInt16(index) }
    return levels
  }

  /// Configures and drives the lines as the registers say.
  private func apply() {
    let (inputs, pullUps, latch) = (word(0x00), word(0x0C), word(0x14))
    let lines = names.indices.map { index in
      let bit: UInt16 = 1 << UInt16(index)
      return LineConfiguration(
        names[index],
        inputs & bit != 0
          ? .input(pullUps & bit != 0 ? .pullUp : .disabled)
          : .output(LineValue(latch & bit != 0), .pushPull, .disabled), edges: .none)
    }
    do {
      try request.reconfigure(lines)
    } catch {
      preconditionFailure("the lines of the simulated expander are its own: \(error)")
    }
    notice()
  }

  /// Raises the interrupt for inputs that have changed.
  private func notice() {
    let levels = levels
    let changed = (levels ^ known) & word(0x04) & word(0x00)
    known = levels
    guard changed != 0 else { return signal() }
    // Until it is read, a port keeps the levels of its first change.
    for shift in [0, 8] as [UInt16] where flags >> shift & 0xFF == 0 && changed >> shift & 0xFF != 0 {
      captured = captured & ~(0xFF << shift) | levels & (0xFF << shift)
      flags |= changed & (0xFF << shift)
    }
    signal()
  }

  private func signal() {
    guard let interrupt else { return }
    guard socket?.isPlugged ?? true else { return interrupt.drive(nil) }
    let isOpenDrain = registers[0x0A] & 0x04 != 0
    interrupt.drive(flags != 0 ? .low : isOpenDrain ? nil : .high)
  }
}
