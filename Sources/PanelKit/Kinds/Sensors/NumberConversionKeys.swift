import HardwareLinux
import Terminal

// What the sources of numbers have in common.

extension NumberConversion {
  static let keys = [
    Key(
      name: "scale", takes: "what the number is multiplied by: 0.1", shape: .number(-1e9...1e9), usual: "`1`",
      meaning: "what the number is multiplied by; not 0"),
    Key(
      name: "offset", takes: "what is added after that: -5", shape: .number(-1e9...1e9), usual: "`0`",
      meaning: "what is added after that"),
    Key(
      name: "unit", takes: "the unit that people read: °C", shape: .text, usual: "the source's: °C, V, A, W, %, mm"),
  ]

  /// The settings of ``keys``; nil if no number would be left.
  init?(reading fields: DeviceFields) {
    let scale = fields.number("scale") ?? 1
    let offset = fields.number("offset") ?? 0
    if scale == 0, let field = fields["scale"] {
      fields.problems.add(field.node.position, "a scale of 0 leaves no number; write another")
      return nil
    }
    self.init(scale: scale, offset: offset, unit: fields.text("unit"))
  }
}

extension DeviceFields {
  /// Adds a note for a scale that converts thousandths, as the kernel's files have them: they are converted already.
  ///
  /// - Parameter unit: of the source's number before the scale.
  func noteThousandths(_ conversion: NumberConversion, unit: String) {
    guard conversion.scale == 0.001, conversion.unit ?? unit == unit, ["°C", "%", "V", "A", "W", "J"].contains(unit),
      let field = self["scale"]
    else { return }
    problems.note(
      field.node.position,
      "the number is in \(unit) already, as the kernel's thousandths are converted; leave scale out")
  }

  /// The name of a folder of the kernel's: a file may come from somebody else, and must not lead out of there.
  func fileName(_ key: String) -> String? {
    guard let name = text(key) else { return nil }
    if name.isPrintable, !name.contains("/") { return name }
    problems.add(self[key]?.node.position ?? .start, "bad name \(quoted(name)); write it without /")
    return nil
  }
}

extension String {
  /// Whether it has no control characters.
  var isPrintable: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
