import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import TestSupport

/// An input device for the program, and the world around it.
protocol KeysStand: RefusingStand {
  var bench: Bench { get }
  /// The longest delay of an effect.
  var tolerance: Duration { get }
  var device: any KeyDevice { get }
  /// A device that the machine does not have.
  var absentDevice: any KeyDevice { get }
  /// The number of input devices that the program has open.
  var openCount: Int { get }

  func press(_ key: KeyCode) throws
  func release(_ key: KeyCode) throws
  /// Removes the device, or puts it back.
  func unplug() throws
  func plug() throws
  /// Called at the end of every case.
  func end() throws
}

extension KeysStand {
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }

  func click(_ key: KeyCode) throws {
    try press(key)
    try release(key)
  }
}

/// A device in memory, in virtual time.
final class SimulatedKeysStand: KeysStand {
  let bench = Bench()
  let absentDevice: any KeyDevice
  private let keys: SimulatedKeys

  static let place = SimulatedLineStand.place

  init() {
    keys = SimulatedKeys(bench, KeysPort(.named(KernelKeysStand.name)))
    absentDevice = SimulatedKeys(bench, KeysPort(.named("No Keypad")), isPlugged: false)
  }

  var tolerance: Duration { .zero }
  var device: any KeyDevice { keys }
  var openCount: Int { keys.isOpen ? 1 : 0 }

  func press(_ key: KeyCode) { keys.press(key) }
  func release(_ key: KeyCode) { keys.release(key) }
  func permit(_ isPermitted: Bool) { keys.isPermitted = isPermitted }
  func occupy(_ isOccupied: Bool) { keys.isBusy = isOccupied }
  func unplug() { keys.unplug() }
  func plug() { keys.plug() }
  func end() { bench.stop() }
}

/// An input device of the kernel that this program makes with `/dev/uinput`, and whose keys it presses.
///
/// **Source.** Kernel documentation, `input/uinput`.
final class KernelKeysStand: KeysStand {
  static let name = "Lab Keypad"
  static let isThere = access("/dev/uinput", W_OK) == 0

  let bench: Bench
  let device: any KeyDevice = LinuxKeys(.named(name))
  let absentDevice: any KeyDevice = LinuxKeys(.named("No Keypad"))
  private var keyboard: Int32 = -1
  private var occupier: (any KeyConnection)?

  // Swift doesn't import the macros of linux/uinput.h.
  private static let setEventBit: UInt = 0x4004_5564
  private static let setKeyBit: UInt = 0x4004_5565
  private static let create: UInt = 0x5501

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    try plug()
  }

  deinit { if keyboard >= 0 { close(keyboard) } }

  var tolerance: Duration { .milliseconds(60) }
  var openCount: Int { KernelFiles.openCount(containing: "/dev/input/event") }

  func press(_ key: KeyCode) throws { try send(key, 1) }
  func release(_ key: KeyCode) throws { try send(key, 0) }

  private func send(_ key: KeyCode, _ value: Int32) throws {
    // `struct input_event`: 16 bytes of time, which the kernel sets, type, code and value. The second one is `SYN_REPORT`.
    var events = [UInt8](repeating: 0, count: 16)
    withUnsafeBytes(of: KeyEvent.key) { events += $0 }
    withUnsafeBytes(of: key.rawValue) { events += $0 }
    withUnsafeBytes(of: value) { events += $0 }
    events += [UInt8](repeating: 0, count: 24)
    guard write(keyboard, events, events.count) == events.count else {
      throw StandFailure("write /dev/uinput: errno \(errno)")
    }
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  func occupy(_ isOccupied: Bool) throws {
    occupier?.close()
    occupier = isOccupied ? try device.open(isGrabbed: true) : nil
  }

  func unplug() {
    close(keyboard)
    keyboard = -1
  }

  /// Makes a keyboard with the keys 1 to 127: `struct uinput_user_dev` has 80 bytes of name, 8 of numbers, and ranges of
  /// axes.
  func plug() throws {
    keyboard = open("/dev/uinput", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard keyboard >= 0 else { throw StandFailure("open /dev/uinput: errno \(errno)") }
    try call(Self.setEventBit, Int32(KeyEvent.key))
    for key in 1..<Int32(128) { try call(Self.setKeyBit, key) }
    var device = Array(Self.name.utf8)
    device += [UInt8](repeating: 0, count: 80 + 8 + 4 + 4 * 4 * 64 - device.count)
    guard write(keyboard, device, device.count) == device.count else {
      throw StandFailure("write /dev/uinput: errno \(errno)")
    }
    try call(Self.create, 0)
  }

  private func call(_ request: UInt, _ value: Int32) throws {
    guard ioctl(keyboard, request, value) >= 0 else {
      throw StandFailure("ioctl \(request) of /dev/uinput: errno \(errno)")
    }
  }

  func end() throws {
    bench.stop()
    try permit(true)
    try occupy(false)
    if keyboard >= 0 { unplug() }
  }
}
