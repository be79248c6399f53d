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
      let key = Key(name: entry.key, takes: takes(entry.key))
      let field = Field(key: key, position: entry.position, node: entry.value)
      if entry.key == "unsettled", names.thing("unsettled") == nil {
        readUnsettled(field, inputs, into: &start)
      } else if entry.key == "busy" {
        start.busy = inputs.devices(field) ?? []
      } else if entry.key == "state", names.panel?.resumptions.isEmpty == false {
        start.kept.merge(ResumedStateReader(names: names, problems: problems).numbers(field)) { $1 }
      } else if let value = keptValue(entry.key) {
        start.kept[entry.key] = number(of: value, field)
      } else if let hardware = names.hardware(entry.key) {
        if problems.presence(field) == true { start.missing.insert(hardware) }
      } else if case .chip = names.thing(entry.key) {
        problems.add(entry.position, names.faultOfWired(entry.key))
      } else if case .input(let input) = names.thing(entry.key) {
        if inputs.isUnknown(input, field) {
          // A sensor has no reading yet unless the start gives one.
          if names.inputDevices[input].map({ $0.isReadAtStart && !$0.isSensor }) == true,
            isSelector(input) || inputs.contact(entry.key, at: entry.position) != nil
          {
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

  /// Reads the kept number of a value. Adds a problem and returns nil for a wrong one.
  private func number(of value: PanelDefinition.Value, _ field: Field) -> Int? {
    guard let text = problems.text(field) else { return nil }
    let number = value.isDuration ? (try? Quantity.duration(text))?.wholeMilliseconds : Quantity.whole(text)
    if let number, (value.min...value.max).contains(number) { return number }
    problems.add(
      field.node.position,
      "\(quoted(text)) is not in the range of \(quoted(value.name)); write \(value.text(of: value.min))...\(value.text(of: value.max))"
    )
    return nil
  }

  private func takes(_ name: String) -> String {
    if name == "unsettled" { return "a map of contacts: { bell: 3ms }" }
    if name == "busy" { return "a list of devices: [ lamp ]" }
    if names.hardware(name) != nil { return "lost or there" }
    if name == "state" { return "the last state of the panel" }
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
