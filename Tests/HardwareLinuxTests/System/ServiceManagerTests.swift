import Testing

@testable import HardwareLinux

@Suite("The manager of services")
struct ServiceManagerTests {
  private func manager(_ variables: [String: String]) -> ServiceManager? { ServiceManager { variables[$0] } }

  @Test("there is one if it has named a socket that can be one")
  func socket() {
    #expect(manager([:]) == nil && manager(["NOTIFY_SOCKET": ""]) == nil && manager(["NOTIFY_SOCKET": "run"]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "/"]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "@name"]) != nil)
    // Nobody listens there: it is lost, and nothing waits.
    manager(["NOTIFY_SOCKET": "/nowhere/notify"])?.tell("READY=1")
  }

  @Test("it says how soon it wants signs of life, if from this process")
  func watchdog() {
    let socket = ["NOTIFY_SOCKET": "/run/notify"]
    func watchdog(_ more: [String: String]) -> Duration? { manager(socket.merging(more) { $1 })?.watchdog }
    #expect(watchdog([:]) == nil && watchdog(["WATCHDOG_USEC": "0"]) == nil && watchdog(["WATCHDOG_USEC": "x"]) == nil)
    #expect(watchdog(["WATCHDOG_USEC": "10000000"]) == .seconds(10))
    #expect(watchdog(["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"]) == nil)
  }
}
