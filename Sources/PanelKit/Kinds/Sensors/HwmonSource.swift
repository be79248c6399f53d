import HardwareLinux

/// `{ hwmon: cpu_thermal, channel: temp1 }`: a channel of a chip of the kernel's hardware monitoring.
package struct HwmonSource: KernelChannelSource {
  package static let grammar = makeGrammar(
    "hwmon", "a channel of hardware monitoring", summary: "chip of the kernel's hardware monitoring",
    sample: "{ hwmon: cpu_thermal, channel: temp1 }",
    takes: "the name of a chip of the kernel's hardware monitoring: cpu_thermal")

  package let place: HwmonChannel

  package init(place: HwmonChannel) { self.place = place }
  package var deviceClass: String? { deviceClassesOfChannels[place.quantityType] }

  package static func place(_ device: String, _ channel: String, _ conversion: NumberConversion) -> HwmonChannel {
    HwmonChannel(device, channel, conversion: conversion)
  }
}
