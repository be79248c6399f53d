import Terminal

/// Reads what outputs show: the maps of `show` and `safe`.
struct ShowReader {
  private typealias Appearance = PanelDefinition.Appearance

  let names: Names
  let problems: ProblemList

  /// - Parameter isSafe: whether this is `safe`, which must last without a program: it can't blink, dim or follow a
  ///   value.
  func shows(_ field: Field?, isSafe: Bool = false) -> [(show: PanelDefinition.Show, position: Position)] {
    problems.entries(field).compactMap { entry in
      guard let output = names.output(entry.key, at: entry.position, problems),
        let appearance = appearance(entry, output: output)
      else { return nil }
      if isSafe, !Self.staysWithoutProgram(appearance) {
        problems.add(
          entry.value.position,
          "\(quoted(entry.key)) in safe can't look like that, as nothing drives it when the program has ended; "
            + "write on, off or, for a bar, a number of lamps"
        )
        return nil
      }
      return (.init(output: output, appearance: appearance), entry.position)
    }
  }

  private static func staysWithoutProgram(_ appearance: Appearance) -> Bool {
    switch appearance {
    case .off, .on, .count: true
    case .blink, .pulse, .level, .value: false
    }
  }

  private func appearance(_ entry: YAMLNode.Entry, output: Int) -> Appearance? {
    let node = entry.value
    if node.content == .refused { return nil }
    switch names.outputDevices[output] {
    case nil: return nil
    case .led: return lamp(node, called: entry)
    case .relay:
      if case .scalar(let text) = node.content, let appearance = Self.switched(text) { return appearance }
      addMisfit("relay", entry, "on or off")
      return nil
    case .bar(let lines): return bar(node, of: lines.count, called: entry)
    }
  }

  private static func switched(_ text: String) -> Appearance? {
    switch text {
    case "on": .on
    case "off": .off
    default: nil
    }
  }

  private func addMisfit(_ device: String, _ entry: YAMLNode.Entry, _ right: String) {
    let position = entry.value.content == .nothing ? entry.position : entry.value.position
    problems.add(position, "\(device) \(quoted(entry.key)) can't show \(entry.value.kind); it shows \(right)")
  }

  private func bar(_ node: YAMLNode, of lamps: Int, called entry: YAMLNode.Entry) -> Appearance? {
    guard case .scalar(let text) = node.content, text != "on", text != "off" else {
      addMisfit("bar", entry, "a number of lamps, 0...\(lamps), or a value")
      return nil
    }
    if let count = Quantity.whole(text) {
      if (0...lamps).contains(count) { return .count(count) }
      problems.add(node.position, "bar \(quoted(entry.key)) can't show \(count); it has \(lamps) lamps")
      return nil
    }
    if Quantity.number(text) != nil {
      addMisfit("bar", entry, "a number of lamps, 0...\(lamps), or a value")
      return nil
    }
    return names.value(text, at: node.position, problems).map { .value($0) }
  }

  private func lamp(_ node: YAMLNode, called entry: YAMLNode.Entry) -> Appearance? {
    switch node.content {
    case .scalar(let text):
      if let appearance = Self.switched(text) { return appearance }
    case .map(let entries):
      guard let fields = problems.fields(node, Grammar.light, at: node.position) else { return nil }
      let known = entries.filter { fields[$0.key] != nil }
      if known.count > 1 {
        problems.add(known[1].position, "\(known[1].key) beside \(known[0].key); a lamp shows one of them")
        return nil
      }
      if let blink = fields["blink"] { return self.blink(blink) }
      if let pulse = fields["pulse"] {
        return problems.duration(pulse, in: .milliseconds(10) ... .seconds(3600)).map { .pulse($0) }
      }
      if let level = fields["level"] { return problems.number(level, in: 0...1).map { .level($0) } }
      if !entries.isEmpty { return nil }
    default: break
    }
    addMisfit("led", entry, "on, off, { blink: 250ms }, { pulse: 2s } or { level: 0.3 }")
    return nil
  }

  private func blink(_ field: Field) -> Appearance? {
    let range: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
    guard case .map = field.node.content else {
      return problems.duration(field, in: range).map { .blink(on: $0, off: $0, times: nil) }
    }
    guard let fields = problems.fields(field.node, Grammar.blink, at: field.position) else { return nil }
    let on = problems.duration(fields["on"], in: range)
    let off = problems.duration(fields["off"], in: range)
    let times = problems.whole(fields["times"], in: 1...10_000)
    guard let on, let off else { return nil }
    return .blink(on: on, off: off, times: times)
  }
}
