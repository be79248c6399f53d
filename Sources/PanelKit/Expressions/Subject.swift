import Terminal

/// What an expression compares with a word: the position of an input, the state of a region, whether hardware is there.
enum Subject {
  case input(Int)
  case hardware(PluggableHardware)
  case state(region: Int)

  var isState: Bool { if case .state = self { true } else { false } }
}

extension ExpressionCheck {
  /// The condition that a subject is as the word says; a word that the subject never is adds a problem.
  func condition(_ subject: Subject, _ name: Token, is word: Token) -> Condition? {
    switch subject {
    case .state(let region):
      return names.state(word.text, in: region, at: source.position(at: word.offset), problems).map { .state($0) }
    case .hardware(let hardware):
      if word.text == "lost" { return .isLost(hardware) }
      if word.text == "there" { return .not(.isLost(hardware)) }
      return fail(at: word, "\(quoted(name.text)) is never \(quoted(word.text)); it is lost or there")
    case .input(let input):
      guard let device = names.inputDevices[input] else { return nil }
      if let position = device.positions.firstIndex(of: word.text) { return .position(input: input, position) }
      let kind = type(of: device).word
      return fail(
        at: word,
        "\(kind) \(quoted(name.text)) is never \(quoted(word.text)); it is \(device.positions.reversed().joined(separator: " or "))"
      )
    }
  }

  /// A word that the subject can be compared with.
  func example(of subject: Subject) -> String {
    switch subject {
    case .state(let region): names.regions[region].states.first ?? "idle"
    case .hardware: "lost"
    case .input(let input): names.inputDevices[input]?.positions.last ?? "on"
    }
  }
}
