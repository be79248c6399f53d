import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelKinds

typealias I2CCase = Case<any I2CStand>

extension Case where Stand == any I2CStand {
  static let all = transfers + refusals + boards + sheets

  // MARK: - Transfers

  static let transfers = [
    I2CCase("an I2C bus that speaks SMBus only: bytes, words and blocks of a device that answers") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.memoryBus.open(0x50)
      findings.equal("open devices", stand.openCount, 1)
      try device.write([0x10, 0xA0], on: clock)
      try device.write([0x12, 0xB0, 0xB1], on: clock)
      try device.write([0x20] + (1...32), on: clock)
      findings.equal("a byte", try device.read(1, after: [0x10], on: clock), [0xA0])
      findings.equal("a word", try device.read(2, after: [0x12], on: clock), [0xB0, 0xB1])
      findings.equal("a block", try device.read(32, after: [0x20], on: clock), Array(1...32))
      try device.write([0x12], on: clock)
      findings.equal("the byte that was chosen", try device.read(1, on: clock), [0xB0])
      device.close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    I2CCase("an I2C bus that speaks SMBus only says so of a transfer that SMBus has not") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.memoryBus.open(0x50)
      defer { device.close() }
      let error = error { _ = try device.read(3, on: clock) }
      expect(error, .unsupported, "cannot read from 0x50 on \(stand.memoryBusName): the adapter speaks SMBus", findings)
    },
    I2CCase("an I2C transaction of several messages, by a bus's name: what was written is read") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.displayBus.open(0x27)
      // Not P3: the backlight's transistor may hold that one low.
      try device.write([0x40], on: clock)
      findings.equal("one byte", try device.read(1, on: clock), [0x40])
      findings.equal(
        "three messages", try device.transfer([.write([0x00, 0x40]), .read(3), .read(1)], on: clock),
        [0x40, 0x40, 0x40, 0x40])
      device.close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
  ]

  // MARK: - Refusals

  static let refusals = [
    I2CCase("an I2C address where nobody answers is told with its bus") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let buses = [
        (stand.memoryBus, stand.memoryBusName), (stand.displayBus, stand.displayBusName),
        (stand.emptyBus, stand.emptyBusName),
      ]
      for (bus, name) in buses {
        let device = try bus.open(0x60)
        for messages in [[.write([1, 2])], [.write([1]), .read(2)]] as [[I2CMessage]] {
          let verb = messages.count == 1 ? "write to" : "read from"
          expect(
            error { _ = try device.transfer(messages, on: clock) }, .failed,
            "cannot \(verb) 0x60 on \(name): no device answers at 0x60", findings)
        }
        device.close()
      }
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    I2CCase("an I2C bus that isn't there, and one that this user may not open") { stand, findings in
      expect(
        error { _ = try stand.absentBus.open(0x27) }, .absent,
        "cannot open i2c-99 for 0x27: there is no such bus", findings)
      try stand.permit(false)
      let refused = error { _ = try stand.displayBus.open(0x27) }
      try stand.permit(true)
      expect(
        refused, .notPermitted, "cannot open \(stand.displayBusName) for 0x27: permission denied", findings)
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    I2CCase("an I2C device that a driver of the kernel has is busy, and that driver is named") { stand, findings in
      try stand.bind(true)
      let refused = error { _ = try stand.memoryBus.open(0x51) }
      try stand.bind(false)
      expect(refused, .busy, "cannot open \(stand.memoryBusName) for 0x51: busy", findings)
      findings.expect("\(refused.map { "\($0)" } ?? "")".contains("\"dummy\""), "the driver is named")
      try stand.memoryBus.open(0x51).close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    I2CCase("an I2C bus that goes away is lost, and can be opened again when it is back") { stand, findings in
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.emptyBus.open(0x27)
      try stand.unplug()
      expect(
        error { try device.write([1], on: clock) }, .lost,
        "cannot write to 0x27 on \(stand.emptyBusName): the bus is gone",
        findings)
      device.close()
      expect(
        error { _ = try stand.emptyBus.open(0x27) }, .absent,
        "cannot open \(stand.emptyBusName) for 0x27: there is no such bus", findings)
      try stand.plug()
      let again = try stand.emptyBus.open(0x27)
      expect(
        error { try again.write([1], on: clock) }, .failed,
        "cannot write to 0x27 on \(stand.emptyBusName): no device answers", findings)
      again.close()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
  ]

  // MARK: - Boards

  static let boards = [
    I2CCase("a character display on an I2C bus shows its text, and is never written to while it is busy") {
      stand, findings in
      let trial = try Trial(
        I2CCharacterDisplay(stand.displayBus, address: 0x27, settings: .init(check: .seconds(5))),
        showing: CharacterScreen(["The first text"]), on: stand.bench)
      try stand.pass(300)
      findings.equal("the first text", try stand.display.rows, ["The first text  ", "                "])
      for text in ["second", "and a third", "the last one"] {
        try trial.show(CharacterScreen(["one of them is", text]))
        try stand.bench.advance(by: .milliseconds(3))
      }
      try stand.pass(300)
      findings.equal("the last text", try stand.display.rows, ["one of them is  ", "the last one    "])
      try stand.power(false)
      // The next check is within 5 s: at a multiple of 5 s on the clock.
      for _ in 0..<55 where trial.events.isEmpty { try stand.pass(100) }
      findings.equal("troubles", trial.events, ["lost"])
      try stand.power(true)
      // The driver tries again 1 s after the loss.
      try stand.pass(1500)
      findings.equal("troubles", trial.events, ["lost", "restored"])
      findings.equal("after a loss", try stand.display.rows, ["one of them is  ", "the last one    "])
      stand.bench.stop()
      findings.equal("at the end", try stand.display.rows, ["                ", "                "])
      findings.equal("faults", try stand.display.faults, [])
      findings.equal("open devices at the end", stand.openCount, 0)
    },
    I2CCase("a character display that isn't at its I2C address is told at the start with address and bus") {
      stand, findings in
      let error = error {
        _ = try Trial(
          I2CCharacterDisplay(stand.displayBus, address: 0x3F), showing: CharacterScreen(["a text"]), on: stand.bench)
      }
      expect(
        error, .failed, "cannot write to 0x3f on \(stand.displayBusName): no device answers at 0x3f", findings)
      stand.bench.stop()
      findings.equal("open devices at the end", stand.openCount, 0)
    },
  ]

  // MARK: - Sheets

  static let sheets: [I2CCase] = [
    I2CCase("the sheet of a BME280 reads what the kernel's driver reads from the same registers", needs: [.drivers]) {
      stand, findings in
      guard let stand = stand as? KernelI2CStand, let sheet = Sheet.named("bme280"),
        case .registers(let registers) = sheet.example.answers
      else { return findings.note("there is no such sheet with registers") }
      let clock = WorkClock(at: stand.bench.now)
      let device = try stand.memoryBus.open(KernelI2CStand.sensorAddress)
      for (register, bytes) in registers {
        for (place, byte) in bytes.enumerated() { try device.write([UInt8(register + place), byte], on: clock) }
      }
      device.close()
      let chip = SheetChip(sheet, I2CDevice(stand.memoryBus, at: KernelI2CStand.sensorAddress))
      let ours = try ["temperature", "pressure", "humidity"].map { name in
        try chip.source(of: name).readNumber(on: clock)
      }
      let kernels = try stand.numbers(of: "bme280", from: ["temp", "pressure", "humidityrelative"])
      // The kernel has thousandths of °C, kPa, and thousandths of a percent.
      for (our, kernel) in zip(ours, [kernels[0] / 1000, kernels[1] * 10, kernels[2] / 1000]) {
        findings.expect(abs(our - kernel) <= abs(kernel) * 1e-4, "\(our) is the kernel's \(kernel)")
      }
    }
  ]
}
