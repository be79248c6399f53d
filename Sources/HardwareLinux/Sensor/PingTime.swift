import CycleCore
import Glibc
import HardwareDrivers

/// The time that another machine takes to answer an echo request, in milliseconds. A machine that doesn't answer within
/// one second counts as lost.
///
/// Uses a datagram socket for ICMP, which needs no root: the group of the process must be in the kernel's
/// `net.ipv4.ping_group_range`. Systemd sets it to all groups. Calls `getaddrinfo`, `socket`, `sendto`, `poll` and
/// `recv`.
///
/// **Source.** RFC 792 and RFC 4443; Linux manual page `icmp(7)`.
public struct PingTime: NumberLocation, NumberSource {
  private let host: String

  /// The time within which a reply must arrive.
  private static let patience = Duration.seconds(1)

  /// - Parameter host: a host name or an IP address.
  public init(to host: String) { self.host = host }

  public var name: String { "ping \(host)" }
  public var unit: String { "ms" }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    let fault = NumberErrorFactory(name)
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0, let address = list?.pointee else {
      throw fault.absent(
        "the name \(host) is not known", remedy: "Check the spelling and the name server. It is read again.")
    }
    defer { freeaddrinfo(list) }
    let isIPv6 = address.ai_family == AF_INET6
    let descriptor = socket(
      address.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      Int32(isIPv6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP))
    guard descriptor >= 0 else { throw Self.error(.last("socket"), fault) }
    defer { Glibc.close(descriptor) }
    let request = EchoMessage(isIPv6: isIPv6, token: UInt64.random(in: .min ... .max))
    let start = clock.now
    let sent = request.bytes.withUnsafeBytes { bytes in
      sendto(descriptor, bytes.baseAddress, bytes.count, 0, address.ai_addr, address.ai_addrlen)
    }
    guard sent == request.bytes.count else { throw Self.error(.last("sendto"), fault) }
    let end = start + Self.patience
    var buffer = [UInt8](repeating: 0, count: 64)
    while case let left = end - clock.now, left > .zero {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let milliseconds = Int32((left.wholeNanoseconds + 999_999) / 1_000_000)
      guard poll(&polled, 1, milliseconds) > 0 else { continue }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      let now = clock.now
      // ECONNREFUSED and others report that the request could not be delivered.
      guard count >= 0 else {
        if errno == EAGAIN || errno == EINTR { continue }
        throw Self.error(.last("recv"), fault)
      }
      if request.isAnswered(by: buffer.prefix(count)) { return Double((now - start).wholeNanoseconds) / 1e6 }
    }
    throw fault.lost()
  }

  private static func error(_ failure: SystemFailure, _ fault: NumberErrorFactory) -> DriverError {
    switch failure.number {
    case EACCES, EPERM:
      fault.failed(
        "this user may send no echo request", cause: failure.cause,
        remedy: "Run `sysctl -w net.ipv4.ping_group_range=\"0 2147483647\"`, and write it into /etc/sysctl.d.")
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, ECONNREFUSED, EHOSTDOWN: fault.lost(cause: failure.cause)
    default: fault.failed(failure.reason, cause: failure.cause, remedy: "Check the network connection.")
    }
  }
}

/// An echo request, and the test for its reply. The kernel fills in the identifier and the checksum.
struct EchoMessage {
  /// The message: type, code, checksum, identifier, sequence number, and the token as data.
  let bytes: [UInt8]
  private let replyType: UInt8

  init(isIPv6: Bool, token: UInt64) {
    let data = (0..<8).map { UInt8(truncatingIfNeeded: token >> ($0 * 8)) }
    bytes = [isIPv6 ? 128 : 8, 0, 0, 0, 0, 0, 0, 1] + data
    replyType = isIPv6 ? 129 : 0
  }

  /// Whether a received message is the reply to this request.
  func isAnswered(by message: some Collection<UInt8>) -> Bool {
    message.count == bytes.count && message.first == replyType && message.dropFirst(6).elementsEqual(bytes.dropFirst(6))
  }
}
