import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import TestSupport

/// A serial line for the program, and the device at its other end.
protocol SerialStand: AnyObject {
  var bench: Bench { get }
  /// The longest delay of an effect.
  var tolerance: Duration { get }
  var line: any SerialLine { get }
  /// A line that the machine does not have.
  var absentLine: any SerialLine { get }
  /// The number of connections that the program has open.
  var openCount: Int { get }

  /// The device sends bytes.
  func send(_ bytes: [UInt8]) throws
  /// The bytes that have arrived at the device since the start or the last call.
  func takeReceived() throws -> [UInt8]
  /// Whether this user may open the line.
  func permit(_ isPermitted: Bool) throws
  /// Pulls the line out, or plugs it in.
  func unplug() throws
  func plug() throws
  /// Called at the end of every case.
  func end() throws
}

extension SerialStand {
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }

  /// Passes time, and in real time more, until something is so, 0.9 s at most: a busy machine is late. A return that is
  /// not announced takes a second.
  func pass(until isSo: () -> Bool) throws(DriverError) {
    try pass()
    guard !bench.loop.isVirtual else { return }
    let end = bench.now + .milliseconds(900)
    while !isSo(), bench.now < end { try pass() }
  }
}

/// A line in memory, in virtual time.
final class SimulatedSerialStand: SerialStand {
  let bench = Bench()
  private let simulated: SimulatedSerial
  private var seen = 0

  static let place = SimulatedLineStand.place

  init() { simulated = SimulatedSerial(bench) }

  var tolerance: Duration { .milliseconds(1_100) }
  var line: any SerialLine { simulated }
  var absentLine: any SerialLine { SimulatedSerial(bench, "/dev/ttyUSB250", isPlugged: false) }
  var openCount: Int { simulated.openCount }
  func send(_ bytes: [UInt8]) { simulated.send(bytes) }

  func takeReceived() -> [UInt8] {
    defer { seen = simulated.written.count }
    return Array(simulated.written.dropFirst(seen))
  }

  func permit(_ isPermitted: Bool) { simulated.isPermitted = isPermitted }
  func unplug() { simulated.unplug() }
  func plug() { simulated.plug() }
  func end() { bench.stop() }
}

/// A pseudo-terminal of the kernel, behind a link as udev makes it. The device is its master.
final class PseudoSerialStand: SerialStand {
  let bench: Bench
  let line: any SerialLine
  let absentLine: any SerialLine = LinuxSerial("/dev/ttyUSB250")
  private let folder: String
  private var device: Int32 = -1
  /// The last terminal of this stand. Other tests of this process have terminals, too, and one of them can get the number
  /// of one that is gone; but not with the time of its last change.
  private var terminal = stat()

  private var link: String { "\(folder)/line" }

  static let place = "pseudo-terminal"
  static let isThere = access("/dev/ptmx", R_OK | W_OK) == 0

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    folder = "/tmp/serial-stand-\(getpid())"
    line = LinuxSerial("\(folder)/line")
    try KernelFiles.make(folder)
    try plug()
  }

  var tolerance: Duration { .milliseconds(40) }
  var openCount: Int {
    names(in: "/proc/self/fd").count { name in
      var open = stat()
      return Int32(name).map { fstat($0, &open) == 0 } == true && open.st_rdev == terminal.st_rdev
        && open.st_ctim.tv_sec == terminal.st_ctim.tv_sec && open.st_ctim.tv_nsec == terminal.st_ctim.tv_nsec
    }
  }

  func send(_ bytes: [UInt8]) throws {
    guard write(device, bytes, bytes.count) == bytes.count else {
      throw StandFailure("write to the pty: errno \(errno)")
    }
  }

  func takeReceived() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return Array(bytes[..<max(0, read(device, &bytes, bytes.count))])
  }

  func permit(_ isPermitted: Bool) throws {
    // The superuser may open each file. This one is for this thread alone, because other tests run at the same time.
    if getuid() == 0 { return try KernelFiles.permitThread(isPermitted) }
    guard chmod(link, isPermitted ? 0o600 : 0) == 0, stat(link, &terminal) == 0 else {
      throw StandFailure("chmod \(link): errno \(errno)")
    }
  }

  func unplug() throws {
    guard device >= 0 else { return }
    unlink(link)
    close(device)
    device = -1
  }

  func plug() throws {
    // As posix_openpt, unlockpt and ptsname do, which Glibc's Swift module doesn't have.
    device = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var number: Int32 = 0
    let unlock: UInt = 0x4004_5431
    let getNumber: UInt = 0x8004_5430
    guard device >= 0, ioctl(device, unlock, &number) == 0, ioctl(device, getNumber, &number) == 0,
      chmod("/dev/pts/\(number)", 0o600) == 0, stat("/dev/pts/\(number)", &terminal) == 0,
      symlink("/dev/pts/\(number)", link) == 0
    else { throw StandFailure("no pseudo-terminal: errno \(errno)") }
  }

  func end() throws {
    bench.stop()
    if device >= 0 { try permit(true) }
    try unplug()
    rmdir(folder)
  }
}

/// A serial line on USB whose device is this machine: a gadget on the kernel's `dummy_hcd`. The program has `ttyACM0`,
/// the world `ttyGS0`; taking the gadget from its controller pulls the plug.
///
/// **Source.** Kernel documentation, `usb/gadget_configfs` and `usb/gadget_serial`.
final class KernelSerialStand: SerialStand {
  static let isThere = access("\(root)/usb_gadget", W_OK) == 0 && !names(in: "/sys/class/udc").isEmpty

  let bench: Bench
  let line: any SerialLine = LinuxSerial("/dev/ttyACM0")
  let absentLine: any SerialLine = LinuxSerial("/dev/ttyUSB250")
  private var device: Int32 = -1

  private static let root = "/sys/kernel/config"
  private static let gadget = "\(root)/usb_gadget/lab"

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    if access(Self.gadget, F_OK) != 0 { try Self.makeGadget() }
    try plug()
  }

  private static func makeGadget() throws {
    try KernelFiles.make(gadget)
    try KernelFiles.write("0x1d6b", to: "\(gadget)/idVendor")
    try KernelFiles.write("0x0104", to: "\(gadget)/idProduct")
    try KernelFiles.make("\(gadget)/strings/0x409")
    try KernelFiles.write("Board", to: "\(gadget)/strings/0x409/product")
    try KernelFiles.make("\(gadget)/configs/c.1")
    try KernelFiles.make("\(gadget)/functions/acm.0")
    guard symlink("\(gadget)/functions/acm.0", "\(gadget)/configs/c.1/acm.0") == 0 else {
      throw StandFailure("symlink acm.0: errno \(errno)")
    }
  }

  var tolerance: Duration { .milliseconds(200) }
  var openCount: Int { KernelFiles.openCount(containing: "/dev/ttyACM") }

  func send(_ bytes: [UInt8]) throws {
    guard write(device, bytes, bytes.count) == bytes.count else { throw StandFailure("write ttyGS0: errno \(errno)") }
  }

  func takeReceived() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return Array(bytes[..<max(0, read(device, &bytes, bytes.count))])
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  func unplug() throws {
    if device >= 0 { close(device) }
    device = -1
    try KernelFiles.write("\n", to: "\(Self.gadget)/UDC")
  }

  func plug() throws {
    guard let controller = names(in: "/sys/class/udc").first else { throw StandFailure("/sys/class/udc is empty") }
    try KernelFiles.write(controller, to: "\(Self.gadget)/UDC")
    // The host enumerates the device first.
    for _ in 0..<500 where access("/dev/ttyACM0", F_OK) != 0 { usleep(10_000) }
    // The raw mode of the device's side is that of the program's side.
    device = open("/dev/ttyGS0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard device >= 0 else { throw StandFailure("open ttyGS0: errno \(errno)") }
    var settings = termios()
    tcgetattr(device, &settings)
    cfmakeraw(&settings)
    tcsetattr(device, TCSANOW, &settings)
  }

  func end() throws {
    bench.stop()
    try permit(true)
    if device >= 0 { try unplug() }
  }
}
