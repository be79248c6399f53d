import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("Events that a driver can't have emitted")
struct RefusedEventsTests {
  private let chip = SimulatedChip(Bench())

  @Test("of many devices are those of one that is not among them, and those that their device refuses")
  func each() {
    let buttons = (0..<2).map { Button(chip, line: LineName("GPIO\($0)")) }
    let driver = LineDriverArray(buttons)
    #expect(driver.refusal(of: .init(1, .pressed)) == nil)
    #expect(driver.refusal(of: .init(2, .pressed)) == "there is no device 2; devices are 0 to 1")
    #expect(driver.refusal(of: .init(-1, .pressed)) == "there is no device -1; devices are 0 to 1")
    #expect(driver.refusal(of: .init(0, .edgesLost(-3))) == "-3 is not a number of lost edges")
    // On several chips the numbers have gaps.
    let part = LineDriverArray(buttons, numbers: [3, 7])
    #expect(part.refusal(of: .init(7, .pressed)) == nil)
    #expect(part.refusal(of: .init(4, .pressed)) == "there is no device 4; devices are 3 to 7")
  }

  @Test("tell of edges in a number that can't be")
  func edges() {
    for count in [nil, 0, 1, 1 << 53] {
      #expect(Button(chip, line: "GPIO1").refusal(of: .edgesLost(count)) == nil)
      #expect(Switch(chip, line: "GPIO1").refusal(of: .edgesLost(count)) == nil)
      #expect(RotaryEncoder(chip, lines: ("GPIO1", "GPIO2")).refusal(of: .edgesLost(count)) == nil)
    }
    for count in [-1, (1 << 53) + 1, Int.max, Int.min] {
      #expect(Button(chip, line: "GPIO1").refusal(of: .edgesLost(count)) != nil)
      #expect(Switch(chip, line: "GPIO1").refusal(of: .edgesLost(count)) != nil)
      #expect(RotaryEncoder(chip, lines: ("GPIO1", "GPIO2")).refusal(of: .edgesLost(count)) != nil)
      #expect(DistanceSensor(chip, trigger: "GPIO1", echo: "GPIO2").refusal(of: .edgesLost(count)) != nil)
    }
  }

  @Test("name a key, a relay or a number that the device hasn't")
  func places() {
    let keypad = Keypad(chip, rows: ["GPIO1", "GPIO2"], columns: ["GPIO3"])
    #expect(keypad.refusal(of: .pressed(.init(row: 1, column: 0))) == nil)
    #expect(
      keypad.refusal(of: .held(.init(row: 2, column: 0)))
        == "there is no key in row 2, column 0 of 2 rows and 1 columns")
    #expect(keypad.refusal(of: .ghosted([.init(row: 0, column: -1)])) != nil)
    #expect(keypad.refusal(of: .ghosted(Array(repeating: .init(row: 0, column: 0), count: 3))) != nil)
    #expect(keypad.refusal(of: .pressed(.init(row: 0, column: 0, legend: "7"))) != nil)
    let interlock = Interlock([Relay(chip, line: "GPIO1"), Relay(chip, line: "GPIO2")])
    #expect(interlock.refusal(of: .askedTogether(.first(2), kept: 1)) == nil)
    #expect(interlock.refusal(of: .askedTogether(.first(2), kept: 2)) == "there is no such relay; relays are 0 to 1")
    #expect(interlock.refusal(of: .askedTogether(.first(3), kept: 0)) != nil)
    let sensor = DistanceSensor(chip, trigger: "GPIO1", echo: "GPIO2")
    #expect(sensor.refusal(of: .distance(millimetres: 100)) == nil)
    #expect(sensor.refusal(of: .distance(millimetres: -1)) == "-1 mm is out of its range, 20...4000")
  }
}
