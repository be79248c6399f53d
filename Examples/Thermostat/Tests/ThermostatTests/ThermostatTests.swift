import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing
import Thermometer

@testable import thermostat

@Suite("The thermostat")
struct ThermostatTests {
  let bench = Bench()
  let sensor = SimulatedTemperature(millidegrees: 30_000)

  /// The application on a bench, and the chip it is on.
  func run() throws -> SimulatedChip {
    let chip = SimulatedChip(bench)
    try bench.run(Thermostat.makeCycle(chip: chip, card: SimulatedCard(), sensor: sensor))
    return chip
  }

  func heat(to celsius: Int) throws {
    sensor.millidegrees = celsius * 1000
    try bench.advance(by: .seconds(1))
  }

  @Test("the fan goes on at 55 degrees and off below 45")
  func hysteresis() throws {
    let chip = try run()
    let fan = chip.line("GPIO24")
    var levels: [Level] = []
    for celsius in [50, 55, 50, 45, 44, 50] {
      try heat(to: celsius)
      levels.append(fan.level)
    }
    #expect(levels == [.low, .high, .high, .high, .low, .low])
    bench.stop()
    #expect(chip.heldLines == 0)
  }

  @Test("the button stops the fan for a minute, and a second press for a minute more")
  func pause() throws {
    let chip = try run()
    let fan = chip.line("GPIO24")
    let button = chip.contact(at: "GPIO17")
    try heat(to: 60)
    try button.press()
    try bench.advance(by: .seconds(30))
    #expect(fan.level == .low)
    try button.release()
    try bench.advance(by: .seconds(1))
    try button.press()
    try bench.advance(by: .seconds(59))
    #expect(fan.level == .low)
    try bench.advance(by: .seconds(2))
    #expect(fan.level == .high)
    bench.stop()
    #expect(fan.level == .low)
  }

  @Test("without a thermometer at the start the fan runs, from the first instant until one is there")
  func withoutSensorAtStart() throws {
    sensor.millidegrees = nil
    sensor.readingDuration = .milliseconds(750)
    let chip = try run()
    let fan = chip.line("GPIO24")
    #expect(fan.level == .high)
    try bench.advance(by: .seconds(10))
    #expect(fan.level == .high)
    try heat(to: 30)
    try bench.advance(by: .seconds(1))
    #expect(fan.level == .low)
    bench.stop()
  }

  @Test("a thermometer that is slow holds nothing up: the button stops the fan at once")
  func slow() throws {
    sensor.readingDuration = .milliseconds(750)
    let chip = SimulatedChip(bench)
    let cycle = Thermostat.makeCycle(chip: chip, card: SimulatedCard(), sensor: sensor)
    var overruns: [DriverOverrun] = []
    cycle.onOverrun { overruns.append($0) }
    try bench.run(cycle)
    try heat(to: 60)
    try bench.advance(by: .seconds(2))
    #expect(chip.line("GPIO24").level == .high)
    try chip.contact(at: "GPIO17").press()
    try bench.advance(by: .milliseconds(5))
    #expect(chip.line("GPIO24").level == .low)
    #expect(overruns.isEmpty)
    bench.stop()
  }

  @Test("without a thermometer the fan runs")
  func withoutSensor() throws {
    let chip = try run()
    sensor.millidegrees = nil
    try bench.advance(by: .seconds(1))
    #expect(chip.line("GPIO24").level == .high)
    try heat(to: 30)
    #expect(chip.line("GPIO24").level == .low)
    bench.stop()
  }
}
