extension PanelDefinition {
  /// Returns the event as it is written in a panel file: `bell.pressed`.
  package func name(of event: PanelEvent) -> String {
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
  package func heard(by reactions: [Reaction]) -> String {
    var names: [String] = []
    for name in reactions.map({ name(of: $0.event) }) where !names.contains(name) { names.append(name) }
    return names.isEmpty ? "" : "waits for \(names.joined(separator: ", "))"
  }
}

extension PanelDefinition {
  /// The title of an interlock: `interlock up, down`, or `relay heater` for one that rests.
  package func title(of interlock: Interlock) -> String {
    "\(interlock.isRest ? "relay" : "interlock") \(interlock.relays.map { outputs[$0].name }.joined(separator: ", "))"
  }
}

extension PanelDefinition.Delay {
  /// The delay as written in the file: `20s`, `1s..4s`, or a value's name.
  package func text(in panel: PanelDefinition) -> String {
    switch self {
    case .fixed(let duration): Quantity.text(duration)
    case .drawn(let range, _):
      "\(Quantity.text(.milliseconds(range.lowerBound)))..\(Quantity.text(.milliseconds(range.upperBound)))"
    case .value(let value, _): panel.values[value].name
    }
  }
}
