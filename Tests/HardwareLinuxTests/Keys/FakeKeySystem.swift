import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux

/// The kernel's input devices as a test wants them. Reading is real, so a descriptor can be that of a pipe.
final class FakeKeySystem: LinuxKeySystem {
  /// The descriptor of each node.
  var nodes: [String: Int32] = [:]
  /// By the name of a call: `open`, `EVIOCSCLOCKID`, `EVIOCGRAB`, `EVIOCGKEY`.
  var failures: [String: Int32] = [:]
  var pressed: Set<KeyCode> = []
  private(set) var calls: [String] = []

  private func call(_ name: String) throws(SystemFailure) {
    calls.append(name)
    if let number = failures[name] { throw SystemFailure(function: name, number: number) }
  }

  override func open(_ path: String) throws(SystemFailure) -> Int32 {
    try call("open")
    guard let descriptor = nodes[path] else { throw SystemFailure(function: "open", number: ENOENT) }
    return descriptor
  }

  override func close(_ descriptor: Int32) { calls.append("close") }
  /// The number of the device of each descriptor; nil for none.
  var devices: [Int32: UInt64] = [:]
  override func device(of descriptor: Int32) -> UInt64? { devices[descriptor] }
  override func setClock(_ descriptor: Int32) throws(SystemFailure) { try call("EVIOCSCLOCKID") }
  override func grab(_ descriptor: Int32) throws(SystemFailure) { try call("EVIOCGRAB") }

  override func pressedKeys(_ descriptor: Int32) throws(SystemFailure) -> Set<KeyCode> {
    try call("EVIOCGKEY")
    return pressed
  }
}
