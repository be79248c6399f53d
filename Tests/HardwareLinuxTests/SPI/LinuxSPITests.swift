import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux

@Suite("LinuxSPI")
struct LinuxSPITests {
  private let system = FakeSPISystem()
  private let clock = WorkClock(at: .zero)
  private var bus: LinuxSPI { LinuxSPI(number: 0, system: system) }

  private func openError(
    _ chipSelect: Int = 0, _ settings: SPISettings = SPISettings(hertz: 1_000_000)
  ) -> DriverError? {
    let error = thrown(DriverError.self) { try bus.open(chipSelect, settings).close() }
    #expect(system.open.isEmpty)
    return error
  }

  private func transferError(_ messages: [SPIMessage], isThreeWire: Bool = false) throws -> DriverError? {
    let device = try bus.open(0, SPISettings(hertz: 1_000_000, isThreeWire: isThreeWire))
    defer { device.close() }
    return thrown(DriverError.self) { _ = try device.transfer(messages, on: clock) }
  }

  @Test("messages go to the kernel in one call, and the bytes that were read come back in one list")
  func transfers() throws {
    let device = try bus.open(1, SPISettings(hertz: 1_350_000, mode: 3))
    system.answers = [1, 2, 3, 4, 5]
    let bytes = try device.transfer(
      [
        .write([0x10]), .pause(.microseconds(10)), .exchange([0x20, 0x21]), .pause(.nanoseconds(1)), .reselect,
        .read(3),
      ], on: clock)
    #expect(bytes == [1, 2, 3, 4, 5])
    #expect(
      system.calls == [
        "open /dev/spidev0.1", "lock", "mode 3, 8 bits, 1350000 Hz", "[16] 10µs [32, 33]? 1µs reselect *3?",
      ])
    system.answers = [7, 8, 9]
    #expect(try device.exchange([1], on: clock) == [7])
    #expect(try device.read(2, after: [5], on: clock) == [8, 9])
    try device.write([6], on: clock)
    #expect(system.calls.suffix(3) == ["[1]?", "[5] *2?", "[6]"])
    device.close()
    device.close()
    #expect(system.open.isEmpty)
    #expect(bus.needsThread && clock.now == .zero)
  }

  @Test("each setting is a bit of the kernel's mode")
  func settings() throws {
    let bits: [(SPISettings, UInt32)] = [
      (SPISettings(hertz: 1), 0), (SPISettings(hertz: 1, mode: 1), 1), (SPISettings(hertz: 1, mode: 2), 2),
      (SPISettings(hertz: 1, isSelectActiveHigh: true), 4), (SPISettings(hertz: 1, isLeastSignificantFirst: true), 8),
      (SPISettings(hertz: 1, isThreeWire: true), 16),
    ]
    for (settings, mode) in bits {
      try bus.open(0, settings).close()
      #expect(system.calls.last == "mode \(mode), 8 bits, 1 Hz")
    }
  }

  @Test("a second program doesn't get the device, although the kernel would let it in")
  func locked() throws {
    let first = try bus.open(0, SPISettings(hertz: 1_000_000))
    let error = thrown(DriverError.self) { _ = try bus.open(0, SPISettings(hertz: 500_000)) }
    #expect(error?.kind == .busy)
    #expect(
      error?.description
        == "cannot open spidev0.0: another program uses it (EAGAIN). Stop that program; "
        + "`sudo fuser -v /dev/spidev0.0` names it.")
    // The settings of the first program are not changed.
    #expect(system.calls.last == "lock")
    try bus.open(1, SPISettings(hertz: 500_000)).close()
    first.close()
    try bus.open(0, SPISettings(hertz: 500_000)).close()
    #expect(system.open.isEmpty)
  }

  @Test("the kernel's buffer limits a transfer, those of all messages together")
  func limit() throws {
    for size in [4096, 32_768] {
      system.buffer = size
      let device = try bus.open(0, SPISettings(hertz: 1))
      #expect(device.byteLimit == size)
      device.close()
    }
    system.buffer = nil
    let error = try transferError([.write(Array(repeating: 0, count: 4096)), .read(1)])
    #expect(error?.kind == .misconfigured)
    #expect(
      error?.description
        == "cannot transfer bytes on spidev0.0: 4097 bytes are more than the 4096 of the kernel's buffer. Make several "
        + "transfers, or set spidev.bufsiz=8192 on the kernel's command line.")
  }

  @Test(
    "a transfer that the kernel would misunderstand is refused",
    arguments: [
      [], [.write([])], [.exchange([])], [.read(0)], [.pause(.microseconds(1))], [.write([1]), .pause(.seconds(1))],
      [.write([1]), .pause(.microseconds(-1))], [.write([1]), .reselect], [.reselect, .write([1])],
      [.write([1]), .reselect, .reselect, .write([1])], [.write([1]), .reselect, .pause(.microseconds(1)), .read(1)],
      Array(repeating: .write([1]), count: 65),
    ] as [[SPIMessage]])
  func misconfigured(messages: [SPIMessage]) throws {
    #expect(try transferError(messages)?.kind == .misconfigured)
    #expect(system.calls.count == 3)
  }

  @Test("one data line can't send and receive at the same time")
  func threeWire() throws {
    #expect(try transferError([.exchange([1])], isThreeWire: true)?.kind == .misconfigured)
    #expect(try transferError([.write([1]), .read(1)], isThreeWire: true) == nil)
  }

  @Test("each failure of an opening has its kind, and leaves nothing open")
  func opening() {
    #expect(openError(2)?.kind == .absent)
    #expect(
      openError(2)?.description
        == "cannot open spidev0.2: there is no such device (ENOENT). Switch the bus on; if a driver of the kernel has "
        + "this chip select, remove its overlay. "
        + "`ls /dev/spidev*` lists the devices.")
    system.failures = ["open": EACCES]
    #expect(openError()?.kind == .notPermitted)
    system.failures = ["open": EMFILE]
    #expect(openError()?.kind == .failed)
    system.failures = ["flock": ENOLCK]
    #expect(openError()?.kind == .failed)
    system.failures = ["SPI_IOC_WR_MODE32": EINVAL]
    let error = openError(0, SPISettings(hertz: 9, mode: 2, isLeastSignificantFirst: true))
    #expect(error?.kind == .unsupported)
    #expect(
      error?.description
        == "cannot open spidev0.0: the controller doesn't support mode 2, 9 Hz, least significant bit first (EINVAL). "
        + "Use another bus; the kernel's spi-gpio supports every mode.")
    system.failures = ["SPI_IOC_WR_MODE32": ESHUTDOWN]
    #expect(openError()?.kind == .absent)
  }

  @Test(
    "each failure of a transfer has its kind",
    arguments: [
      (ESHUTDOWN, DriverError.Kind.lost), (EMSGSIZE, .misconfigured), (ENODEV, .lost), (EINVAL, .unsupported),
      (EIO, .failed), (ETIMEDOUT, .failed),
    ])
  func failures(number: Int32, kind: DriverError.Kind) throws {
    system.failures = ["SPI_IOC_MESSAGE": number]
    #expect(try transferError([.write([1])])?.kind == kind)
    #expect(system.open.isEmpty)
  }

  @Test("a bus without a device node is found by an inspection, which opens nothing")
  func inspection() {
    let error = thrown(DriverError.self) { try SPIBusPort(number: 250).inspect() }
    #expect(error?.kind == .absent && error?.subject == "spidev250.0")
  }
}
