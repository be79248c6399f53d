import Terminal

/// An operand that is compared with a word: the position of an input, the state of a region, the presence of hardware.
enum WordOperand {
  case input(Int)
  case hardware(PluggableHardware)
  case state(region: Int)
  case output(Int)
  /// All members of a group of outputs.
  case outputs(group: Int)
  /// The contact of a relay in an interlock.
  case contact(output: Int)

  var isState: Bool { if case .state = self { true } else { false } }
}

extension ExpressionCheck {
  /// Returns the condition that compares a subject with a word. Adds a problem for a word that is impossible for it.
  func condition(_ subject: WordOperand, _ name: Token, is word: Token) -> Condition? {
    switch subject {
    case .state(let region):
      let target = names.state(word.text, in: region, at: source.position(at: word.offset), problems)
      if let target { noteOther(target, word) }
      return target.map { .state($0) }
    case .output(let output): return look(output, word).map { .output(output, $0) }
    case .outputs(let group):
      let members = names.outputGroups[group].members
      guard let first = members.first, let look = look(first, word) else { return nil }
      return .all(members.map { .output($0, look) })
    case .contact(let output):
      names.usage.readsContacts = true
      return .contact(output: output, isClosed: word.text == "closed")
    case .hardware(let hardware):
      if word.text == "lost" { return .isLost(hardware) }
      if word.text == "there" { return .not(.isLost(hardware)) }
      return fail(at: word, "\(quoted(name.text)) can't be \(quoted(word.text)); it is lost or there")
    case .input(let input):
      guard let device = names.inputDevices[input] else { return nil }
      if word.text == "unknown", !device.positions.contains("unknown") { return .isUnknown(input: input) }
      if let position = device.positions.firstIndex(of: word.text) { return .position(input: input, position) }
      let kind = type(of: device).word
      return fail(
        at: word,
        "\(kind) \(quoted(name.text)) can't be \(quoted(word.text)); it is \(device.positions.reversed().joined(separator: " or "))"
      )
    }
  }

  private func look(_ output: Int, _ word: Token) -> ObservedOutput? {
    guard let device = names.outputDevices[output] else { return nil }
    if let look = device.look(named: word.text) { return look }
    return fail(
      at: word, "\(quoted(names.outputs[output])) can't be \(quoted(word.text)); it is \(device.expectation)")
  }

  /// Adds a note if a state can't be current here, because the condition belongs to a state beside it.
  private func noteOther(_ target: PanelDefinition.Target, _ word: Token) {
    guard let state = scope.state, names.topRegions[state] == names.topRegions[target.state],
      let here = names.path(of: state), !names.areCurrentTogether(state, target.state)
    else { return }
    problems.note(
      source.position(at: word.offset),
      "never true: state is \(here.joined(separator: " or ")) here, not \(word.text)")
  }

  /// Returns a word with which the subject can be compared.
  func example(of subject: WordOperand) -> String {
    switch subject {
    case .state(let region): names.regions[region].states.first ?? "idle"
    case .hardware: "lost"
    case .input(let input): names.inputDevices[input]?.positions.last ?? "on"
    case .output, .outputs: "on"
    case .contact: "closed"
    }
  }
}
