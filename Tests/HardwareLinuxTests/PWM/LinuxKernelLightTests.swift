import CycleCore
import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwareLinux

/// The lamps of a kernel in memory.
private final class LightKernel: SysfsAccess {
  /// The files by their paths, with their texts.
  var files = [
    "/sys/class/leds/ACT/brightness": "0", "/sys/class/leds/ACT/max_brightness": "255",
    "/sys/class/leds/ACT/trigger": "none rc-feedback [mmc0] heartbeat\n",
    "/sys/class/backlight/lcd/brightness": "7", "/sys/class/backlight/lcd/max_brightness": "10\n",
  ]
  /// The errno of writes to each file; nil for none.
  var errors: [String: Int32] = [:]
  private(set) var log: [String] = []
  private var paths: [Int32: String] = [:]
  private var locked: Set<String> = []
  private var next: Int32 = 10

  var openCount: Int { paths.count }

  /// Another program locks a lamp.
  func lock(_ path: String) { locked.insert(path) }

  /// The driver of the lamp goes.
  func remove(_ name: String) {
    for path in files.keys where path.contains("/\(name)/") {
      files[path] = nil
      errors[path] = ENODEV
    }
  }

  private func failure(_ function: String, _ number: Int32) -> SystemFailure {
    SystemFailure(function: function, number: number)
  }

  func open(_ path: String) throws(SystemFailure) -> Int32 {
    if let error = errors[path] { throw failure("open", error) }
    guard files[path] != nil else { throw failure("open", ENOENT) }
    next += 1
    paths[next] = path
    return next
  }

  func close(_ descriptor: Int32) {
    locked.remove(paths[descriptor] ?? "")
    paths[descriptor] = nil
  }

  func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {
    guard let path = paths[descriptor] else { throw failure("write", EBADF) }
    try write(text, to: path)
  }

  func write(_ text: String, to path: String) throws(SystemFailure) {
    if let error = errors[path] { throw failure("write", error) }
    guard let before = files[path] else { throw failure("open", ENOENT) }
    if path.hasSuffix("/trigger") {
      let words = before.split { " \n".contains($0) }.map { $0.filter { !"[]".contains($0) } }
      guard words.contains(text) else { throw failure("write", EINVAL) }
      files[path] = words.map { $0 == text ? "[\($0)]" : $0 }.joined(separator: " ") + "\n"
    } else {
      files[path] = text
    }
    log.append("\(path.split(separator: "/").suffix(2).joined(separator: "/")) \(text)")
  }

  func read(_ descriptor: Int32) throws(SystemFailure) -> String {
    guard let path = paths[descriptor], let text = files[path] else { throw failure("read", ENODEV) }
    return text
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    guard let path = paths[descriptor], locked.insert(path).inserted else { throw failure("flock", EWOULDBLOCK) }
  }

  func bytes(of path: String) -> [UInt8]? { files[path].map { Array($0.utf8) } }
  func entries(of folder: String) -> [String] { [] }
  func exists(_ path: String) -> Bool { files[path] != nil }
  func target(of link: String) -> String? { nil }
  func sleep(milliseconds: Int) {}
}

@Suite("LinuxKernelLight")
struct LinuxKernelLightTests {
  private let kernel = LightKernel()

  private func light(_ name: String = "ACT") -> LinuxKernelLight {
    LinuxKernelLight(KernelLightPort(name), system: kernel)
  }
  private func wave(_ share: Double) -> PWMWave { PWMWave(share, hertz: 1_000) }

  @Test("the trigger ends before the lamp is lit, and is set again at the end")
  func trigger() throws {
    let connection = try light().open(showing: wave(1))
    try connection.show(wave(0.5))
    connection.close()
    connection.close()
    #expect(
      kernel.log == [
        "ACT/trigger none", "ACT/brightness 255", "ACT/brightness 128", "ACT/brightness 0", "ACT/trigger mmc0",
      ])
    #expect(kernel.openCount == 0)
  }

  @Test("a backlight has its own steps, and no trigger")
  func backlight() throws {
    let connection = try light("lcd").open(showing: wave(0.3))
    #expect(kernel.log == ["lcd/brightness 3"])
    connection.close()
    // A screen is as bright as before.
    #expect(kernel.log.last == "lcd/brightness 7")
  }

  @Test("a lamp that the kernel doesn't have is absent, also by a path elsewhere")
  func absent() {
    for name in ["PWR", "", "../leds/ACT", "."] {
      #expect(!light(name).isPresent)
      let error = thrown(DriverError.self) { _ = try light(name).open(showing: wave(1)) }
      #expect(error?.kind == .absent)
    }
    #expect(
      thrown(DriverError.self) { try KernelLightPort("no-such-lamp").inspect() }?.description
        == "cannot open the kernel's lamp no-such-lamp: the kernel has no lamp no-such-lamp. "
        + "`ls /sys/class/leds /sys/class/backlight` lists all lamps of the kernel.")
  }

  @Test("a lamp of another program is busy, and one without rights is not permitted")
  func refused() {
    kernel.lock("/sys/class/leds/ACT/brightness")
    #expect(thrown(DriverError.self) { _ = try light().open(showing: wave(1)) }?.kind == .busy)
    kernel.errors["/sys/class/backlight/lcd/brightness"] = EACCES
    let error = thrown(DriverError.self) { _ = try light("lcd").open(showing: wave(1)) }
    #expect(error?.kind == .notPermitted && error?.remedy.contains("/sys/class/leds") == true)
    #expect(kernel.openCount == 0 && kernel.log.isEmpty)
  }

  @Test("a lamp whose driver has gone is lost, by a write and by a check")
  func lost() throws {
    let connection = try light().open(showing: wave(1))
    kernel.remove("ACT")
    #expect(thrown(DriverError.self) { try connection.show(wave(0)) }?.kind == .lost)
    #expect(thrown(DriverError.self) { try connection.check() }?.kind == .lost)
    connection.close()
    #expect(kernel.openCount == 0)
  }

  @Test("an opening that fails midway leaves nothing open, and sets the trigger again")
  func midway() {
    kernel.errors["/sys/class/leds/ACT/brightness"] = nil
    let failing = light()
    kernel.errors["/sys/class/leds/ACT/trigger"] = EIO
    #expect(thrown(DriverError.self) { _ = try failing.open(showing: wave(1)) }?.kind == .failed)
    #expect(kernel.openCount == 0)
  }
}
