import HardwareLinux
import PanelLanguage
import PanelWiring
import Terminal

/// `{ w1: 28-00000a1b2c3d }`: a thermometer on a 1-wire bus.
package struct OneWireSource: NumberSensorSource {
  package static let grammar = FieldSet(
    name: "a 1-wire thermometer", summary: "thermometer on a 1-wire bus: its name, or `any`",
    sample: "{ w1: 28-00000a1b2c3d }",
    keys: [Key(name: "w1", takes: "the name of a 1-wire sensor, or any: 28-00000a1b2c3d", shape: .text)]
      + NumberConversion.keys)
  /// A reading takes 750 ms.
  package static let usualInterval = Duration.seconds(10)

  package let place: OneWireChannel
  package var deviceClass: String? { "temperature" }

  package init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let name = fields.text("w1") else { return nil }
    guard name == "any" || Self.isName(name) else {
      fields.addProblem(
        at: "w1",
        "\(quoted(name)) is not a 1-wire sensor; write a name that ls /sys/bus/w1/devices prints, 28-00000a1b2c3d, or any"
      )
      return nil
    }
    fields.noteThousandths(conversion, unit: "°C")
    place = OneWireChannel(name == "any" ? nil : name, conversion: conversion)
  }

  /// The line of the bus, unless config.txt sets another.
  private static let line = "GPIO4"

  /// Whether the text can be the kernel's name of a sensor: its family in two digits and its number, in lower-case
  /// hexadecimal.
  private static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == 2 && (1...12).contains(parts[1].utf8.count)
      && parts.joined().allSatisfy { "0123456789abcdef".contains($0) }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "1-wire thermometer", direction: .input, circuits: [.thermometer(line: Self.line)])
  }
}
