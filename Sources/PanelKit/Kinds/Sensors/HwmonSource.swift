import HardwareLinux

/// `{ hwmon: cpu_thermal, channel: temp1 }`: a channel of a chip of the kernel's hardware monitoring.
struct HwmonSource: NumberSensorSource {
  static let grammar = Place(
    name: "a channel of hardware monitoring",
    keys: [
      Key(name: "hwmon", takes: "the name of a chip of the kernel's hardware monitoring: cpu_thermal", shape: .text),
      Key(name: "channel", takes: "the name of a channel: temp1", isRequired: true, shape: .text),
    ] + NumberConversion.keys)

  let place: HwmonChannel

  init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let name = fields.fileName("hwmon"),
      let channel = fields.text("channel")
    else { return nil }
    place = HwmonChannel(name, channel, conversion: conversion)
  }
}
