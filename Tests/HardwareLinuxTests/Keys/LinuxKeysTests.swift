import CLinux
import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux

/// The files of `/sys/class/input` as a test wants them.
private final class InputFiles: SysfsAccess {
  var files: [String: String] = [:]

  func add(_ number: Int, _ name: String, vendor: String = "0000", product: String = "0000", keys: String = "fffe") {
    let folder = "/sys/class/input/event\(number)/device"
    files["\(folder)/name"] = name + "\n"
    files["\(folder)/id/vendor"] = vendor + "\n"
    files["\(folder)/id/product"] = product + "\n"
    files["\(folder)/capabilities/key"] = keys + "\n"
  }

  func entries(of folder: String) -> [String] {
    let names = files.keys.filter { $0.hasPrefix(folder + "/") }
      .compactMap { $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init) }
    return Array(Set(names)) + ["mice", "input3"]
  }

  func bytes(of path: String) -> [UInt8]? { files[path].map { Array($0.utf8) } }
  func exists(_ path: String) -> Bool { files[path] != nil }

  func open(_ path: String) throws(SystemFailure) -> Int32 { throw SystemFailure(function: "open", number: EACCES) }
  func close(_ descriptor: Int32) {}
  func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {}
  func write(_ text: String, to path: String) throws(SystemFailure) {}
  func read(_ descriptor: Int32) throws(SystemFailure) -> String { "" }
  func lock(_ descriptor: Int32) throws(SystemFailure) {}
  func target(of link: String) -> String? { nil }
  func sleep(milliseconds: Int) {}
}

/// A pipe, whose reading end is a device node.
private final class Pipe {
  let reading: Int32
  private var writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  /// Writes the kernel's layout of an event of this machine: seconds, microseconds, type, code, value.
  func write(seconds: Int, microseconds: Int, type: UInt16, code: UInt16, value: Int32) {
    var bytes: [UInt8] = []
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    add(seconds)
    add(microseconds)
    add(type)
    add(code)
    add(value)
    #expect(bytes.count == clinux_input_event_size())
    #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
  }
}

@Suite("LinuxKeys")
struct LinuxKeysTests {
  private let files = InputFiles()
  private let system = FakeKeySystem()

  private func device(_ choice: KeyChoice) -> LinuxKeys { LinuxKeys(choice, files: files, system: system) }

  private func openError(_ choice: KeyChoice = .named("Keypad"), isGrabbed: Bool = true) -> DriverError? {
    thrown(DriverError.self) { try device(choice).open(isGrabbed: isGrabbed).close() }
  }

  @Test("a device is found by its name, its numbers or its path, the first one with keys")
  func finding() {
    files.add(11, "Keypad")
    files.add(9, "Keypad", vendor: "046d", product: "c31c")
    files.add(2, "Keypad", vendor: "046d", product: "c31c", keys: "0 0")
    files.add(0, "Power Button")
    files.add(4, "rotary@11", keys: "0")
    files.files["/sys/class/input/event4/device/capabilities/rel"] = "1\n"
    files.files["/dev/input/by-id/usb-keypad"] = ""
    let finder = KeyDeviceFinder(files: files, deviceFolder: "/dev/input")
    #expect(finder.path(of: .named("Keypad")) == "/dev/input/event9")
    #expect(finder.path(of: .usb(vendor: 0x046D, product: 0xC31C)) == "/dev/input/event9")
    #expect(finder.path(of: .usb(vendor: 0x046D, product: 0xC31D)) == nil)
    #expect(finder.path(of: .path("/dev/input/by-id/usb-keypad")) == "/dev/input/by-id/usb-keypad")
    #expect(finder.path(of: .path("/dev/input/by-id/usb-other")) == nil)
    #expect(finder.path(of: .named("Key")) == nil)
    #expect(finder.path(of: .named("rotary@11")) == "/dev/input/event4")
    #expect(device(.named("Keypad")).isPresent && !device(.named("Key")).isPresent)
  }

  @Test("two names of one device are an error that names both, also without a grab")
  func twoNames() throws {
    let pipe = try Pipe()
    files.add(3, "Keypad", vendor: "046d", product: "c31c")
    system.nodes = ["/dev/input/event3": pipe.reading]
    system.devices = [pipe.reading: 0xFFFF_0003]
    let other = KeyChoice.usb(vendor: 0x046D, product: 0xC31C)
    let first = try device(.named("Keypad")).open(isGrabbed: false)
    let error = openError(other, isGrabbed: false)
    #expect(error?.kind == .misconfigured)
    #expect(
      error?.description
        == "cannot open the input device \"046d:c31c\": it is the same device as \"Keypad\", which this program reads. "
        + "Only one entry can use an input device: remove one, or name another device.")
    first.close()
    #expect(openError(other, isGrabbed: false) == nil)
  }

  @Test("a device is stamped by the monotonic clock, and grabbed unless the settings say otherwise")
  func opening() throws {
    let pipe = try Pipe()
    files.add(3, "Keypad")
    system.nodes = ["/dev/input/event3": pipe.reading]
    try device(.named("Keypad")).open(isGrabbed: true).close()
    #expect(system.calls == ["open", "EVIOCSCLOCKID", "EVIOCGRAB", "close"])
    let connection = try device(.named("Keypad")).open(isGrabbed: false)
    #expect(system.calls.dropFirst(4) == ["open", "EVIOCSCLOCKID"])
    connection.close()
    connection.close()
    #expect(system.calls.count == 7)
  }

  @Test("each error of the kernel has its kind, and no file stays open")
  func errors() throws {
    let pipe = try Pipe()
    #expect(openError()?.kind == .absent)
    files.add(3, "Keypad")
    #expect(openError()?.kind == .absent)
    system.nodes = ["/dev/input/event3": pipe.reading]
    for (call, number, kind) in [
      ("open", EACCES, DriverError.Kind.notPermitted), ("open", ENODEV, .absent), ("EVIOCGRAB", EBUSY, .busy),
      ("EVIOCGRAB", ENODEV, .absent), ("EVIOCSCLOCKID", EIO, .failed),
    ] {
      system.failures = [call: number]
      let error = openError()
      #expect(error?.kind == kind && error?.cause?.number == number && error?.subject == "Keypad", "\(call) \(number)")
      if call != "open" { #expect(system.calls.last == "close") }
    }
    system.failures = ["EVIOCGRAB": EBUSY]
    #expect(
      openError()?.description
        == "cannot grab the input device \"Keypad\": another program has grabbed it (EBUSY). Stop that program; `sudo fuser -v /dev/input/event*` names it."
    )
  }

  @Test("events are read in the kernel's layout, at most 64 at once, and nothing is no error")
  func reading() throws {
    let pipe = try Pipe()
    files.add(3, "Keypad")
    system.nodes = ["/dev/input/event3": pipe.reading]
    let connection = try device(.named("Keypad")).open(isGrabbed: true)
    defer { connection.close() }
    var events: [KeyEvent] = []
    try connection.read(into: &events)
    #expect(events == [])
    pipe.write(seconds: 12, microseconds: 345_678, type: 1, code: 79, value: 1)
    pipe.write(seconds: 12, microseconds: 345_678, type: 0, code: 0, value: 0)
    pipe.write(seconds: 4_000_000_000, microseconds: 1, type: 2, code: 8, value: -1)
    try connection.read(into: &events)
    #expect(
      events == [
        KeyEvent(type: 1, code: 79, value: 1, moment: Moment(nanoseconds: 12_345_678_000)),
        KeyEvent(type: 0, code: 0, value: 0, moment: Moment(nanoseconds: 12_345_678_000)),
        KeyEvent(type: 2, code: 8, value: -1, moment: Moment(nanoseconds: 4_000_000_000_000_001_000)),
      ])
    events = []
    for code in UInt16(0)..<100 { pipe.write(seconds: 1, microseconds: 0, type: 1, code: code, value: 0) }
    try connection.read(into: &events)
    #expect(events.map(\.code) == Array(0..<64))
    try connection.read(into: &events)
    #expect(events.map(\.code) == Array(0..<100))
  }

  @Test("the keys that are down are the bits of the kernel's map")
  func bits() {
    var bits = [UInt8](repeating: 0, count: 96)
    (bits[0], bits[3], bits[95]) = (0b10, 0b0100_0001, 0x80)
    #expect(LinuxKeySystem.keys(in: bits).map(\.rawValue).sorted() == [1, 24, 30, 767])
  }

  @Test("a device that is gone is lost, and another failure is none")
  func losses() throws {
    let pipe = try Pipe()
    files.add(3, "Keypad")
    system.nodes = ["/dev/input/event3": pipe.reading]
    let connection = try device(.named("Keypad")).open(isGrabbed: true)
    defer { connection.close() }
    for (number, kind) in [(ENODEV, DriverError.Kind.lost), (EIO, .failed)] {
      system.failures = ["EVIOCGKEY": number]
      #expect(thrown(DriverError.self) { _ = try connection.pressedKeys() }?.kind == kind)
    }
  }

  @Test("a real file that is no input device is refused by the kernel")
  func noDevice() {
    let files = InputFiles()
    files.files["/dev/null"] = ""
    let device = LinuxKeys(.path("/dev/null"), files: files, system: LinuxKeySystem())
    let error = thrown(DriverError.self) { try device.open(isGrabbed: true).close() }
    #expect(error?.cause?.function == "ioctl EVIOCSCLOCKID" && error?.cause?.name == "ENOTTY")
  }
}
