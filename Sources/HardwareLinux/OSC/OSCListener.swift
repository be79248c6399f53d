import CycleCore
import Glibc
import HardwareDrivers

/// Receives messages of Open Sound Control at an address of this machine. A message's topic is its OSC address; its
/// payload is its arguments as text, separated by blanks. It sends nothing: messages are dropped.
///
/// A datagram that is not OSC has no topic, and the reason as its payload. Any machine that can reach the port can
/// send, so the application must decide which messages it accepts.
///
/// Calls `getaddrinfo`, `bind` and `recv`.
///
/// **Source.** The Open Sound Control 1.0 Specification (2002).
public final class OSCListener: OSCPeer {
  private let endpoint: OSCEndpoint
  private var socket: DatagramSocket?
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
  public func wake(with waker: DriverWaker) {}

  public func open(on clock: WorkClock) throws(DriverError) {
    socket = nil
    socket = try DatagramSocket(endpoint, for: .listening)
  }

  public func send(_ arguments: UnsafeRawBufferPointer, to address: String) throws(DriverError) {}

  public func receive(on clock: WorkClock, _ take: (ReceivedMessage) -> Void) throws(DriverError) {
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
      for message in ReceivedMessage.messages(in: datagram.prefix(count)) { take(message) }
    }
  }

  public var deadline: Moment? { nil }
  public var descriptors: [PolledDescriptor] {
    guard let descriptor = socket?.descriptor else { return [] }
    return [PolledDescriptor(descriptor: descriptor, events: Int16(POLLIN))]
  }

  public func close() { socket = nil }
}
