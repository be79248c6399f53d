import CycleCore
import HardwareDrivers

/// One transaction while it is transferred, and its duration (UM10204, section 3.1).
struct RunningI2CTransaction {
  let start: Moment
  private(set) var messages: [I2CTransaction.Message] = []
  private(set) var outcome = I2CTransaction.Outcome.done
  private(set) var bytesRead: [UInt8] = []
  private let clockHertz: Int64
  private let timeout: Duration
  /// The clock cycles so far, and the nanoseconds for which devices have stretched the clock.
  private var bits: Int64 = 0
  private var stretched: Int64 = 0

  init(at start: Moment, clockHertz: Int, timeout: Duration) {
    self.start = start
    self.clockHertz = Int64(clockHertz)
    self.timeout = timeout
  }

  var duration: Duration { .nanoseconds(bits * 1_000_000_000 / clockHertz + stretched) }
  var moment: Moment { start + duration }

  /// Transfers a start, the address and the message's bytes; stops at the first one that the device doesn't
  /// acknowledge.
  mutating func send(_ message: I2CMessage, to socket: I2CSocket?) {
    bits += 1 + 9
    switch message {
    case .write: messages.append(.write([]))
    case .read: messages.append(.read([]))
    }
    guard let socket else {
      outcome = .refused
      return
    }
    let reads = if case .read = message { true } else { false }
    take(socket.device.begin(reading: reads, at: moment))
    if outcome == .done { hold(socket.stretch) }
    switch message {
    case .write(let bytes): write(bytes, to: socket.device)
    case .read(let count): read(count, from: socket.device)
    }
  }

  private mutating func write(_ bytes: [UInt8], to device: any SimulatedI2CDevice) {
    var sent: [UInt8] = []
    for byte in bytes where outcome == .done {
      bits += 9
      sent.append(byte)
      take(device.receive(byte, at: moment))
    }
    messages[messages.count - 1] = .write(sent)
  }

  private mutating func read(_ count: Int, from device: any SimulatedI2CDevice) {
    guard outcome == .done else { return }
    var read: [UInt8] = []
    for _ in 0..<count {
      read.append(device.send(at: moment))
      bits += 9
    }
    bytesRead += read
    messages[messages.count - 1] = .read(read)
  }

  /// Sends a stop.
  mutating func end(_ socket: I2CSocket?) {
    bits += 1
    socket?.device.end(at: moment)
  }

  private mutating func take(_ answer: I2CAcknowledgement) {
    guard answer.acknowledges else {
      outcome = .refused
      return
    }
    hold(answer.stretch)
  }

  private mutating func hold(_ span: Duration) {
    guard span > timeout else {
      stretched += max(0, span.wholeNanoseconds)
      return
    }
    stretched += timeout.wholeNanoseconds
    outcome = .timedOut
  }
}
