import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareLinux
@testable import HardwarePlatform

/// Answers `long` with many lines, and everything else with itself.
private final class Parrot: ControlService {
  private(set) var peers: [ControlPeer] = []
  private(set) var ended = 0

  func answer(_ request: String, on connection: ControlConnection) -> ControlAnswer {
    peers.append(connection.peer)
    return request == "long"
      ? .done(Array(repeating: String(repeating: "l", count: 999), count: 100)) : .done([request])
  }

  func ended(_ connection: ControlConnection) { ended += 1 }
}

@Suite("The control socket")
struct ControlListenerTests {
  private final class Rig {
    let path: String
    let loop: LinuxLoop
    let parrot = Parrot()
    let server: ControlServer
    let listener: ControlListener

    init(_ folder: String) throws {
      path = "\(folder)/control"
      loop = try LinuxLoop()
      server = ControlServer(parrot)
      listener = try ControlListener(at: path, on: loop, server)
    }

    /// Turns of the loop that wait for nothing.
    func turn(_ times: Int = 20) throws {
      var ready = ReadyList()
      for _ in 0..<times {
        try loop.wait(until: .zero, ready: &ready)
        listener.turn()
      }
    }
  }

  @Test("its owner and its group may use it, and the kernel says who asks")
  func peers() throws {
    try withFiles { folder in
      let rig = try Rig(folder)
      var status = stat()
      #expect(stat(rig.path, &status) == 0 && status.st_mode & 0o777 == 0o660)
      let client = try #require(try ControlClient(to: rig.path))
      try client.send("hello")
      try rig.turn()
      #expect(try client.readLine() == "hello" && client.readLine() == "ok")
      #expect(rig.parrot.peers == [ControlPeer(user: getuid(), process: getpid())])
      rig.listener.end()
      #expect(access(rig.path, F_OK) != 0)
      #expect(try client.readLine() == nil)
      #expect(try ControlClient(to: rig.path) == nil)
    }
  }

  @Test("what a crash has left is replaced; where another panel listens, that is said")
  func deadSocket() throws {
    try withFiles { folder in
      let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/control".utf8) }
      let bound = withUnsafePointer(to: &address) { address in
        UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0)
      close(dead)
      let rig = try Rig(folder)
      let error = driverError { _ = try Rig(folder) }
      #expect(error?.kind == .busy && "\(error!)".contains("another program uses this port (EADDRINUSE)"))
      rig.listener.end()
    }
    let error = driverError { _ = try Rig("/nowhere") }
    #expect(error?.kind == .absent && "\(error!)".contains("the folder does not exist"))
    #expect(throws: DriverError.self) { try Rig("/tmp/" + String(repeating: "x", count: 200)) }
  }

  @Test(
    "nine that knock, a line without an end, bytes and a reader that sleeps: each gets what it deserves, the others theirs"
  )
  func attack() throws {
    try withFiles { folder in
      let rig = try Rig(folder)
      let clients = try (0..<9).map { _ in try #require(try ControlClient(to: rig.path)) }
      try rig.turn()
      #expect(try clients[8].readLine() == "error 69 there are 8 connections already; try again")
      #expect(try clients[8].readLine() == nil)
      try clients[0].send(String(repeating: "x", count: 5_000))
      try rig.turn()
      #expect(try clients[0].readLine() == "error 65 a line has at most 4096 bytes")
      #expect(try clients[0].readLine() == nil)
      try clients[1].send("a\u{0}b")
      try rig.turn()
      #expect(try clients[1].readLine() == "error 65 a request is a line of text")
      // It asks for 100 kB again and again, and reads nothing.
      for _ in 0..<40 { try? clients[2].send("long") }
      try rig.turn(200)
      #expect(rig.server.connectionCount == 5 && rig.parrot.ended == 3)
      try clients[3].send("still there")
      try rig.turn()
      #expect(try clients[3].readLine() == "still there")
      rig.listener.end()
    }
  }

  @Test("no descriptor is left open")
  func descriptors() throws {
    let (_, leftOpen) = try withOwnDescriptors {
      try withFiles { folder in
        let rig = try Rig(folder)
        let clients = try (0..<3).map { _ in try #require(try ControlClient(to: rig.path)) }
        try rig.turn()
        try clients[0].send("a")
        try rig.turn()
        rig.listener.end()
      }
    }
    #expect(leftOpen == 0)
  }
}
