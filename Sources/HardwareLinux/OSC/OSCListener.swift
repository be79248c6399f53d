import CycleCore
import Glibc
import HardwareDrivers

/// Receives messages of Open Sound Control at an address of this machine, with the interface of a broker. A message's
/// topic is its OSC address; its payload is its arguments as text, separated by blanks. Messages that are published
/// through it are dropped.
///
/// A datagram that is not OSC has no topic, and the reason as its payload. Any machine that can reach the port can
/// send, so the application must decide which messages it accepts.
///
/// Calls `getaddrinfo`, `bind` and `recv`.
///
/// **Source.** The Open Sound Control 1.0 Specification (2002).
public final class OSCListener: Broker {
  private let endpoint: OSCEndpoint
  private var socket: DatagramSocket?
  private var isNew = false
  private let datagram = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 8)

  /// The maximum number of datagrams that are read in one step of the work.
  private static let mostReads = 64

  /// Doesn't open a socket.
  ///
  /// - Parameter endpoint: the address at which messages are received.
  public init(at endpoint: OSCEndpoint) {
    self.endpoint = endpoint
  }

  deinit { datagram.deallocate() }

  public var name: String { endpoint.text }
  public var needsThread: Bool { true }
  public var identifiesClients: Bool { false }
  public func wake(with waker: Waker) {}

  public func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) {
    socket = nil
    socket = try DatagramSocket(endpoint, for: .listening)
    isNew = true
  }

  public func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {}

  public func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {
    if isNew { take(.accepted) }
    isNew = false
    guard let descriptor = socket?.descriptor else { return }
    for _ in 0..<Self.mostReads {
      let count = recv(descriptor, datagram.baseAddress, datagram.count, 0)
      guard count >= 0 else {
        switch errno {
        case EAGAIN: return
        case EINTR: continue
        default: throw DatagramSocket.error(.last("recv"), .listening, endpoint)
        }
      }
      for message in BrokerMessage.messages(in: datagram.prefix(count)) { take(.heard(message)) }
    }
  }

  public var deadline: Moment? { nil }
  public var descriptors: [PolledDescriptor] {
    guard let descriptor = socket?.descriptor else { return [] }
    return [PolledDescriptor(descriptor: descriptor, events: Int16(POLLIN))]
  }
  public var isFlushed: Bool { true }
  public func disconnect() { close() }

  public func close() {
    socket = nil
    isNew = false
  }
}
