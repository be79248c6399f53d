import CycleCore
import Glibc
import HardwareDrivers
import Terminal

/// The process at the other end of a connection, from the kernel: `SO_PEERCRED`.
package struct ControlPeer: Equatable, Sendable {
  package var user: UInt32
  package var process: Int32

  package init(user: UInt32, process: Int32) {
    (self.user, self.process) = (user, process)
  }

  /// Whether the peer may do everything that the owner may do: it runs as the owner or as root.
  ///
  /// - Parameter owner: the owner's user number; default: the user that this process runs as. Calls `geteuid`.
  package func mayAct(as owner: UInt32 = geteuid()) -> Bool { user == owner || user == 0 }
}

/// The bytes of one connection. No call waits.
package protocol ControlLink: AnyObject {
  var peer: ControlPeer { get }
  /// The received bytes, at most ``ControlServer/longestLine``; empty if there are none, nil after the last byte.
  func receive() -> [UInt8]?
  /// Sends all of the bytes, or none; false if the reader is slow or gone.
  func send(_ bytes: [UInt8]) -> Bool
  /// Sets whether ``ControlServer/arrived(on:)`` is called for received bytes and for the end. Initially it is.
  func setReading(_ isReading: Bool)
  func close()
}

/// The answer to a request: lines, of which the last is `ok` or `error CODE text`.
package enum ControlAnswer: Equatable, Sendable {
  case done([String] = [])
  /// - Parameter code: an exit status of sysexits.h.
  case refused(code: Int32, String)
  /// Problems, one per line, and then a line as for ``refused(code:_:)``.
  case wrong([String], code: Int32, String)
  /// The answer is passed to ``ControlServer/finish(_:with:at:)`` later; until then the connection waits.
  case later
  /// These lines, and then the lines passed to `ControlConnection.tell(_:)`, until the peer closes the connection.
  case watching([String])
}

/// The application's side of a ``ControlServer``: it answers the requests.
package protocol ControlService: AnyObject {
  /// Answers a request. Called between two turns of the application; may take 10 ms.
  ///
  /// - Parameter request: a line without its end and without blanks around it; not empty.
  func answer(_ request: String, on connection: ControlConnection) -> ControlAnswer
  /// A connection has ended, by either side.
  func ended(_ connection: ControlConnection)
}

/// A connection to a ``ControlServer``.
package final class ControlConnection {
  /// The number of the connection, in the order of their acceptance, different for each connection of a server.
  package let number: Int
  package var peer: ControlPeer { link.peer }
  fileprivate let link: any ControlLink
  fileprivate var buffer: [UInt8] = []
  fileprivate var hasArrived = true
  fileprivate var hasEnded = false
  /// Whether the link reports received bytes.
  fileprivate var isReading = true
  fileprivate var isWatching = false
  /// Whether its last request still has to be answered.
  fileprivate var isWaiting = false
  /// Whether the connection must be closed, because the reader is too slow or gone.
  fileprivate var isCut = false
  fileprivate var lastRequest: Moment

  fileprivate init(_ link: any ControlLink, number: Int, at now: Moment) {
    (self.link, self.number, lastRequest) = (link, number, now)
  }

  /// Whether more bytes are wanted. While a request waits for its answer, others stay in the socket. Otherwise the end
  /// of the connection, or a peer that continues to send, would wake the loop repeatedly.
  fileprivate var wantsBytes: Bool { !hasEnded && !isWaiting }

  fileprivate func updateReading() {
    guard wantsBytes != isReading else { return }
    isReading = wantsBytes
    link.setReading(isReading)
    // The link doesn't report bytes that arrived before.
    if isReading { hasArrived = true }
  }

  /// Sends a line to a peer that watches. The connection is cut if the peer does not read fast enough.
  package func tell(_ line: String) { send([line]) }

  fileprivate func send(_ lines: [String]) {
    guard !isCut, !lines.isEmpty else { return }
    isCut = !link.send(Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}

/// Serves requests to an application, one per line: the rules of a control socket, without the socket.
///
/// The limits are ``mostConnections`` at a time, ``longestLine`` bytes in a line, and ``patience`` without a request,
/// except for a peer that watches. One request per connection is answered in a turn, so that a peer with many requests
/// doesn't delay the others. An answer that can't be sent immediately is not kept: the connection is cut.
package final class ControlServer {
  package static let mostConnections = 8
  package static let longestLine = 4096
  package static let patience = Duration.seconds(10)

  private let service: any ControlService
  private var connections: [ControlConnection] = []
  private var count = 0
  /// Gets log lines about actions of the server itself: a connection refused, a reader cut off. At most one line of
  /// each kind per 10 s, with the number of those before it.
  package var onNotice: (String) -> Void = { _ in }
  private var limits: [Notice: LogLimit] = [:]

  /// A kind of notices.
  enum Notice {
    case tooMany, tooSlow, noDescriptor
  }

  package init(_ service: any ControlService) {
    self.service = service
  }

  /// The number of connections.
  package var connectionCount: Int { connections.count }

  /// Accepts a connection, or refuses it with an error if there are already ``mostConnections``.
  package func open(_ link: any ControlLink, at now: Moment) {
    guard connections.count < Self.mostConnections else {
      _ = link.send(Array("error 69 there are \(Self.mostConnections) connections already; try again\n".utf8))
      link.close()
      return note(.tooMany, "one connection too many, from uid \(link.peer.user), pid \(link.peer.process)", at: now)
    }
    count += 1
    connections.append(ControlConnection(link, number: count, at: now))
  }

  func note(_ kind: Notice, _ text: String, at now: Moment) {
    if let line = limits[kind, default: LogLimit()].admit("control: \(text)", at: now) { onNotice(line) }
  }

  /// Records that bytes or the end have arrived on a link.
  package func arrived(on link: any ControlLink) {
    connections.first { $0.link === link }?.hasArrived = true
  }

  /// The moment at which ``turn(at:)`` must be called if nothing arrives before; nil for never.
  package var nextMoment: Moment? {
    var next: Moment?
    for connection in connections {
      let moment =
        connection.hasArrived && connection.wantsBytes || connection.isCut
          || Self.hasLine(connection) && !connection.isWaiting
        ? .zero
        : connection.isWatching || connection.isWaiting ? .distantFuture : connection.lastRequest + Self.patience
      next = min(moment, next ?? moment)
    }
    return next == .distantFuture ? nil : next
  }

  /// Answers one waiting request of each connection, and ends connections without a request for too long.
  ///
  /// - Parameter now: the current moment on the loop's clock.
  package func turn(at now: Moment) {
    for connection in connections {
      serve(connection, at: now)
      connection.updateReading()
    }
    let isOver = { (connection: ControlConnection) in
      connection.isCut || connection.hasEnded && !connection.isWaiting && !Self.hasLine(connection)
    }
    guard connections.contains(where: isOver) else { return }
    let over = connections.filter(isOver)
    connections.removeAll(where: isOver)
    for connection in over {
      if connection.isCut, !connection.hasEnded {
        note(.tooSlow, "pid \(connection.peer.process) reads too slowly or is gone; its connection was closed", at: now)
      }
      end(connection)
    }
  }

  /// Closes all connections.
  package func end() {
    let all = connections
    connections = []
    for connection in all { end(connection) }
  }

  private func end(_ connection: ControlConnection) {
    connection.link.close()
    service.ended(connection)
  }

  private static func hasLine(_ connection: ControlConnection) -> Bool {
    connection.buffer.contains(UInt8(ascii: "\n"))
  }

  /// Answers a request whose answer was ``ControlAnswer/later``.
  ///
  /// - Parameters:
  ///   - connection: the connection of the request; nothing happens if it has ended.
  ///   - answer: any answer except ``ControlAnswer/later``.
  ///   - now: the current moment on the loop's clock.
  package func finish(_ connection: ControlConnection, with answer: ControlAnswer, at now: Moment) {
    guard connection.isWaiting else { return }
    connection.isWaiting = false
    connection.lastRequest = now
    send(answer, to: connection)
    connection.updateReading()
  }

  private func serve(_ connection: ControlConnection, at now: Moment) {
    guard !connection.isCut else { return }
    if connection.hasArrived, connection.wantsBytes, !Self.hasLine(connection) {
      connection.hasArrived = false
      if let bytes = connection.link.receive() { connection.buffer += bytes } else { connection.hasEnded = true }
    }
    guard !connection.isWaiting else { return }
    guard let end = connection.buffer.firstIndex(of: UInt8(ascii: "\n")) else {
      if connection.buffer.count > Self.longestLine { return refuse(connection, 65, Self.tooLong) }
      guard !connection.isWatching, now - connection.lastRequest >= Self.patience else { return }
      return refuse(connection, 69, "nothing was asked for \(Self.patience.components.seconds) s")
    }
    let bytes = connection.buffer[..<end]
    connection.buffer.removeFirst(end + 1)
    connection.lastRequest = now
    guard bytes.count <= Self.longestLine else { return refuse(connection, 65, Self.tooLong) }
    answer(bytes, connection)
  }

  private static let tooLong = "a line has at most \(longestLine) bytes"

  /// Sends an error with the reason, and ends the connection.
  private func refuse(_ connection: ControlConnection, _ code: Int32, _ text: String) {
    connection.buffer = []
    connection.hasEnded = true
    connection.send(["error \(code) \(text)"])
  }

  private func answer(_ bytes: ArraySlice<UInt8>, _ connection: ControlConnection) {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    guard isText, let text = String(validating: bytes, as: UTF8.self) else {
      return refuse(connection, 65, "a request is a line of text")
    }
    guard !connection.isWatching else { return refuse(connection, 64, "this connection watches; open another one") }
    let request = text.split(separator: " ").joined(separator: " ")
    guard !request.isEmpty else { return }
    send(service.answer(request, on: connection), to: connection)
  }

  private func send(_ answer: ControlAnswer, to connection: ControlConnection) {
    switch answer {
    case .done(let lines): connection.send(lines + ["ok"])
    case .refused(let code, let text): connection.send(["error \(code) \(text)"])
    case .wrong(let lines, let code, let text): connection.send(lines + ["error \(code) \(text)"])
    case .later: connection.isWaiting = true
    case .watching(let lines):
      connection.isWatching = true
      connection.send(lines)
    }
  }
}
