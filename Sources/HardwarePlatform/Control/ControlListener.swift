internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import Monitor

/// The socket of a ``ControlServer``: a UNIX stream socket in the loop of the application. Its owner and its group may
/// use it.
///
/// Calls `socket`, `bind`, `listen`, `accept4`, `recv`, `send` and `getsockopt`, none of which waits.
package final class ControlListener {
  private let path: String
  private let loop: LinuxLoop
  private var server: ControlServer
  private var socket: Int32
  private var hasArrived = false
  /// The moment at which connections are accepted again, after the program had no descriptor for one; nil while they
  /// are accepted.
  private var retry: Moment?

  /// - Throws: ``HardwareDrivers/DriverError``: `busy` if another program listens there, `absent` if the folder is
  ///   missing, `notPermitted`.
  package init(at path: String, on loop: LinuxLoop, _ server: ControlServer) throws(DriverError) {
    (self.path, self.loop, self.server) = (path, loop, server)
    socket = try ListenAddress.listen(
      at: path, isForGroup: true,
      remedy: "Give --socket a path in an existing folder that this user may write.")
    do throws(DriverError) {
      try loop.onReadable(socket) { [unowned self] in hasArrived = true }
    } catch {
      close(socket)
      unlink(path)
      throw error
    }
  }

  /// Starts to accept connections again.
  private func hear() {
    do throws(DriverError) {
      try loop.onReadable(socket) { [unowned self] in hasArrived = true }
    } catch {
      retry = loop.now + .seconds(1)
    }
  }

  deinit { end() }

  /// The moment at which ``turn()`` must be called if nothing arrives before; nil for never.
  package var nextMoment: Moment? {
    hasArrived ? .zero : [server.nextMoment, retry].compactMap { $0 }.min()
  }

  /// Accepts connections and answers requests; called after each turn of the application.
  package func turn() {
    if let retry, loop.now >= retry {
      self.retry = nil
      hear()
    }
    if hasArrived {
      hasArrived = false
      // Further connections are accepted in the next turns.
      for _ in 0..<ControlServer.mostConnections { guard accept() else { break } }
    }
    server.turn(at: loop.now)
  }

  /// Closes all connections, and passes new ones to another server. Connections that were not accepted yet wait for it.
  package func serve(_ server: ControlServer) {
    self.server.end()
    self.server = server
    hasArrived = true
  }

  /// Closes all connections and removes the socket. Does nothing the second time.
  package func end() {
    guard socket >= 0 else { return }
    server.end()
    loop.removeReadable(socket)
    close(socket)
    unlink(path)
    socket = -1
  }

  /// Accepts the next connection. Returns false if none waits, or if no descriptor is free.
  private func accept() -> Bool {
    let descriptor = clinux_accept(socket)
    guard descriptor >= 0 else {
      let failure = SystemFailure.last("accept4")
      switch failure.number {
      case ECONNABORTED: return true  // This peer has gone again; others may wait.
      case EAGAIN, EINTR: return false
      default:
        // Without a free descriptor, a waiting peer would wake the loop repeatedly.
        loop.removeReadable(socket)
        retry = loop.now + .seconds(1)
        server.note(
          .noDescriptor, "no connection can be accepted (\(failure.cause.name)); tried again in 1 s", at: loop.now)
        return false
      }
    }
    let link = SocketLink(descriptor, on: loop)
    server.open(link, at: loop.now)
    guard !link.isClosed else { return true }
    link.onArrival = { [unowned server, unowned link] in server.arrived(on: link) }
    link.setReading(true)
    return true
  }
}

/// A connection of a stream socket.
private final class SocketLink: ControlLink {
  private let descriptor: Int32
  private let loop: LinuxLoop
  let peer: ControlPeer
  var onArrival: () -> Void = {}
  private(set) var isClosed = false

  init(_ descriptor: Int32, on loop: LinuxLoop) {
    (self.descriptor, self.loop) = (descriptor, loop)
    var (user, process) = (UInt32.max, Int32(0))
    clinux_peer(descriptor, &user, &process)
    peer = ControlPeer(user: user, process: process)
  }

  deinit { close() }

  func receive() -> [UInt8]? {
    guard !isClosed else { return nil }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: ControlServer.longestLine) { buffer, size in
      repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { count = Int.max }
      size = count == Int.max ? 0 : max(0, count)
    }
    return count > 0 ? bytes : nil
  }

  func send(_ bytes: [UInt8]) -> Bool {
    guard !isClosed else { return false }
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func setReading(_ isReading: Bool) {
    guard !isClosed else { return }
    guard isReading else { return loop.removeReadable(descriptor) }
    do throws(DriverError) {
      try loop.onReadable(descriptor, onArrival)
    } catch {
      // Its requests would never be read without a watch.
      close()
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.removeReadable(descriptor)
    Glibc.close(descriptor)
  }
}
