import CycleCore
import HardwareDrivers
import Testing
import Thermometer

@Suite("The thermometer")
struct ThermometerTests {
  /// What a thermometer tells on a bench.
  final class Told {
    var lines: [String] = []
  }

  func run(_ sensor: SimulatedTemperature, on bench: Bench) throws -> Told {
    let told = Told()
    let cycle = Cycle(seed: 0) {
      Lens(
        Thermometer(sensor), show: { _ in .every(.seconds(1)) },
        on: { _, event, _, moment in
          switch event {
          case .temperature(let celsius): told.lines.append("\(moment) \(celsius)")
          case .trouble(.lost): told.lines.append("\(moment) lost")
          case .trouble(.restored): told.lines.append("\(moment) restored")
          case .trouble: told.lines.append("\(moment) trouble")
          }
        })
    }
    try bench.run(cycle)
    return told
  }

  @Test("a temperature is told at once, and again when it has changed by half a degree")
  func resolution() throws {
    let bench = Bench()
    let sensor = SimulatedTemperature(millidegrees: 20_000)
    let told = try run(sensor, on: bench)
    for millidegrees in [20_400, 20_500, 20_900, 19_800] {
      sensor.millidegrees = millidegrees
      try bench.advance(by: .seconds(1))
    }
    #expect(told.lines == ["0.000000000s 20.0", "2.000000000s 20.5", "4.000000000s 19.8"])
  }

  @Test("a sensor that comes loose is lost once, and is told anew when it is back")
  func loss() throws {
    let bench = Bench()
    let sensor = SimulatedTemperature(millidegrees: 20_000)
    let told = try run(sensor, on: bench)
    sensor.millidegrees = nil
    try bench.advance(by: .seconds(3))
    sensor.millidegrees = 20_000
    try bench.advance(by: .seconds(1))
    #expect(told.lines == ["0.000000000s 20.0", "1.000000000s lost", "4.000000000s restored", "4.000000000s 20.0"])
  }

  @Test("a sensor that isn't there is an error at the start, in words")
  func absent() {
    let cycle = Cycle(seed: 0) {
      Lens(Thermometer(ThermalFile("/sys/no-such-sensor")), show: { _ in .every(.seconds(1)) })
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
