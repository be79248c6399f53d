import Terminal

/// Finds unused declarations of a panel file. A value that is only set is not reported: a scenario may check it.
struct UnusedNames {
  private let panel: PanelDefinition
  private let names: Names
  /// The outputs that a state shows, or that `safe` names.
  private let shown: Set<Int>
  private let played: Set<Int>
  /// Whether the panel reacts to a time without a touch. Then each touch is used.
  private let isTouchAwaited: Bool

  /// - Parameter safe: the outputs that `safe` names.
  init(panel: PanelDefinition, names: Names, safe: [Int]) {
    (self.panel, self.names) = (panel, names)
    var shown = Set(safe)
    var played: Set<Int> = []
    for state in panel.states {
      for show in state.show { shown.insert(show.output) }
      for playing in state.sounds {
        switch playing {
        case .sound(let sound): played.insert(sound)
        case .member(let group, _, _): played.formUnion(names.soundGroups[group].members)
        }
      }
    }
    (self.shown, self.played) = (shown, played)
    isTouchAwaited = panel.states.contains { state in
      state.after.contains { if case .untouched = $0.recurrence { true } else { false } }
    }
  }

  /// A note for each unused declaration, in the order of the file.
  var notes: [Problem] {
    names.declared.compactMap { name, thing, position in
      text(name, thing).map { Problem(line: position.line, column: position.column, text: $0) }
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
    case .chip(let chip):
      return panel.lines(on: chip).isEmpty ? "no device is on chip \(quoted(name)); leave it out" : nil
    case .texts: return names.isUsed(name) ? nil : "nothing shows texts \(quoted(name)); leave them out"
    case .value(let value):
      return names.isUsed(name) || isTold({ Set($0.values) }, [value])
        ? nil : "nothing uses value \(quoted(name)); leave it out"
    }
  }

  /// Whether some of these are published. Then they are used.
  private func isTold(_ places: (MQTTDefinition) -> Set<Int>, _ wanted: [Int]) -> Bool {
    [panel.mqtt, panel.osc.flatMap { $0.receivers.isEmpty ? nil : $0.told }].compactMap { $0 }
      .contains { !places($0).isDisjoint(with: wanted) }
  }

  private func text(ofInputs inputs: [Int], _ name: String) -> String? {
    guard !names.isUsed(name), !isTold({ Set($0.inputs) }, inputs), let device = names.inputDevices[inputs[0]] else {
      return nil
    }
    let kind = type(of: device)
    if kind.isTouched, isTouchAwaited { return nil }
    let word = inputs.count > 1 ? kind.plural : kind.word
    return "nothing reacts to \(word) \(quoted(name)), and no condition names it; leave it out"
  }

  private func text(ofOutputs outputs: [Int], _ name: String) -> String? {
    guard shown.isDisjoint(with: outputs), let device = names.outputDevices[outputs[0]] else { return nil }
    let word = outputs.count > 1 ? type(of: device).plural : type(of: device).word
    return "nothing shows \(word) \(quoted(name)); show it in a state, or leave it out"
  }

  private func text(ofSounds sounds: [Int], _ name: String) -> String? {
    played.isDisjoint(with: sounds) ? "nothing plays sound \(quoted(name)); play it, or leave it out" : nil
  }
}
