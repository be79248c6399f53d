import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("OneWireParser")
struct OneWireParserTests {
  private let fault = OneWireErrorFactory(sensor: "28-1")

  @Test("the file temperature", arguments: [("21562\n", 21562), ("-55000\n", -55000), ("0", 0)])
  func temperature(text: String, millidegrees: Int) throws {
    #expect(try OneWireParser.temperature(in: text, of: "28-1").millidegreesCelsius == millidegrees)
  }

  @Test("an empty file is a reading that failed, and other words are none")
  func noTemperature() {
    #expect(throws: fault.noAnswer()) { try OneWireParser.temperature(in: "", of: "28-1") }
    #expect(throws: fault.failed("read", "\"warm\" is not a temperature")) {
      try OneWireParser.temperature(in: "warm\n", of: "28-1")
    }
  }

  @Test("the file w1_slave: a temperature below zero, too")
  func scratchpad() throws {
    let text = "f0 ff 4b 46 7f ff 10 10 8c : crc=8c YES\nf0 ff 4b 46 7f ff 10 10 8c t=-1000\n"
    #expect(try OneWireParser.temperature(inScratchpad: text, of: "28-1").celsius == -1)
  }

  @Test("a wrong checksum, a bus at ground, and what is cut off")
  func wrongScratchpad() {
    func error(_ text: String) -> DriverError? {
      do throws(DriverError) {
        _ = try OneWireParser.temperature(inScratchpad: text, of: "28-1")
        return nil
      } catch {
        return error
      }
    }
    let bytes = "4b 01 4b 46 7f ff 0c 10 d8"
    let zeros = "00 00 00 00 00 00 00 00 00"
    #expect(error("\(bytes) : crc=11 NO\n\(bytes) t=20687\n") == fault.checksum())
    #expect(error("\(zeros) : crc=00 YES\n\(zeros) t=0\n") == fault.noAnswer())
    #expect(error("\(bytes) : crc=d8 YES\n") == fault.noAnswer())
    #expect(error("") == fault.noAnswer())
    #expect(error("\(bytes) : crc=d8 YES\n\(bytes)\n") == fault.failed("read", "\"\(bytes)\" has no temperature"))
  }

  @Test(
    "a temperature as text", arguments: [(21500, "21.5 °C"), (-62, "-0.062 °C"), (85000, "85.0 °C"), (0, "0.0 °C")])
  func description(millidegrees: Int, text: String) {
    #expect(Temperature(millidegreesCelsius: millidegrees).description == text)
    #expect(Temperature(celsius: Double(millidegrees) / 1000).millidegreesCelsius == millidegrees)
  }

  @Test("every message as it is told")
  func messages() {
    #expect(
      "\(fault.absent())"
        == "cannot read the thermometer 28-1: there is no such sensor. Switch the bus on (on a Raspberry Pi `dtoverlay=w1-gpio` in "
        + "config.txt), and check the wires and the pull-up of 4.7 kΩ; `ls /sys/bus/w1/devices` lists the sensors.")
  }
}
