import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux

@Suite("OneWireChannel")
struct OneWireChannelTests {
  @Test("a temperature as a number, with its conversion")
  func number() throws {
    let sensors = ["28-000005": ["temperature": "21562\n"], "28-000007": ["temperature": "-500\n"]]
    try withDevices(sensors) { (folder: String) throws in
      let first = OneWireChannel(folder: folder).makeSource()
      #expect(first.name == "28-*")
      #expect(try first.readNumber(on: WorkClock(at: .zero)) == 21.562)
      #expect(first.name == "28-000005")
      #expect(first.unit == "°C")
      let other = OneWireChannel(
        "28-000007", conversion: NumberConversion(scale: 2, offset: 32, unit: "x"), folder: folder)
      #expect(try other.makeSource().readNumber(on: WorkClock(at: .zero)) == 31)
      #expect(other.unit == "x")
    }
  }

  @Test("the value after a power-up is not a temperature, unless the one before was near it")
  func powerUp() throws {
    try withDevices(["28-000005": ["temperature": "85000\n"]]) { (folder: String) throws in
      let source = OneWireChannel("28-000005", folder: folder).makeSource()
      #expect(
        failure(source)
          == "failed: cannot read the thermometer 28-000005: it reports 85 °C, its value after power-up, before a "
          + "measurement. Its supply fails while it measures: check it, and give it a wire of its own instead of the data wire."
      )
      try write("84000\n", to: "\(folder)/28-000005/temperature")
      #expect(try source.readNumber(on: WorkClock(at: .zero)) == 84)
      try write("85000\n", to: "\(folder)/28-000005/temperature")
      #expect(try source.readNumber(on: WorkClock(at: .zero)) == 85)
    }
  }

  @Test("a sensor that is not there is absent by its name")
  func absent() throws {
    try withDevices([:]) { (folder: String) throws in
      #expect(
        failure(OneWireChannel("28-000005", folder: folder).makeSource())
          == "absent: \(OneWireErrorFactory(sensor: "28-000005").absent())")
    }
  }
}
