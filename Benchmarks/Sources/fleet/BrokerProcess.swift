import Foundation
import Glibc
import HardwareDrivers
import HardwareLinux

/// A mosquitto on a port of its own, without encryption and passwords; it ends with the program.
final class BrokerProcess {
  private static let program = "/usr/sbin/mosquitto"
  private let port: Int
  private let file: String
  private var process = Process()

  init() throws {
    // Between the ports of servers and those that Linux gives to clients.
    port = 20000 + Int(getpid()) % 12000
    file = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-\(getpid()).conf").path
    // As root it would become the user mosquitto, with another limit of descriptors. Who hears a whole fleet has more
    // messages under way than the 20, and more waiting than the 1000, that mosquitto allows unless told otherwise; it
    // drops the others.
    let settings = """
      listener \(port) 127.0.0.1
      allow_anonymous true
      user root
      max_inflight_messages 1000
      max_queued_messages 100000

      """
    try settings.write(toFile: file, atomically: true, encoding: .utf8)
    try start()
  }

  deinit { try? FileManager.default.removeItem(atPath: file) }

  var address: BrokerConnectionSettings { get throws { try BrokerConnectionSettings("mqtt://127.0.0.1:\(port)") } }

  func start() throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["-c", file]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  /// Waits until the broker takes connections, 10 s at most.
  func waitForPort() {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    for _ in 0..<1000 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(client) }
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if code == 0 { return }
      usleep(10_000)
    }
  }

  /// As the kernel ends a program for which no memory is left.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// What the broker takes: its memory, and its processor time so far.
  func use() throws -> (kilobytes: Int, time: Duration) {
    let statistics = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    // Behind the name in parentheses: fields 14 and 15 of proc(5) are the 12th and 13th.
    let fields = statistics.drop { $0 != ")" }.split(separator: " ").dropFirst()
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    return (
      try resident(of: process.processIdentifier), .milliseconds(ticks * 1000 / sysconf(Int32(_SC_CLK_TCK)))
    )
  }
}

/// The memory of a process that is in RAM, in kB.
func resident(of process: Int32) throws -> Int {
  let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line.flatMap { $0.split(whereSeparator: { !$0.isNumber }).first }.flatMap { Int($0) } ?? 0
}
