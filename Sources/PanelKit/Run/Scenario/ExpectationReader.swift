import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// Reads the expectations of a step: outputs, values, inputs, states, sounds that play, hardware.
struct ExpectationReader {
  private static let words = ["state", "playing", "audio.volume", "ended"]

  let names: Names
  let problems: ProblemList

  /// Reads one entry; returns several expectations if `state` names several regions. Adds a problem and returns none if
  /// the entry is wrong.
  func expectations(_ entry: YAMLNode.Entry) -> [Expectation] {
    let key = Key(name: entry.key, takes: takes(entry.key))
    let field = Field(key: key, position: entry.position, node: entry.value)
    switch names.thing(entry.key) {
    case .output(let number): return output(number, field).map { [$0] } ?? []
    case .outputs(let group): return outputs(names.outputGroups[group], field)
    case .value(let number): return value(number, field).map { [$0] } ?? []
    case .input(let number): return input(number, field).map { [$0] } ?? []
    case .inputs:
      _ = names.input(entry.key, at: entry.position, problems)
      return []
    case .sound, .sounds:
      problems.add(
        entry.position, "\(quoted(entry.key)) is a sound; expect playing: [ \(entry.key) ], or [] for silence")
      return []
    case .chip, .texts, nil: return word(field)
    }
  }

  private func takes(_ name: String) -> String {
    switch names.thing(name) {
    case .value(let value) where names.lists[value] != nil: return "a list of its elements: [ 3, 1 ]"
    case .value(let value):
      if names.times.contains(value) { return "a time of day: \"06:30\"" }
      return names.durations.contains(value)
        ? "a duration, or a range: 180ms..190ms" : "a whole number, or a range: 1..3"
    case .output(let output): return names.outputDevices[output]?.expectation ?? "the show of the output"
    case .outputs(let group):
      let expectation = names.outputDevices[names.outputGroups[group].first]?.expectation ?? "the show of the outputs"
      return "\(expectation), or a list of \(names.outputGroups[group].count) of them"
    default: break
    }
    switch name {
    case "state": return "a state, or a map of regions: { doors: open }"
    case "playing": return "a list of sounds: [ chime ], [] for silence"
    case "sent": return "a message, or a list of them: [ /cue/5/start ], [] for none"
    case "power": return "off, restart or none"
    case "audio.volume": return "a number 0...1"
    case "ended": return "an exit status 0...255, 0 while the panel works"
    default: return "an expected value"
    }
  }

  /// Reads an expectation with its own keyword.
  private func word(_ field: Field) -> [Expectation] {
    let name = field.key.name
    switch name {
    case "state": return states(field)
    case "playing":
      guard let items = problems.items(field) else { return [] }
      return [
        .playing(PlayReader(names: names, problems: problems, scope: ExpressionContext()).readFixed(items, in: field))
      ]
    case "sent": return SentMessagesReader(names: names, problems: problems).messages(field).map { [.sent($0)] } ?? []
    case "power" where names.panel?.asksForPower == true: return power(field)
    case "audio.volume": return problems.number(field, in: 0...1).map { [.volume($0)] } ?? []
    case "ended": return problems.whole(field, in: 0...255).map { [.ended(Int32($0))] } ?? []
    default: break
    }
    if let hardware = names.hardware(name) {
      return problems.presence(field).map { [.presence(hardware, isLost: $0)] } ?? []
    }
    if case .chip = names.thing(name) {
      problems.add(field.position, names.faultOfWired(name))
      return []
    }
    if name.hasPrefix("state.") {
      let region = String(name.dropFirst("state.".count))
      let right =
        names.regions.contains { $0.name == region } ? "{ \(region): \(written(field.node)) }" : written(field.node)
      problems.add(field.position, "unexpected \".\" in \(quoted(name)); write state: \(right)")
      return []
    }
    let known = Array(
      (names.outputs + names.values + names.inputs + Self.words + wordsOfFile + names.hardwareWords).prefix(200))
    let suggestion =
      StepWord.named(name).map { "it is a step of its own, write - \($0.inFile)" }
      ?? problems.suggestion(for: name, among: known, called: "expectations")
    problems.add(field.position, "unknown name \(quoted(name)) in \"expect\"; \(suggestion)")
    return []
  }

  /// `sent`, if the panel sends messages, and `power`, if it asks for a change of the machine's power.
  private var wordsOfFile: [String] {
    (names.panel?.messages.isEmpty == false ? ["sent"] : []) + (names.panel?.asksForPower == true ? ["power"] : [])
  }

  private func power(_ field: Field) -> [Expectation] {
    guard let text = problems.text(field) else { return [] }
    if text == Expectation.noPower { return [.power(nil)] }
    guard let change = PowerChange(rawValue: text) else {
      problems.addWrong(field)
      return []
    }
    return [.power(change)]
  }

  private func written(_ node: YAMLNode) -> String {
    if case .scalar(let text) = node.content { text } else { "STATE" }
  }

  // MARK: - Outputs

  private func output(_ output: Int, _ field: Field) -> Expectation? {
    guard let device = names.outputDevices[output] else { return nil }
    if case .map = field.node.content {
      let entry = YAMLNode.Entry(key: field.key.name, position: field.position, value: field.node)
      return device.appearance(reading: ShowField(entry: entry, names: names, problems: problems))
        .map { .appearance(output, $0) }
    }
    let text: String?
    if case .list(let rows) = field.node.content {
      let texts = rows.map { if case .scalar(let text) = $0.content { text } else { nil as String? } }
      text = texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: "\n")
    } else {
      guard let scalar = problems.text(field) else { return nil }
      text = scalar
    }
    if let text, let look = device.look(named: text) { return .output(output, look) }
    problems.addWrong(field)
    return nil
  }

  /// Reads the expectations of a group: one appearance for all members, or one for each.
  private func outputs(_ group: PanelDefinition.Group, _ field: Field) -> [Expectation] {
    guard case .list(let items) = field.node.content else {
      // If one member can't show it, none can: one problem is enough.
      guard let first = output(group.first, field) else { return [] }
      return [first] + group.members.dropFirst().compactMap { output($0, field) }
    }
    guard items.count == group.count else {
      problems.addWrong(field)
      return []
    }
    return zip(group.members, items).compactMap { member, item in
      output(member, Field(key: field.key, position: field.position, node: item))
    }
  }

  // MARK: - Inputs

  /// Reads a position. For a sensor, reads its presence, a number or a range of numbers.
  private func input(_ input: Int, _ field: Field) -> Expectation? {
    let inputs = InputReferenceReader(names: names, problems: problems)
    guard let device = names.inputDevices[input] else { return nil }
    if inputs.isUnknown(input, field) { return .position(input: input, PanelFrame.unknownPosition) }
    guard device.scale != nil, case .scalar(let text) = field.node.content, !device.positions.contains(text) else {
      return inputs.position(of: input, field).map { .position(input: input, $0) }
    }
    return range(text, field) { inputs.reading($0, of: input, at: field.node.position) }
      .map { .reading(input: input, $0) }
  }

  // MARK: - Values

  private func value(_ value: Int, _ field: Field) -> Expectation? {
    guard names.ranges[value] != nil else { return nil }
    if let list = names.lists[value] { return elements(of: list, field) }
    guard let text = problems.text(field) else { return nil }
    if let sign = text.first, "<>=!".contains(sign) {
      problems.add(
        field.node.position, "\(quoted(text)) is part of a condition; write expect: \(field.key.name) \(text)")
      return nil
    }
    return range(text, field) { number($0, of: value, field) }.map { .value(value, $0) }
  }

  private func elements(of list: DeclaredList, _ field: Field) -> Expectation? {
    guard let items = problems.items(field) else { return nil }
    let elements = items.compactMap { item -> Int? in
      guard let text = problems.text(item, in: field) else { return nil }
      if let element = list.element(text) { return element }
      problems.add(
        item.position, "\(quoted(text)) is not an element of \(quoted(field.key.name)); write \(list.rangeText)")
      return nil
    }
    return elements.count == items.count ? .elements(of: list.place, elements) : nil
  }

  /// Reads one number, or a range of two numbers with `..` between them.
  private func range(_ text: String, _ field: Field, _ number: (String) -> Int?) -> ClosedRange<Int>? {
    guard let points = text.firstPlace(of: "..") else { return number(text).map { $0...$0 } }
    guard let low = number(String(text[..<points.lowerBound])), let high = number(String(text[points.upperBound...]))
    else { return nil }
    guard low <= high else {
      let backwards = "\(text[points.upperBound...])..\(text[..<points.lowerBound])"
      problems.add(field.node.position, "\(text) is in the wrong order; write \(backwards)")
      return nil
    }
    return low...high
  }

  private func number(_ text: String, of value: Int, _ field: Field) -> Int? {
    let isDuration = names.durations.contains(value)
    let read =
      names.times.contains(value)
      ? ClockReader.minutes(text)
      : isDuration
        ? (try? Quantity.duration(text))?.wholeMilliseconds
        : Quantity.fixed(text, decimals: names.decimals(of: value))
    guard let number = read else {
      problems.addWrong(field)
      return nil
    }
    return names.isInRange(number, of: value, at: field.node.position, problems) ? number : nil
  }

  // MARK: - States

  private func states(_ field: Field) -> [Expectation] {
    switch field.node.content {
    case .scalar(let name):
      guard let region = names.region(nil, at: field.node.position, problems),
        let target = names.state(name, in: region, at: field.node.position, problems)
      else { return [] }
      return [.state(target, of: nil)]
    case .map(let entries) where !entries.isEmpty:
      return entries.compactMap { entry in
        let field = Field(key: field.key, position: entry.position, node: entry.value)
        guard let region = names.region(entry.key, at: entry.position, problems), let name = problems.text(field),
          let target = names.state(name, in: region, at: entry.value.position, problems)
        else { return nil }
        return .state(target, of: region)
      }
    default:
      problems.addWrong(field)
      return []
    }
  }
}
