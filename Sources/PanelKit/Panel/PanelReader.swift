import Terminal

/// Reads the parts of a panel file: devices first, then the names of states, then what refers to them.
struct PanelReader {
  let kinds: KindList
  let problems: ProblemList
  let folder: String
  let checkSound: (_ path: String) -> String?

  /// Reads the panel, which may be used only if `problems` is empty afterwards; nil if the root is no map.
  func read(_ root: YAMLNode) -> PanelDefinition? {
    let countBefore = problems.count
    guard let fields = problems.fields(root, Grammar.panel, at: .start) else { return nil }
    var hasUnreadTransition = problems.count > countBefore
    var panel = PanelDefinition(name: problems.text(fields["panel"]) ?? "")
    if let chip = problems.text(fields["chip"]) { panel.chip = chip }
    var names = Names()
    readDevices(fields, &panel, &names)
    panel.audio = SoundReader(problems: problems, folder: folder, checkSound: checkSound).audio(fields["audio"], names)

    var collector = StateCollector(problems: problems)
    collector.collect(fields)
    let draft = collector.draft
    names.define(regions: draft.regions.map { ($0.name, $0.owner) }, states: draft.states.map { ($0.name, $0.region) })
    addSecondNames(draft, names)
    let shows = ShowReader(names: names, problems: problems)
    panel.states[0].show = shows.shows(fields["show"]).map(\.show)
    panel.states[0].regions = draft.states[0].regions
    panel.safe = safe(fields["safe"], shows, panel.outputs)
    var transitions = TransitionReader(names: names, problems: problems, region: nil)
    panel.states[0].on = transitions.reactions(fields["on"])
    panel.states[0].after = transitions.repetitions(fields["every"])
    panel.states[0].when = transitions.whens(fields["when"])
    var states = StateReader(draft, names: names, problems: problems)
    panel.regions = states.regions()
    panel.states += states.states()
    hasUnreadTransition = hasUnreadTransition || transitions.hasUnreadTransition || states.hasUnreadTransition
    numberRepetitions(of: &panel)
    addShownTwice(states.shown, panel, names)
    if !hasUnreadTransition, !panel.regions.isEmpty {
      let check = StatechartCheck(panel: panel, draft: states.draft, problems: problems)
      check.addUnreachable()
      check.addEndless()
    }
    enableEvents(of: &panel)
    panel.notes = problems.notes
    return panel
  }

  private func readDevices(_ fields: Fields, _ panel: inout PanelDefinition, _ names: inout Names) {
    let devices = DeviceReader(kinds: kinds, problems: problems)
    for entry in problems.entries(fields["inputs"]) {
      names.declare(entry.key, .input(names.inputs.count), at: entry.position, problems)
      let device = devices.input(entry)
      names.inputDevices.append(device)
      if let device { panel.inputs.append(.init(name: entry.key, device: device)) }
    }
    for entry in problems.entries(fields["outputs"]) {
      names.declare(entry.key, .output(names.outputs.count), at: entry.position, problems)
      let device = devices.output(entry)
      names.outputDevices.append(device)
      if let device { panel.outputs.append(.init(name: entry.key, device: device)) }
    }
    let sounds = SoundReader(problems: problems, folder: folder, checkSound: checkSound)
    for entry in problems.entries(fields["sounds"]) {
      names.declare(entry.key, .sound(names.sounds.count), at: entry.position, problems)
      let sound = sounds.sound(entry)
      names.loops.append(sound?.loop ?? false)
      if let sound { panel.sounds.append(sound) }
    }
    for entry in problems.entries(fields["values"]) {
      names.declare(entry.key, .value(names.values.count), at: entry.position, problems)
      let value = sounds.value(entry)
      if value?.isDuration == true { names.durations.insert(names.ranges.count) }
      names.ranges.append(value.map { $0.min...$0.max })
      if let value { panel.values.append(value) }
    }
  }

  private func safe(
    _ field: Field?, _ reader: ShowReader, _ outputs: [PanelDefinition.Output]
  ) -> [Appearance] {
    var safe = outputs.map(\.device.rest)
    for (show, _) in reader.shows(field, isSafe: true) where safe.indices.contains(show.output) {
      safe[show.output] = show.appearance
    }
    return safe
  }

  private func numberRepetitions(of panel: inout PanelDefinition) {
    var number = 0
    for state in panel.states.indices {
      for index in panel.states[state].after.indices where panel.states[state].after[index].repetition != nil {
        panel.states[state].after[index].repetition = number
        number += 1
      }
    }
  }

  /// A state's name is used once in a region of the top level, at whatever depth.
  private func addSecondNames(_ draft: StateDraft, _ names: Names) {
    for (number, state) in draft.states.enumerated().dropFirst() {
      guard let first = names.regions[names.topRegions[number]].index[state.name], first != number,
        draft.states[first].region != state.region
      else { continue }
      problems.add(
        state.position,
        "a second state \(quoted(state.name)); it is on line \(draft.states[first].position.line) already, choose another name"
      )
    }
  }

  /// An output is shown by states of one region only: of two regions that are current together neither would come first.
  private func addShownTwice(
    _ shown: [(output: Int, state: Int, position: Position)], _ panel: PanelDefinition, _ names: Names
  ) {
    let tree = StateTree(panel)
    var first: [Int: [(state: Int, line: Int)]] = [:]
    for (output, state, position) in shown {
      let other = (first[output] ?? []).lazy.compactMap { other in
        tree.parallelRegion(of: other.state, beside: state).map { (region: $0, line: other.line) }
      }.first
      if let other {
        let name = panel.regions[other.region].name ?? ""
        problems.add(
          position,
          "output \(quoted(names.outputs[output])) is shown by region \(quoted(name)) on line \(other.line) already; "
            + "show it in one region")
      } else if first[output]?.contains(where: { panel.states[$0.state].region == panel.states[state].region }) != true
      {
        // One state of each region is enough: the others are beside the same regions.
        first[output, default: []].append((state, position.line))
      }
    }
  }

  /// Has each input emit the events that the file reacts to.
  private func enableEvents(of panel: inout PanelDefinition) {
    for reaction in panel.states.flatMap(\.on) {
      guard case .input(let index, let event) = reaction.event, panel.inputs.indices.contains(index) else { continue }
      panel.inputs[index].device.enable(event: event)
    }
  }
}
