import CycleCore
import HardwareDrivers

/// A program that uses Open Sound Control, in memory: it receives the messages of an application, and sends datagrams
/// to it. Datagrams have no connection: those that are sent while it is unplugged are lost.
public final class SimulatedOSC: Broker, SimulatedHardware {
  /// A message that has arrived.
  public struct Arrival: Equatable, Sendable {
    public var moment: Moment
    public var message: OSCMessage
  }

  private let bench: Bench
  private var waker: Waker?
  private var isOpen = false
  private var news: [BrokerNews] = []

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
    news += BrokerMessage.messages(in: datagram).map { .heard($0) }
    waker?.wake()
  }

  // MARK: The application's side

  public var needsThread: Bool { false }
  public var identifiesClients: Bool { false }
  public func wake(with waker: Waker) { self.waker = waker }

  public func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) {
    close()
    if let fault { throw fault }
    isOpen = true
    news = [.accepted]
    waker?.wake()
  }

  public func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    var datagram = Array(topic.utf8)
    repeat { datagram.append(0) } while datagram.count % 4 != 0
    datagram += payload
    if isPlugged { receive(datagram) }
    if let number { news.append(.delivered(number)) }
    waker?.wake()
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

  public func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {
    let pieces = news
    news = []
    for piece in pieces { take(piece) }
  }

  public var deadline: Moment? { news.isEmpty ? nil : bench.now }
  public var descriptors: [PolledDescriptor] { [] }
  public var isFlushed: Bool { true }
  public func disconnect() { close() }

  public func close() {
    isOpen = false
    news = []
  }
}
