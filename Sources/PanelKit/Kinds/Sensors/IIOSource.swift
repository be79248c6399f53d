import HardwareLinux

/// `{ iio: bme280, channel: temp }`: a channel of a device of the kernel's industrial I/O.
package struct IIOSource: KernelChannelSource {
  package static let grammar = makeGrammar(
    "iio", "a channel of industrial I/O", summary: "device of the kernel's industrial I/O",
    sample: "{ iio: bme280, channel: temp }", takes: "the name of a device of the kernel's industrial I/O: bme280")

  package let place: IIOChannel

  package init(place: IIOChannel) { self.place = place }
  package var deviceClass: String? { deviceClassesOfChannels[place.quantityType] }

  package static func place(_ device: String, _ channel: String, _ conversion: NumberConversion) -> IIOChannel {
    IIOChannel(device, channel, conversion: conversion)
  }
}
