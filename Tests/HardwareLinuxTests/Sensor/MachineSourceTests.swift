import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux

@Suite("LoadAverage, DiskUsage and PingTime")
struct MachineSourceTests {
  private func read(_ source: some NumberSource) throws -> Double { try source.readNumber(on: .monotonic()) }

  private func reason(_ source: some NumberSource) -> String {
    do throws(DriverError) {
      return "\(try source.readNumber(on: .monotonic()))"
    } catch {
      return "\(error.kind): \(error.reason)"
    }
  }

  @Test("the load averages are the first three numbers")
  func load() throws {
    try withFiles(["loadavg": "0.52 1.58 12.59 3/467 12345\n", "empty": ""]) { (folder: String) throws in
      let loads = try LoadAverage.Span.allCases.map { try read(LoadAverage(over: $0, in: "\(folder)/loadavg")) }
      #expect(loads == [0.52, 1.58, 12.59])
      #expect(reason(LoadAverage(over: .oneMinute, in: "\(folder)/empty")).hasPrefix("failed: "))
      #expect(reason(LoadAverage(over: .oneMinute, in: "\(folder)/none")).hasPrefix("failed: "))
    }
    #expect(try read(LoadAverage(over: .oneMinute)) >= 0)
  }

  @Test("the use of a disk is a percentage, and a missing folder is absent")
  func disk() throws {
    #expect((0...100).contains(try read(DiskUsage(of: "/"))))
    #expect(reason(DiskUsage(of: "/nowhere/at/all")).hasPrefix("absent: "))
    #expect(reason(DiskUsage(of: "/proc")) == "failed: the file system has no blocks")
  }

  @Test("an echo reply is the one to this request", arguments: [false, true])
  func echo(isIPv6: Bool) {
    let request = EchoMessage(isIPv6: isIPv6, token: 0x0102_0304_0506_0708)
    #expect(request.bytes == [isIPv6 ? 128 : 8, 0, 0, 0, 0, 0, 0, 1, 8, 7, 6, 5, 4, 3, 2, 1])
    // The kernel has set the checksum and the identifier.
    let reply: [UInt8] = [isIPv6 ? 129 : 0, 0, 0xAB, 0xCD, 0x12, 0x34, 0, 1, 8, 7, 6, 5, 4, 3, 2, 1]
    #expect(request.isAnswered(by: reply))
    for place in [0, 6, 7, 8, 15] {
      var other = reply
      other[place] ^= 0x40
      #expect(!request.isAnswered(by: other), "byte \(place)")
    }
    #expect(!request.isAnswered(by: reply.dropLast()) && !request.isAnswered(by: [UInt8]()))
  }

  @Test("this machine answers itself, or the error names the setting that forbids it")
  func ping() {
    let result = reason(PingTime(to: "127.0.0.1"))
    let isForbidden = result == "failed: this user may send no echo request"
    #expect(isForbidden || Double(result).map { (0...1000).contains($0) } == true, "\(result)")
    #expect(reason(PingTime(to: "no such host")) == "absent: the name no such host is not known")
  }
}
