import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@Suite("NumberSourcePort")
struct NumberSourcePortTests {
  @Test("equal places are the same sensor, others are others, and each has its name and unit in the simulation")
  func simulated() throws {
    let platform = try Platform(.simulated)
    let place = IIOChannel("bme280", "temp")
    let source = try #require(platform.simulatedNumber(at: place))
    #expect(source === platform.simulatedNumber(at: IIOChannel("bme280", "temp")))
    #expect(source !== platform.simulatedNumber(at: IIOChannel("bme280", "pressure")))
    #expect(source !== platform.simulatedNumber(at: HwmonChannel("bme280", "temp")))
    #expect([source.name, source.unit] == ["bme280 temp", "°C"])
    let thermometer = try #require(platform.simulatedNumber(at: OneWireChannel("28-000005")))
    #expect([thermometer.name, thermometer.unit] == ["28-000005", "°C"])
    #expect(platform.simulated(named: "sensor").count == 4)
    source.set(21.5)
    #expect(try platform.number(at: place).readNumber(on: WorkClock(at: .zero)) == 21.5)
  }

  @Test("a real sensor is read from its file, on a thread, and told")
  func real() throws {
    try withFiles(["air": "21.5\n"]) { (folder: String) throws in
      let platform = try Platform(.real)
      let source = platform.number(at: NumberFile("\(folder)/air"))
      #expect(platform.simulatedNumber(at: NumberFile("\(folder)/air")) == nil)
      #expect(source.needsThread)
      let trial = DriverBench(Sensor(source), showing: .every(.seconds(1)), on: platform.bench, isRequired: true)
      var numbers: [Double] = []
      trial.onEntry = { if case .event(.reading(let number)) = $0 { numbers.append(number) } }
      try trial.start()
      // The start has waited for the first reading; its event is there with the next turn, or soon.
      for _ in 0..<1000 where numbers.isEmpty { try platform.bench.advance(by: .milliseconds(5)) }
      #expect(numbers == [21.5])
      trial.stop()
    }
  }
}
