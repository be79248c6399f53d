import PanelLanguage
import Terminal

/// Reads the inputs that steps name, and the positions of their contacts.
struct InputReferenceReader {
  let names: Names
  let problems: ProblemList

  /// Looks up an input that has one of these controls; adds a problem for any other input.
  func input(_ name: String, _ controls: [InputControl], for step: String, at position: Position) -> Int? {
    guard let input = names.input(name, at: position, problems), let device = names.inputDevices[input] else {
      return nil
    }
    if controls.contains(type(of: device).control) { return input }
    guard isOperated(device, name, at: position) else { return nil }
    let noun = Self.noun(controls[0])
    let article = noun == "encoder" ? "an" : "a"
    problems.add(position, "\(quoted(name)) is not \(article) \(noun); \(step) takes \(article) \(noun)")
    return nil
  }

  /// Whether an input can be operated directly. A computed input can't: it adds a problem.
  func isOperated(_ device: any InputKind, _ name: String, at position: Position) -> Bool {
    guard type(of: device).control == .none else { return true }
    problems.add(position, "\(quoted(name)) is computed from other inputs; operate those")
    return false
  }

  private static func noun(_ control: InputControl) -> String {
    switch control {
    case .button: "button"
    case .switch, .selector: "switch"
    case .knob: "encoder"
    case .sensor, .events, .none: "sensor"
    }
  }

  /// Looks up a button or a switch, for steps that take any contact.
  func contact(_ name: String, at position: Position) -> Int? {
    guard let input = names.input(name, at: position, problems), let device = names.inputDevices[input],
      isOperated(device, name, at: position)
    else { return nil }
    let control = type(of: device).control
    if control == .button || control == .switch { return input }
    problems.add(position, "\(quoted(name)) has no contact to move; name a button or a switch")
    return nil
  }

  /// Reads a button or a switch and the word of one of its positions.
  func contactPosition(_ entry: YAMLNode.Entry, in key: Key) -> (input: Int, position: Int)? {
    guard let input = contact(entry.key, at: entry.position) else { return nil }
    return position(of: input, Field(key: key, position: entry.position, node: entry.value)).map { (input, $0) }
  }

  /// Whether the field gives `unknown` as the state of an input that can be unknown.
  func isUnknown(_ input: Int, _ field: Field) -> Bool {
    guard let device = names.inputDevices[input], device.isUnknownAtStart, !device.positions.contains("unknown"),
      case .scalar("unknown") = field.node.content
    else { return false }
    return true
  }

  /// Reads one of the positions of an input, as its index in ``InputKind/positions``.
  func position(of input: Int, _ field: Field) -> Int? {
    guard let device = names.inputDevices[input] else { return nil }
    let subject = "\(type(of: device).word) \(quoted(names.inputs[input]))"
    guard !device.positions.isEmpty else {
      problems.add(field.position, "\(subject) has no position; name a button or a switch")
      return nil
    }
    guard let text = problems.text(field) else { return nil }
    if let position = device.positions.firstIndex(of: text) { return position }
    let words = device.positions.reversed().joined(separator: " or ")
    problems.add(field.node.position, "\(subject) can't be \(quoted(text)); it is \(words)")
    return nil
  }

  /// Reads the number that a sensor reads, or that an event carries, in the units of its scale.
  func reading(_ text: String, of input: Int, at position: Position) -> Int? {
    guard let scale = names.inputDevices[input]?.scale else { return nil }
    let name = quoted(names.inputs[input])
    if scale.isTime, let minutes = ClockReader.minutes(text) { return minutes }
    guard let (number, decimals) = Quantity.decimal(text) else {
      problems.add(
        position,
        "\(quoted(text)) is not a reading of \(name); write a number, as \(scale.text(of: scale.range.lowerBound))")
      return nil
    }
    guard decimals <= scale.decimals else {
      problems.add(position, "\(text) has more decimals than \(name); write at most \(scale.decimals)")
      return nil
    }
    let reading = number * Quantity.powerOfTen(scale.decimals - decimals)
    guard scale.range.contains(reading) else {
      let (low, high) = (scale.text(of: scale.range.lowerBound), scale.text(of: scale.range.upperBound))
      problems.add(position, "\(text) is outside the range of \(name); write \(low)...\(high)")
      return nil
    }
    guard scale.readable.contains(where: { $0.contains(reading) }) else {
      let choices = scale.readable.filter { range in
        // A single value inside a larger range, such as a marker for an error, is not listed: the larger range is.
        !scale.readable.contains { $0.count > range.count && $0.contains(range.lowerBound) }
      }.map { range in
        range.count == 1
          ? scale.text(of: range.lowerBound)
          : "\(scale.text(of: range.lowerBound))...\(scale.text(of: range.upperBound))"
      }
      problems.add(position, "\(name) can't read \(text); write \(choices.joined(separator: " or "))")
      return nil
    }
    return reading
  }

  /// Reads the devices in a name or a list of names.
  func devices(_ field: Field) -> [DeviceReference]? {
    guard let found = items(of: field) else { return nil }
    let devices = found.compactMap { device($0.text, at: $0.position) }
    return devices.count == found.count ? devices.flatMap { $0 } : nil
  }

  /// Looks up a device that has GPIO lines, or all members of a group.
  private func device(_ name: String, at position: Position) -> [DeviceReference]? {
    let devices: [DeviceReference]
    switch names.thing(name) {
    case .input(let input): devices = [.input(input)]
    case .output(let output): devices = [.output(output)]
    case .inputs(let group): devices = names.inputGroups[group].members.map { .input($0) }
    case .outputs(let group): devices = names.outputGroups[group].members.map { .output($0) }
    case let other:
      let suggestion = problems.suggestion(for: name, among: names.inputs + names.outputs, called: "devices")
      problems.add(
        position,
        other.map { "\(quoted(name)) is \($0.noun), which has no lines; \(suggestion)" }
          ?? "unknown device \(quoted(name)); \(suggestion)")
      return nil
    }
    if devices.contains(where: { !lines(of: $0).isEmpty }) { return devices }
    problems.add(position, "\(quoted(name)) is on no GPIO line; name another device")
    return nil
  }

  private func lines(of device: DeviceReference) -> [String] {
    switch device {
    case .input(let input): names.inputDevices[input]?.lines ?? []
    case .output(let output): names.outputDevices[output]?.lines ?? []
    }
  }

  /// Reads a name or a list of names, with their positions. Adds a problem and returns nil for anything else.
  func items(of field: Field) -> [(text: String, position: Position)]? {
    guard case .list(let nodes) = field.node.content, !nodes.isEmpty else {
      return problems.text(field).map { [($0, field.node.position)] }
    }
    let items = nodes.compactMap { node in problems.text(node, in: field).map { ($0, node.position) } }
    return items.count == nodes.count ? items : nil
  }
}
