import CycleCore
import Glibc
import HardwareDrivers

/// Sends messages of Open Sound Control to one receiver. A receiver that doesn't run causes no trouble. Its name is
/// looked up again each 5 minutes.
///
/// Calls `getaddrinfo`, `connect`, `send` and `poll`.
///
/// **Source.** The Open Sound Control 1.0 Specification (2002).
public final class OSCSender: OSCPeer {
  private let receiver: OSCEndpoint
  private var socket: DatagramSocket?
  private var nextLookup = Moment.distantFuture
  private let message = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)

  /// The time for which an address of the receiver is used before its name is looked up again.
  private static let lookupPause = Duration.seconds(300)
  /// The time for which the network may accept no datagram before that is reported as trouble, in milliseconds.
  private static let patience: Int32 = 100

  /// Doesn't open a socket.
  ///
  /// - Parameter receiver: the receiver of the messages.
  public init(to receiver: OSCEndpoint) {
    self.receiver = receiver
  }

  deinit { message.deallocate() }

  public var name: String { receiver.text }
  public var needsThread: Bool { true }
  public func wake(with waker: DriverWaker) {}

  public func open(on clock: WorkClock) throws(DriverError) {
    socket = nil
    socket = try DatagramSocket(receiver, for: .sending)
    nextLookup = clock.now + Self.lookupPause
  }

  public func send(_ arguments: UnsafeRawBufferPointer, to address: String) throws(DriverError) {
    // The address with its zeros, then the arguments.
    var count = 0
    for byte in address.utf8.prefix(message.count / 2) {
      message[count] = byte
      count += 1
    }
    repeat {
      message[count] = 0
      count += 1
    } while count % 4 != 0
    let argumentCount = min(arguments.count, message.count - count)
    UnsafeMutableRawBufferPointer(rebasing: message[count...]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: arguments.prefix(argumentCount)))
    try send(UnsafeRawBufferPointer(rebasing: message.prefix(count + argumentCount)))
  }

  private func send(_ datagram: UnsafeRawBufferPointer) throws(DriverError) {
    guard let descriptor = socket?.descriptor else {
      throw DatagramSocket.error(SystemFailure(function: "send", number: ENETDOWN), .sending, receiver)
    }
    for _ in 0..<8 {
      let code = Glibc.send(descriptor, datagram.baseAddress, datagram.count, Int32(MSG_NOSIGNAL))
      if code >= 0 { return }
      switch errno {
      // ECONNREFUSED: no program has received the previous datagram.
      case EINTR, ECONNREFUSED: continue
      case EAGAIN, ENOBUFS:
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, Self.patience) > 0 else { break }
        continue
      default: break
      }
      break
    }
    throw DatagramSocket.error(.last("send"), .sending, receiver)
  }

  /// Looks the receiver's name up again when that is due; a sender receives nothing.
  public func receive(on clock: WorkClock, _ take: (ReceivedMessage) -> Void) throws(DriverError) {
    guard clock.now >= nextLookup else { return }
    nextLookup = clock.now + Self.lookupPause
    // If the name server doesn't answer, the last address is used: it has probably not changed.
    if let found = try? DatagramSocket(receiver, for: .sending) { socket = consume found }
  }

  public var deadline: Moment? { socket == nil ? nil : nextLookup }
  public var descriptors: [PolledDescriptor] { [] }

  public func close() {
    socket = nil
    nextLookup = .distantFuture
  }
}
