import CycleCore
import Glibc
import HardwareLinux
import HardwareSimulation
import Parts
import Testing

/// A scanner in memory.
final class SimulatedScanner: ByteSource {
  private(set) var isPlugged = true
  private(set) var isOpen = false
  /// The error of the next opening.
  var nextError: DriverError?
  private var waker: DriverWaker?
  private var bytes: [UInt8] = []

  func open(for watcher: Watcher) throws(DriverError) {
    if let error = nextError {
      nextError = nil
      throw error
    }
    guard isPlugged else { throw error(.absent) }
    (isOpen, bytes, waker) = (true, [], watcher.makeWaker())
  }

  func read(_ limit: Int) throws(DriverError) -> [UInt8] {
    guard isPlugged else { throw error(.lost) }
    defer {
      bytes.removeFirst(min(limit, bytes.count))
      if !bytes.isEmpty { waker?.wake() }
    }
    return Array(bytes.prefix(limit))
  }

  func close() { (isOpen, waker) = (false, nil) }

  func send(_ text: String) {
    guard isPlugged, isOpen else { return }
    bytes += Array(text.utf8)
    waker?.wake()
  }

  func unplug() {
    isPlugged = false
    waker?.wake()
  }

  func plug() { isPlugged = true }

  private func error(_ kind: DriverError.Kind) -> DriverError {
    DriverError(kind, of: "the scanner", cannot: "read the scanner", reason: "it is unplugged", remedy: "Plug it in.")
  }
}

@Suite("A barcode scanner on a descriptor")
struct BarcodeScannerTests {
  @Test("emits each code once, in pieces or several at a time, and drops noise")
  func codes() throws {
    let bench = Bench()
    let scanner = SimulatedScanner()
    let trial = DriverBench(BarcodeScanner(scanner), showing: NoModel(), on: bench)
    try trial.start()
    for text in ["40", "06\r12\r\r", String(repeating: "9", count: 65) + "\r", "\u{7}\r", "7\r"] {
      scanner.send(text)
      try bench.settle()
    }
    #expect(trial.events.map(\.event.code) == ["4006", "12", "7"])
    trial.stop()
    #expect(!scanner.isOpen)
  }

  @Test("is lost when the scanner is pulled out, and forgets the rest of its code")
  func loss() throws {
    let bench = Bench()
    let scanner = SimulatedScanner()
    let trial = DriverBench(BarcodeScanner(scanner), showing: NoModel(), on: bench)
    try trial.start()
    scanner.send("12")
    try bench.settle()
    scanner.unplug()
    try bench.advance(by: .seconds(5))
    scanner.plug()
    try bench.advance(by: .seconds(70))
    scanner.send("3\r")
    try bench.settle()
    #expect(trial.events.map(\.event.code) == ["3"])
    #expect(trial.troubles.count == 2)
  }

  @Test("keeps the laws of drivers")
  func laws() {
    #expect(
      DriverLaws.violations(
        models: [NoModel()], setup: { ScannerSetup($0) }, driver: { BarcodeScanner($0.scanner) }) == [])
  }

  @Test("reads a real descriptor until the other end is gone")
  func pipe() throws {
    let path = "/tmp/barcode-scanner-\(getpid())"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let bench = try Bench(loop: LinuxLoop())
    let trial = DriverBench(BarcodeScanner(DeviceFile(path)), showing: NoModel(), on: bench)
    try trial.start()
    let sender = open(path, O_WRONLY)
    #expect(write(sender, "123\r", 4) == 4)
    for _ in 0..<1_000 where trial.events.isEmpty { try bench.advance(by: .milliseconds(10)) }
    #expect(trial.events.map(\.event.code) == ["123"])
    close(sender)
    for _ in 0..<1_000 where trial.troubles.isEmpty { try bench.advance(by: .milliseconds(10)) }
    #expect(trial.troubles.count == 1)
    trial.stop()
  }
}

private final class ScannerSetup: LawHarness {
  let bench: Bench
  let scanner = SimulatedScanner()

  init(_ bench: Bench) { self.bench = bench }

  var names: [String] { ["the scanner"] }
  let writeCount = 0
  var heldCount: Int { scanner.isOpen ? 1 : 0 }
  let picture = ""
  let hasPicture = false
  let stampsEvents = false

  func failNextRequest() -> Bool {
    scanner.nextError = DriverError(
      .busy, of: "the scanner", cannot: "open the scanner", reason: "a test", remedy: "None.")
    return true
  }

  func unplug() -> Bool {
    scanner.unplug()
    return true
  }

  func plug() { scanner.plug() }

  func stimulate() throws(DriverError) {
    scanner.send("4006")
    try bench.advance(by: .milliseconds(20))
    scanner.send("381\r")
    try bench.advance(by: .milliseconds(20))
    scanner.send("7\r")
    try bench.settle()
  }
}
