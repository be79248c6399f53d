import CycleCore
import HardwareDrivers

/// A program that uses Open Sound Control, in memory: it receives the messages of an application, and sends datagrams
/// to it. Datagrams have no connection: those that are sent while it is unplugged are lost.
public final class SimulatedOSC: OSCPeer, SimulatedHardware {
  /// A message that has arrived.
  public struct Arrival: Equatable, Sendable {
    public var moment: Moment
    public var message: OSCMessage
  }

  private let bench: Bench
  private var waker: DriverWaker?
  private var isOpen = false
  private var received: [ReceivedMessage] = []

  public let name: String

  /// - Parameters:
  ///   - bench: the bench whose clock it uses.
  ///   - name: its host and port: `qlab.lan:53000`.
  public init(_ bench: Bench, name: String) {
    (self.bench, self.name) = (bench, name)
  }

  // MARK: The world's side

  public private(set) var isPlugged = true
  public func unplug() { isPlugged = false }
  public func plug() { isPlugged = true }

  /// Why it can't be used: its name is unknown, or its port is busy; nil if it can. A change applies from the next try.
  public var fault: DriverError?
  /// Why the network refuses each message, such as a missing route; nil while it takes them.
  public var sendFault: DriverError?
  /// All messages that have arrived, the oldest first.
  public private(set) var arrivals: [Arrival] = []
  /// The number of received datagrams that are not Open Sound Control.
  public private(set) var damagedCount = 0

  /// Sends a message to the application.
  ///
  /// - Parameter message: the message.
  public func send(_ message: OSCMessage) { send(message.datagram) }

  /// Sends a datagram to the application.
  ///
  /// - Parameter datagram: any bytes.
  public func send(_ datagram: [UInt8]) {
    guard isOpen, isPlugged else { return }
    received += ReceivedMessage.messages(in: datagram)
    waker?.wake()
  }

  // MARK: The application's side

  public var needsThread: Bool { false }
  public func wake(with waker: DriverWaker) { self.waker = waker }

  public func open(on clock: WorkClock) throws(DriverError) {
    close()
    if let fault { throw fault }
    isOpen = true
  }

  public func send(_ arguments: UnsafeRawBufferPointer, to address: String) throws(DriverError) {
    if let sendFault { throw sendFault }
    var datagram = Array(address.utf8)
    repeat { datagram.append(0) } while datagram.count % 4 != 0
    datagram += arguments
    if isPlugged { receive(datagram) }
  }

  private func receive(_ datagram: [UInt8]) {
    do throws(OSCMessage.Problem) {
      for message in try OSCMessage.messages(in: datagram) {
        arrivals.append(Arrival(moment: bench.now, message: message))
      }
    } catch {
      damagedCount += 1
    }
  }

  public func receive(on clock: WorkClock, _ take: (ReceivedMessage) -> Void) throws(DriverError) {
    let messages = received
    received = []
    for message in messages { take(message) }
  }

  public var deadline: Moment? { received.isEmpty ? nil : bench.now }
  public var descriptors: [PolledDescriptor] { [] }

  public func close() {
    isOpen = false
    received = []
  }
}
