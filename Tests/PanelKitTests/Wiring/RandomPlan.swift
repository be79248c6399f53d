import CycleCore
import HardwareSimulation

@testable import PanelWiring

extension WiringPlan {
  /// A plan with random devices on random lines of the header, each line once but for those of buses.
  static func random(seed: UInt64) -> WiringPlan {
    var random = SeededGenerator(seed: seed)
    var free = (2...27).shuffled(using: &random).prefix(Int.random(in: 1...26, using: &random))
    var devices: [Device] = []
    while !free.isEmpty {
      let count = min(free.count, [1, 1, 1, 2, 2, 3, 4, 6, 8].randomElement(using: &random)!)
      let lines = (0..<count).map { _ in "GPIO\(free.removeFirst())" }
      let name = ["a", "lamp", "very-long-name-of-a-device", "<&\"é>"].randomElement(using: &random)!
      devices.append(
        Device(
          name: "\(name)\(devices.count)", kind: "kind of device",
          direction: Bool.random(using: &random) ? .input : .output,
          circuits: circuits(lines, &random)))
    }
    for index in 0..<Int.random(in: 0...2, using: &random) where !devices.contains(where: { $0.usesI2C }) || index > 0 {
      devices.append(Device(name: "bus\(index)", kind: "chip", direction: .output, circuits: [.i2cDisplay()]))
    }
    return WiringPlan(title: "Seed \(seed)", devices: devices, playsSounds: Bool.random(using: &random))
  }

  private static func circuits(_ lines: [String], _ random: inout SeededGenerator) -> [any WiringCircuit] {
    let pull: Pull = [.up, .down, .none].randomElement(using: &random)!
    let (flag, box) = (Bool.random(using: &random), Int.random(in: 0..<6, using: &random) == 0)
    if box {
      return [
        .box("chip", terminals: lines.map { WiringTerminal($0, "T") }, supplies: ["VCC": .volts3, "GND": .ground])
      ]
    }
    switch lines.count {
    case 1:
      return [
        [.button(line: lines[0], isActiveHigh: flag, pull: pull)],
        [.switch(line: lines[0], isActiveHigh: flag, pull: pull)],
        [.led(line: lines[0], isActiveHigh: flag)], [.relay(line: lines[0], isActiveHigh: flag)],
        [.piezo(line: lines[0])], [.thermometer(line: lines[0])],
      ].randomElement(using: &random)!
    case 2:
      return [
        [.encoder(a: lines[0], b: lines[1])], [.distance(trigger: lines[0], echo: lines[1])],
        [.button(line: lines[0]), .led(line: lines[1])],
      ].randomElement(using: &random)!
    case 6 where flag:
      return [.characterDisplay(registerSelect: lines[0], enable: lines[1], data: Array(lines[2...]))]
    case 4... where pull == .none: return [.keypad(rows: Array(lines[..<2]), columns: Array(lines[2...]))]
    default: return flag ? [.leds(lines: lines)] : [.buttons(lines: lines, pull: pull)]
    }
  }
}

extension WiringPlan.Device {
  fileprivate var usesI2C: Bool { terminals.contains { ["GPIO2", "GPIO3"].contains($0.line) } }
}
