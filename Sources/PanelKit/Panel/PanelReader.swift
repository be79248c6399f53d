import Terminal

/// Reads the parts of a panel file: devices first, then the names of states, then what refers to them.
struct PanelReader {
  static let regionsAtMost = 64

  let kinds: KindList
  let problems: ProblemList
  let folder: String
  let checkSound: (_ path: String) -> String?

  /// Reads the panel, which may be used only if `problems` is empty afterwards; nil if the root is no map.
  func read(_ root: YAMLNode) -> PanelDefinition? {
    let countBefore = problems.count
    guard let fields = problems.fields(root, Grammar.panel, at: .start) else { return nil }
    var hasUnreadTransition = problems.count > countBefore
    var panel = PanelDefinition(name: problems.text(fields["panel"]) ?? "", regions: [])
    if let chip = problems.text(fields["chip"]) { panel.chip = chip }
    var names = Names()
    readDevices(fields, &panel, &names)
    panel.audio = SoundReader(problems: problems, folder: folder, checkSound: checkSound).audio(fields["audio"], names)

    var regions = StateReader.regions(fields, problems)
    names.regions = regions.map { Names.Region(name: $0.name, states: $0.states.map(\.key)) }
    let shows = ShowReader(names: names, problems: problems)
    panel.show = shows.shows(fields["show"]).map(\.show)
    panel.safe = safe(fields["safe"], shows, panel.outputs)
    var transitions = TransitionReader(names: names, problems: problems, region: nil)
    panel.on = transitions.reactions(fields["on"])
    hasUnreadTransition = hasUnreadTransition || transitions.hasUnreadTransition
    for index in regions.indices {
      var reader = StateReader(names: names, problems: problems, region: index)
      panel.regions.append(reader.read(&regions[index]))
      hasUnreadTransition = hasUnreadTransition || reader.hasUnreadTransition
    }
    addShownTwice(regions, names)
    if !hasUnreadTransition {
      let reachability = Reachability(panel: panel, problems: problems)
      for (index, region) in regions.enumerated() where !region.states.isEmpty && region.hasInitial {
        reachability.addUnreachable(region: index, positions: region.states.map(\.position))
        reachability.addEndless(region: index, positions: region.states.map(\.position))
      }
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

  private func addShownTwice(_ regions: [StateReader.Region], _ names: Names) {
    var first: [Int: (region: Int, line: Int)] = [:]
    for (index, region) in regions.enumerated() {
      for (output, position) in region.shown {
        if let other = first[output], other.region != index {
          let name = regions[other.region].name ?? ""
          problems.add(
            position,
            "output \(quoted(names.outputs[output])) is shown by region \(quoted(name)) on line \(other.line) already; "
              + "show it in one region")
        } else if first[output] == nil {
          first[output] = (index, position.line)
        }
      }
    }
  }

  /// Has each input emit the events that the file reacts to.
  private func enableEvents(of panel: inout PanelDefinition) {
    let states = panel.regions.flatMap(\.states)
    for reaction in panel.on + states.flatMap(\.on) {
      guard case .input(let index, let event) = reaction.event, panel.inputs.indices.contains(index) else { continue }
      panel.inputs[index].device.enable(event: event)
    }
  }
}
