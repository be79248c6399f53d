import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds

@Suite("The other side of serial sheets")
struct SimulatedSheetDeviceTests {
  private final class Stand {
    let bench: Bench
    let line: SimulatedSerial
    let device: SimulatedSheetDevice
    let chip: SheetChip
    let clock = WorkClock(at: .zero)

    init(_ name: String, seed: UInt64 = 0) throws {
      let sheet = try SheetLibrary.sheet(named: name, folder: "/nowhere").get()
      bench = Bench(seed: seed)
      line = SimulatedSerial(bench)
      device = SimulatedSheetDevice(sheet, on: line)
      chip = SheetChip(sheet, line)
    }

    func read(_ number: String) throws -> Double { try chip.source(of: number).readNumber(on: clock) }
    func error(_ number: String) -> DriverError? { thrown(DriverError.self) { _ = try read(number) } }
  }

  static let serialSheets = ["mh-z19", "pms5003", "sds011"]

  @Test("the bytes of a serial device give each number that the world sets, to its resolution", arguments: serialSheets)
  func numbers(name: String) throws {
    let stand = try Stand(name)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      for (reading, description) in stand.device.sheet.readings {
        let wanted = Double.random(in: description.range, using: &random)
        stand.device.show(wanted, of: .init(reading))
        stand.chip.forgetMeasurement()
        let resolution = name == "sds011" ? 0.1 : 1
        #expect(abs(try stand.read(reading) - wanted) <= resolution * 0.5001, "\(reading) \(wanted)")
        #expect(stand.device.shown(.init(reading)) == (try stand.read(reading)))
      }
    }
  }

  @Test("all sheets have bytes for each of their numbers that their default settings can give")
  func allSheets() throws {
    // The range of a converter or a shunt depends on its reference, its range or its resistor.
    let limited = ["ads7830", "ina2", "ina3", "mcp3", "pcf8591"]
    var missing: [String] = []
    for (name, _) in SheetLibrary.texts where !limited.contains(where: name.hasPrefix) {
      let sheet = try SheetLibrary.sheet(named: name, folder: "/nowhere").get()
      for (reading, description) in sheet.readings {
        var answers = SheetAnswers(sheet, sheet.example.settings)
        let (low, high) = (description.range.lowerBound, description.range.upperBound)
        for share in [0.2, 0.5, 0.8] {
          let wanted = low + (high - low) * share
          answers.set(wanted, reading)
          let given = answers.number(reading) ?? .infinity
          if abs(given - wanted) > (high - low) / 100 {
            missing.append("\(name) \(reading): \(given), not \(wanted)")
          }
        }
      }
    }
    #expect(missing == [])
  }

  @Test(
    "silence, half a frame, a wrong checksum, a late answer and a device that is gone are errors; then it is read again"
  )
  func faults() throws {
    let stand = try Stand("mh-z19")
    stand.device.show(1_234, of: .init("co2"))
    #expect(try stand.read("co2") == 1_234)
    stand.device.isSilent = true
    #expect(stand.error("co2")?.kind == .lost)
    stand.device.isSilent = false
    stand.device.cutFrames = 1
    #expect(stand.error("co2")?.reason == "4 bytes have arrived, and no whole answer is among them")
    stand.device.damagedFrames = 1
    #expect(stand.error("co2")?.reason == "the checksum of the answer is wrong")
    stand.device.replyDelay = .milliseconds(1_500)
    #expect(stand.error("co2")?.reason == "nothing has arrived within 1 s")
    stand.device.replyDelay = .zero
    stand.clock.sleep(for: .seconds(1))
    #expect(try stand.read("co2") == 1_234)
    stand.device.isPlugged = false
    #expect(stand.error("co2")?.kind == .lost)
    stand.device.isPlugged = true
    stand.line.echoes = true
    #expect(try stand.read("co2") == 1_234)
  }

  @Test("sensors on serial sheets obey the laws of drivers", arguments: serialSheets)
  func laws(name: String) throws {
    let sheet = try SheetLibrary.sheet(named: name, folder: "/nowhere").get()
    let reading = try #require(sheet.readings.first?.name)
    let violations = DriverLaws.violations(
      models: [.every(.seconds(2)), .every(.milliseconds(1_500))],
      setup: { (bench: Bench) -> SerialLawHarness in
        let line = SimulatedSerial(bench)
        let device = SimulatedSheetDevice(sheet, on: line)
        var number = 0.0
        return SerialLawHarness(line, isPolled: true) { _, bench throws(DriverError) in
          for _ in 0..<3 {
            number += 20
            device.show(number, of: .init(reading))
            try bench.advance(by: .seconds(5))
          }
        }
      }, driver: { Sensor(SheetChip(sheet, $0.line).source(of: reading)) })
    #expect(violations == [])
  }

  @Test(
    "in 1 000 storms of faults, no reading is a number that the world never had, and each storm ends",
    arguments: serialSheets)
  func weather(name: String) throws {
    for _ in 0..<(1_000 / Self.serialSheets.count + 1) {
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let stand = try Stand(name, seed: seed)
      let reading = stand.device.sheet.readings[0].name
      let trial = DriverBench(
        Sensor(stand.chip.source(of: reading), settings: .init(decimals: 0)), showing: .every(.seconds(1)),
        on: stand.bench)
      var known: Set<Int> = []
      func show(_ number: Int) {
        known.insert(number)
        stand.device.show(Double(number), of: .init(reading))
      }
      show(7)
      try trial.start()
      for _ in 0..<30 {
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: show(Int.random(in: 0...900, using: &random))
        case 2: stand.device.isSilent.toggle()
        case 3: stand.device.cutFrames = 1
        case 4: stand.device.damagedFrames = 1
        case 5: stand.device.replyDelay = .milliseconds(Int.random(in: 0...2_500, using: &random))
        case 6: stand.line.noisyBytes = 1
        case 7: stand.line.lostBytes = 1
        case 8: stand.line.isPlugged ? stand.line.unplug() : stand.line.plug()
        case 9: stand.device.isPlugged.toggle()
        default:
          stand.line.lastingError =
            stand.line.lastingError == nil
            ? SerialErrorFactory(stand.line.name).failed("an error that lasts") : nil
        }
        try stand.bench.advance(by: .milliseconds(Int.random(in: 1...4_000, using: &random)))
      }
      stand.line.plug()
      (stand.device.isPlugged, stand.device.isSilent, stand.device.replyDelay) = (true, false, .zero)
      (stand.device.cutFrames, stand.device.damagedFrames) = (0, 0)
      (stand.line.lastingError, stand.line.noisyBytes, stand.line.lostBytes) = (nil, 0, 0)
      show(905)
      try stand.bench.advance(by: .seconds(20))
      let numbers = trial.events.map { event in
        switch event.event {
        case .reading(let number): Int(number.rounded())
        }
      }
      #expect(known.isSuperset(of: numbers), "seed \(seed)")
      #expect(numbers.last == 905, "seed \(seed)")
      if let last = trial.troubles.last { #expect(last == .restored, "seed \(seed)") }
      trial.stop()
      #expect(stand.line.openCount == 0, "seed \(seed)")
    }
  }
}
