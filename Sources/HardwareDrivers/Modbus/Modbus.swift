import CycleCore
import Synchronization

/// A register of a Modbus device, or several that make one number.
public struct ModbusRegister: Hashable, Sendable {
  /// The table of registers.
  public enum Table: String, CaseIterable, Sendable {
    /// Numbers that can also be written: function 3.
    case holding
    /// Measured numbers: function 4.
    case input

    var function: UInt8 { self == .holding ? 3 : 4 }
  }

  /// The type of the number.
  public enum Notation: String, CaseIterable, Sendable {
    case u16, s16, u32, s32, f32

    /// The number of registers.
    public var count: Int { self == .u16 || self == .s16 ? 1 : 2 }
  }

  /// The address of the device, 1 to 247.
  public var unit: UInt8
  public var table: Table
  /// The number of the register as it is sent, from 0.
  public var number: UInt16
  public var notation: Notation
  /// Whether the low register of a number comes first.
  public var isLowFirst: Bool

  public init(
    unit: UInt8, _ number: UInt16, in table: Table = .holding, as notation: Notation = .u16, isLowFirst: Bool = false
  ) {
    precondition((1...247).contains(unit), "a Modbus device has an address of 1 to 247")
    (self.unit, self.number, self.table, self.notation) = (unit, number, table, notation)
    self.isLowFirst = isLowFirst
  }

  /// The name of the register in messages: `unit 1, holding register 0x0000`.
  public var text: String {
    let high = UInt8(number >> 8).hexadecimal
    let low = UInt8(number & 0xFF).hexadecimal
    return "unit \(unit), \(table.rawValue) register 0x\(high)\(low)"
  }

  /// The request that reads it.
  var request: [UInt8] {
    ModbusChecksum.added(
      to: [unit, table.function, UInt8(number >> 8), UInt8(number & 0xFF), 0, UInt8(notation.count)])
  }

  /// The content of the registers with a number, or with the nearest one that they can have.
  package func data(of number: Double) -> [UInt8] {
    func bits<Whole: FixedWidthInteger>(_ type: Whole.Type) -> Whole {
      let (least, greatest) = (Double(Whole.min), Double(Whole.max))
      return number.isNaN ? 0 : Whole(min(max(number.rounded(), least), greatest))
    }
    let words: UInt32 =
      switch notation {
      case .u16: UInt32(bits(UInt16.self))
      case .s16: UInt32(UInt16(bitPattern: bits(Int16.self)))
      case .u32: bits(UInt32.self)
      case .s32: UInt32(bitPattern: bits(Int32.self))
      case .f32: Float(number).bitPattern
      }
    let bytes = stride(from: 8 * (2 * notation.count - 1), through: 0, by: -8).map { UInt8(words >> UInt32($0) & 0xFF) }
    return isLowFirst && bytes.count == 4 ? Array(bytes[2...] + bytes[..<2]) : bytes
  }

  /// The numbers that the registers can have.
  package var numbers: ClosedRange<Double> {
    switch notation {
    case .u16: 0...Double(UInt16.max)
    case .s16: Double(Int16.min)...Double(Int16.max)
    case .u32: 0...Double(UInt32.max)
    case .s32: Double(Int32.min)...Double(Int32.max)
    case .f32: -.infinity ... .infinity
    }
  }

  /// The number in the content of the registers.
  package func value(of data: [UInt8]) -> Double {
    var words = stride(from: 0, to: data.count, by: 2).map { UInt32(data[$0]) << 8 | UInt32(data[$0 + 1]) }
    if isLowFirst { words.reverse() }
    let bits = words.reduce(0) { $0 << 16 | $1 }
    switch notation {
    case .u16, .u32: return Double(bits)
    case .s16: return Double(Int16(truncatingIfNeeded: bits))
    case .s32: return Double(Int32(bitPattern: bits))
    case .f32: return Double(Float(bitPattern: bits))
    }
  }
}

/// The checksum of Modbus RTU: CRC-16 with the polynomial 0xA001, from 0xFFFF on, the low byte first.
package enum ModbusChecksum {
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var sum: UInt16 = 0xFFFF
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return sum
  }

  package static func added(to bytes: [UInt8]) -> [UInt8] {
    let sum = of(bytes)
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  package static func isRight(in bytes: [UInt8]) -> Bool { bytes.count > 2 && added(to: bytes.dropLast(2)) == bytes }
}

extension ModbusChecksum {
  private static func added(to bytes: ArraySlice<UInt8>) -> [UInt8] { added(to: Array(bytes)) }
}

/// Modbus RTU on a serial line, mostly RS-485: reads the registers of several devices, one after the other.
///
///     let bus = ModbusLine(line, SerialSettings(baud: 9600))
///     Sensor(bus.source(of: ModbusRegister(unit: 1, 0x0000)))
///
/// Each reading sends one request, and waits up to ``patience`` for the reply.
///
/// **Source.** MODBUS over serial line, specification and implementation guide V1.02, section 2.5; MODBUS application
/// protocol V1.1b3, sections 6.3, 6.4 and 7.
public final class ModbusLine: @unchecked Sendable {
  /// The time that a device has for its reply.
  public static let patience = Duration.seconds(1)

  public let name: String
  public let needsThread: Bool
  /// Protects the device, which the threads of several sensors use.
  private let lock = Mutex(())
  private let device: SerialDevice
  /// The moment from which a request may be sent: a pause follows each frame.
  private var freeAt = Moment.zero
  /// Whether the rest of a wrong reply can still arrive.
  private var isDisturbed = false

  /// Doesn't open the line.
  public init(_ line: any SerialLine, _ settings: SerialSettings) {
    device = SerialDevice(line, settings)
    name = line.name
    needsThread = line.needsThread
  }

  /// The source of a register's number.
  ///
  /// - Parameter register: the register.
  public func source(of register: ModbusRegister) -> any NumberSource { ModbusNumberSource(line: self, register) }

  /// Closes the line. The next reading opens it again.
  public func close() { lock.withLock { _ in device.close() } }

  /// Reads a register.
  ///
  /// - Throws: the error of the line; kind `lost` if the device does not reply, and `failed` if its reply is wrong.
  func read(_ register: ModbusRegister, on clock: WorkClock) throws(DriverError) -> Double {
    try lock.withLock { _ throws(DriverError) in
      let silence = device.settings.silence
      if clock.now < freeAt { clock.sleep(for: freeAt - clock.now) }
      defer { freeAt = clock.now + silence }
      // The rest of a late reply.
      try device.dropArrived(on: clock, until: isDisturbed ? silence : .zero)
      isDisturbed = true
      try device.write(register.request, on: clock)
      let number = register.value(of: try reply(register, on: clock))
      isDisturbed = false
      return number
    }
  }

  /// The data of the reply.
  private func reply(_ register: ModbusRegister, on clock: WorkClock) throws(DriverError) -> [UInt8] {
    let fault = ModbusErrorFactory(name, register)
    let end = clock.now + Self.patience
    var received = ModbusReply(to: register)
    while received.needsMore {
      let more = try device.arrived(until: end, on: clock)
      received.bytes += more
      // A device that sends other bytes without end.
      guard !more.isEmpty, clock.now < end else { break }
    }
    switch received.frame {
    case .none where received.bytes.isEmpty: throw fault.silent(for: Self.patience)
    case .none where received.isEcho: throw fault.silent(for: Self.patience)
    case .none: throw fault.wrong("its reply has only \(received.bytes.count) bytes")
    case .some(let bytes):
      guard ModbusChecksum.isRight(in: bytes) else { throw fault.wrong("the checksum of its reply is wrong") }
      guard bytes[0] == register.unit else { throw fault.wrong("unit \(bytes[0]) has replied") }
      let function = register.table.function
      if bytes[1] == function | 0x80 { throw fault.exception(bytes[2]) }
      guard bytes[1] == function, Int(bytes[2]) == 2 * register.notation.count else {
        throw fault.wrong("its reply is for another request")
      }
      return Array(bytes[3..<bytes.count - 2])
    }
  }
}

/// The bytes after a request: the reply, and before it the request itself if the adapter returns what it sends.
private struct ModbusReply {
  var bytes: [UInt8] = []
  private let request: [UInt8]
  private let whole: Int

  init(to register: ModbusRegister) {
    request = register.request
    whole = 5 + 2 * register.notation.count
  }

  /// Whether the bytes are only the request, or its beginning.
  var isEcho: Bool { request.starts(with: bytes) }

  /// Whether the reply has not arrived as a whole. The beginning of a request can have the length of a reply.
  var needsMore: Bool { isEcho || frame(in: afterEcho) == nil }

  private var afterEcho: [UInt8] { bytes.starts(with: request) ? Array(bytes.dropFirst(request.count)) : bytes }

  /// The bytes of the reply; nil if it has not arrived as a whole.
  var frame: [UInt8]? {
    // A reply that begins like the request is one if nothing follows.
    if let frame = frame(in: afterEcho) { return frame }
    return frame(in: bytes).flatMap { ModbusChecksum.isRight(in: $0) ? $0 : nil }
  }

  /// The first bytes, which are as many as a reply has. A reply of five bytes is an exception: the second byte has its
  /// highest bit.
  private func frame(in bytes: [UInt8]) -> [UInt8]? {
    let count = bytes.count > 1 && bytes[1] & 0x80 != 0 ? 5 : whole
    return bytes.count < count ? nil : Array(bytes.prefix(count))
  }
}

extension SerialSettings {
  /// The pause between two frames of Modbus: 3.5 bytes, and 1.75 ms above 19 200 baud.
  fileprivate var silence: Duration { baud > 19_200 ? .microseconds(1_750) : byteTime * 7 / 2 }
}

/// The errors of Modbus devices.
package struct ModbusErrorFactory {
  private let line: String
  private let register: ModbusRegister

  package init(_ line: String, _ register: ModbusRegister) {
    (self.line, self.register) = (line, register)
  }

  private func error(_ kind: DriverError.Kind, _ reason: String, remedy: String) -> DriverError {
    DriverError(
      kind, of: line, cannot: "read \(register.text) on \(line)", reason: reason, remedy: remedy)
  }

  func silent(for span: Duration) -> DriverError {
    error(
      .lost, "no reply within \(span.components.seconds) s",
      remedy: "Check the device's supply, its address and baud, and the wires A and B. It is retried.")
  }

  func wrong(_ reason: String) -> DriverError {
    error(.failed, reason, remedy: "Check the wires, the baud and the parity. It is retried.")
  }

  func exception(_ code: UInt8) -> DriverError {
    let (reason, remedy): (String, String) =
      switch code {
      case 1: ("the device has no such function", "Choose the other table: holding or input.")
      case 2: ("the device has no such register", "Check the register's number: lists often count from 1.")
      case 3: ("the device refuses the number of registers", "Check the type of the number.")
      case 4: ("the device has failed", "Check the device.")
      case 6: ("the device is busy", "It is retried.")
      default: ("the device replies with exception \(code)", "Its manual explains the code.")
      }
    return error(.failed, reason, remedy: remedy)
  }
}

/// One register of a ``ModbusLine``.
private struct ModbusNumberSource: NumberSource {
  private let line: ModbusLine
  private let register: ModbusRegister
  let unit = ""

  init(line: ModbusLine, _ register: ModbusRegister) {
    (self.line, self.register) = (line, register)
  }

  var name: String { "\(register.text) on \(line.name)" }
  var needsThread: Bool { line.needsThread }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double { try line.read(register, on: clock) }
  func close() { line.close() }
}
