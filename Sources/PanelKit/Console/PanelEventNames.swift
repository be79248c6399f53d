extension PanelDefinition {
  /// Returns the event as it is written in a panel file: `bell.pressed`.
  func name(of event: PanelEvent) -> String {
    switch event {
    case .input(let input, let event): "\(inputs[input].name).\(inputs[input].device.events[event])"
    case .anyInput(let group, let event):
      "\(inputGroups[group].name).\(inputs[inputGroups[group].first].device.events[event])"
    case .finished(let sound): "\(sounds[sound].name).finished"
    case .anyFinished(let group): "\(soundGroups[group].name).finished"
    case .lost(let hardware): "\(name(of: hardware)).lost"
    case .restored(let hardware): "\(name(of: hardware)).restored"
    case .asked(let event): "network.\(accept.events[event])"
    }
  }

  /// Lists the events that reactions wait for: `waits for bell.pressed, reset.held`; empty if there are none.
  func heard(by reactions: [Reaction]) -> String {
    var names: [String] = []
    for name in reactions.map({ name(of: $0.event) }) where !names.contains(name) { names.append(name) }
    return names.isEmpty ? "" : "waits for \(names.joined(separator: ", "))"
  }
}
