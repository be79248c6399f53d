import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwarePlatform

/// A socket that answers as a panel would that was taken over, or not at all.
private final class HostileSocket: Sendable {
  let path: String
  private let descriptor: Int32

  /// - Parameter backlog: how many connections wait to be taken.
  init(_ path: String, backlog: Int32 = 8) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0 && listen(descriptor, backlog) == 0, "a socket can be made at \(path)")
  }

  deinit { close(descriptor) }

  /// Takes a connection, and sends pieces to it, each after this time, until there are no more or the other end hangs
  /// up.
  func answer(_ pieces: [String], each span: Duration = .zero) {
    let connection = accept(descriptor, nil, nil)
    defer { close(connection) }
    for piece in pieces {
      if span > .zero { poll(nil, 0, Int32(span / .milliseconds(1))) }
      var rest = Array(piece.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
    // The other end hangs up when it has what it wants.
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }
}

@Suite("Status hangs: a panel that stands still or answers without end")
struct ControlClientTests {
  private let short = Duration.milliseconds(100)
  private let long = Duration.seconds(60)

  @Test("a connection that nobody takes ends in time, however many wait before it")
  func fullQueue() throws {
    withFiles { folder in
      let socket = HostileSocket("\(folder)/control", backlog: 0)
      var waiting: [ControlClient] = []
      var error: DriverError?
      for _ in 0..<20 where error == nil {
        error = driverError {
          if let client = try ControlClient(to: socket.path, within: short) { waiting.append(client) }
        }
      }
      #expect(error?.kind == .busy && waiting.count < 20)
      #expect(error.map { "\($0)" }?.contains("no reply within 0 s") == true)
      #expect(error?.exitStatus == 69)
    }
  }

  @Test("an answer of a byte now and then ends in time, too")
  func drip() throws {
    withFiles { folder in
      let socket = HostileSocket("\(folder)/control")
      onThread {
        socket.answer(Array(repeating: "x", count: 10_000), each: .milliseconds(5))
      } while: {
        let error = driverError { _ = try ControlClient(to: socket.path, within: short)?.ask("status") }
        #expect(error?.kind == .busy)
      }
    }
  }

  @Test("a line of more than 1 MiB and an answer of more than 4 MiB are given up")
  func endless() throws {
    let long = long
    for (piece, what) in [
      (String(repeating: "x", count: 1 << 16), "a line of more than 1 MiB"),
      (String(repeating: String(repeating: "x", count: 1023) + "\n", count: 64), "more than 4 MiB"),
    ] {
      withFiles { folder in
        let socket = HostileSocket("\(folder)/control")
        onThread {
          socket.answer(Array(repeating: piece, count: 1000))
        } while: {
          let error = driverError { _ = try ControlClient(to: socket.path, within: long)?.ask("status") }
          #expect(
            error?.kind == .unsupported && error?.exitStatus == 69 && error.map { "\($0)" }?.contains(what) == true)
        }
      }
    }
  }

  @Test("lines of all lengths arrive as they were sent, in whatever pieces")
  func pieces() throws {
    let long = long
    let lines = (0..<300).map { String(repeating: "\($0 % 10)", count: $0 * 7 % 997) }
    let text = Array((lines.joined(separator: "\n") + "\nok\n").utf8)
    let pieces = stride(from: 0, to: text.count, by: 1231).map { start in
      String(decoding: text[start..<min(start + 1231, text.count)], as: UTF8.self)
    }
    withFiles { folder in
      let socket = HostileSocket("\(folder)/control")
      onThread {
        socket.answer(pieces)
      } while: {
        let answer = try? ControlClient(to: socket.path, within: long)?.ask("status")
        #expect(answer == .init(lines: lines, refusal: nil))
      }
    }
  }

  @Test(
    "a refusal has a status that says that something is wrong",
    arguments: [
      ("error 65 no", 65, "no"), ("error 0 fine", 69, "fine"), ("error 256 x", 69, "x"), ("error -1 x", 69, "x"),
      ("error 77", 77, ""),
    ])
  func codes(line: String, code: Int32, text: String) throws {
    let refusal = try #require(ControlClient.Answer.Refusal(line))
    #expect(refusal.code == code && refusal.text == text)
    #expect(ControlClient.Answer.Refusal("errors 65 no") == nil && ControlClient.Answer.Refusal("error x") == nil)
  }

  @Test("panels are asked side by side: one that stands still, is not there or says too much holds no other one up")
  func round() throws {
    withFiles { folder in
      let good = HostileSocket("\(folder)/good")
      let still = HostileSocket("\(folder)/still")
      let full = HostileSocket("\(folder)/full", backlog: 0)
      let waiting = try? ControlClient(to: full.path, within: short)
      let bad = HostileSocket("\(folder)/bad")
      let (goodReply, badReply) = (
        ["li", "ne\nok", "\n"], Array(repeating: String(repeating: "y", count: 1 << 16), count: 99)
      )
      var outcomes: [ControlClientGroup.Outcome] = []
      onThread {
        good.answer(goodReply)
      } while: {
        onThread {
          bad.answer(badReply)
        } while: {
          outcomes = ControlClientGroup.ask(
            ["still", "full", "none", "bad", "good"].map { ("\(folder)/\($0)", "status") }, within: .seconds(2))
        }
      }
      let words = outcomes.map { outcome in
        switch outcome {
        case .answered(let answer): "answered \(answer.lines)"
        case .absent: "absent"
        case .silent: "silent"
        case .failed(let error): "failed: \(error.reason)"
        }
      }
      #expect(
        words == [
          "silent", "silent", "absent", "failed: it has answered with a line of more than 1 MiB",
          "answered [\"line\"]",
        ])
      withExtendedLifetime((waiting, still)) {}
    }
  }
}
