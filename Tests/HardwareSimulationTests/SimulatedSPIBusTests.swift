import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A device that sends the complement of the byte before.
private final class Echo: SimulatedSPIDevice {
  var readsAtRisingEdge = true
  var maximumHertz = 10_000_000
  var received: [UInt8] = []
  var selections = 0
  private var next: UInt8 = 0x0F

  func select(at moment: Moment, hertz: Int) { selections += 1 }

  func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    defer { next = ~byte }
    received.append(byte)
    return next
  }
}

@Suite("SimulatedSPIBus")
struct SimulatedSPIBusTests {
  private let bench = Bench()
  private let echo = Echo()
  private let settings = SPISettings(hertz: 1_000_000)

  private func bus() -> (SimulatedSPIBus, SPISocket) {
    let bus = SimulatedSPIBus(bench)
    return (bus, bus.connect(echo, at: 0))
  }

  @Test("a transfer takes its time on the wire, and is in the log")
  func wire() throws {
    let (bus, _) = bus()
    let device = SPIDevice(bus, chipSelect: 0, settings)
    let clock = WorkClock(at: .zero + .milliseconds(2))
    let bytes = try device.transfer(
      [.write([1]), .pause(.microseconds(50)), .exchange([2, 3]), .reselect, .read(1)], on: clock)
    #expect(bytes == [0xFE, 0xFD, 0xFC])
    #expect(echo.received == [1, 2, 3, 0] && echo.selections == 2)
    #expect(clock.now == .zero + .microseconds(2_000 + 32 + 50))
    #expect(bus.log == "0.002000000s cs0 w 01 pause 50µs x 02 03 / fe fd reselect r fc\n")
    device.close()
    #expect(bus.openCount == 0)
  }

  @Test("a wrong mode or too fast a clock is no error: the bytes are shifted", arguments: [true, false])
  func shifted(isFast: Bool) throws {
    let (bus, _) = bus()
    let wrong = SPISettings(hertz: isFast ? 20_000_000 : 1_000_000, mode: isFast ? 0 : 1)
    let device = SPIDevice(bus, chipSelect: 0, wrong)
    let read = try device.exchange([0x81, 0x80], on: WorkClock(at: .zero))
    #expect(echo.received == [0x40, 0xC0])
    #expect(read == [0x07, 0xDF])
    for mode in [0, 3] {
      let right = SPIDevice(bus, chipSelect: 0, SPISettings(hertz: 1_000, mode: mode))
      device.close()
      _ = try right.exchange([0x81], on: WorkClock(at: .zero))
      #expect(echo.received.last == 0x81)
      right.close()
    }
  }

  @Test("the order of the bits is that of the settings")
  func order() throws {
    let (bus, _) = bus()
    let device = SPIDevice(bus, chipSelect: 0, SPISettings(hertz: 1_000_000, isLeastSignificantFirst: true))
    #expect(try device.exchange([0x01], on: WorkClock(at: .zero)) == [0xF0])
    #expect(echo.received == [0x80])
  }

  @Test("an unplugged device and a line that hangs are no errors: the bytes are wrong")
  func silent() throws {
    let (bus, socket) = bus()
    let device = SPIDevice(bus, chipSelect: 0, settings)
    func read() throws -> [UInt8] { try device.read(2, after: [7], on: WorkClock(at: .zero)) }
    socket.isPlugged = false
    #expect(try read() == [0, 0])
    bus.openLineByte = 0xFF
    #expect(try read() == [0xFF, 0xFF])
    socket.isPlugged = true
    socket.stuckOutput = .high
    #expect(try read() == [0xFF, 0xFF])
    socket.stuckOutput = .low
    #expect(try read() == [0, 0])
    socket.stuckOutput = nil
    #expect(try read() == [0xF8, 0xFF])
    // There is no device at this chip select.
    #expect(try SPIDevice(bus, chipSelect: 1, settings).read(1, after: [1], on: WorkClock(at: .zero)) == [0xFF])
  }

  @Test("each failure of an opening has the kind and the text of the real bus")
  func opening() throws {
    let (bus, socket) = bus()
    func kind(_ settings: SPISettings? = nil) -> DriverError.Kind? {
      thrown(DriverError.self) { try bus.open(0, settings ?? self.settings).close() }?.kind
    }
    #expect(kind() == nil)
    bus.isPermitted = false
    #expect(kind() == .notPermitted)
    bus.isPermitted = true
    socket.isBusy = true
    #expect(kind() == .busy)
    socket.isBusy = false
    socket.hasKernelDriver = true
    #expect(kind() == .absent)
    socket.hasKernelDriver = false
    bus.supports = { $0.mode == 0 }
    #expect(kind(SPISettings(hertz: 1, mode: 1)) == .unsupported)
    let first = try bus.open(0, settings)
    #expect(kind() == .busy, "a second driver of this program")
    first.close()
    bus.unplug()
    #expect(kind() == .absent)
    bus.plug()
    #expect(kind() == nil && bus.openCount == 0)
  }

  @Test("a bus that is unplugged is lost for open connections, and can be opened again")
  func unplugging() throws {
    let (bus, _) = bus()
    let first = try bus.open(0, settings)
    bus.unplug()
    bus.plug()
    #expect(thrown(DriverError.self) { try first.write([1], on: WorkClock(at: .zero)) }?.kind == .lost)
    let second = try bus.open(0, settings)
    first.close()
    #expect(thrown(DriverError.self) { _ = try bus.open(0, settings) }?.kind == .busy, "the second one has it still")
    try second.write([1], on: WorkClock(at: .zero))
    second.close()
    #expect(bus.openCount == 0)
  }

  @Test("errors that are asked for come once, or until they end, with or without an effect")
  func errors() throws {
    let (bus, _) = bus()
    let device = try bus.open(0, settings)
    let error = SPIErrorFactory(bus: 0, chipSelect: 0).unsupportedTransfer()
    func fails() -> Bool { thrown(DriverError.self) { try device.write([1], on: WorkClock(at: .zero)) } != nil }
    bus.nextTransferError = error
    bus.transfersBeforeError = 1
    #expect([fails(), fails(), fails()] == [false, true, false])
    bus.lastingTransferError = error
    bus.failedTransfersTakeEffect = true
    let count = echo.received.count
    #expect(fails() && fails() && echo.received.count == count + 2)
    bus.lastingTransferError = nil
    #expect(!fails() && bus.transferCount == 6)
  }
}
