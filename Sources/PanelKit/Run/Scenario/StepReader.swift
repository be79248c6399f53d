import HardwareDrivers
import PanelLanguage
import PanelNetwork
import Terminal

/// Reads steps. ``StepLineReader`` converts a typed line to the same nodes as in a file, so both mean the same.
struct StepReader {
  static let longest = Duration.seconds(1_000_000 * 60)

  let names: Names
  let problems: ProblemList
  private let inputs: InputReferenceReader

  init(names: Names, problems: ProblemList) {
    self.names = names
    self.problems = problems
    inputs = InputReferenceReader(names: names, problems: problems)
  }

  /// Reads the step in a node. Adds a problem and returns nil if it is wrong.
  func step(_ node: YAMLNode) -> Scenario.PlacedStep? {
    guard let entry = entry(node), let word = word(entry) else { return nil }
    guard word.inLine != nil else {
      let advice = word.form == .block ? "; type its steps" : ""
      problems.add(entry.position, "\(quoted(word.word)) is for scenario files\(advice)")
      return nil
    }
    return step(entry, word)
  }

  /// Reads an item of `steps`. Adds a problem and returns nil if it is not a step.
  func entry(_ node: YAMLNode) -> YAMLNode.Entry? {
    switch node.content {
    case .scalar(let word):
      let value = YAMLNode(content: .nothing, position: node.position)
      return YAMLNode.Entry(key: word, position: node.position, value: value)
    case .map(let entries) where entries.count == 1:
      return entries[0]
    case .map(let entries) where entries.count > 1:
      problems.add(
        entries[1].position, "\(quoted(entries[1].key)) in the step \(quoted(entries[0].key)); start a new step with -")
    case .refused: break
    case .list, .map, .nothing:
      problems.add(node.position, "a step can't be \(node.kind); write it as - press: bell")
    }
    return nil
  }

  /// Looks up the word that a step begins with; adds a problem for an unknown one.
  func word(_ entry: YAMLNode.Entry) -> StepWord? {
    if let word = StepWord.named(entry.key) { return word }
    let first = entry.key.split(separator: " ").first.flatMap { StepWord.named(String($0)) }
    let suggestion =
      first.map { "write it as \($0.inFile)" } ?? advice(entry)
      ?? problems.suggestion(for: entry.key, among: StepWord.all.map(\.word), called: "steps")
    problems.add(entry.position, "unknown step \(quoted(entry.key)); \(suggestion)")
    return nil
  }

  /// Advice for a step word of another language, or for a name of the panel with a value after it; nil for any other
  /// word.
  private func advice(_ entry: YAMLNode.Entry) -> String? {
    let text: String? = if case .scalar(let text) = entry.value.content { text } else { nil }
    switch entry.key {
    case "sleep", "delay", "pause": return "write wait: \(text ?? "3s")"
    case "assert", "check", "should": return "write expect: { lamp: off }"
    case "start": return "\"start\" is a key of the scenario file, write it above \"steps\""
    default: break
    }
    guard case .input(let input) = names.thing(entry.key), let device = names.inputDevices[input] else { return nil }
    switch Swift.type(of: device).control {
    case .button: return "write press: \(entry.key) or click: \(entry.key)"
    case .switch, .selector: return "write switch: { \(entry.key): \(text ?? device.positions[1]) }"
    case .knob: return "write turn: { \(entry.key): \(text ?? "1") }"
    case .sensor: return "write sense: { \(entry.key): \(text ?? "20") }"
    case .events: return device.events.isEmpty ? nil : "write event: { \(entry.key): \(device.eventExample) }"
    case .none: return nil
    }
  }

  func step(_ entry: YAMLNode.Entry, _ word: StepWord) -> Scenario.PlacedStep? {
    read(Field(key: word.key, position: entry.position, node: entry.value)).map {
      .init(step: $0, position: entry.position)
    }
  }

  private func read(_ field: Field) -> Step? {
    switch field.key.name {
    case "press": return buttons(field).map { .press($0) }
    case "release": return buttons(field).map { .release($0) }
    case "click": return buttons(field).map { .click($0) }
    case "hold": return hold(field)
    case "turn": return turn(field)
    case "switch": return `switch`(field)
    case "wait": return WaitReader(names: names, problems: problems).wait(field).map { .wait($0) }
    case "nothing": return span(field).map { .nothing($0) }
    case "heard": return HeardEventsReader(names: names, problems: problems).events(field).map { .heard($0) }
    case "expect": return expect(field)
    case "show": return show(field)
    case "unplug": return hardware(field, isPlugged: false)
    case "plug": return hardware(field, isPlugged: true)
    case "type": return type(field)
    case "sense": return sense(field)
    case "event": return event(field)
    case "draw": return draws(field)
    case "remote": return remote(field)
    case "busy": return inputs.devices(field).map { .busy($0) }
    case "idle": return inputs.devices(field).map { .idle($0) }
    case "jam":
      return pair(field).flatMap { inputs.contactPosition($0, in: field.key) }
        .map { .jam(input: $0.input, position: $0.position) }
    case "free":
      guard let text = problems.text(field) else { return nil }
      return inputs.contact(text, at: field.node.position).map { .free(input: $0) }
    case "stutter": return problems.duration(field, in: .milliseconds(1) ... .seconds(10)).map { .stutter($0) }
    case "power-cut": return span(field).map { .powerCut($0) }
    case "restart": return RestartReader(names: names, problems: problems).restart(field).map { .restart($0) }
    case "bounce": return bounce(field)
    case "clock": return clock(field)
    default: return seed(field)
    }
  }

  // MARK: - Arguments of the words

  private func span(_ field: Field) -> Duration? { problems.duration(field, in: .milliseconds(1)...Self.longest) }

  /// Reads a name and its value.
  private func pair(_ field: Field) -> YAMLNode.Entry? {
    if case .map(let entries) = field.node.content, let first = entries.first {
      guard entries.count > 1 else { return first }
      let other = entries[1]
      problems.add(
        other.position,
        "\(quoted(other.key)) can't be beside \(quoted(first.key)); one step takes one name, write another - \(field.key.name):"
      )
      return nil
    }
    problems.addWrong(field)
    return nil
  }

  private func value(of entry: YAMLNode.Entry, _ field: Field) -> Field {
    Field(key: field.key, position: entry.position, node: entry.value)
  }

  private func buttons(_ field: Field) -> [Int]? {
    if case .map(let entries) = field.node.content, let first = entries.first,
      case .scalar(let text) = first.value.content,
      (try? Quantity.duration(text)) != nil
    {
      problems.add(
        field.node.position, "\(quoted(field.key.name)) takes no duration; write hold: { \(first.key): \(text) }")
      return nil
    }
    guard let items = inputs.items(of: field) else { return nil }
    let buttons = items.compactMap { inputs.input($0.text, [.button], for: field.key.name, at: $0.position) }
    return buttons.count == items.count ? buttons : nil
  }

  private func hold(_ field: Field) -> Step? {
    guard let entry = pair(field), let input = inputs.input(entry.key, [.button], for: "hold", at: entry.position)
    else { return nil }
    return problems.duration(value(of: entry, field), in: .milliseconds(1)...Self.longest).map {
      .hold(input: input, $0)
    }
  }

  private func turn(_ field: Field) -> Step? {
    guard let entry = pair(field), let input = inputs.input(entry.key, [.knob], for: "turn", at: entry.position),
      let text = problems.text(value(of: entry, field))
    else { return nil }
    if let detents = Quantity.whole(text), detents != 0, (-1000...1000).contains(detents) {
      return .turn(input: input, detents: detents)
    }
    problems.add(
      entry.value.position, "\(quoted(text)) is not a number of detents; write -1000...1000, clockwise positive, not 0")
    return nil
  }

  private func `switch`(_ field: Field) -> Step? {
    guard let entry = pair(field),
      let input = inputs.input(entry.key, [.switch, .selector], for: "switch", at: entry.position),
      let position = inputs.position(of: input, value(of: entry, field)), let device = names.inputDevices[input]
    else { return nil }
    guard Swift.type(of: device).control == .selector else { return .switch(input: input, on: position == 1) }
    return device.event(of: position).map { .event(input: input, event: $0, number: nil) }
  }

  private func bounce(_ field: Field) -> Step? {
    guard let entry = pair(field), let input = names.input(entry.key, at: entry.position, problems) else { return nil }
    return problems.duration(value(of: entry, field), in: .zero ... .seconds(1)).map { .bounce(input: input, $0) }
  }

  /// Reads the digits that are clicked on the buttons of a group.
  private func type(_ field: Field) -> Step? {
    guard let entry = pair(field) else { return nil }
    guard case .inputs(let number) = names.thing(entry.key) else {
      let suggestion = problems.suggestion(
        for: entry.key, among: names.inputGroups.map(\.name), called: "groups of buttons")
      problems.add(entry.position, "\(quoted(entry.key)) is not a group of buttons; \(suggestion)")
      return nil
    }
    let group = names.inputGroups[number]
    guard inputs.input(names.inputs[group.first], [.button], for: "type", at: entry.position) != nil,
      let text = problems.text(value(of: entry, field))
    else { return nil }
    var buttons: [Int] = []
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      guard let digit = Character(scalar).wholeNumberValue, let button = group.member(digit) else {
        let digits = PanelDefinition.Group(
          name: group.name, first: 0, numbers: group.digits)
        problems.add(
          entry.value.position(at: offset),
          "\(quoted(String(scalar))) is not a button of \(quoted(group.name)); "
            + (digits.count == 0
              ? "none has a digit, write click: [\(names.inputs[group.first])]" : "write digits \(digits.choices)"))
        return nil
      }
      buttons.append(button)
    }
    return .click(buttons)
  }

  private func sense(_ field: Field) -> Step? {
    guard let entry = pair(field), let input = inputs.input(entry.key, [.sensor], for: "sense", at: entry.position),
      let text = problems.text(value(of: entry, field))
    else { return nil }
    return inputs.reading(text, of: input, at: entry.value.position).map { .sense(input: input, $0) }
  }

  /// Reads an event and the number that it carries: `read 4711`.
  private func event(_ field: Field) -> Step? {
    guard let entry = pair(field), let input = names.input(entry.key, at: entry.position, problems),
      let device = names.inputDevices[input], inputs.isOperated(device, entry.key, at: entry.position)
    else { return nil }
    guard Swift.type(of: device).control == .events else {
      problems.add(
        entry.position, "\(quoted(entry.key)) has no step event; \(advice(entry) ?? "use the steps of its kind")")
      return nil
    }
    guard let text = problems.text(value(of: entry, field)) else { return nil }
    let words = text.split(separator: " ").map(String.init)
    let position = entry.value.position
    guard let word = words.first, let event = device.events.firstIndex(of: word) else {
      let suggestion = problems.suggestion(for: words.first ?? "", among: device.events, called: "its events")
      problems.add(position, "\(quoted(entry.key)) has no event \(quoted(words.first ?? "")); \(suggestion)")
      return nil
    }
    guard device.carriers.contains(event) else {
      if words.count == 1 { return .event(input: input, event: event, number: nil) }
      problems.add(position, "\(entry.key).\(word) carries no number; write \(word) alone")
      return nil
    }
    guard words.count == 2 else {
      problems.add(position, "\(entry.key).\(word) carries one number; write it after \(word)")
      return nil
    }
    return inputs.reading(words[1], of: input, at: position).map { .event(input: input, event: event, number: $0) }
  }

  /// Reads a remote command: a value to set, a button to press, an encoder to turn, or an event.
  private func remote(_ field: Field) -> Step? {
    guard let entry = pair(field), let text = problems.text(value(of: entry, field)), let panel = names.panel else {
      return nil
    }
    let parts = text.split(separator: " ").map(String.init)
    do throws(RemoteRefusal) {
      let words = try remoteWords(entry.key, parts, of: panel)
      return .remote(try RemoteCommand(words, for: panel))
    } catch {
      problems.add(entry.position, error.text)
      return nil
    }
  }

  /// The words of the same command on the control socket. The type of the named thing selects `set`, `press`, `turn` or
  /// `do`.
  private func remoteWords(
    _ name: String, _ parts: [String], of panel: PanelDefinition
  ) throws(RemoteRefusal) -> [String] {
    if panel.values.contains(where: { $0.name == name }) { return ["set", name] + parts }
    if parts.count == 1, ["press", "release", "click", "do"].contains(parts[0]) { return [parts[0], name] }
    guard let input = panel.inputs.firstIndex(where: { $0.name == name }) else {
      return [panel.accept.events.contains(name) ? "do" : "turn", name] + parts
    }
    guard Swift.type(of: panel.inputs[input].device).control == .button else {
      return parts.first == "hold" ? ["hold", name] + parts.dropFirst() : ["turn", name] + parts
    }
    // An MQTT message may contain any text. A file is checked before it runs.
    guard parts.first == "hold" || parts.count == 1 && RemoteCommand.isSwitched(parts[0]) else {
      throw RemoteRefusal(.wrongUsage, "\(name) takes \(RemoteCommand.pressWords), 1 or 0")
    }
    return [parts.first == "hold" ? "hold" : "press", name] + (parts.first == "hold" ? parts.dropFirst() : parts[...])
  }

  /// Reads the next random results: numbers, and durations in milliseconds.
  private func draws(_ field: Field) -> Step? {
    guard names.usage.drawsNumbers else {
      problems.add(field.position, "\"draw\" needs a panel with random choices; leave it out")
      return nil
    }
    guard let items = inputs.items(of: field) else { return nil }
    let results = items.compactMap { text, position -> Int? in
      if let number = Quantity.whole(text) { return number }
      if let milliseconds = (try? Quantity.duration(text))?.wholeMilliseconds { return milliseconds }
      problems.add(position, "\(quoted(text)) is not a random result; write whole numbers and durations: [ 3, 2s ]")
      return nil
    }
    return results.count == items.count ? .draw(results) : nil
  }

  private func clock(_ field: Field) -> Step? {
    guard names.clock[.time] != nil else {
      problems.add(field.position, "\"clock\" needs a panel with times of day; leave it out")
      return nil
    }
    guard let text = problems.text(field) else { return nil }
    if let time = ClockTime(text) { return .clock(time) }
    problems.add(field.node.position, ClockTime.fault(of: text))
    return nil
  }

  private func seed(_ field: Field) -> Step? {
    guard let text = problems.text(field) else { return nil }
    let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isDigits, let seed = UInt64(text) { return .seed(seed) }
    problems.add(
      field.node.position, "\(quoted(text)) is not a seed; write a whole number from 0 to 18446744073709551615")
    return nil
  }

  /// Reads the card or all chips, a sensor, one chip, or the hardware of another port.
  private func hardware(_ field: Field, isPlugged: Bool) -> Step? {
    guard let text = problems.text(field) else { return nil }
    if let hardware = names.hardware(text) { return isPlugged ? .plug(hardware) : .unplug(hardware) }
    // The time of day has the name of its port.
    let isPort = names.portWords.contains(text) || text == ClockPort.name && names.clock[.time] != nil
    if isPort { return isPlugged ? .plugPort(text) : .unplugPort(text) }
    if case .input(let input) = names.thing(text), names.inputDevices[input]?.isSensor == true {
      return isPlugged ? .plugSensor(input: input) : .unplugSensor(input: input)
    }
    if case .chip = names.thing(text) {
      problems.add(field.node.position, names.faultOfWired(text))
      return nil
    }
    let sensors = names.inputs.indices.filter { names.inputDevices[$0]?.isSensor == true }.map { names.inputs[$0] }
    let words = names.hardwareWords + names.portWords
    let known = listed(Array(words.prefix(9)) + sensors.prefix(7))
    problems.add(
      field.node.position,
      "can't \(field.key.name) \(quoted(text)); write \(sensors.isEmpty && words.count == 2 ? "audio or gpio" : "one of \(known)")"
    )
    return nil
  }

  private func show(_ field: Field) -> Step? {
    guard field.node.content == .nothing else {
      problems.add(field.node.position, "\"show\" takes no value; remove \(field.node.kind)")
      return nil
    }
    return .show
  }

  private func expect(_ field: Field) -> Step? {
    switch field.node.content {
    case .scalar:
      return WaitReader(names: names, problems: problems).condition(field).map { .expect([.condition($0)]) }
    case .map(let entries) where !entries.isEmpty:
      let reader = ExpectationReader(names: names, problems: problems)
      return .expect(entries.flatMap { reader.expectations($0) })
    default:
      problems.addWrong(field)
      return nil
    }
  }
}
