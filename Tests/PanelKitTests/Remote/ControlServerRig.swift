import HardwarePlatform

@testable import PanelRun

/// A connection in memory, whose requests are answered at once.
final class MemoryLink: ControlLink {
  let peer: ControlPeer
  private var said: [UInt8] = []
  private(set) var heard: [String] = []
  private(set) var isClosed = false
  var hasHungUp = false

  init(user: UInt32 = 1000) { peer = ControlPeer(user: user, process: 42) }

  func say(_ line: String) { said += Array("\(line)\n".utf8) }
  func receive() -> [UInt8]? {
    defer { said = [] }
    return said.isEmpty && hasHungUp ? nil : said
  }
  func send(_ bytes: [UInt8]) -> Bool {
    heard += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return true
  }
  func setReading(_ isReading: Bool) {}
  func close() { isClosed = true }
  func takeHeard() -> [String] {
    defer { heard = [] }
    return heard
  }
}

/// A panel behind a control server whose connections are in memory.
class ControlServerRig {
  let session: PanelSession
  let server: ControlServer

  init(_ server: ControlServer, of session: PanelSession) {
    (self.server, self.session) = (server, session)
  }

  func connect(as user: UInt32 = 1000) -> MemoryLink {
    let link = MemoryLink(user: user)
    server.open(link, at: session.now)
    return link
  }

  /// What is heard on a connection that says this, and when all that was due at once has been done.
  func ask(_ request: String, on link: MemoryLink) throws -> [String] {
    link.say(request)
    server.arrived(on: link)
    server.turn(at: session.now)
    try session.bench.settle()
    return link.takeHeard()
  }
}
