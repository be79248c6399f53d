import HardwareLinux

/// `{ iio: bme280, channel: temp }`: a channel of a device of the kernel's industrial I/O.
struct IIOSource: NumberSensorSource {
  static let grammar = Place(
    name: "a channel of industrial I/O", summary: "device of the kernel's industrial I/O",
    sample: "{ iio: bme280, channel: temp }",
    keys: [
      Key(name: "iio", takes: "the name of a device of the kernel's industrial I/O: bme280", shape: .text),
      .channel,
    ] + NumberConversion.keys)

  let place: IIOChannel
  var origin: String? { Self.originInKernel("iio \(place.name)") }

  init?(reading fields: DeviceFields) {
    guard let conversion = NumberConversion(reading: fields), let name = fields.fileName("iio"),
      let channel = fields.text("channel")
    else { return nil }
    place = IIOChannel(name, channel, conversion: conversion)
  }
}
