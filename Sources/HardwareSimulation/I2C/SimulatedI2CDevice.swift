import CycleCore
import HardwareDrivers

/// A device on a ``SimulatedI2CBus``, as the bus speaks to it: byte by byte, each with the moment at which it is over
/// on the wire.
///
/// ``SimulatedRegisters`` and ``SimulatedPCF8574`` are two; write one for what you have on your bus. Moments are those
/// of the caller's ``CycleCore/WorkClock``: they may be ahead of the bench's clock by as long as the step of a worker
/// takes.
public protocol SimulatedI2CDevice: AnyObject {
  /// A message begins: the device's address has been sent. Acknowledged at once unless implemented.
  func begin(reading: Bool, at moment: Moment) -> I2CAnswer

  /// A byte has been written to the device.
  func receive(_ byte: UInt8, at moment: Moment) -> I2CAnswer

  /// The next byte that the device sends. It is over 9 bits after `moment`.
  func send(at moment: Moment) -> UInt8

  /// The transaction is over: a stop, also after a failure.
  func end(at moment: Moment)
}

extension SimulatedI2CDevice {
  public func begin(reading: Bool, at moment: Moment) -> I2CAnswer { .acknowledged }
  public func end(at moment: Moment) {}
}

/// What a device answers to its address or a byte.
public struct I2CAnswer: Equatable, Sendable {
  public var acknowledges: Bool
  /// How long the device holds the clock low afterwards. For longer than the bus's timeout the transaction fails.
  public var stretch: Duration

  public init(acknowledges: Bool, stretch: Duration = .zero) {
    self.acknowledges = acknowledges
    self.stretch = stretch
  }

  public static var acknowledged: I2CAnswer { I2CAnswer(acknowledges: true) }
  public static var refused: I2CAnswer { I2CAnswer(acknowledges: false) }
}

/// Where a device is connected to a simulated bus: by which the world pulls it out and troubles it.
public final class I2CSocket {
  public let device: any SimulatedI2CDevice
  public let address: I2CAddress
  /// Whether the device is there: one that is pulled out answers nothing.
  public var isPlugged = true
  /// How many of the next transactions the device leaves without an answer; `Int.max` until it is set back.
  public var silentTransactions = 0
  /// How long the device holds the clock low in each message, in addition to its own answers. For longer than the bus's
  /// timeout each transaction fails.
  public var stretch = Duration.zero
  /// The kernel's driver that has the device; nil for none.
  public var kernelDriver: String?

  init(_ device: any SimulatedI2CDevice, at address: I2CAddress) {
    self.device = device
    self.address = address
  }

  /// Whether the device takes part in a transaction that begins now.
  func answers() -> Bool {
    guard isPlugged else { return false }
    guard silentTransactions > 0 else { return true }
    if silentTransactions < .max { silentTransactions -= 1 }
    return false
  }
}

/// One transaction that was on a simulated bus.
public struct I2CTransaction: Equatable, Sendable, CustomStringConvertible {
  public enum Message: Equatable, Sendable {
    /// The bytes that were sent, the one that was not acknowledged included.
    case write([UInt8])
    case read([UInt8])
  }

  public enum Outcome: Equatable, Sendable {
    case done
    /// The device did not acknowledge its address or the last byte.
    case refused
    /// The device held the clock for too long.
    case timedOut
  }

  /// When it began.
  public var moment: Moment
  public var duration: Duration
  public var address: I2CAddress
  public var messages: [Message]
  public var outcome: Outcome

  public init(
    moment: Moment, duration: Duration, address: I2CAddress, messages: [Message], outcome: Outcome = .done
  ) {
    self.moment = moment
    self.duration = duration
    self.address = address
    self.messages = messages
    self.outcome = outcome
  }

  /// `0.012000000s 0x27 w 08 0c r 5a`, with `refused` or `timed out` at the end where it failed.
  public var description: String {
    var words = ["\(moment)", "\(address)"]
    for message in messages {
      switch message {
      case .write(let bytes): words += ["w"] + bytes.map { I2CAddress.hexadecimal($0) }
      case .read(let bytes): words += ["r"] + bytes.map { I2CAddress.hexadecimal($0) }
      }
    }
    switch outcome {
    case .done: break
    case .refused: words.append("refused")
    case .timedOut: words.append("timed out")
    }
    return words.joined(separator: " ")
  }
}
