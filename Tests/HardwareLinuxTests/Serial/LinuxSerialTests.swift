import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import HardwareLinux

/// A pseudo-terminal: its slave is a serial line without hardware, its master the device at the other end.
private final class PseudoLine {
  private(set) var device: Int32
  let path: String

  init() {
    // As posix_openpt, unlockpt and ptsname do, which Glibc's Swift module doesn't have.
    device = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var number: Int32 = 0
    let unlock: UInt = 0x4004_5431
    let getNumber: UInt = 0x8004_5430
    let isThere = ioctl(device, unlock, &number) == 0 && ioctl(device, getNumber, &number) == 0
    precondition(isThere, "there is no pseudo-terminal: errno \(errno)")
    path = "/dev/pts/\(number)"
  }

  deinit { unplug() }

  func send(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(device, $0.baseAddress, $0.count) }
  }

  var received: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(device, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Closes the master: the slave's device is gone, as that of an adapter that is pulled out.
  func unplug() {
    if device >= 0 { close(device) }
    device = -1
  }
}

@Suite("LinuxSerial")
struct LinuxSerialTests {
  private static func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
    do throws(DriverError) { try body() } catch { return error }
    return nil
  }

  @Test("bytes pass unchanged in both directions, and nothing is echoed or translated")
  func rawBytes() throws {
    let pseudo = PseudoLine()
    let line = try LinuxSerial(pseudo.path).open(SerialSettings(baud: 115_200))
    pseudo.send("a\r\nb\n\u{3}\u{4}\u{13}\u{7F}")
    #expect(try line.read(64) == Array("a\r\nb\n\u{3}\u{4}\u{13}\u{7F}".utf8))
    #expect(try line.read(64) == [])
    let all = (0...255).map { UInt8($0) }
    #expect(try line.write(all) == 256)
    #expect(pseudo.received == all)
    line.close()
    line.close()
  }

  @Test(
    "every speed can be set, also one that termios.h has no name for",
    arguments: [50, 9_600, 31_250, 250_000, 4_000_000])
  func speeds(baud: Int) throws {
    let pseudo = PseudoLine()
    for parity in SerialSettings.Parity.allCases {
      try LinuxSerial(pseudo.path).open(SerialSettings(baud: baud, bits: 7, parity: parity, stopBits: 2)).close()
    }
  }

  @Test("two names of one line are an error that names both, until the first one is closed")
  func twoNames() throws {
    let pseudo = PseudoLine()
    let link = "/tmp/serial-line-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    try #require(symlink(pseudo.path, link) == 0)
    defer { unlink(link) }
    let first = try LinuxSerial(pseudo.path).open(SerialSettings())
    let error = Self.error { () throws(DriverError) in _ = try LinuxSerial(link).open(SerialSettings()) }
    #expect(error?.kind == .misconfigured)
    #expect(
      error?.description == "cannot open \(link): it is the same line as \(pseudo.path), which this program uses. "
        + "Give all devices on this line the same path.")
    first.close()
    try LinuxSerial(link).open(SerialSettings()).close()
  }

  @Test("bytes from before the opening are dropped")
  func oldBytes() throws {
    let pseudo = PseudoLine()
    let slave = open(pseudo.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    pseudo.send("old\n")
    let line = try LinuxSerial(pseudo.path).open(SerialSettings())
    #expect(try line.read(64) == [])
    pseudo.send("new\n")
    #expect(try line.read(64) == Array("new\n".utf8))
    line.close()
    close(slave)
  }

  @Test("a second opening is refused as busy, and allowed when the first one is closed")
  func busy() throws {
    let pseudo = PseudoLine()
    let line = LinuxSerial(pseudo.path)
    let first = try line.open(SerialSettings())
    let refusal = Self.error { () throws(DriverError) in _ = try line.open(SerialSettings()) }
    #expect(refusal?.kind == .busy)
    #expect(refusal?.reason == "another program uses it")
    first.close()
    try line.open(SerialSettings()).close()
  }

  @Test("a missing node is absent, a file and another device are no serial lines")
  func noLine() throws {
    func kind(_ path: String) -> DriverError.Kind? {
      Self.error { () throws(DriverError) in _ = try LinuxSerial(path).open(SerialSettings()) }?.kind
    }
    #expect(kind("/dev/ttyUSB250") == .absent)
    #expect(kind("/etc/passwd") == .unsupported)
    #expect(kind("/dev/null") == .unsupported)
    #expect(Self.error { () throws(DriverError) in try SerialPort("/dev/ttyUSB250").inspect() }?.kind == .absent)
    #expect(Self.error { () throws(DriverError) in try SerialPort("/etc/passwd").inspect() }?.kind == .unsupported)
    let pseudo = PseudoLine()
    try SerialPort(pseudo.path).inspect()
  }

  @Test("a line that is pulled out reads its end and refuses writes: both are losses")
  func unplugged() throws {
    let pseudo = PseudoLine()
    let line = try LinuxSerial(pseudo.path).open(SerialSettings())
    pseudo.unplug()
    let loss = Self.error { () throws(DriverError) in _ = try line.read(8) }
    #expect(loss?.kind == .lost)
    #expect(loss?.cause == DriverError.Cause(function: "read", name: "EIO", number: EIO))
    let other = Self.error { () throws(DriverError) in _ = try line.write([1]) }
    #expect(other?.cause == DriverError.Cause(function: "write", name: "EIO", number: EIO))
    line.close()
  }

  @Test("a full sender takes what fits, and wakes the driver when there is room")
  func fullSender() throws {
    let pseudo = PseudoLine()
    let bench = try Bench(loop: LinuxLoop())
    let sender = DriverBench(FloodDriver(LinuxSerial(pseudo.path)), showing: NoModel(), on: bench)
    try sender.start()
    var received = 0
    for _ in 0..<10_000 where received < FloodDriver.size {
      try bench.advance(by: .milliseconds(1))
      received += pseudo.received.count
    }
    #expect(received == FloodDriver.size)
    #expect(sender.events.last?.event == FloodDriver.size)
    sender.stop()
  }

  @Test("a sensor reads a line, is lost when it is pulled out, and is silent at rest")
  func sensor() throws {
    let pseudo = PseudoLine()
    let bench = try Bench(loop: LinuxLoop())
    let settings = TextSensor.Settings(try TextPattern("t={t}"))
    let trial = DriverBench(TextSensor(LinuxSerial(pseudo.path), settings), showing: NoModel(), on: bench)
    try trial.start()
    pseudo.send("t=21.5\r\nt=22\r")
    for _ in 0..<1_000 where trial.events.count < 2 { try bench.advance(by: .milliseconds(10)) }
    #expect(trial.events.map(\.event) == [.reading(21.5), .reading(22)])
    pseudo.unplug()
    for _ in 0..<1_000 where trial.troubles.isEmpty { try bench.advance(by: .milliseconds(10)) }
    guard case .lost? = trial.troubles.first else { return #expect(Bool(false), "\(trial.troubles)") }
    trial.stop()
  }

  @Test("a link that appears wakes the driver that waits for it, and the sensor is back")
  func returning() throws {
    let folder = "/tmp/serial-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    #expect(mkdir(folder, 0o700) == 0)
    let link = "\(folder)/gps"
    defer {
      unlink(link)
      rmdir(folder)
    }
    let bench = try Bench(loop: LinuxLoop())
    let settings = TextSensor.Settings(try TextPattern("t={t}"))
    let trial = DriverBench(TextSensor(LinuxSerial(link), settings), showing: NoModel(), on: bench)
    try trial.start()
    guard case .lost(let error)? = trial.troubles.first else { return #expect(Bool(false), "\(trial.troubles)") }
    #expect(error.kind == .absent)
    let pseudo = PseudoLine()
    #expect(symlink(pseudo.path, link) == 0)
    for _ in 0..<1_000 where trial.troubles.count < 2 { try bench.advance(by: .milliseconds(10)) }
    #expect(trial.troubles.last == .restored)
    pseudo.send("t=5\n")
    for _ in 0..<1_000 where trial.events.isEmpty { try bench.advance(by: .milliseconds(10)) }
    #expect(trial.events.map(\.event) == [.reading(5)])
    trial.stop()
  }
}

/// Writes more bytes than fit into the sender of a line. An event is the number of bytes that it has taken so far.
private struct FloodDriver: Driver {
  static let size = 300_000
  private let line: any SerialLine
  private var context: DriverContext<Int>?
  private var connection: (any SerialConnection)?
  private var count = 0

  init(_ line: any SerialLine) { self.line = line }

  mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
    self.context = context
    let connection = try line.open(SerialSettings())
    try connection.watch(context.watcher)
    self.connection = connection
    try write()
  }

  mutating func wake(_ wake: Wake) throws(DriverError) { try write() }

  private mutating func write() throws(DriverError) {
    guard let connection, count < Self.size else { return }
    count += try connection.write([UInt8](repeating: 0x55, count: Self.size - count))
    context?.emit(count)
  }

  mutating func stop() {
    connection?.close()
    connection = nil
  }
}
