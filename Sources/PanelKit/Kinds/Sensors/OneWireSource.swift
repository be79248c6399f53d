import HardwareLinux

/// `{ w1: 28-00000a1b2c3d }`: a thermometer on a 1-wire bus.
struct OneWireSource: NumberSensorSource {
  static let grammar = Place(
    name: "a 1-wire thermometer", summary: "thermometer on a 1-wire bus: its name, or `any`",
    sample: "{ w1: 28-00000a1b2c3d }",
    keys: [Key(name: "w1", takes: "the name of a 1-wire sensor, or any: 28-00000a1b2c3d", shape: .text)]
      + NumberConversion.keys)
  /// A reading takes 750 ms.
  static let usualInterval = Duration.seconds(10)

  let place: OneWireNumber

  init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let name = fields.fileName("w1") else { return nil }
    place = OneWireNumber(name == "any" ? nil : name, conversion: conversion)
  }

  func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "1-wire thermometer", direction: .input, circuits: [.thermometer(line: "GPIO4")])
  }
}
