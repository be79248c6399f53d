import Terminal

/// Reads the interlocks of a panel file and the relays that rest, and checks that no state shows two relays of the same
/// interlock on.
struct InterlockReader {
  let names: Names
  let problems: ProblemList

  func interlocks(_ field: Field?) -> [PanelDefinition.Interlock] {
    var users: [Int: Int] = [:]
    let interlocks = written(field, &users)
    let resting = names.outputs.indices.compactMap { output -> PanelDefinition.Interlock? in
      guard let rest = names.outputDevices[output]?.restTime, rest > .zero, users[output] == nil else { return nil }
      return PanelDefinition.Interlock(relays: [output], pause: rest)
    }
    return interlocks + resting
  }

  /// The interlocks of the list in the file.
  private func written(_ field: Field?, _ users: inout [Int: Int]) -> [PanelDefinition.Interlock] {
    guard let field, let items = problems.items(field) else { return [] }
    return items.compactMap { item in
      guard let fields = problems.fields(item, Grammar.interlock, at: item.position) else { return nil }
      let pause = problems.duration(fields["pause"], in: .zero ... .seconds(3600))
      guard let relays = relays(fields["relays"], &users) else { return nil }
      var interlock = PanelDefinition.Interlock(
        relays: relays, written: FilePassage(source: .init(position: item.position, text: "interlock")))
      if let pause { interlock.pause = pause }
      return interlock
    }
  }

  /// - Parameter users: the relays of earlier interlocks, each with its line in the file.
  private func relays(_ field: Field?, _ users: inout [Int: Int]) -> [Int]? {
    guard let field, let items = problems.items(field) else { return nil }
    let named = items.flatMap { item -> [(item: YAMLNode, name: String?)] in
      guard let name = problems.text(item, in: field) else { return [(item, nil)] }
      // A group stands for all of its members.
      guard case .outputs(let group)? = names.thing(name) else { return [(item, name)] }
      return names.outputGroups[group].memberNames.map { (item, $0) }
    }
    guard (2...8).contains(named.count) else {
      problems.add(
        field.node.position, "\"relays\" is a list of \(named.count); it takes \(field.key.takes)")
      return nil
    }
    let relays = named.compactMap { item, name -> Int? in
      guard let name, let relay = relay(name, at: item.position) else { return nil }
      if let line = users[relay] {
        problems.add(
          item.position,
          "\(quoted(name)) is already in the interlock on line \(line); a relay can be in one interlock only, remove it here"
        )
        return nil
      }
      if names.outputDevices[relay].map({ $0.restTime > .zero }) == true {
        problems.add(
          item.position,
          "\(quoted(name)) has rest, which a relay of an interlock can't have; remove rest and write it as the pause")
        return nil
      }
      users[relay] = item.position.line
      return relay
    }
    if let other = relays.first(where: { chip(of: $0) != chip(of: relays[0]) }) {
      problems.add(
        field.node.position,
        "\(names.outputs[relays[0]]) and \(names.outputs[other]) are on different chips; all relays of an interlock must be on one chip"
      )
      return nil
    }
    return relays.count == named.count ? relays : nil
  }

  /// The chip that a relay is on; empty for the panel's own chip.
  private func chip(of relay: Int) -> String {
    let line = names.outputDevices[relay]?.lines.first ?? ""
    return LineUsers.chipName(of: line).map(String.init).flatMap { names.chips.contains($0) ? $0 : nil } ?? ""
  }

  private func isInterlockable(_ device: (any OutputKind)?) -> Bool {
    // The driver of an interlock has no events of its relays.
    device.map { type(of: $0).isInterlockable && $0.events.isEmpty } ?? false
  }

  private func relay(_ name: String, at position: Position) -> Int? {
    // Computed only if a name is wrong.
    var known: [String] {
      names.outputs.indices.filter { isInterlockable(names.outputDevices[$0]) }.map { names.outputs[$0] }
    }
    guard case .output(let output)? = names.thing(name) else {
      let suggestion = problems.suggestion(for: name, among: known, called: "relays")
      let what =
        names.thing(name).map { "\(quoted(name)) is \($0.noun), not a relay" } ?? "unknown relay \(quoted(name))"
      problems.add(position, "\(what); \(suggestion)")
      return nil
    }
    guard let device = names.outputDevices[output] else { return nil }
    if isInterlockable(device) { return output }
    let relays = known.isEmpty ? "there are no relays" : "relays: \(listed(known))"
    problems.add(position, "\(quoted(name)) is \(type(of: device).phrase), not a relay; \(relays)")
    return nil
  }

  // MARK: - Relays that states show

  /// Adds a problem for each place where `safe` closes a relay of an interlock. After the program has ended, nothing
  /// waits before another program closes the next relay.
  func addSafe(_ safe: [(show: PanelDefinition.Show, position: Position)], _ interlocks: [PanelDefinition.Interlock]) {
    for (show, position) in safe where show.rule == .always(.on) {
      guard let interlock = interlocks.first(where: { $0.relays.contains(show.output) }) else { continue }
      let what = interlock.isRest ? "rest" : "interlock"
      problems.add(
        position,
        "\(quoted(names.outputs[show.output])) is on in \"safe\", but its \(what) ends with the program; write off")
    }
  }

  /// Adds a problem for each state in which two relays of an interlock are on, at the second one. A state inherits the
  /// outputs of the states around it, unless it shows them differently.
  ///
  /// - Parameter shown: every place where a state shows an output, with the top level as state 0.
  func addShownTogether(_ panel: PanelDefinition, _ shown: [(output: Int, state: Int, position: Position)]) {
    guard !panel.interlocks.isEmpty else { return }
    var interlocks: [Int: Int] = [:]
    for (number, interlock) in panel.interlocks.enumerated() {
      for relay in interlock.relays { interlocks[relay] = number }
    }
    var positions: [Int: [Int: Position]] = [:]
    for (output, state, position) in shown where interlocks[output] != nil {
      positions[state, default: [:]][output] = position
    }
    let relaysOn = panel.states.map { state in
      Set(state.show.filter { $0.rule == .always(.on) && interlocks[$0.output] != nil }.map(\.output))
    }
    let tree = StateTree(panel)
    var told: Set<Position> = []
    for state in panel.states.indices where panel.states[state].regions.isEmpty || panel.states.count == 1 {
      // For the same relay, an inner state overrides the states around it.
      var seen: Set<Int> = []
      var onTogether: [Int: [(name: String, position: Position)]] = [:]
      for shower in tree.chain(from: state) {
        for (relay, position) in positions[shower] ?? [:] where seen.insert(relay).inserted {
          guard relaysOn[shower].contains(relay), let interlock = interlocks[relay]
          else { continue }
          onTogether[interlock, default: []].append((names.outputs[relay], position))
        }
      }
      for (_, relays) in onTogether.sorted(by: { $0.key < $1.key }) {
        let on = relays.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
        guard on.count > 1, told.insert(on[1].position).inserted else { continue }
        let whose = state == 0 ? "the top level" : "state \(quoted(panel.states[state].name))"
        problems.add(
          on[1].position,
          "\(whose) shows \(quoted(on[0].name)) and \(quoted(on[1].name)) on, and they are in one interlock; show only one of them on"
        )
      }
    }
  }
}
