import CycleCore
import HardwareDrivers

/// A device on a ``SimulatedI2CBus``. The bus calls it for each byte, with the moment at which the byte has been
/// transferred; ``send(at:)`` gets the moment at which its byte begins.
///
/// ``SimulatedRegisters`` and ``SimulatedPCF8574`` are two such devices; implement your own for other parts. Moments
/// are those of the caller's ``CycleCore/WorkClock``: they may be ahead of the bench's clock by the time that the step
/// of a worker takes.
public protocol SimulatedI2CDevice: AnyObject {
  /// Replies to the device's address at the beginning of a message. The default implementation acknowledges without
  /// stretching.
  func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement

  /// Receives a byte that is written to the device. Returns the reply.
  func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement

  /// Returns the next byte that the device sends. Its transfer ends 9 clock cycles after `moment`.
  func send(at moment: Moment) -> UInt8

  /// Called at the stop that ends the transaction, also after a failure.
  func end(at moment: Moment)
}

extension SimulatedI2CDevice {
  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement { .acknowledged }
  public func end(at moment: Moment) {}
}

/// A device's reply to its address or a byte.
public struct I2CAcknowledgement: Equatable, Sendable {
  public var acknowledges: Bool
  /// The time for which the device stretches the clock afterwards. The transaction fails if that is longer than the
  /// bus's timeout.
  public var stretch: Duration

  public init(acknowledges: Bool, stretch: Duration = .zero) {
    self.acknowledges = acknowledges
    self.stretch = stretch
  }

  public static var acknowledged: I2CAcknowledgement { I2CAcknowledgement(acknowledges: true) }
  public static var refused: I2CAcknowledgement { I2CAcknowledgement(acknowledges: false) }
}

/// The connection of a device to a simulated bus: the world unplugs the device and causes faults with it.
public final class I2CSocket {
  public let device: any SimulatedI2CDevice
  public let address: I2CAddress
  /// Whether the device is plugged in; an unplugged device acknowledges nothing.
  public var isPlugged = true
  /// The number of the next transactions that the device doesn't acknowledge; with `Int.max` all, until this is set
  /// again.
  public var silentTransactions = 0
  /// The time for which the device stretches the clock in each message, in addition to its replies. Each transaction
  /// fails if that is longer than the bus's timeout.
  public var stretch = Duration.zero
  /// The name of the kernel driver that is bound to the device, which then can't be opened; nil for none.
  public var kernelDriver: String?

  init(_ device: any SimulatedI2CDevice, at address: I2CAddress) {
    self.device = device
    self.address = address
  }

  /// Whether the device acknowledges its address in a transaction that begins now; counts ``silentTransactions`` down.
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
    /// The bytes that were sent, including the one that was not acknowledged.
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

  /// The moment at which it began.
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

  /// The transaction as text: `0.012000000s 0x27 w 08 0c r 5a`, with `refused` or `timed out` at the end if it failed.
  public var description: String {
    var words = ["\(moment)", "\(address)"]
    for message in messages {
      switch message {
      case .write(let bytes): words += ["w"] + bytes.map(\.hexadecimal)
      case .read(let bytes): words += ["r"] + bytes.map(\.hexadecimal)
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
