import HardwareDrivers
import HardwareLinux
import PanelLanguage
import Terminal

// The common keys of the sources of numbers.

extension NumberConversion {
  static let keys = [
    Key(
      name: "scale", takes: "a factor for the number: 0.1", shape: .number(-1e9...1e9), usual: "`1`",
      meaning: "factor for the number. It can't be 0"),
    Key(
      name: "offset", takes: "a number to add after scale: -5", shape: .number(-1e9...1e9), usual: "`0`",
      meaning: "number to add after `scale`"),
    Key(
      name: "unit", takes: "the unit to display: °C", shape: .text, usual: "unit of the source, if the source has one"),
  ]

  /// Reads the settings of ``keys``. Returns nil if no number would be left.
  init?(reading fields: DeviceFields) {
    let scale = fields.number("scale") ?? 1
    let offset = fields.number("offset") ?? 0
    if scale == 0, let field = fields["scale"] {
      fields.problems.add(field.node.position, "\"scale\" is 0; write another number")
      return nil
    }
    self.init(scale: scale, offset: offset, unit: fields.text("unit"))
  }
}

/// The key `number` of sources with several numbers.
enum SourceNumber {
  static let key = Key(
    name: "number", takes: "the name of a number of the source: temperature", shape: .text,
    usual: "the only number of the source", meaning: "name of a reading of the sheet, or of a number of the pattern")
}

/// The key `silent` of sources that send by themselves.
enum Silence {
  static let key = Key(
    name: "silent", takes: "a duration: 10s", shape: .span(.milliseconds(100)...Sensor.longestInterval),
    usual: "`2s` for pulses, `10s` for a serial line",
    meaning:
      "time without a pulse after which the rate is 0, or time without a matching line after which the sensor is lost")
}

extension DeviceFields {
  /// Adds a note for a scale that converts thousandths, which the kernel's files use: they are already converted.
  ///
  /// - Parameter unit: the unit of the source's number before the scale.
  func noteThousandths(_ conversion: NumberConversion, unit: String) {
    guard conversion.scale == 0.001, conversion.unit ?? unit == unit, ["°C", "%", "V", "A", "W", "J"].contains(unit),
      let field = self["scale"]
    else { return }
    problems.note(
      field.node.position,
      "the number is in \(unit) already, as the kernel's thousandths are converted; leave scale out")
  }

  /// The name of a folder of the kernel. A panel file may come from a stranger, so the name must not lead to another
  /// folder.
  func fileName(_ key: String) -> String? {
    guard let name = text(key) else { return nil }
    if name.isPrintable, !name.contains("/") { return name }
    problems.add(self[key]?.node.position ?? .start, "invalid name \(quoted(name)); it can't contain /")
    return nil
  }
}

extension String {
  /// Whether the text has no control characters.
  var isPrintable: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
