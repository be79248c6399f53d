import Terminal

/// Reads the `accept` of a panel file.
struct AcceptedCommandsReader {
  let names: Names
  let problems: ProblemList

  func acceptance(_ field: Field?) -> AcceptedCommands {
    guard let field, let fields = problems.fields(field.node, Grammar.accept, at: field.position) else {
      return AcceptedCommands()
    }
    checkEvents(fields["event"])
    return AcceptedCommands(
      values: places(fields["set"]) { name, position in value(name, at: position).map { [$0] } },
      presses: places(fields["press"]) { inputs($0, .button, "button", at: $1) },
      turns: places(fields["turn"]) { inputs($0, .knob, "encoder", at: $1) }, events: names.acceptedEvents)
  }

  /// The names of the accepted events, without duplicates. They are read before the parts of the file that use them.
  static func events(_ field: Field?, _ problems: ProblemList) -> [String] {
    guard case .map(let entries)? = field?.node.content, let entry = entries.first(where: { $0.key == "event" }),
      let key = Grammar.accept.keys.first(where: { $0.name == "event" })
    else { return [] }
    let events = Field(key: key, position: entry.position, node: entry.value)
    var names: [String] = []
    for item in problems.items(events) ?? [] {
      guard let name = problems.text(item, in: events), Names.isGood(name, at: item.position, problems) else {
        continue
      }
      if ["lost", "restored"].contains(name) {
        problems.add(item.position, "\(quoted(name)) is an event of the connection to the broker; choose another name")
      } else if names.contains(name) {
        problems.add(item.position, "\(quoted(name)) is already accepted; remove it here")
      } else {
        names.append(name)
      }
    }
    return names
  }

  /// Adds a problem for an event with the name of a value or an input, because a command with that name would be
  /// ambiguous.
  private func checkEvents(_ field: Field?) {
    guard let field, case .list(let items) = field.node.content else { return }
    for item in items {
      guard case .scalar(let name) = item.content, names.acceptedEvents.contains(name) else { continue }
      switch names.thing(name) {
      case .value, .input, .inputs:
        let noun = names.thing(name)?.noun ?? ""
        problems.add(item.position, "\(quoted(name)) is \(noun) of this file; give the event another name")
      case .output, .outputs, .sound, .sounds, .chip, .texts, nil: break
      }
    }
  }

  /// The indexes of the items that a list names, without duplicates.
  private func places(_ field: Field?, _ read: (String, Position) -> [Int]?) -> [Int] {
    guard let field, let items = problems.items(field) else { return [] }
    var places: [Int] = []
    for item in items {
      guard let name = problems.text(item, in: field), let found = read(name, item.position) else { continue }
      if found.contains(where: places.contains) {
        problems.add(item.position, "\(quoted(name)) is already accepted; remove it here")
      }
      places += found.filter { !places.contains($0) }
    }
    return places
  }

  private func value(_ name: String, at position: Position) -> Int? {
    guard let value = names.value(name, at: position, problems) else { return nil }
    guard names.lists[value] == nil else {
      problems.add(
        position, "\(quoted(name)) is a list, and remote commands can't set lists; name a number or a duration")
      return nil
    }
    return value
  }

  /// The input that accepts this kind of operation, or all members of a group of inputs.
  private func inputs(_ name: String, _ control: InputControl, _ noun: String, at position: Position) -> [Int]? {
    let inputs: [Int]
    if let group = names.group(name), names.inputGroups.contains(group) {
      inputs = Array(group.members)
    } else if let input = names.input(name, at: position, problems) {
      inputs = [input]
    } else {
      return nil
    }
    guard let device = names.inputDevices[inputs[0]] else { return nil }
    guard type(of: device).control == control else {
      let known = names.inputs.indices.filter {
        names.inputDevices[$0].map { type(of: $0).control == control } ?? false
      }
      let remedy =
        type(of: device).control == .none
        ? "it is computed from other inputs, name those"
        : known.isEmpty ? "there are no \(noun)s" : "\(noun)s: \(listed(known.map { names.inputs[$0] }))"
      problems.add(position, "\(quoted(name)) is \(type(of: device).phrase), not \(noun.withArticle); \(remedy)")
      return nil
    }
    return inputs
  }
}
