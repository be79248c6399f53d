import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Modbus")
struct ModbusTests {
  private final class Stand {
    let bench = Bench()
    let line: SimulatedSerial
    let device: SimulatedModbusDevice
    let bus: ModbusLine
    let clock: WorkClock

    init(_ settings: SerialSettings = SerialSettings()) {
      line = SimulatedSerial(bench)
      device = SimulatedModbusDevice(line, unit: 1)
      bus = ModbusLine(line, settings)
      clock = WorkClock(at: bench.now)
    }

    func read(_ register: ModbusRegister) throws(DriverError) -> Double {
      try bus.source(of: register).readNumber(on: clock)
    }

    func error(_ register: ModbusRegister) -> DriverError? {
      do throws(DriverError) {
        _ = try read(register)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("the checksum is that of the specification's example")
  func checksum() {
    // MODBUS over serial line V1.02, appendix B: 02 07 gives 41 12.
    #expect(ModbusChecksum.added(to: [0x02, 0x07]) == [0x02, 0x07, 0x41, 0x12])
    #expect(ModbusChecksum.isRight(in: [0x02, 0x07, 0x41, 0x12]))
    #expect(!ModbusChecksum.isRight(in: [0x02, 0x07, 0x41, 0x13]))
    #expect(!ModbusChecksum.isRight(in: []))
  }

  @Test("a register is read as its type, from its table")
  func types() throws {
    let stand = Stand()
    stand.device.holding = [0: 0xFFFE, 1: 0x0001, 0x100: 0x41AC, 0x101: 0x0000]
    stand.device.input = [0: 7]
    #expect(try stand.read(ModbusRegister(unit: 1, 0)) == 65_534)
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .s16)) == -2)
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .u32)) == Double(0xFFFE_0001))
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .s32)) == -131_071)
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .u32, isLowFirst: true)) == Double(0x0001_FFFE))
    #expect(try stand.read(ModbusRegister(unit: 1, 0x100, as: .f32)) == 21.5)
    #expect(try stand.read(ModbusRegister(unit: 1, 0, in: .input)) == 7)
    #expect(stand.device.requests[0] == [0x01, 0x03, 0x00, 0x00, 0x00, 0x01, 0x84, 0x0A])
    #expect(stand.device.requests[6].prefix(2) == [0x01, 0x04])
  }

  @Test("a reading takes the time of its bytes on the wire, and a pause of 3.5 bytes follows")
  func time() throws {
    let stand = Stand()
    stand.device.holding = [0: 1]
    _ = try stand.read(ModbusRegister(unit: 1, 0))
    // 8 bytes and 7 bytes.
    let once = SerialSettings().byteTime * 15
    #expect(stand.clock.now - .zero == once)
    _ = try stand.read(ModbusRegister(unit: 1, 0))
    // The clock has whole nanoseconds.
    let all = (once * 2 + SerialSettings().byteTime * 7 / 2).wholeNanoseconds
    #expect((stand.clock.now - .zero).wholeNanoseconds == all)
  }

  @Test("no reply, a wrong one, a cut one and an exception are errors that name the register; then it is read again")
  func faults() throws {
    let stand = Stand()
    stand.device.holding = [0: 1]
    let register = ModbusRegister(unit: 1, 0)
    stand.device.isSilent = true
    #expect(stand.error(register)?.kind == .lost)
    #expect(stand.error(register)?.reason == "no reply within 1 s")
    #expect(
      stand.error(register).map { "\($0)" }?.hasPrefix(
        "cannot read unit 1, holding register 0x0000 on /dev/ttyUSB0: no reply within 1 s.") == true)
    stand.device.isSilent = false
    stand.device.wrongChecksums = 1
    #expect(stand.error(register)?.reason == "the checksum of its reply is wrong")
    stand.device.cutReplies = 1
    #expect(stand.error(register)?.reason == "its reply has only 3 bytes")
    for (code, reason) in [
      (1, "the device has no such function"), (2, "the device has no such register"),
      (3, "the device refuses the number of registers"), (4, "the device has failed"), (6, "the device is busy"),
      (11, "the device replies with exception 11"),
    ] as [(UInt8, String)] {
      stand.device.exception = code
      #expect(stand.error(register)?.reason == reason)
    }
    stand.device.exception = nil
    #expect(stand.error(ModbusRegister(unit: 1, 9))?.reason == "the device has no such register")
    #expect(stand.error(ModbusRegister(unit: 2, 0))?.reason == "no reply within 1 s")
    stand.line.noisyBytes = 1
    #expect(stand.error(register) != nil)
    #expect(try stand.read(register) == 1)
  }

  @Test("a late reply is not taken for that of the next request")
  func late() throws {
    let stand = Stand()
    stand.device.holding = [0: 1]
    _ = try stand.read(ModbusRegister(unit: 1, 0))
    stand.line.send(ModbusChecksum.added(to: [1, 3, 2, 0, 99]))
    stand.clock.sleep(for: .seconds(1))
    #expect(try stand.read(ModbusRegister(unit: 1, 0)) == 1)
  }

  @Test("a line that is pulled out is lost, and opened again when it is back")
  func unplugged() throws {
    let stand = Stand()
    stand.device.holding = [0: 1]
    let register = ModbusRegister(unit: 1, 0)
    _ = try stand.read(register)
    stand.line.unplug()
    #expect(stand.error(register)?.kind == .lost)
    #expect(stand.error(register)?.kind == .absent)
    stand.line.plug()
    #expect(try stand.read(register) == 1)
    stand.bus.close()
    #expect(stand.line.openCount == 0)
    stand.line.isBusy = true
    #expect(stand.error(register)?.kind == .busy)
  }

  @Test("random replies never crash, and never give a number without a right checksum")
  func random() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let bench = Bench(seed: seed)
    let line = SimulatedSerial(bench)
    var reply: [UInt8] = []
    line.onReceive { [weak line] _ in line?.send(reply) }
    let bus = ModbusLine(line, SerialSettings(baud: 115_200))
    let clock = WorkClock(at: bench.now)
    for round in 0..<300 {
      let count = Int.random(in: 0...12, using: &random)
      reply = (0..<count).map { _ in
        [1, 3, 2, 0x83, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)!
      }
      if Bool.random(using: &random) { reply = ModbusChecksum.added(to: reply) }
      let isRight =
        reply.count >= 7 && ModbusChecksum.isRight(in: Array(reply.prefix(7))) && reply.prefix(3) == [1, 3, 2]
      let number = try? bus.source(of: ModbusRegister(unit: 1, 0)).readNumber(on: clock)
      #expect((number != nil) == isRight, "seed \(seed), round \(round): \(reply)")
    }
  }

  @Test("a sensor reads a register at its interval, and is lost while the device is silent")
  func sensor() throws {
    let stand = Stand()
    stand.device.input = [0: 2301]
    let register = ModbusRegister(unit: 1, 0, in: .input)
    let trial = DriverBench(
      Sensor(stand.bus.source(of: register), settings: .init(decimals: 0)), showing: .every(.seconds(1)),
      on: stand.bench)
    try trial.start()
    try stand.bench.advance(by: .milliseconds(1_500))
    stand.device.input[0] = 2310
    try stand.bench.advance(by: .seconds(1))
    #expect(trial.events.map(\.event) == [.reading(2301), .reading(2310)])
    stand.device.isSilent = true
    try stand.bench.advance(by: .seconds(3))
    guard case .lost? = trial.troubles.last else { return #expect(Bool(false), "\(trial.troubles)") }
    stand.device.isSilent = false
    try stand.bench.advance(by: .seconds(5))
    #expect(trial.troubles.last == .restored)
    trial.stop()
    #expect(stand.line.openCount == 0)
  }
  @Test("two devices share a line, and a reply of the other one is an error")
  func sharing() throws {
    let stand = Stand()
    let second = SimulatedModbusDevice(stand.line, unit: 2)
    stand.device.show(230.5, of: ModbusRegister(unit: 1, 0, as: .f32))
    second.show(-7, of: ModbusRegister(unit: 2, 0, in: .input, as: .s16))
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .f32)) == 230.5)
    #expect(try stand.read(ModbusRegister(unit: 2, 0, in: .input, as: .s16)) == -7)
    second.isPlugged = false
    #expect(stand.error(ModbusRegister(unit: 2, 0, in: .input, as: .s16))?.reason == "no reply within 1 s")
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .f32)) == 230.5)
    second.isPlugged = true
    second.replyDelay = .milliseconds(1_100)
    #expect(stand.error(ModbusRegister(unit: 2, 0, in: .input, as: .s16))?.reason == "no reply within 1 s")
    stand.device.replyDelay = .milliseconds(200)
    #expect(stand.error(ModbusRegister(unit: 1, 0, as: .f32)) != nil)
    #expect(try stand.read(ModbusRegister(unit: 1, 0, as: .f32)) == 230.5)
  }

  @Test("the registers of a number have the nearest one of their type")
  func contents() {
    for notation in ModbusRegister.Notation.allCases {
      for isLowFirst in [false, true] {
        let register = ModbusRegister(unit: 1, 0, as: notation, isLowFirst: isLowFirst)
        for number in [0, 1, 300, 65_535, -1, 70_000, -32_768] as [Double] {
          let wanted = min(max(number, register.numbers.lowerBound), register.numbers.upperBound)
          #expect(register.value(of: register.data(of: number)) == wanted)
        }
      }
    }
  }

  @Test("the echo of a request is skipped, and is no reply")
  func echo() throws {
    let stand = Stand()
    stand.line.echoes = true
    // Registers whose requests begin like a reply.
    for (number, notation) in [(0, .u16), (0x0200, .u16), (0x0201, .s16), (0x0400, .u32), (0x04AA, .f32)]
      as [(UInt16, ModbusRegister.Notation)]
    {
      let register = ModbusRegister(unit: 1, number, as: notation)
      stand.device.show(42, of: register)
      #expect(try stand.read(register) == 42)
      stand.device.isSilent = true
      #expect(stand.error(register)?.reason == "no reply within 1 s")
      stand.device.isSilent = false
      stand.device.exception = 6
      #expect(stand.error(register)?.reason == "the device is busy")
      stand.device.exception = nil
      stand.device.wrongChecksums = 1
      #expect(stand.error(register)?.reason == "the checksum of its reply is wrong")
      stand.device.cutReplies = 1
      #expect(stand.error(register) != nil)
      #expect(try stand.read(register) == 42)
    }
  }

  @Test("a sensor on a register obeys the laws of drivers")
  func laws() {
    let register = ModbusRegister(unit: 1, 0)
    let violations = DriverLaws.violations(
      models: [.every(.seconds(2)), .every(.milliseconds(1_500))],
      setup: { (bench: Bench) -> SerialLawHarness in
        let line = SimulatedSerial(bench)
        let device = SimulatedModbusDevice(line, unit: 1)
        device.holding[0] = 0
        return SerialLawHarness(line, isPolled: true) { _, bench throws(DriverError) in
          for _ in 0..<3 {
            device.holding[0]? += 20
            try bench.advance(by: .seconds(5))
          }
        }
      },
      driver: { Sensor(ModbusLine($0.line, SerialSettings()).source(of: register)) })
    #expect(violations == [])
  }

  @Test("in 1 000 storms of faults on a shared line, no reading is a number that the world never had")
  func weather() throws {
    for _ in 0..<1_000 {
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let bench = Bench(seed: seed)
      let line = SimulatedSerial(bench)
      let devices = [SimulatedModbusDevice(line, unit: 1), SimulatedModbusDevice(line, unit: 2)]
      let bus = ModbusLine(line, SerialSettings())
      func sensor(_ unit: UInt8) -> Sensor {
        Sensor(bus.source(of: ModbusRegister(unit: unit, 0)), settings: .init(decimals: 0))
      }
      func reading(_ event: Sensor.Event) -> Int {
        switch event {
        case .reading(let number): Int(number)
        }
      }
      let cycle = Cycle(seed: [Int?](repeating: nil, count: 2)) {
        Lens(sensor(1), show: { _ in .every(.seconds(1)) }, on: { frame, event in frame[0] = reading(event) })
        Lens(sensor(2), show: { _ in .every(.seconds(1)) }, on: { frame, event in frame[1] = reading(event) })
      }
      for (number, device) in devices.enumerated() { device.holding[0] = UInt16(number) }
      try bench.run(cycle)
      for _ in 0..<30 {
        let number = Int.random(in: 0..<2, using: &random)
        let device = devices[number]
        switch Int.random(in: 0..<13, using: &random) {
        // The numbers of the first device are even, those of the second one are odd.
        case 0, 1: device.holding[0] = UInt16(Int.random(in: 0...30_000, using: &random) * 2 + number)
        case 2: device.isSilent.toggle()
        case 3: device.cutReplies = 1
        case 4: device.wrongChecksums = 1
        case 5: device.replyDelay = .milliseconds(Int.random(in: 0...2_500, using: &random))
        case 6: line.noisyBytes = 1
        case 7: line.lostBytes = 1
        case 8: line.isPlugged ? line.unplug() : line.plug()
        case 9: device.isPlugged.toggle()
        case 10: line.echoes.toggle()
        case 11: device.exception = device.exception == nil ? UInt8.random(in: 1...11, using: &random) : nil
        default:
          line.lastingError = line.lastingError == nil ? SerialErrorFactory(line.name).failed("it lasts") : nil
        }
        try bench.advance(by: .milliseconds(Int.random(in: 1...4_000, using: &random)))
        for place in 0..<2 { #expect(cycle.frame[place].map { $0 % 2 == place } ?? true, "seed \(seed)") }
      }
      line.plug()
      (line.lastingError, line.noisyBytes, line.lostBytes) = (nil, 0, 0)
      for (number, device) in devices.enumerated() {
        (device.isPlugged, device.isSilent, device.replyDelay, device.exception) = (true, false, .zero, nil)
        (device.cutReplies, device.wrongChecksums) = (0, 0)
        device.holding[0] = UInt16(60_100 + number)
      }
      try bench.advance(by: .seconds(30))
      #expect(cycle.frame == [60_100, 60_101], "seed \(seed)")
      bench.stop()
      #expect(line.openCount == 0, "seed \(seed)")
    }
  }
}
