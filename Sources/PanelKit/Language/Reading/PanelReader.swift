import Terminal

/// Reads the parts of a panel file: devices first, then the names of states, then the parts that refer to them.
struct PanelReader {
  /// The maximum number of chips: each device's line is searched in all of them.
  private static let mostChips = 16

  let kinds: KindList
  let problems: ProblemList
  let folder: String
  let checkSound: (_ file: SoundFileUse) -> SoundFileFinding?

  /// Reads the panel, which is valid only if `problems` is empty afterwards. Returns nil if the root isn't a map.
  func read(_ root: YAMLNode) -> PanelDefinition? {
    let countBefore = problems.count
    guard let fields = problems.fields(root, Grammar.panel, at: .start, advice: ProvedPropertyReader.advice) else {
      return nil
    }
    var hasUnreadTransition = problems.count > countBefore
    var panel = PanelDefinition(name: problems.text(fields["panel"]) ?? "")
    if let chip = problems.text(fields["chip"]) { panel.chip = chip }
    var names = Names()
    names.hasNetwork = fields["mqtt"] != nil
    names.acceptedEvents = AcceptedCommandsReader.events(fields["accept"], problems)
    if let osc = fields["osc"], case .map(let entries) = osc.node.content {
      names.hasReceivers = entries.contains { $0.key == "send" }
    }
    let clock = ClockReader(problems: problems).definition(fields["clock"])
    let shownBy = readDevices(fields, &panel, &names, clock, in: root)
    let sounds = soundReader(fields)
    panel.audio = sounds.audio(fields["audio"], names)
    panel.tracks = sounds.tracks(fields["tracks"], names)

    var collector = StateCollector(names: names, problems: problems)
    collector.collect(fields)
    let draft = collector.draft
    names.define(regions: draft.regions.map { ($0.name, $0.owner) }, states: draft.states.map { ($0.name, $0.region) })
    addSecondNames(draft, names)
    // Looks may check the contacts of these relays.
    let interlocks = InterlockReader(names: names, problems: problems)
    panel.interlocks = interlocks.interlocks(fields["interlocks"])
    names.interlocked = Set(panel.interlocks.flatMap(\.relays))
    let shows = ShowReader(names: names, problems: problems, scope: ExpressionContext(isShown: true))
    let shownOnTop = shows.shows(fields["show"])
    panel.states[0].show = shownOnTop.map(\.show)
    panel.states[0].regions = draft.states[0].regions
    let safe = shows.shows(fields["safe"], isSafe: true)
    panel.safe = panel.outputs.map(\.device.rest)
    for (show, _) in safe where panel.safe.indices.contains(show.output) {
      if let appearance = show.rule.fixed { panel.safe[show.output] = appearance }
    }
    interlocks.addSafe(safe, panel.interlocks)
    var transitions = TransitionReader(names: names, problems: problems, of: nil)
    panel.states[0].on = transitions.reactions(fields["on"])
    for field in fields.all {
      switch field.key.name {
      case "every": panel.states[0].after += transitions.repetitions(field)
      case "untouched": panel.states[0].after += transitions.untouched(field)
      default: break
      }
    }
    panel.states[0].on += transitions.alarms(fields["at"])
    panel.states[0].when = transitions.whens(fields["when"])
    var states = StateReader(draft, names: names, problems: problems)
    panel.regions = states.regions()
    panel.states += states.states()
    let properties = ProvedPropertyReader(names: names, problems: problems, interlocks: panel.interlocks)
    panel.nevers = properties.nevers(fields["never"])
    panel.reach = properties.reach(fields["reach"])
    UnsafeResumeCheck(panel: panel, problems: problems).addMoving()
    panel.accept = AcceptedCommandsReader(names: names, problems: problems).acceptance(fields["accept"])
    panel.mqtt = NetworkReader(names: names, problems: problems).network(fields["mqtt"], of: panel)
    panel.osc = OSCReader(names: names, problems: problems).definition(fields["osc"], of: panel)
    panel.messages = names.usage.messages
    panel.asksForPower = names.usage.asksForPower
    names.checkPowerName(problems)
    hasUnreadTransition = hasUnreadTransition || transitions.hasUnreadTransition || states.hasUnreadTransition
    panel.readsContacts = names.usage.readsContacts
    panel.readsElapsed = names.usage.readsElapsed
    addClock(clock, names, &panel)
    panel.usesChance = names.usage.drawsNumbers
    FrameSlotNumbering.set(in: &panel)
    let shared = SharedOutputReader(names: names, problems: problems, panel: panel, shown: states.shown)
    let regions = shared.regions(shownBy)
    shared.addUnordered(regions)
    for (output, regions) in regions where panel.outputs.indices.contains(output) {
      panel.outputs[output].shownBy = regions
    }
    let everyShow = shownOnTop.map { ($0.show.output, 0, $0.position) } + states.shown
    interlocks.addShownTogether(panel, everyShow)
    OutputCycleCheck(panel: panel, problems: problems).addCycles(everyShow)
    if problems.count == 0 { addSensorLoss(panel, states.shown) }
    if problems.count == 0 {
      ShortStateNotes(panel: panel, problems: problems).addNotes()
      DiskWearNotes(panel: panel, problems: problems).addNotes()
      HysteresisNotes(panel: panel, problems: problems).addNotes()
      DowntimeEventNotes(panel: panel, problems: problems).addNotes()
      DeadTransitionNotes(panel: panel, problems: problems).addNotes()
      UnusedSettings(panel: panel, names: names, problems: problems).addNotes(
        inputs: problems.entries(fields["inputs"]), accept: fields["accept"])
      panel.unused = UnusedNames(panel: panel, names: names, safe: safe.map(\.show.output)).notes
    }
    if !hasUnreadTransition, !panel.regions.isEmpty {
      let check = StatechartCheck(panel: panel, draft: states.draft, problems: problems)
      check.addUnreachable()
      EndlessLoopCheck(panel: panel, draft: states.draft, problems: problems).addEndless()
      check.noteTopLevel(at: transitions.eventPositions)
      check.noteWhenToItself()
    }
    enableEvents(of: &panel)
    panel.notes = problems.notes
    return panel
  }

  /// The numbers that a scenario and a recording can write.
  private static let numbers = -999_999_999...999_999_999

  /// - Returns: each `shown-by`, which is read when the regions are known, and its outputs. The outputs of a group have
  ///   one together.
  private func readDevices(
    _ fields: Fields, _ panel: inout PanelDefinition, _ names: inout Names, _ clock: ClockDefinition,
    in root: YAMLNode
  ) -> [(outputs: Range<Int>, field: Field)] {
    let chips = problems.entries(fields["chips"])
    if chips.count > Self.mostChips {
      problems.add(chips[Self.mostChips].position, "more than \(Self.mostChips) chips; use fewer")
      return []
    }
    let isPi = panel.chip == "auto" || panel.chip.hasPrefix("pinctrl-")
    let devices = DeviceReader(kinds: kinds, problems: problems, chips: chips.map(\.key), isOnHeader: isPi)
    for entry in chips {
      names.declare(entry.key, .chip(names.chips.count), at: entry.position, problems)
      let kind = devices.chip(entry)
      names.chipKinds.append(kind)
      if let kind { panel.chips.append(.init(name: entry.key, kind: kind)) }
    }
    var shownBy: [(outputs: Range<Int>, field: Field)] = []
    for entry in problems.entries(fields["inputs"]) {
      let read = devices.inputs(entry)
      let own = names.declare(
        entry, Names.Thing.input, Names.Thing.inputs, groupOf: read.numbers, problems)
      names.inputDevices += read.members
      for device in read.members {
        guard let scale = device?.scale, scale.range.clamped(to: Self.numbers) != scale.range else {
          continue
        }
        problems.add(
          entry.position,
          "the numbers of \(quoted(entry.key)) have more than nine digits; its kind must map them to smaller ones")
      }
      panel.inputs += zip(own, read.members).compactMap { name, device in device.map { .init(name: name, device: $0) } }
    }
    for entry in problems.entries(fields["outputs"]) {
      let read = devices.outputs(entry)
      let first = names.outputs.count
      if let field = read.shownBy { shownBy.append((first..<first + read.members.count, field)) }
      let own = names.declare(
        entry, Names.Thing.output, Names.Thing.outputs, groupOf: read.numbers, named: read.names, problems)
      names.outputDevices += read.members
      panel.outputs += zip(own, read.members).compactMap { name, device in device.map { .init(name: name, device: $0) }
      }
    }
    if let kind = kinds.clock {
      let hasOwnClock = (names.inputs + names.outputs).contains("clock")
      panel.inputs += names.addClock(
        ClockReader.partsUsed(in: root, hasOwnClock: hasOwnClock), kind, clock)
    }
    panel.inputs += names.addReports()
    let values = DeclaredValueReader(problems: problems)
    var elementCount = 0
    for entry in problems.entries(fields["values"]) {
      names.declare(entry.key, .value(names.values.count), at: entry.position, problems)
      let value = values.value(entry, firstElement: elementCount, names)
      elementCount += value?.list?.capacity ?? 0
      names.addType(of: value)
      if let value { panel.values.append(value) }
    }
    readSounds(fields, &panel, &names)
    let texts = TextListReader(problems: problems)
    for entry in problems.entries(fields["texts"]) {
      names.declare(entry.key, .texts(names.texts.count), at: entry.position, problems)
      names.texts.append(texts.texts(entry))
    }
    names.checkHardwareNames(problems)
    (panel.inputGroups, panel.outputGroups) = (names.inputGroups, names.outputGroups)
    panel.soundGroups = names.soundGroups
    // The indexes of inputs are those of the panel only if all of them could be read.
    let areRead = problems.count == 0
    for input in panel.inputs.indices where areRead {
      guard var derived = panel.inputs[input].device.derived else { continue }
      derived.resolve(panel.inputs[input].name, in: names, problems)
      panel.inputs[input].device = derived
    }
    return shownBy
  }

  private func addSensorLoss(
    _ panel: PanelDefinition, _ shown: [(output: Int, state: Int, position: Position)]
  ) {
    let check = SensorLossCheck(panel: panel, problems: problems)
    check.addLasting(shown)
    check.addLastingLooks()
  }

  /// Adds the clock with the alarms that have been read.
  private func addClock(_ definition: ClockDefinition, _ names: Names, _ panel: inout PanelDefinition) {
    guard !names.clock.isEmpty else { return }
    var clock = definition
    let usage = names.usage
    (clock.inputs, clock.alarms, clock.watched) = (names.clock, usage.alarms, usage.watched)
    clock.catchesUp = usage.catchesUp
    clock.showsTime = usage.timeUses > usage.watchedUses
    panel.clock = clock
    guard let time = names.clock[.time], panel.inputs.indices.contains(time),
      var device = panel.inputs[time].device as? any ClockInputKind
    else { return }
    device.alarms = clock.alarms
    panel.inputs[time].device = device
  }

  private func soundReader(_ fields: Fields) -> SoundReader {
    var tracks: [String] = []
    if case .map(let entries) = fields["tracks"]?.node.content { tracks = entries.map(\.key) }
    return SoundReader(problems: problems, folder: folder, checkSound: checkSound, trackNames: tracks)
  }

  private func readSounds(_ fields: Fields, _ panel: inout PanelDefinition, _ names: inout Names) {
    let sounds = soundReader(fields)
    for entry in problems.entries(fields["sounds"]) {
      let read = sounds.sounds(entry, names)
      _ = names.declare(
        entry, Names.Thing.sound, Names.Thing.sounds, groupOf: read.isGroup ? Array(1...read.members.count) : nil,
        problems)
      names.soundSettings += read.members
      panel.sounds += read.members.compactMap { $0 }
    }
  }

  private func addSecondNames(_ draft: StateDraft, _ names: Names) {
    // The states of a repeated region have one place in the file.
    var places: Set<Position> = []
    for (number, state) in draft.states.enumerated().dropFirst() {
      guard let first = names.regions[names.topRegions[number]].index[state.name], first != number,
        draft.states[first].region != state.region, draft.states[first].position != state.position,
        places.insert(state.position).inserted
      else { continue }
      problems.add(
        state.position,
        "duplicate state \(quoted(state.name)); it is already on line \(draft.states[first].position.line), choose another name"
      )
    }
  }

  /// Makes each input emit the events that the file reacts to.
  private func enableEvents(of panel: inout PanelDefinition) {
    for reaction in panel.states.flatMap(\.on) {
      switch reaction.event {
      case .input(let input, let event) where panel.inputs.indices.contains(input):
        panel.inputs[input].device.enable(event: event)
      case .anyInput(let group, let event):
        for input in panel.inputGroups[group].members where panel.inputs.indices.contains(input) {
          panel.inputs[input].device.enable(event: event)
        }
      default: break
      }
    }
  }
}
