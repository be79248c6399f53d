import PanelWiring

extension WiringPlan {
  /// The wiring of a panel, as the kinds of its devices and chips describe it.
  package init(of panel: PanelDefinition) {
    var onHeader: [Device] = []
    var onChips = panel.chips.map { chip in
      Chip(
        name: chip.name, kind: chip.kind.wiringKind, devices: [], notes: chip.kind.wiringNotes,
        hasPullDowns: chip.kind.hasPullDowns,
        part: chip.kind.wiring(named: chip.name) == nil ? WiringPart(chip.kind.wiringKind) : nil)
    }
    func add(_ device: Device?, onChipOf lines: [String]) {
      guard var device else { return }
      if let chip = lines.first.flatMap({ panel.chip(ofLine: $0) }) {
        if let part = panel.chips[chip].kind.contactPart {
          device.kind = part
          device.circuits = [.box(part, terminals: WiringTerminal.numbered(lines))]
        }
        onChips[chip].devices.append(device)
      } else if let board = device.board, let same = onHeader.firstIndex(where: { $0.board == board }) {
        onHeader[same].name += ", \(device.name)"
      } else {
        onHeader.append(device)
      }
    }
    for chip in panel.chips { add(chip.kind.wiring(named: chip.name), onChipOf: chip.kind.lines) }
    for input in panel.inputs { add(input.device.wiring(named: input.name), onChipOf: input.device.lines) }
    for output in panel.outputs { add(output.device.wiring(named: output.name), onChipOf: output.device.lines) }
    self.init(
      title: panel.name, devices: onHeader, chips: onChips, playsSounds: !panel.sounds.isEmpty,
      sharedNotes: Self.notes(of: panel))
  }

  /// The notes about several devices together, and about devices without wires.
  private static func notes(of panel: PanelDefinition) -> [SharedNote] {
    var notes = panel.interlocks.filter { !$0.isRest }.map { interlock in
      let names = interlock.relays.map { panel.outputs[$0].name }
      return SharedNote(note: .interlock(of: names), devices: names)
    }
    if let note = panel.pwmOverlayNote { notes.append(note) }
    for input in panel.inputs {
      guard let origin = input.device.origin else { continue }
      notes.append(SharedNote(note: .withoutCircuit(input.name, origin), devices: []))
    }
    if !panel.sounds.isEmpty { notes.append(SharedNote(note: .soundDevice(panel.audio.device), devices: [])) }
    return notes
  }
}
