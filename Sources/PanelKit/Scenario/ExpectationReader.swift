import Terminal

/// Reads what a step expects: an output, a value, the state, or what is playing.
struct ExpectationReader {
  let names: Names
  let problems: ProblemList

  /// Several if `state` names several regions; none if something is wrong, which adds a problem.
  func expectations(_ entry: YAMLNode.Entry) -> [Expectation] {
    let key = Key(name: entry.key, takes: takes(entry.key))
    let field = Field(key: key, position: entry.position, node: entry.value)
    switch entry.key {
    case "state": return states(field)
    case "playing":
      guard let items = problems.items(field) else { return [] }
      return [
        .playing(PlayReader(names: names, problems: problems, scope: ExpressionScope()).readFixed(items, in: field))
      ]
    default: break
    }
    switch names.thing(entry.key) {
    case .output(let output):
      guard let device = names.outputDevices[output], let text = problems.text(field) else { return [] }
      guard let look = device.look(named: text) else {
        problems.addWrong(field)
        return []
      }
      return [.output(output, look)]
    case .value(let value):
      guard names.ranges[value] != nil, let text = problems.text(field) else { return [] }
      let isDuration = names.durations.contains(value)
      guard let number = isDuration ? try? Quantity.duration(text).wholeMilliseconds : Quantity.whole(text) else {
        problems.addWrong(field)
        return []
      }
      return names.isInRange(number, of: value, at: field.node.position, problems) ? [.value(value, number)] : []
    case .input, .sound, .inputs, .outputs, .sounds:
      let noun = names.thing(entry.key)?.noun ?? ""
      problems.add(
        entry.position, "\(quoted(entry.key)) is \(noun); expect an output, a value, state or playing: [ sounds ]")
    case nil:
      let known = Array((names.outputs + names.values + ["state", "playing"]).prefix(200))
      let suggestion = problems.suggestion(for: entry.key, among: known, called: "expectations")
      problems.add(entry.position, "nothing called \(quoted(entry.key)) to expect; \(suggestion)")
    }
    return []
  }

  private func takes(_ name: String) -> String {
    switch name {
    case "state": return "a state, or a map of regions: { doors: open }"
    case "playing": return "a list of sounds: [ chime ], [] for silence"
    default: break
    }
    switch names.thing(name) {
    case .value(let value): return names.durations.contains(value) ? "a duration" : "a whole number"
    case .output(let output): return names.outputDevices[output]?.expectation ?? "what the output shows"
    default: return "what is expected"
    }
  }

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
