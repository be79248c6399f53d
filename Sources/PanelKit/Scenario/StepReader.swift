import Terminal

/// Reads steps. ``StepLine`` converts a typed line to the same nodes as a file's step has, so both mean the same.
struct StepReader {
  static let longest = Duration.seconds(1_000_000 * 60)

  let names: Names
  let problems: ProblemList

  /// The step in an item of `steps`; nil if something is wrong with it, which adds a problem.
  func step(_ node: YAMLNode) -> Scenario.PlacedStep? {
    switch node.content {
    case .scalar(let word):
      let value = YAMLNode(content: .nothing, position: node.position)
      return step(YAMLNode.Entry(key: word, position: node.position, value: value))
    case .map(let entries) where entries.count == 1:
      return step(entries[0])
    case .map(let entries) where entries.count > 1:
      problems.add(
        entries[1].position, "\(quoted(entries[1].key)) in the step \(quoted(entries[0].key)); begin a new step with -")
    case .refused: break
    case .list, .map, .nothing:
      problems.add(node.position, "\(node.kind) as a step; write one as - press: bell")
    }
    return nil
  }

  private func step(_ entry: YAMLNode.Entry) -> Scenario.PlacedStep? {
    guard let word = Grammar.steps.first(where: { $0.word == entry.key }) else {
      let suggestion = problems.suggestion(for: entry.key, among: Grammar.steps.map(\.word), called: "steps")
      problems.add(entry.position, "unknown step \(quoted(entry.key)); \(suggestion)")
      return nil
    }
    let field = Field(
      key: Key(name: word.word, takes: "what \"\(word.inFile)\" shows"), position: entry.position, node: entry.value)
    let step: Step? =
      switch word.form {
      case .input: press(field)
      case .inputWithValue: inputWithValue(field)
      case .word: wordStep(field)
      case .expectations: expect(field)
      case .nothing: show(field)
      }
    return step.map { .init(step: $0, position: entry.position) }
  }

  private func show(_ field: Field) -> Step? {
    guard field.node.content == .nothing else {
      problems.add(field.node.position, "\(field.node.kind) after \"show\"; it takes nothing")
      return nil
    }
    return .show
  }

  private func press(_ field: Field) -> Step? {
    guard let name = problems.text(field), let input = names.input(name, at: field.node.position, problems),
      isButton(input, field, at: field.node.position)
    else { return nil }
    switch field.key.name {
    case "press": return .press(input: input)
    case "release": return .release(input: input)
    default: return .click(input: input)
    }
  }

  private func inputWithValue(_ field: Field) -> Step? {
    guard case .map(let entries) = field.node.content, entries.count == 1 else {
      problems.addWrong(field)
      return nil
    }
    let entry = entries[0]
    let position = entry.value.position
    guard let input = names.input(entry.key, at: entry.position, problems) else { return nil }
    let value = Field(key: field.key, position: entry.position, node: entry.value)
    guard let text = problems.text(value) else { return nil }
    switch field.key.name {
    case "hold":
      guard isButton(input, field, at: entry.position) else { return nil }
      return problems.duration(value, in: .milliseconds(1)...Self.longest).map { .hold(input: input, $0) }
    case "turn":
      guard isEncoder(input, at: entry.position) else { return nil }
      if let detents = Quantity.whole(text), detents != 0, (-1000...1000).contains(detents) {
        return .turn(input: input, detents: detents)
      }
      problems.add(position, "\(quoted(text)) detents; write -1000...1000, clockwise positive, not 0")
    case "switch":
      guard isSwitch(input, at: entry.position), let positions = names.inputDevices[input]?.positions else {
        return nil
      }
      if let place = positions.firstIndex(of: text) { return .switch(input: input, on: place == 1) }
      let words = positions.reversed().joined(separator: " or ")
      problems.add(position, "a switch is \(quoted(text)); write \(words)")
    default:
      return problems.duration(value, in: .zero ... .seconds(1)).map { .bounce(input: input, $0) }
    }
    return nil
  }

  private func wordStep(_ field: Field) -> Step? {
    switch field.key.name {
    case "wait":
      return problems.duration(field, in: .zero...Self.longest).map { .wait($0) }
    case "seed":
      guard let text = problems.text(field) else { return nil }
      let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if isDigits, let seed = UInt64(text) { return .seed(seed) }
      problems.add(field.node.position, "seed \(quoted(text)); write a whole number from 0 to 18446744073709551615")
      return nil
    default:
      guard let text = problems.text(field) else { return nil }
      guard let hardware = PluggableHardware(rawValue: text) else {
        problems.add(field.node.position, "can't \(field.key.name) \(quoted(text)); write audio or gpio")
        return nil
      }
      return field.key.name == "plug" ? .plug(hardware) : .unplug(hardware)
    }
  }

  private func expect(_ field: Field) -> Step? {
    guard case .map(let entries) = field.node.content, !entries.isEmpty else {
      problems.addWrong(field)
      return nil
    }
    let reader = ExpectationReader(names: names, problems: problems)
    return .expect(entries.flatMap { reader.expectations($0) })
  }

  private func isButton(_ input: Int, _ field: Field, at position: Position) -> Bool {
    isControl(input, .button, "button", takes: field.key.name, at: position)
  }

  private func isEncoder(_ input: Int, at position: Position) -> Bool {
    isControl(input, .knob, "encoder", takes: "turn", at: position)
  }

  private func isSwitch(_ input: Int, at position: Position) -> Bool {
    isControl(input, .switch, "switch", takes: "switch", at: position)
  }

  private func isControl(
    _ input: Int, _ control: InputControl, _ noun: String, takes step: String, at position: Position
  ) -> Bool {
    if let device = names.inputDevices[input], type(of: device).control == control { return true }
    let article = noun == "encoder" ? "an" : "a"
    problems.add(position, "\(quoted(names.inputs[input])) is no \(noun); \(step) takes \(article) \(noun)")
    return false
  }
}
