import PanelLanguage
import Terminal

/// Reads the conditions before a panel starts: `{ power: up, gpio: lost, busy: [ fan ] }`.
struct StartReader {
  let names: Names
  let problems: ProblemList

  func start(_ field: Field?) -> Scenario.Start {
    var start = Scenario.Start()
    guard let field else { return start }
    guard case .map(let entries) = field.node.content, !entries.isEmpty else {
      problems.addWrong(field)
      return start
    }
    let inputs = InputReferenceReader(names: names, problems: problems)
    for entry in entries {
      let key = Key(name: entry.key, takes: takes(entry))
      let field = Field(key: key, position: entry.position, node: entry.value)
      if isWord("unsettled", entry) {
        readUnsettled(field, inputs, into: &start)
      } else if isWord("busy", entry) {
        start.busy = inputs.devices(field) ?? []
      } else if entry.key == "clock", names.clock[.time] != nil {
        guard let text = problems.text(field) else { continue }
        start.clock = ClockTime(text)
        if start.clock == nil, text != "unknown" { problems.add(field.node.position, ClockTime.fault(of: text)) }
      } else if entry.key == "zone", names.clock[.time] != nil, !isOfPanel("zone") {
        start.zone = problems.text(field)
      } else if entry.key == "state", names.panel?.resumptions.isEmpty == false {
        start.kept.merge(ResumedStateReader(names: names, problems: problems).numbers(field)) { $1 }
      } else if let value = keptValue(entry.key) {
        start.kept.merge(numbers(of: value, field)) { $1 }
      } else if let hardware = names.hardware(entry.key) {
        if problems.presence(field) == true { start.missing.insert(hardware) }
      } else if case .chip = names.thing(entry.key) {
        problems.add(entry.position, names.faultOfWired(entry.key))
      } else if case .input(let input) = names.thing(entry.key) {
        if inputs.isUnknown(input, field) {
          // A sensor has no reading yet unless the start gives one.
          if let device = names.inputDevices[input], device.isReadAtStart, !device.isSensor,
            isSelector(input) || inputs.contact(entry.key, at: entry.position) != nil
          {
            if device.settlingTime(to: 0) == .zero, device.settlingTime(to: 1) == .zero {
              problems.add(
                field.node.position,
                "\(quoted(entry.key)) has no debounce time, so its position is known; "
                  + "write \(device.positions.joined(separator: " or ")), or give it debounce: 5ms")
            }
            start.unsettled.updateValue(nil, forKey: input)
          }
        } else if names.inputDevices[input]?.isSensor == true {
          start.readings[input] = problems.text(field).flatMap {
            inputs.reading($0, of: input, at: field.node.position)
          }
        } else if isSelector(input) {
          start.positions[input] = inputs.position(of: input, field)
        } else if let (input, position) = inputs.contactPosition(entry, in: key) {
          start.positions[input] = position
        }
      } else {
        addUnknown(entry)
      }
    }
    return start
  }

  /// Whether an entry is a word of `start` that takes a list or a map, and not a part of the panel that has this name. An
  /// input, a value and a chip take a single word, so both can be in one file.
  private func isWord(_ word: String, _ entry: YAMLNode.Entry) -> Bool {
    guard entry.key == word else { return false }
    switch names.thing(word) {
    case .input, .value, .chip: if case .scalar = entry.value.content { return false } else { return true }
    default: return true
    }
  }

  /// Whether a key of `start` is an input or a kept value of the panel.
  private func isOfPanel(_ name: String) -> Bool {
    if case .input = names.thing(name) { return true }
    return keptValue(name) != nil
  }

  private func isSelector(_ input: Int) -> Bool {
    names.inputDevices[input].map { type(of: $0).control } == .selector
  }

  /// Reads how long contacts chatter: `{ bell: 3ms }`.
  private func readUnsettled(_ field: Field, _ inputs: InputReferenceReader, into start: inout Scenario.Start) {
    guard case .map(let entries) = field.node.content, !entries.isEmpty else { return problems.addWrong(field) }
    for entry in entries {
      let field = Field(
        key: Key(
          name: entry.key, takes: "the time that its contact bounces: 3ms", shape: .span(.zero ... .seconds(60))),
        position: entry.position, node: entry.value)
      guard let input = inputs.contact(entry.key, at: entry.position),
        let span = problems.duration(field, in: .zero ... .seconds(60))
      else { continue }
      start.unsettled.updateValue(span, forKey: input)
    }
  }

  /// Looks up the value with this name, if it is kept.
  private func keptValue(_ name: String) -> PanelDefinition.Value? {
    names.panel?.values.first { $0.name == name && $0.kept != nil }
  }

  /// Reads the kept number of a value, or the elements of a list. Adds a problem for a wrong one.
  private func numbers(of value: PanelDefinition.Value, _ field: Field) -> [String: Int] {
    guard let list = value.list else {
      return problems.text(field).flatMap { number($0, of: value, at: field.node.position) }
        .map { [value.name: $0] } ?? [:]
    }
    guard let items = problems.items(field) else { return [:] }
    guard value.filled == nil ? items.count <= list.capacity : items.count == list.capacity else {
      let right = value.filled == nil ? "at most \(list.capacity)" : "\(list.capacity)"
      problems.add(field.node.position, "\(quoted(value.name)) has \(items.count) elements; it takes \(right)")
      return [:]
    }
    var numbers = value.filled == nil ? [value.name: items.count] : [:]
    for (place, item) in items.enumerated() {
      guard let text = problems.text(item, in: field), let number = number(text, of: value, at: item.position) else {
        return [:]
      }
      numbers["\(value.name)/\(place + 1)"] = number
    }
    return numbers
  }

  /// Reads a number of a value. Adds a problem and returns nil for a wrong one.
  private func number(_ text: String, of value: PanelDefinition.Value, at position: Position) -> Int? {
    let number = value.number(in: text)
    if let number, (value.min...value.max).contains(number) { return number }
    problems.add(
      position,
      "\(quoted(text)) is not in the range of \(quoted(value.name)); write \(value.text(of: value.min))...\(value.text(of: value.max))"
    )
    return nil
  }

  private func takes(_ entry: YAMLNode.Entry) -> String {
    let name = entry.key
    if isWord("unsettled", entry) { return "a map of contacts: { bell: 3ms }" }
    if isWord("busy", entry) { return "a list of devices: [ lamp ]" }
    if name == "clock" { return "a date and a time: \"2026-11-25 06:29:30\"" }
    if name == "zone" { return "a time zone: Europe/Berlin" }
    if names.hardware(name) != nil { return "lost or there" }
    if name == "state" { return "the last state of the panel" }
    if let value = keptValue(name), value.list != nil { return "the kept elements: [ 3, 1, 4 ]" }
    if case .value = names.thing(name) { return "the kept number" }
    return "a position of the input, or a reading of the sensor"
  }

  private func addUnknown(_ entry: YAMLNode.Entry) {
    if case .inputs = names.thing(entry.key) {
      _ = names.input(entry.key, at: entry.position, problems)
      return
    }
    if let thing = names.thing(entry.key) {
      problems.add(
        entry.position, "\(quoted(entry.key)) is \(thing.noun); a start has inputs, gpio, audio and busy: [ DEVICE ]")
      return
    }
    let known = Array(names.inputs.prefix(200)) + names.hardwareWords + ["busy"]
    let suggestion = problems.suggestion(for: entry.key, among: known, called: "names in \"start\"")
    problems.add(entry.position, "unknown name \(quoted(entry.key)) in \"start\"; \(suggestion)")
  }
}

extension ProblemList {
  /// Reads the presence of hardware: true for `lost`, false for `there`.
  func presence(_ field: Field) -> Bool? {
    guard let text = text(field) else { return nil }
    if text == "lost" || text == "there" { return text == "lost" }
    add(field.node.position, "\(quoted(field.key.name)) can't be \(quoted(text)); it is lost or there")
    return nil
  }
}
