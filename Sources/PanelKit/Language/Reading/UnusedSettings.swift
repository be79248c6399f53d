import Terminal

/// Finds settings of a panel file for events without a reaction.
struct UnusedSettings {
  let panel: PanelDefinition
  let names: Names
  let problems: ProblemList

  /// - Parameters:
  ///   - inputs: the entries of `inputs`.
  ///   - accept: the accepted remote commands.
  func addNotes(inputs: [YAMLNode.Entry], accept: Field?) {
    let heard = panel.heardEvents
    for entry in inputs { noteGestures(of: entry, heard) }
    noteEvents(accept, heard)
  }

  /// Adds a note for a `hold`, `repeat` or `double-click` of a button whose event is not used. A `hold` of a button with clicks
  /// is used: it limits the duration of a click. A published input is used, because every event is published.
  private func noteGestures(of entry: YAMLNode.Entry, _ heard: Set<PanelEvent>) {
    guard case .map(let settings) = entry.value.content else { return }
    // Not searched in `names`, because that would count as a use.
    let group = names.inputGroups.first { $0.name == entry.key }.map { Array($0.members) }
    let inputs = group ?? names.inputs.firstIndex(of: entry.key).map { [$0] } ?? []
    guard let first = inputs.first, panel.inputs.indices.contains(first),
      panel.inputs[first].device.gesture != nil || panel.inputs[first].device.derivation?.ofChord != nil,
      !isTold(inputs)
    else { return }
    func isHeard(_ event: Int) -> Bool { inputs.contains { heard.contains(.input($0, event)) } }
    for setting in settings {
      let event: String
      switch setting.key {
      case "hold" where ![ButtonEvent.held, ButtonEvent.repeated, ButtonEvent.clicked].contains(where: isHeard):
        event = "held"
      case "repeat" where !isHeard(ButtonEvent.repeated): event = "repeated"
      case "double-click"
      where !isHeard(ButtonEvent.doubleClicked) && !ButtonEvent.multiClicked.contains(where: isHeard):
        event = "double-clicked"
      default: continue
      }
      problems.note(setting.position, "no transition uses \(entry.key).\(event); leave \(setting.key) out")
    }
  }

  private func isTold(_ inputs: [Int]) -> Bool {
    let told = (panel.mqtt?.inputs ?? []) + (panel.osc?.told.inputs ?? [])
    return !told.allSatisfy { !inputs.contains($0) }
  }

  /// Adds a note for each accepted event without a reaction.
  private func noteEvents(_ accept: Field?, _ heard: Set<PanelEvent>) {
    guard case .map(let entries)? = accept?.node.content,
      case .list(let items)? = entries.first(where: { $0.key == "event" })?.value.content
    else { return }
    for item in items {
      guard case .scalar(let name) = item.content, let event = panel.accept.events.firstIndex(of: name),
        !heard.contains(.asked(event))
      else { continue }
      problems.note(
        item.position, "nothing reacts to network.\(name); write on: { network.\(name): STATE }, or leave it out")
    }
  }
}
