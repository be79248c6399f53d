import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("SimulatedI2CBus")
struct SimulatedI2CBusTests {
  private let bench = Bench()
  private let bus: SimulatedI2CBus
  private let clock = WorkClock(at: .zero)

  init() {
    bus = SimulatedI2CBus(bench)
  }

  private func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
    do throws(DriverError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a transfer takes 9 bits a byte, a start for each message and a stop")
  func durations() throws {
    bus.connect(SimulatedRegisters(), at: 0x48)
    let device = try bus.open(0x48)
    try device.write([], on: clock)
    #expect(clock.now.nanoseconds == 110_000)
    try device.write(Array(repeating: 0, count: 31), on: clock)
    #expect(clock.now.nanoseconds == 110_000 + 2_900_000)
    _ = try device.read(2, after: [0], on: clock)
    #expect(clock.now.nanoseconds == 110_000 + 2_900_000 + 480_000)
    bus.clockHertz = 400_000
    try device.write([], on: clock)
    #expect(clock.now.nanoseconds == 110_000 + 2_900_000 + 480_000 + 27_500)
    device.close()
    device.close()
    #expect(bus.openCount == 0)
  }

  /// A lamp at a register. It writes on the cycle's thread.
  private struct RegisterLamp: Driver {
    typealias Event = Never
    let bus: SimulatedI2CBus
    let others: SimulatedOneWireSensor
    private var device: (any I2CConnection)?

    init(_ bus: SimulatedI2CBus, _ others: SimulatedOneWireSensor) {
      self.bus = bus
      self.others = others
    }

    var safeModel: UInt8 { 0 }

    mutating func start(showing model: UInt8, in context: DriverContext<Never>) throws(DriverError) {
      device = try bus.open(0x48)
    }

    mutating func render(_ model: UInt8, replacing previous: UInt8?) throws(DriverError) {
      let clock = WorkClock(at: .zero)
      if model == 9 { _ = try others.read(on: clock) } else { try device?.write([0, model], on: clock) }
    }

    mutating func stop() { device?.close() }
  }

  @Test("a transfer on the cycle's thread holds the cycle up, and the world goes on meanwhile")
  func onCycle() throws {
    let socket = bus.connect(SimulatedRegisters(), at: 0x48)
    let sensor = SimulatedOneWireSensor(bench)
    let trial = DriverBench(RegisterLamp(bus, sensor), showing: 0, on: bench)
    var overruns: [String] = []
    trial.cycle.onOverrun { overruns.append("\($0.call) \($0.took.brief)") }
    try trial.start()
    let start = bench.now
    try trial.show(1)
    #expect(bench.now - start == .microseconds(290))
    #expect(overruns == [])
    socket.stretch = .milliseconds(500)
    var planned: Moment?
    bench.plan(at: start + .milliseconds(100)) { [bench] in planned = bench.now }
    try trial.show(2)
    #expect(planned == start + .milliseconds(100))
    try trial.show(9)
    #expect(overruns == ["render 500290 µs", "render 750 ms"])
    trial.stop()
    // The world's own calls, and those of a test, take no time of the application.
    let end = bench.now
    _ = try sensor.read(on: clock)
    #expect(bench.now == end)
  }

  @Test("registers are chosen, written and read one after the other, and the log says so")
  func registers() throws {
    let registers = SimulatedRegisters(count: 8)
    registers.readOnly = [7]
    var written: [String] = []
    registers.onWrite { register, value, moment in written.append("\(register)=\(value)@\(moment.nanoseconds / 1000)") }
    registers.onRead { register, _ in if register == 5 { registers[5] = 0x55 } }
    bus.connect(registers, at: 0x48)
    let device = try bus.open(0x48)
    defer { device.close() }
    try device.write([6, 0x12, 0x34, 0x56], on: clock)
    #expect(registers.values == [0x56, 0, 0, 0, 0, 0, 0x12, 0])
    #expect(written == ["6=18@280", "7=52@370", "0=86@460"])
    #expect(try device.read(4, after: [5], on: clock) == [0x55, 0x12, 0, 0x56])
    #expect(try device.read(1, on: clock) == [0])
    #expect(
      bus.log == """
        0.000000000s 0x48 w 06 12 34 56
        0.000470000s 0x48 w 05 r 55 12 00 56
        0.001130000s 0x48 r 00

        """)
  }

  @Test("two bytes choose one of many registers")
  func widePointer() throws {
    let memory = SimulatedRegisters(count: 4096, pointerBytes: 2)
    memory[0x0ABC] = 0x42
    bus.connect(memory, at: 0x50)
    let device = try bus.open(0x50)
    #expect(try device.read(1, after: [0x0A, 0xBC], on: clock) == [0x42])
    device.close()
  }

  @Test("an address without a device, a device that is pulled out, one that is silent once or until it is not")
  func silence() throws {
    let socket = bus.connect(SimulatedRegisters(), at: 0x48)
    let other = try bus.open(0x49)
    let device = try bus.open(0x48)
    defer {
      other.close()
      device.close()
    }
    let missing = error { () throws(DriverError) in try other.write([1, 2], on: clock) }
    #expect(missing?.kind == .failed)
    #expect(
      missing?.description
        == "cannot write to 0x49 on i2c-1: no device answers at 0x49. Check its power, its wires and "
        + "its address; `i2cdetect -y 1` lists the devices that answer.")
    #expect(clock.now.nanoseconds == 110_000, "a start, the address, a stop")
    func answers() -> Bool { error { () throws(DriverError) in try device.write([1], on: clock) } == nil }
    socket.silentTransactions = 1
    #expect([answers(), answers()] == [false, true])
    socket.silentTransactions = .max
    #expect([answers(), answers()] == [false, false])
    socket.silentTransactions = 0
    #expect(answers())
    socket.isPlugged = false
    #expect(!answers())
    socket.isPlugged = true
    #expect(answers())
    #expect(bus.transactions.map { $0.outcome == .done } == [false, false, true, false, false, true, false, true])
    #expect(bus.log.hasPrefix("0.000000000s 0x49 w refused\n"))
  }

  /// Refuses its third byte, and holds the clock as it is told.
  private final class Picky: SimulatedI2CDevice {
    var stretch = Duration.zero
    private var count = 0
    func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
      count = 0
      return I2CAcknowledgement(acknowledges: true, stretch: reading ? stretch : .zero)
    }
    func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
      count += 1
      return count < 3 ? .acknowledged : .refused
    }
    func send(at moment: Moment) -> UInt8 { 0x5A }
  }

  @Test("a byte that is not acknowledged ends the transaction there")
  func refusedByte() throws {
    bus.connect(Picky(), at: 0x48)
    let device = try bus.open(0x48)
    defer { device.close() }
    let refused = error { () throws(DriverError) in
      _ = try device.transfer([.write([1, 2, 3, 4]), .read(2)], on: clock)
    }
    #expect(refused?.kind == .failed)
    #expect(bus.log == "0.000000000s 0x48 w 01 02 03 refused\n")
    #expect(clock.now.nanoseconds == 380_000)
  }

  @Test("a device that holds the clock takes longer, one that holds it for too long fails after the timeout")
  func stretching() throws {
    let picky = Picky()
    let socket = bus.connect(picky, at: 0x48)
    let device = try bus.open(0x48)
    defer { device.close() }
    picky.stretch = .milliseconds(20)
    #expect(try device.read(1, on: clock) == [0x5A])
    #expect(clock.now.nanoseconds == 20_200_000)
    socket.stretch = .milliseconds(3)
    #expect(try device.read(1, on: clock) == [0x5A])
    #expect(clock.now.nanoseconds == 2 * 20_200_000 + 3_000_000)
    picky.stretch = .seconds(Int64.max)
    let before = clock.now
    let hung = error { () throws(DriverError) in _ = try device.read(1, on: clock) }
    #expect(hung?.kind == .failed)
    #expect(hung?.reason == "the clock was held for too long")
    #expect(clock.now - before == .milliseconds(1000) + .microseconds(110))
    #expect(bus.transactions.last?.outcome == .timedOut)
    bus.isStuck = true
    #expect(
      error { () throws(DriverError) in _ = try device.read(1, on: clock) }?.reason == "a line of the bus stays low")
    #expect(clock.now - before == .seconds(2) + .microseconds(110))
  }

  @Test("a bus that is pulled out is lost for those who have it open, and can be opened when it is back")
  func unplugged() throws {
    bus.connect(SimulatedRegisters(), at: 0x48)
    let device = try bus.open(0x48)
    bus.unplug()
    #expect(error { () throws(DriverError) in _ = try bus.open(0x48) }?.kind == .absent)
    #expect(error { () throws(DriverError) in try device.write([1], on: clock) }?.kind == .lost)
    bus.plug()
    #expect(error { () throws(DriverError) in try device.write([1], on: clock) }?.kind == .lost)
    device.close()
    let again = try bus.open(0x48)
    try again.write([1], on: clock)
    again.close()
    #expect(bus.openCount == 0)
  }

  @Test("what hinders opening: a bus that isn't there yet, no permission, a driver of the kernel, a fault that lasts")
  func opening() {
    func kind(_ bus: SimulatedI2CBus) -> DriverError.Kind? {
      error { () throws(DriverError) in try bus.open(0x68).close() }?.kind
    }
    let late = SimulatedI2CBus(bench, isPlugged: false)
    #expect(kind(late) == .absent)
    late.plug()
    #expect(kind(late) == nil)
    bus.isPermitted = false
    #expect(kind(bus) == .notPermitted)
    bus.isPermitted = true
    bus.connect(SimulatedRegisters(), at: 0x68).kernelDriver = "rtc-ds1307"
    #expect(kind(bus) == .busy)
    bus.sockets[0].kernelDriver = nil
    let failure = DriverError(.failed, cannot: "open i2c-1", reason: "no", remedy: "None.")
    bus.nextOpenError = failure
    #expect([kind(bus), kind(bus)] == [.failed, nil])
    bus.lastingOpenError = failure
    #expect([kind(bus), kind(bus)] == [.failed, .failed])
  }

  @Test("transfers fail once or until it is taken back; an SMBus adapter refuses what SMBus doesn't know")
  func faults() throws {
    bus.connect(SimulatedRegisters(), at: 0x48)
    let device = try bus.open(0x48)
    defer { device.close() }
    func fails(_ messages: I2CMessage...) -> Bool {
      error { () throws(DriverError) in _ = try device.transfer(messages, on: clock) } != nil
    }
    let failure = DriverError(.failed, cannot: "write to 0x48", reason: "no", remedy: "None.")
    bus.nextTransferError = failure
    #expect([fails(.read(1)), fails(.read(1))] == [true, false])
    bus.lastingTransferError = failure
    #expect([fails(.read(1)), fails(.read(1))] == [true, true])
    bus.lastingTransferError = nil
    bus.isSMBusOnly = true
    #expect([fails(.read(1)), fails(.read(2)), fails(.write([0]), .read(32))] == [false, true, false])
    #expect(fails(.read(0)), "no message reads nothing")
  }

  @Test("a PCF8574: bytes with their moments, pins that the world pulls low, and the interrupt until they are read")
  func expander() throws {
    let chip = SimulatedChip(bench)
    let line = try chip.request([LineConfiguration("GPIO4", .input(.pullUp))], consumer: "test")
    let expander = SimulatedPCF8574(interrupt: chip.line("GPIO4"))
    bus.connect(expander, at: 0x27)
    let device = try bus.open(0x27)
    var heard: [UInt8] = []
    expander.onWrite { byte, _ in heard.append(byte) }
    #expect(expander.pins == 0xFF)
    try device.write([0x0C, 0x08, 0x08], on: clock)
    #expect(heard == [0x0C, 0x08, 0x08])
    #expect(expander.writes.map(\.moment.nanoseconds) == [190_000, 280_000, 370_000])
    try device.write([0xFF], on: clock)
    try bench.advance(to: clock.now)
    #expect(chip.line("GPIO4").level == .high)
    expander.pullLow(0b0000_0110)
    #expect(chip.line("GPIO4").level == .low)
    #expect(try device.read(1, on: clock) == [0b1111_1001])
    try bench.advance(to: clock.now)
    #expect(chip.line("GPIO4").level == .high)
    expander.pullLow(0)
    #expect(chip.line("GPIO4").level == .low)
    expander.pullLow(0b0000_0110)
    #expect(chip.line("GPIO4").level == .high, "changed back")
    device.close()
    line.release()
  }
}
