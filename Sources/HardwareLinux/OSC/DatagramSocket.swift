import CycleCore
import Glibc
import HardwareDrivers

/// A UDP socket for messages of Open Sound Control. No call waits except `getaddrinfo`, which asks name servers.
struct DatagramSocket: ~Copyable {
  let descriptor: Int32

  deinit { close(descriptor) }

  /// The use of a new socket.
  enum Purpose {
    /// Sends to the endpoint, also if it is a broadcast address.
    case sending
    /// Receives datagrams that are sent to the endpoint.
    case listening
  }

  /// Opens a socket for the first of the endpoint's addresses that can be used.
  init(_ endpoint: OSCEndpoint, for purpose: Purpose) throws(DriverError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (purpose == .listening ? AI_PASSIVE : AI_ADDRCONFIG)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &list)
    guard code == 0 else {
      throw DriverError(
        .absent, of: endpoint.text, cannot: purpose.words(endpoint), reason: "the name \(endpoint.host) is not known",
        remedy: "Check the spelling and the name server. It is retried.")
    }
    defer { freeaddrinfo(list) }
    var failure = SystemFailure(function: "getaddrinfo", number: ENOENT)
    var next = list
    while let address = next?.pointee {
      next = address.ai_next
      let made = socket(
        address.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard made >= 0 else {
        failure = .last("socket")
        continue
      }
      if purpose == .sending {
        var isOn: Int32 = 1
        setsockopt(made, SOL_SOCKET, SO_BROADCAST, &isOn, socklen_t(MemoryLayout<Int32>.size))
      }
      let isDone =
        purpose == .sending
        ? connect(made, address.ai_addr, address.ai_addrlen) == 0 : bind(made, address.ai_addr, address.ai_addrlen) == 0
      if isDone {
        descriptor = made
        return
      }
      failure = .last(purpose == .sending ? "connect" : "bind")
      close(made)
    }
    throw Self.error(failure, purpose, endpoint)
  }

  static func error(_ failure: SystemFailure, _ purpose: Purpose, _ endpoint: OSCEndpoint) -> DriverError {
    let (kind, reason, remedy): (DriverError.Kind, String, String) =
      switch failure.number {
      case EADDRINUSE: (.busy, "another program uses this port", "Give the panel another port.")
      case EADDRNOTAVAIL:
        (.misconfigured, "this machine has no such address", "Write one that it has, or 0.0.0.0 for all.")
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: (.lost, "no route to host", "Check the network connection.")
      case EACCES where purpose == .listening:
        (.notPermitted, failure.reason, "Ports below 1024 are for root; give the panel another one.")
      default: (failure.kind, failure.reason, "Check the network connection.")
      }
    return DriverError(
      kind, of: endpoint.text, cannot: purpose.words(endpoint), reason: reason, cause: failure.cause,
      remedy: "\(remedy) It is retried.")
  }
}

extension DatagramSocket.Purpose {
  fileprivate func words(_ endpoint: OSCEndpoint) -> String {
    switch self {
    case .sending: "send OSC to \(endpoint.text)"
    case .listening: "listen for OSC at \(endpoint.text)"
    }
  }
}
