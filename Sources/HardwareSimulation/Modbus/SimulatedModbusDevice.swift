import CycleCore
import HardwareDrivers

/// A Modbus RTU device at a simulated serial line, which several of them can share.
///
///     let meter = SimulatedModbusDevice(line, unit: 1)
///     meter.input[0x0000] = 2301
public final class SimulatedModbusDevice: SimulatedSerialDevice, SimulatedNumberDevice {
  /// The content of the holding registers, by their numbers. The device has no others.
  public var holding: [UInt16: UInt16] = [:]
  /// The content of the input registers.
  public var input: [UInt16: UInt16] = [:]
  /// Whether the device does not reply.
  public var isSilent = false
  /// The number of the next replies with a wrong checksum.
  public var wrongChecksums = 0
  /// The time from a request to its reply.
  public var replyDelay = Duration.zero
  /// The exception with which the device replies; nil for none.
  public var exception: UInt8?
  /// The number of the next replies that end after three bytes.
  public var cutReplies = 0
  /// The requests for this device, the newest last.
  public private(set) var requests: [[UInt8]] = []
  /// The address of the device.
  public let unit: UInt8
  /// Whether the device has power and is connected to the line.
  public var isPlugged = true { didSet { if isPlugged != oldValue { state.noteChange() } } }
  public let state = SimulatedNumbers<ModbusRegister>()
  private weak var line: SimulatedSerial?

  /// Connects the device to a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - unit: the address of the device, which no other device on the line has.
  public init(_ line: SimulatedSerial, unit: UInt8) {
    (self.line, self.unit) = (line, unit)
    line.connect(self)
    line.onPlug { [weak self] in self?.state.noteChange() }
  }

  public func receive(_ bytes: [UInt8]) {
    if isPlugged, let reply = reply(to: bytes) { line?.send(reply, after: replyDelay) }
  }

  private func reply(to request: [UInt8]) -> [UInt8]? {
    guard request.count == 8, ModbusChecksum.isRight(in: request), request[0] == unit else { return nil }
    requests.append(request)
    if requests.count > 1_000 { requests.removeFirst() }
    guard !isSilent else { return nil }
    var reply = ModbusChecksum.added(to: content(of: request))
    if wrongChecksums > 0 {
      wrongChecksums -= 1
      reply[reply.count - 1] ^= 1
    }
    if cutReplies > 0 {
      cutReplies -= 1
      reply = Array(reply.prefix(3))
    }
    return reply
  }

  private func content(of request: [UInt8]) -> [UInt8] {
    let function = request[1]
    func refused(_ code: UInt8) -> [UInt8] { [unit, function | 0x80, code] }
    if let exception { return refused(exception) }
    guard function == 3 || function == 4 else { return refused(1) }
    let table = function == 3 ? holding : input
    let first = Int(request[2]) << 8 | Int(request[3])
    let count = Int(request[4]) << 8 | Int(request[5])
    guard (1...125).contains(count) else { return refused(3) }
    var data: [UInt8] = []
    for number in first..<first + count {
      guard let register = UInt16(exactly: number), let word = table[register] else { return refused(2) }
      data += [UInt8(word >> 8), UInt8(word & 0xFF)]
    }
    return [unit, function, UInt8(data.count)] + data
  }

  // MARK: - Numbers

  public var isReachable: Bool { isPlugged && line?.isPlugged ?? false }

  public func show(_ number: Double, of register: ModbusRegister) {
    for (place, byte) in zip(Int(register.number)..., register.data(of: number).pairs) {
      guard let place = UInt16(exactly: place) else { return }
      if register.table == .holding { holding[place] = byte } else { input[place] = byte }
    }
  }

  public func shown(_ register: ModbusRegister) -> Double? {
    let table = register.table == .holding ? holding : input
    let words = (0..<register.notation.count).compactMap { table[register.number &+ UInt16($0)] }
    guard words.count == register.notation.count else { return nil }
    return register.value(of: words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }
}

extension [UInt8] {
  /// The registers of these bytes, each with its high byte first.
  fileprivate var pairs: [UInt16] {
    stride(from: 0, to: count - 1, by: 2).map { UInt16(self[$0]) << 8 | UInt16(self[$0 + 1]) }
  }
}
