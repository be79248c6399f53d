import HardwareLinux

/// `{ hwmon: cpu_thermal, channel: temp1 }`: a channel of a chip of the kernel's hardware monitoring.
struct HwmonSource: NumberSensorSource {
  static let grammar = Place(
    name: "a channel of hardware monitoring", summary: "chip of the kernel's hardware monitoring",
    sample: "{ hwmon: cpu_thermal, channel: temp1 }",
    keys: [
      Key(name: "hwmon", takes: "the name of a chip of the kernel's hardware monitoring: cpu_thermal", shape: .text),
      .channel,
    ] + NumberConversion.keys)

  let place: HwmonChannel
  var origin: String? { Self.originInKernel("hwmon \(place.name)") }

  init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let name = fields.fileName("hwmon"),
      let channel = fields.text("channel")
    else { return nil }
    place = HwmonChannel(name, channel, conversion: conversion)
  }
}
