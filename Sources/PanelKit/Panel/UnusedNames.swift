import Terminal

/// Finds what a panel file declares and nothing in it uses. A value that is only set counts as used: a scenario may ask it.
struct UnusedNames {
  let panel: PanelDefinition
  let names: Names
  let problems: ProblemList
  /// The outputs that `safe` names.
  let safe: Set<Int>

  /// Whether the panel reacts when nobody touches it: then each touch matters.
  private var isTouchAwaited: Bool {
    panel.states.contains { state in
      state.after.contains { if case .untouched = $0.recurrence { true } else { false } }
    }
  }

  /// Adds a note for each.
  func addNotes() {
    for (name, thing, position) in names.declared {
      if let text = text(name, thing) { problems.note(position, text) }
    }
  }

  private func text(_ name: String, _ thing: Names.Thing) -> String? {
    switch thing {
    case .input(let input): return text(ofInputs: [input], name)
    case .inputs(let group): return text(ofInputs: names.inputGroups[group].members.map { $0 }, name)
    case .output(let output): return text(ofOutputs: [output], name)
    case .outputs(let group): return text(ofOutputs: names.outputGroups[group].members.map { $0 }, name)
    case .sound(let sound): return text(ofSounds: [sound], name)
    case .sounds(let group): return text(ofSounds: names.soundGroups[group].members.map { $0 }, name)
    case .value: return names.isUsed(name) ? nil : "nothing uses value \(quoted(name)); leave it out"
    }
  }

  private func text(ofInputs inputs: [Int], _ name: String) -> String? {
    guard !names.isUsed(name), let device = names.inputDevices[inputs[0]] else { return nil }
    let kind = type(of: device)
    if kind.control.isTouched, isTouchAwaited { return nil }
    let word = inputs.count > 1 ? kind.plural : kind.word
    return "nothing reacts to \(word) \(quoted(name)), and no condition asks it; leave it out"
  }

  private func text(ofOutputs outputs: [Int], _ name: String) -> String? {
    let isShown = outputs.contains { output in
      safe.contains(output)
        || panel.states.contains { state in state.show.contains { $0.output == output } }
    }
    guard !isShown, let device = names.outputDevices[outputs[0]] else { return nil }
    let word = outputs.count > 1 ? type(of: device).plural : type(of: device).word
    return "nothing shows \(word) \(quoted(name)); show it in a state, or leave it out"
  }

  private func text(ofSounds sounds: [Int], _ name: String) -> String? {
    let isPlayed = panel.states.contains { state in
      let all = state.play + state.enter.play + state.exit.play + state.transitions.flatMap(\.play)
      return all.contains { playing in
        switch playing {
        case .sound(let sound): sounds.contains(sound)
        case .member(let group, _, _): names.soundGroups[group].members.contains(sounds[0])
        }
      }
    }
    return isPlayed ? nil : "nothing plays sound \(quoted(name)); play it, or leave it out"
  }
}
