extension WiringPlan {
  /// The wiring of a panel, as the kinds of its devices describe it.
  init(of panel: PanelDefinition) {
    self.init(
      title: panel.name,
      devices: panel.inputs.compactMap { $0.device.wiring(named: $0.name) }
        + panel.outputs.compactMap { $0.device.wiring(named: $0.name) },
      playsSounds: !panel.sounds.isEmpty, sharedNotes: Self.notes(of: panel))
  }

  /// What is said of several devices together, and of what has no wires.
  private static func notes(of panel: PanelDefinition) -> [SharedNote] {
    var notes = panel.interlocks.map { interlock in
      let names = interlock.relays.map { panel.outputs[$0].name }
      return SharedNote(note: .interlock(of: names), devices: names)
    }
    for input in panel.inputs {
      guard let origin = (input.device as? SensorKind)?.source.origin else { continue }
      notes.append(SharedNote(note: .withoutCircuit(input.name, origin), devices: []))
    }
    if !panel.sounds.isEmpty { notes.append(SharedNote(note: .soundDevice(panel.audio.device), devices: [])) }
    return notes
  }
}
