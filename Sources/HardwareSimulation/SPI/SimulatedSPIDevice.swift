import CycleCore
import HardwareDrivers

/// A device on a ``SimulatedSPIBus``. The bus calls it for each byte, with the moment at which the byte begins.
///
/// Moments are those of the caller's ``CycleCore/WorkClock``: they may be ahead of the bench's clock by the time that
/// the step of a worker takes.
public protocol SimulatedSPIDevice: AnyObject {
  /// The edge of the clock at which the device reads a bit: in modes 0 and 3 the rising one, in modes 1 and 2 the
  /// falling one. With a wrong mode each byte arrives shifted by one bit.
  var readsAtRisingEdge: Bool { get }
  /// The maximum frequency of the clock in hertz. Above it, each byte arrives shifted by one bit.
  var maximumHertz: Int { get }

  /// The chip select becomes active: a transfer begins.
  ///
  /// - Parameters:
  ///   - moment: the moment of the first clock edge.
  ///   - hertz: the frequency of the clock.
  func select(at moment: Moment, hertz: Int)

  /// Receives a byte, and returns the one that the device sends at the same time.
  func exchange(_ byte: UInt8, at moment: Moment) -> UInt8

  /// The chip select becomes inactive: the transfer ends.
  func deselect(at moment: Moment)
}

extension SimulatedSPIDevice {
  public var readsAtRisingEdge: Bool { true }
  public var maximumHertz: Int { 50_000_000 }
  public func select(at moment: Moment, hertz: Int) {}
  public func deselect(at moment: Moment) {}
}

/// The connection of a device to a simulated bus: the world unplugs the device and causes faults with it. On a real bus
/// none of them is an error: the program reads wrong bytes.
public final class SPISocket {
  public let device: any SimulatedSPIDevice
  public let chipSelect: Int
  /// Whether the device is plugged in. Of an unplugged one ``SimulatedSPIBus/openLineByte`` is read.
  public var isPlugged = true
  /// The level at which the line from the device hangs; nil if it doesn't.
  public var stuckOutput: Level?
  /// Whether another program has the device, which then can't be opened.
  public var isBusy = false
  /// Whether a driver of the kernel is bound to the device, which then has no node.
  public var hasKernelDriver = false

  init(_ device: any SimulatedSPIDevice, at chipSelect: Int) {
    self.device = device
    self.chipSelect = chipSelect
  }
}

/// One transfer that was on a simulated bus.
public struct SPITransfer: Equatable, Sendable, CustomStringConvertible {
  public enum Message: Equatable, Sendable {
    case exchange(sent: [UInt8], received: [UInt8])
    case write([UInt8])
    case read([UInt8])
    case pause(Duration)
    case reselect
  }

  /// The moment at which it began.
  public var moment: Moment
  public var duration: Duration
  public var chipSelect: Int
  public var messages: [Message]

  public init(moment: Moment, duration: Duration, chipSelect: Int, messages: [Message]) {
    self.moment = moment
    self.duration = duration
    self.chipSelect = chipSelect
    self.messages = messages
  }

  /// The transfer as text: `0.012000000s cs0 x 01 80 / 00 02 w 08 r 5a pause 10µs reselect`.
  public var description: String {
    var words = ["\(moment)", "cs\(chipSelect)"]
    func text(_ bytes: [UInt8]) -> String { bytes.map(\.hexadecimal).joined(separator: " ") }
    for message in messages {
      switch message {
      case .exchange(let sent, let received): words += ["x", text(sent), "/", text(received)]
      case .write(let bytes): words += ["w", text(bytes)]
      case .read(let bytes): words += ["r", text(bytes)]
      case .pause(let pause): words += ["pause", "\(pause.wholeNanoseconds / 1_000)µs"]
      case .reselect: words.append("reselect")
      }
    }
    return words.joined(separator: " ")
  }
}
