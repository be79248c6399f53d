import HardwareDrivers
import HardwareLinux
import Terminal

/// Where the number of a sensor is, as a file says it: `{ w1: 28-00000a1b2c3d }`, `{ iio: bme280, channel: temp }`,
/// `{ hwmon: cpu_thermal, channel: temp1 }`, `{ file: /run/air }`.
enum SensorPlace: NumberPlace {
  case oneWire(OneWireNumber)
  case iio(IIOChannel)
  case hwmon(HwmonChannel)
  case file(NumberFile)

  static let grammar = Place(
    name: "the place of a number",
    keys: [
      Key(name: "w1", takes: "the name of a 1-wire sensor, or any: 28-00000a1b2c3d", shape: .text),
      Key(name: "iio", takes: "the name of a device of the kernel's industrial I/O: bme280", shape: .text),
      Key(name: "hwmon", takes: "the name of a chip of the kernel's hardware monitoring: cpu_thermal", shape: .text),
      Key(name: "file", takes: "the path of a file with a number in it: /run/air", shape: .text),
      Key(name: "channel", takes: "the name of a channel: temp1", shape: .text),
      Key(name: "scale", takes: "what the number is multiplied by: 0.1", shape: .text),
      Key(name: "offset", takes: "what is added after that: -5", shape: .text),
      Key(name: "unit", takes: "the unit that people read: °C", shape: .text),
    ])

  init?(reading device: DeviceFields) {
    let problems = device.problems
    guard let field = device["sensor"], let fields = problems.fields(field.node, Self.grammar, at: field.position)
    else {
      return nil
    }
    let sources = fields.all.filter { ["w1", "iio", "hwmon", "file"].contains($0.key.name) }
    guard let source = sources.first, sources.count == 1 else {
      let position = sources.count > 1 ? sources[1].position : field.node.position
      problems.add(
        position,
        sources.isEmpty
          ? "\(quoted(device.name)) doesn't say where its number is; give it one of w1, iio, hwmon, file"
          : "\(sources[1].key.name) beside \(sources[0].key.name); write one of them")
      return nil
    }
    let scale = problems.number(fields["scale"], in: -1e9...1e9) ?? 1
    if scale == 0, let field = fields["scale"] {
      problems.add(field.node.position, "a scale of 0 leaves no number; write another")
      return nil
    }
    let conversion = NumberConversion(
      scale: scale, offset: problems.number(fields["offset"], in: -1e9...1e9) ?? 0, unit: problems.text(fields["unit"]))
    guard let name = problems.text(source) else { return nil }
    let needsChannel = source.key.name == "iio" || source.key.name == "hwmon"
    let channel = problems.text(fields["channel"])
    if needsChannel, fields.isMissing("channel") {
      problems.add(source.position, "\(source.key.name) without a channel; write channel: temp1")
    } else if !needsChannel, let channel = fields["channel"] {
      problems.add(channel.position, "\"channel\" beside \(source.key.name), which has none; leave it out")
    }
    guard !needsChannel || channel != nil, Self.isGood(name, source, problems) else { return nil }
    switch source.key.name {
    case "w1": self = .oneWire(OneWireNumber(name == "any" ? nil : name, conversion: conversion))
    case "iio": self = .iio(IIOChannel(name, channel ?? "", conversion: conversion))
    case "hwmon": self = .hwmon(HwmonChannel(name, channel ?? "", conversion: conversion))
    default: self = .file(NumberFile(name, conversion: conversion))
    }
  }

  /// Whether a name is one of a folder of the kernel's: a file may come from somebody else, and must not lead out of there.
  private static func isGood(_ name: String, _ field: Field, _ problems: ProblemList) -> Bool {
    let isFile = field.key.name == "file"
    let isGood =
      name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && (isFile ? name.hasPrefix("/") : !name.contains("/"))
    if !isGood {
      problems.add(
        field.node.position,
        isFile
          ? "\(quoted(name)) is no whole path; write one that begins with /"
          : "bad name \(quoted(name)); write it without /")
    }
    return isGood
  }

  private var place: any NumberPlace {
    switch self {
    case .oneWire(let place): place
    case .iio(let place): place
    case .hwmon(let place): place
    case .file(let place): place
    }
  }

  var name: String { place.name }
  var unit: String { place.unit }
  func makeSource() -> any NumberSource { place.makeSource() }

  /// How often the sensor is read unless the file says otherwise: a 1-wire thermometer takes 750 ms for a reading.
  var usualInterval: Duration {
    switch self {
    case .oneWire: .seconds(10)
    case .iio, .hwmon, .file: .seconds(1)
    }
  }

  func source(on platform: Platform) -> any NumberSource { platform.number(at: self) }

  func wiring(named name: String) -> WiringPlan.Device? {
    guard case .oneWire = self else { return nil }
    return WiringPlan.Device(
      name: name, kind: "1-wire thermometer", direction: .input, circuits: [.thermometer(line: "GPIO4")])
  }
}
