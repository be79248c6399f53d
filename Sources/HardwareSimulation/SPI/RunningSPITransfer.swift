import CycleCore
import HardwareDrivers

/// One transfer while it is on the wire.
struct RunningSPITransfer {
  private(set) var messages: [SPITransfer.Message] = []
  private(set) var received: [UInt8] = []
  private let start: Moment
  private let hertz: Int64
  private let settings: SPISettings
  private let socket: SPISocket?
  private let openLineByte: UInt8
  /// The clock cycles so far, and the pauses.
  private var bits: Int64 = 0
  private var paused = Duration.zero
  /// The bytes that were sent last in both directions: a wrong mode shifts their last bit into the next byte.
  private var lastSent: UInt8 = 0
  private var lastReceived: UInt8 = 0

  init(at start: Moment, hertz: Int, _ settings: SPISettings, to socket: SPISocket?, _ openLineByte: UInt8) {
    self.start = start
    self.hertz = Int64(hertz)
    self.settings = settings
    self.socket = socket
    self.openLineByte = openLineByte
  }

  var moment: Moment { start + .nanoseconds((bits * 1_000_000_000 + hertz - 1) / hertz) + paused }

  /// The device, unless it is unplugged.
  private var device: (any SimulatedSPIDevice)? { socket.flatMap { $0.isPlugged ? $0.device : nil } }

  /// Whether the device reads each bit before it is there.
  private var isShifted: Bool {
    guard let device else { return false }
    let risesFirst = settings.mode == 0 || settings.mode == 3
    return device.readsAtRisingEdge != risesFirst || device.maximumHertz < hertz
  }

  mutating func begin() { device?.select(at: moment, hertz: Int(hertz)) }

  mutating func send(_ message: SPIMessage) {
    switch message {
    case .exchange(let bytes):
      let answer = bytes.map { exchange($0) }
      received += answer
      messages.append(.exchange(sent: bytes, received: answer))
    case .write(let bytes):
      for byte in bytes { _ = exchange(byte) }
      messages.append(.write(bytes))
    case .read(let count):
      let answer = (0..<count).map { _ in exchange(0) }
      received += answer
      messages.append(.read(answer))
    case .pause(let pause):
      paused += pause
      messages.append(.pause(pause))
    case .reselect:
      device?.deselect(at: moment)
      device?.select(at: moment, hertz: Int(hertz))
      messages.append(.reselect)
    }
  }

  mutating func end() { device?.deselect(at: moment) }

  private mutating func exchange(_ byte: UInt8) -> UInt8 {
    defer { bits += 8 }
    let level = socket?.stuckOutput
    guard let device else { return level.map(Self.byte) ?? openLineByte }
    let ordered = settings.isLeastSignificantFirst ? Self.reversed(byte) : byte
    let sent = isShifted ? lastSent << 7 | ordered >> 1 : ordered
    let answer = device.exchange(sent, at: moment)
    let arrived = isShifted ? lastReceived << 7 | answer >> 1 : answer
    (lastSent, lastReceived) = (ordered, answer)
    if let level { return Self.byte(level) }
    return settings.isLeastSignificantFirst ? Self.reversed(arrived) : arrived
  }

  private static func byte(_ level: Level) -> UInt8 { level == .high ? 0xFF : 0 }

  private static func reversed(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(0) { $0 | (byte >> UInt8($1) & 1) << UInt8(7 - $1) }
  }
}
