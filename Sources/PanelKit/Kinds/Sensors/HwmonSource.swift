import HardwareLinux

/// `{ hwmon: cpu_thermal, channel: temp1 }`: a channel of a chip of the kernel's hardware monitoring.
struct HwmonSource: KernelChannelSource {
  static let grammar = makeGrammar(
    "hwmon", "a channel of hardware monitoring", summary: "chip of the kernel's hardware monitoring",
    sample: "{ hwmon: cpu_thermal, channel: temp1 }",
    takes: "the name of a chip of the kernel's hardware monitoring: cpu_thermal")

  let place: HwmonChannel
  var deviceClass: String? { deviceClassesOfChannels[place.quantityType] }

  static func place(_ device: String, _ channel: String, _ conversion: NumberConversion) -> HwmonChannel {
    HwmonChannel(device, channel, conversion: conversion)
  }
}
