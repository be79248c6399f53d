import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing
import Thermometer

@Suite("The thermometer")
struct ThermometerTests {
  /// A thermometer that is read every second.
  func trial(_ sensor: SimulatedTemperature, on bench: Bench) -> DriverBench<Thermometer> {
    DriverBench(Thermometer(sensor), showing: .every(.seconds(1)), on: bench)
  }

  /// The driver's events and troubles with their moments, a line each.
  func told(_ trial: DriverBench<Thermometer>) -> [String] {
    trial.entries.map { moment, entry in
      switch entry {
      case .event(.temperature(let celsius)): "\(moment) \(celsius)"
      case .trouble(.lost): "\(moment) lost"
      case .trouble(.restored): "\(moment) restored"
      case .trouble(let trouble): "\(moment) \(trouble)"
      }
    }
  }

  @Test("a temperature is told at once, and again when it has changed by half a degree")
  func resolution() throws {
    let bench = Bench()
    let sensor = SimulatedTemperature(millidegrees: 20_000)
    let trial = trial(sensor, on: bench)
    try trial.start()
    for millidegrees in [20_400, 20_500, 20_900, 19_800] {
      sensor.millidegrees = millidegrees
      try bench.advance(by: .seconds(1))
    }
    #expect(told(trial) == ["0.000000000s 20.0", "2.000000000s 20.5", "4.000000000s 19.8"])
    trial.stop()
  }

  @Test("a sensor that comes loose is lost once, and is told anew when it is back")
  func loss() throws {
    let bench = Bench()
    let sensor = SimulatedTemperature(millidegrees: 20_000)
    let trial = trial(sensor, on: bench)
    try trial.start()
    sensor.millidegrees = nil
    try bench.advance(by: .seconds(3))
    sensor.millidegrees = 20_000
    try bench.advance(by: .seconds(1))
    #expect(told(trial) == ["0.000000000s 20.0", "1.000000000s lost", "4.000000000s 20.0", "4.000000000s restored"])
    trial.stop()
  }

  @Test("a temperature is told when it has been read, however long that takes")
  func slow() throws {
    let bench = Bench()
    let trial = trial(SimulatedTemperature(millidegrees: 20_000, readingDuration: .milliseconds(750)), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(1))
    #expect(told(trial) == ["0.750000000s 20.0"])
    trial.stop()
  }

  @Test("a sensor that nobody wants to know of is not read, and at once when somebody does")
  func off() throws {
    let bench = Bench()
    let sensor = SimulatedTemperature(millidegrees: 20_000)
    let trial = DriverBench(Thermometer(sensor), showing: .off, on: bench)
    try trial.start()
    try bench.advance(by: .seconds(10))
    #expect(trial.cycle.nextAlarm == nil)
    let readings = sensor.readings
    try trial.show(.every(.seconds(1)))
    #expect(sensor.readings == readings + 1)
    try trial.show(.off)
    try bench.advance(by: .seconds(10))
    #expect(trial.cycle.nextAlarm == nil)
    trial.stop()
  }

  @Test("it keeps the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.every(.seconds(1)), .every(.milliseconds(500))], setup: { SensorPort($0) },
      driver: { Thermometer($0.sensor) })
    #expect(violations == [])
  }

  @Test("a sensor that isn't there is an error at the start of an application that needs it, in words")
  func absent() {
    let cycle = Cycle(seed: 0) {
      Lens(Thermometer(ThermalFile("/sys/no-such-sensor")), show: { _ in .every(.seconds(1)) }, isRequired: true)
    }
    #expect {
      try Bench().run(cycle)
    } throws: { error in
      "\(error)"
        == "cannot read the temperature in /sys/no-such-sensor: there is no such sensor (errno 2). "
        + "Look under /sys/class/thermal and /sys/class/hwmon for those that there are."
    }
  }
}

/// The sensor as a port for `DriverLaws`. The driver writes nothing and holds nothing, so there is nothing to compare.
private final class SensorPort: LawHarness {
  let bench: Bench
  let sensor = SimulatedTemperature(millidegrees: 20_000, readingDuration: .milliseconds(100))

  init(_ bench: Bench) { self.bench = bench }

  let names = ["thermometer"]
  let writeCount = 0
  let heldCount = 0
  let holdsAnything = false
  let stampsEvents = false
  let wakesAtRest = true
  let picture = ""
  let hasPicture = false

  func unplug() -> Bool {
    sensor.millidegrees = nil
    return true
  }

  func plug() { sensor.millidegrees = 20_000 }

  func stimulate() throws(DriverError) {
    for _ in 0..<3 {
      if let millidegrees = sensor.millidegrees { sensor.millidegrees = millidegrees + 1000 }
      try bench.advance(by: .milliseconds(1500))
    }
  }
}
