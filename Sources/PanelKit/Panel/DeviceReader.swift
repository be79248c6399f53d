import Terminal

/// Reads the inputs and outputs of a panel file.
struct DeviceReader {
  private typealias Pull = PanelDefinition.Pull
  private typealias Level = PanelDefinition.Level

  let problems: ProblemList
  /// By GPIO line, the name of the device that uses it and the line of the file on which it does.
  private var users: [String: (name: String, line: Int)] = [:]

  init(problems: ProblemList) {
    self.problems = problems
  }

  mutating func input(_ entry: YAMLNode.Entry) -> PanelDefinition.InputDevice? {
    guard let (kind, fields) = problems.kind(of: entry, "input", among: Grammar.inputs) else { return nil }
    switch kind {
    case "button":
      let contact = contact(fields)
      if contact.isClosedAtRest, let active = fields["active"] {
        problems.note(
          active.node.position,
          "\(quoted(entry.key)) is pressed while its contact is open; for a contact that closes when pressed leave \"active\" out"
        )
      }
      var settings = PanelDefinition.ButtonSettings(contact: contact)
      settings.hold = problems.duration(fields["hold"], in: .milliseconds(10) ... .seconds(60))
      settings.doubleClick = problems.duration(fields["double-click"], in: .milliseconds(50) ... .seconds(5))
      if let hold = settings.hold, hold <= contact.debounce, let field = fields["hold"] {
        let debounce = Quantity.text(contact.debounce)
        problems.add(
          field.node.position, "\"hold\" is \(Quantity.text(hold)); it takes more than the debounce, \(debounce)")
      }
      guard let line = line(fields["button"], of: entry.key) else { return nil }
      notePullDown(fields, line)
      return .button(line: line, settings)
    case "switch":
      let contact = contact(fields)
      guard let line = line(fields["switch"], of: entry.key) else { return nil }
      notePullDown(fields, line)
      return .switch(line: line, contact)
    default:
      let pull: Pull? = problems.choice(fields["pull"])
      guard let lines = lines(fields["encoder"], 2...2, of: entry.key) else { return nil }
      for line in lines { notePullDown(fields, line) }
      return .encoder(a: lines[0], b: lines[1], pull: pull ?? .up)
    }
  }

  mutating func output(_ entry: YAMLNode.Entry) -> PanelDefinition.Output? {
    guard let (kind, fields) = problems.kind(of: entry, "output", among: Grammar.outputs) else { return nil }
    let active: Level? = problems.choice(fields["active"])
    let device: PanelDefinition.OutputDevice
    switch kind {
    case "led":
      guard let line = line(fields["led"], of: entry.key) else { return nil }
      device = .led(line: line)
    case "relay":
      guard let line = line(fields["relay"], of: entry.key) else { return nil }
      device = .relay(line: line)
    default:
      guard let lines = lines(fields["bar"], 1...32, of: entry.key) else { return nil }
      device = .bar(lines: lines)
    }
    return .init(name: entry.key, device: device, active: active ?? .high)
  }

  private func contact(_ fields: Fields) -> PanelDefinition.Contact {
    var contact = PanelDefinition.Contact()
    if let debounce = problems.duration(fields["debounce"], in: .zero ... .seconds(10)) { contact.debounce = debounce }
    if let pull: Pull = problems.choice(fields["pull"]) { contact.pull = pull }
    contact.active = contact.pull == .down ? .high : .low
    if let active: Level = problems.choice(fields["active"]) { contact.active = active }
    if contact.pull == .none, let pull = fields["pull"], fields.isMissing("active") {
      problems.add(
        pull.node.position,
        "without a pull resistor \"active\" must be written; low for a contact to ground, high for one to the supply")
    }
    return contact
  }

  /// Adds a note for `pull: down` at GPIO2 and GPIO3, the I2C lines of a Raspberry Pi's header, which have pull-ups.
  private func notePullDown(_ fields: Fields, _ line: String) {
    guard ["GPIO2", "GPIO3"].contains(line), let pull = fields["pull"], pull.node.content == .scalar("down") else {
      return
    }
    problems.note(
      pull.node.position,
      "\(line) of a Raspberry Pi's header has a pull-up resistor of 1.8 kΩ, which pull: down can't overcome; use another line"
    )
  }

  private mutating func line(_ field: Field?, of name: String) -> String? {
    guard let field, let text = problems.text(field) else { return nil }
    return line(text, of: name, at: field.node.position)
  }

  private mutating func lines(_ field: Field?, _ count: ClosedRange<Int>, of name: String) -> [String]? {
    guard let field, let items = problems.items(field) else { return nil }
    guard count.contains(items.count) else {
      problems.add(
        field.node.position, "\(quoted(field.key.name)) is a list of \(items.count); it takes \(field.key.takes)")
      return nil
    }
    var lines: [String] = []
    for item in items {
      if let text = problems.text(item, in: field), let line = line(text, of: name, at: item.position) {
        lines.append(line)
      }
    }
    return lines.count == items.count ? lines : nil
  }

  private mutating func line(_ text: String, of name: String, at position: Position) -> String? {
    guard let line = Self.canonical(text) else {
      problems.add(position, "\(quoted(text)) is no line; write its name, GPIO17, or gpiochip0:17")
      return nil
    }
    if let user = users[line] {
      let whom = user.name == name ? "\(quoted(name)) itself" : quoted(user.name)
      problems.add(
        position, "line \(line) of \(quoted(name)) is used by \(whom) on line \(user.line) already; choose another")
      return nil
    }
    users[line] = (name, position.line)
    return line
  }

  /// The line's canonical spelling, `gpiochip0:17` without leading zeros; nil if the text is no line.
  private static func canonical(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      let isName =
        text.utf8.count <= 31 && text.first.map { $0.isASCII && $0.isLetter } ?? false
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./+#".contains($0)) }
      return isName ? text : nil
    }
    guard parts[0].hasPrefix("gpiochip"), let chip = number(parts[0].dropFirst("gpiochip".count)),
      let offset = number(parts[1])
    else { return nil }
    return "gpiochip\(chip):\(offset)"
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}

extension ProblemList {
  /// The kind of a device or sound and its fields. Its key that is the first key of one of `places` names the kind.
  func kind(of entry: YAMLNode.Entry, _ noun: String, among places: [Place]) -> (String, Fields)? {
    let kinds = places.map { $0.keys[0].name }
    guard case .map(let entries) = entry.value.content else {
      if entry.value.content != .refused {
        let example = places[0].keys[0]
        let kind = entry.value.kind
        add(
          entry.value.content == .nothing ? entry.position : entry.value.position,
          "\(kind) for \(noun) \(quoted(entry.key)); write a map, as { \(example.name): \(example.example) }"
        )
      }
      return nil
    }
    let found = entries.filter { kinds.contains($0.key) }
    if found.count == 1, let place = places.first(where: { $0.keys[0].name == found[0].key }) {
      return fields(entry.value, place, at: entry.position).map { (found[0].key, $0) }
    }
    if found.count > 1 {
      add(
        found[1].position, "\(noun) \(quoted(entry.key)) is a \(found[0].key) and a \(found[1].key); write one of them")
    } else if let near = entries.first(where: { nearest(to: $0.key, among: kinds) != nil }) {
      add(near.position, "unknown key \(quoted(near.key)); \(suggestion(for: near.key, among: kinds, called: "kinds"))")
    } else {
      add(entry.position, "\(noun) \(quoted(entry.key)) doesn't say what it is; give it one of \(listed(kinds))")
    }
    return nil
  }
}
