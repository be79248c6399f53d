import CycleCore
import HardwareDrivers

/// A device with an array of registers, like most sensors, clocks and memories. The first bytes of a write select a
/// register, further bytes are written to it and the following ones, and a read continues with the next register.
public final class SimulatedRegisters: SimulatedI2CDevice {
  /// The values of all registers.
  public var values: [UInt8]
  /// Registers that a write doesn't change; default: none.
  public var readOnly: Set<Int> = []
  private let pointerBytes: Int
  private var pointer = 0
  private var receivedPointerBytes = 0
  private var writeListeners: [(Int, UInt8, Moment) -> Void] = []
  private var readListeners: [(Int, Moment) -> Void] = []

  /// - Parameters:
  ///   - count: the number of registers, at least 1; after the last, transfers continue with the first.
  ///   - pointerBytes: the number of bytes that select the register, the high one first: 1, or 2 as for larger
  ///     memories.
  public init(count: Int = 256, pointerBytes: Int = 1) {
    precondition(count > 0 && (1...2).contains(pointerBytes), "a register at least, and 1 or 2 bytes to choose it")
    values = Array(repeating: 0, count: count)
    self.pointerBytes = pointerBytes
  }

  public subscript(register: Int) -> UInt8 {
    get { values[register] }
    set { values[register] = newValue }
  }

  /// Calls `listener` after each byte that the program writes to a register, also for a read-only one.
  public func onWrite(_ listener: @escaping (_ register: Int, _ value: UInt8, _ moment: Moment) -> Void) {
    writeListeners.append(listener)
  }

  /// Calls `listener` before each byte that the program reads; it may set the register.
  public func onRead(_ listener: @escaping (_ register: Int, _ moment: Moment) -> Void) {
    readListeners.append(listener)
  }

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    receivedPointerBytes = 0
    return .acknowledged
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    if receivedPointerBytes < pointerBytes {
      pointer = (receivedPointerBytes == 0 ? 0 : pointer << 8) | Int(byte)
      receivedPointerBytes += 1
      if receivedPointerBytes == pointerBytes { pointer %= values.count }
      return .acknowledged
    }
    let register = advance()
    if !readOnly.contains(register) { values[register] = byte }
    for listener in writeListeners { listener(register, byte, moment) }
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 {
    let register = advance()
    for listener in readListeners { listener(register, moment) }
    return values[register]
  }

  private func advance() -> Int {
    let register = pointer % values.count
    pointer = (register + 1) % values.count
    return register
  }
}
