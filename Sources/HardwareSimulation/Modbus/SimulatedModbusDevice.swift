import CycleCore
import HardwareDrivers

/// A Modbus RTU device at a simulated serial line.
///
///     let meter = SimulatedModbusDevice(line, unit: 1)
///     meter.input[0x0000] = 2301
public final class SimulatedModbusDevice {
  /// The content of the holding registers, by their numbers. The device has no others.
  public var holding: [UInt16: UInt16] = [:]
  /// The content of the input registers.
  public var input: [UInt16: UInt16] = [:]
  /// Whether the device does not reply.
  public var isSilent = false
  /// The number of the next replies with a wrong checksum.
  public var wrongChecksums = 0
  /// The exception with which the device replies; nil for none.
  public var exception: UInt8?
  /// The number of the next replies that end after three bytes.
  public var cutReplies = 0
  /// The requests for this device, the newest last.
  public private(set) var requests: [[UInt8]] = []
  private let unit: UInt8

  /// - Parameters:
  ///   - line: the line. It has one device that replies.
  ///   - unit: the address of the device.
  public init(_ line: SimulatedSerial, unit: UInt8) {
    self.unit = unit
    line.onReceive { [weak self, weak line] bytes in
      if let reply = self?.reply(to: bytes) { line?.send(reply) }
    }
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
}
