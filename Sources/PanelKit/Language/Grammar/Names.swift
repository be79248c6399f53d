import Terminal

/// The names of a panel and the things that they name.
package struct Names {
  package enum Thing: Equatable {
    case input(Int)
    case output(Int)
    case sound(Int)
    case value(Int)
    case chip(Int)
    /// A group under one name, by its number.
    case inputs(Int)
    case outputs(Int)
    case sounds(Int)
    /// A list of texts, by its place in ``Names/texts``.
    case texts(Int)

    var word: String {
      switch self {
      case .input, .inputs: "input"
      case .output, .outputs: "output"
      case .sound, .sounds: "sound"
      case .value: "value"
      case .chip: "chip"
      case .texts: "list of texts"
      }
    }

    package var noun: String { word.withArticle }
  }

  /// The properties of a region on which names depend.
  package struct Region {
    package var name: String?
    /// The number of the state around the region; 0 for a top-level region.
    var owner: Int
    /// The names of the states in the region and inside these states, in the order of the file.
    package var states: [String] = []
    /// The numbers of these states.
    package var index: [String: Int] = [:]
  }

  /// Keywords of events, conditions and expectations.
  static let reserved = ["state", "playing", "audio", "gpio"]

  private var things: [String: Thing] = [:]
  /// The position of each name's declaration.
  private(set) var positions: [String: Position] = [:]
  /// The declarations in the order of the file; a group is one declaration.
  private(set) var declared: [(name: String, thing: Thing, position: Position)] = []
  package private(set) var inputs: [String] = []
  package private(set) var outputs: [String] = []
  /// The input with the events of an output, for each output that reports some.
  package private(set) var reports: [Int: Int] = [:]
  package private(set) var sounds: [String] = []
  package private(set) var values: [String] = []
  private(set) var chips: [String] = []
  /// The lists of texts that a number selects from.
  package var texts: [[String]] = []
  /// Whether the file has `mqtt`, and therefore hardware with the name `network`.
  var hasNetwork = false
  /// Whether the file has receivers of Open Sound Control: `osc: { send: [ … ] }`.
  var hasReceivers = false
  /// The events that others may send: ``AcceptedCommands/events``.
  var acceptedEvents: [String] = []
  /// The kinds in the order of ``chips``; nil for a chip with an error.
  var chipKinds: [(any ChipKind)?] = []
  /// The devices in the order of ``inputs``; nil for a device with an error.
  package var inputDevices: [(any InputKind)?] = []
  package var outputDevices: [(any OutputKind)?] = []
  /// The relays in an interlock, by their output numbers.
  var interlocked: Set<Int> = []
  /// The settings in the order of ``sounds``; nil for a sound with an error.
  var soundSettings: [PanelDefinition.Sound?] = []
  package private(set) var inputGroups: [PanelDefinition.Group] = []
  package private(set) var outputGroups: [PanelDefinition.Group] = []
  private(set) var soundGroups: [PanelDefinition.Group] = []
  /// The range of each value; for a list, the range of its length. nil for a value with an error.
  package var ranges: [ClosedRange<Int>?] = []
  /// The values that are durations in milliseconds, and the lists of them; all others are numbers.
  package var durations: Set<Int> = []
  /// The values that are times of day, in minutes since midnight.
  package var times: Set<Int> { usage.times }
  /// The number of decimals of each value that has some.
  private var decimals: [Int: Int] = [:]
  /// The values that are lists.
  package var lists: [Int: DeclaredList] = [:]
  package private(set) var regions: [Region] = []
  /// The panel that has these names; nil before it has been read.
  package private(set) var panel: PanelDefinition?
  /// The events that the panel reacts to; empty before the panel has been read.
  package private(set) var heardEvents: Set<PanelEvent> = []
  /// The top-level region around each state; -1 for the top level.
  package private(set) var topRegions: [Int] = []
  /// The region directly around each state; -1 for the top level.
  private(set) var stateRegions: [Int] = []
  private(set) var stateNames: [String] = []

  package let usage = Usage()

  /// The things that expressions use, collected while the expressions are read.
  package final class Usage {
    var readsElapsed = false
    /// The number of `each`; nil outside regions with `each`.
    var each: Int?
    /// Whether a condition reads the contact of a relay.
    var readsContacts = false
    package var drawsNumbers = false
    /// Whether a transition asks for a change of the machine's power.
    var asksForPower = false
    // These are here because readers copy the names into each of their frames.
    fileprivate(set) var times: Set<Int> = []
    fileprivate(set) var clock: [ClockDefinition.Part: Int] = [:]
    fileprivate(set) var hasPlace = false
    /// The alarms that have been read, without duplicates.
    var alarms: [ClockDefinition.Alarm] = []
    /// Whether one of them has a `late` of its own.
    var catchesUp = false
    /// The times at which a condition changes.
    var watched: Set<ClockDefinition.Time> = []
    /// The number of uses of the time of day, and those among them that are comparisons with watched times.
    var (timeUses, watchedUses) = (0, 0)
    /// The messages that have been read, without duplicates.
    var messages: [PanelMessage] = []
    /// The things that were looked up by name.
    private var inputs: Set<Int> = []
    private var inputGroups: Set<Int> = []
    private var values: Set<Int> = []
    private var texts: Set<Int> = []

    fileprivate func note(_ thing: Thing) {
      switch thing {
      case .input(let input): inputs.insert(input)
      case .inputs(let group): inputGroups.insert(group)
      case .value(let value): values.insert(value)
      case .texts(let list): texts.insert(list)
      case .output, .outputs, .sound, .sounds, .chip: break
      }
    }

    fileprivate func has(_ thing: Thing) -> Bool {
      switch thing {
      case .input(let input): inputs.contains(input)
      case .inputs(let group): inputGroups.contains(group)
      case .value(let value): values.contains(value)
      case .texts(let list): texts.contains(list)
      case .output, .outputs, .sound, .sounds, .chip: true
      }
    }
  }

  /// Whether an expression or another part of the file uses this input, a member of this group of inputs, or this
  /// value.
  func isUsed(_ name: String) -> Bool {
    guard let thing = things[name] else { return false }
    guard case .inputs(let group) = thing else { return usage.has(thing) }
    return usage.has(thing) || inputGroups[group].members.contains { usage.has(.input($0)) }
  }

  init() {}

  /// Sets the regions and the states in the order of the file. The first state is the top level.
  mutating func define(regions: [(name: String?, owner: Int)], states: [(name: String, region: Int)]) {
    self.regions = regions.map { Region(name: $0.name, owner: $0.owner) }
    stateRegions = states.map(\.region)
    stateNames = states.map(\.name)
    topRegions = []
    for (number, state) in states.enumerated() {
      var region = state.region
      while region >= 0 {
        self.regions[region].states.append(state.name)
        if self.regions[region].index[state.name] == nil { self.regions[region].index[state.name] = number }
        let owner = self.regions[region].owner
        if owner == 0 { break }
        region = stateRegions[owner]
      }
      topRegions.append(region)
    }
  }

  /// Makes the names of a panel that has been read.
  package init(_ panel: PanelDefinition) {
    self.panel = panel
    hasNetwork = panel.mqtt != nil
    hasReceivers = panel.osc?.receivers.isEmpty == false
    acceptedEvents = panel.accept.events
    for chip in panel.chips { add(chip.name, .chip(chips.count), at: .start) }
    chipKinds = panel.chips.map(\.kind)
    usage.clock = panel.clock?.inputs ?? [:]
    let listed = panel.inputs.prefix { !($0.device is OutputEventInput) }
    for input in listed { add(input.name, .input(inputs.count), at: .start) }
    for output in panel.outputs {
      add(output.name, .output(outputs.count), at: .start)
      outputDevices.append(output.device)
    }
    addReports()
    for sound in panel.sounds { add(sound.name, .sound(sounds.count), at: .start) }
    (inputGroups, outputGroups, soundGroups) = (panel.inputGroups, panel.outputGroups, panel.soundGroups)
    for (number, group) in inputGroups.enumerated() { things[group.name] = .inputs(number) }
    for (number, group) in outputGroups.enumerated() { things[group.name] = .outputs(number) }
    for (number, group) in soundGroups.enumerated() { things[group.name] = .sounds(number) }
    for value in panel.values {
      add(value.name, .value(values.count), at: .start)
      addType(of: value)
    }
    inputDevices = panel.inputs.map(\.device)
    interlocked = Set(panel.interlocks.flatMap(\.relays))
    soundSettings = panel.sounds
    heardEvents = panel.heardEvents
    usage.drawsNumbers = panel.usesChance
    define(regions: panel.regions.map { ($0.name, $0.owner) }, states: panel.states.map { ($0.name, $0.region) })
  }

  /// Adds the name of the next input, output, sound or value; a bad, reserved or duplicate name adds a problem.
  mutating func declare(_ name: String, _ thing: Thing, at position: Position, _ problems: ProblemList) {
    if Self.isGood(name, at: position, problems) {
      if Self.reserved.contains(name) {
        problems.add(position, "\(quoted(name)) is a reserved word; choose another name")
      } else if let other = things[name] {
        let line = positions[name]?.line ?? 0
        problems.add(
          position, "duplicate name \(quoted(name)); it is \(other.noun) on line \(line), choose another")
      }
    }
    add(name, thing, at: position)
    declared.append((name, thing, position))
  }

  /// Adds the names that an entry of the file declares: one input, output or sound, or a group.
  ///
  /// - Parameters:
  ///   - thing: makes a thing from its index.
  ///   - group: makes a group from its number.
  ///   - numbers: the numbers of the group's members; nil for a single input, output or sound.
  ///   - words: the members' own names, if they have any.
  /// - Returns: the name of each member, or the single name.
  mutating func declare(
    _ entry: YAMLNode.Entry, _ thing: (Int) -> Thing, _ group: (Int) -> Thing, groupOf numbers: [Int]?,
    named words: [String]? = nil, _ problems: ProblemList
  ) -> [String] {
    let first =
      switch thing(0) {
      case .input, .inputs: inputs.count
      case .output, .outputs: outputs.count
      case .sound, .sounds: sounds.count
      case .value: values.count
      case .chip: chips.count
      case .texts: texts.count
      }
    guard let numbers else {
      declare(entry.key, thing(first), at: entry.position, problems)
      return [entry.key]
    }
    let members = PanelDefinition.Group(name: entry.key, first: first, numbers: numbers, words: words)
    switch group(0) {
    case .inputs:
      declare(entry.key, group(inputGroups.count), at: entry.position, problems)
      inputGroups.append(members)
    case .outputs:
      declare(entry.key, group(outputGroups.count), at: entry.position, problems)
      outputGroups.append(members)
    case .sounds:
      declare(entry.key, group(soundGroups.count), at: entry.position, problems)
      soundGroups.append(members)
    case .input, .output, .sound, .value, .chip, .texts: break
    }
    let own = members.memberNames
    for (place, name) in own.enumerated() { add(name, thing(first + place), at: entry.position) }
    return own
  }

  /// Returns the name of a group's member: `pad(3)`.
  static func member(_ number: Int, of group: String) -> String { "\(group)(\(number))" }

  /// Adds an input for each output that reports events, after all other inputs.
  ///
  /// - Returns: the inputs, as a panel has them.
  @discardableResult
  mutating func addReports() -> [PanelDefinition.Input] {
    var added: [PanelDefinition.Input] = []
    for (output, device) in outputDevices.enumerated() {
      guard let device, !device.events.isEmpty else { continue }
      let input = PanelDefinition.Input(name: outputs[output], device: OutputEventInput(of: device))
      reports[output] = inputs.count
      inputs.append(input.name)
      inputDevices.append(input.device)
      added.append(input)
    }
    return added
  }

  /// The unit of a value.
  func unit(of value: Int) -> Dimension {
    times.contains(value) ? .time : durations.contains(value) ? .duration : .number
  }

  /// The number of decimals of a value: its numbers are multiplied by 10 ^ `decimals`.
  package func decimals(of value: Int) -> Int { decimals[value] ?? 0 }

  /// The inputs of the clock that the file uses.
  package var clock: [ClockDefinition.Part: Int] { usage.clock }
  /// Whether the file has a place, whose sun rises and sets.
  package var hasPlace: Bool { usage.hasPlace }

  /// Adds the inputs of the clock, after those of the file. A name of the file with the same word comes first.
  ///
  /// - Returns: the inputs, as a panel has them.
  mutating func addClock(
    _ parts: Set<ClockDefinition.Part>, _ kind: any ClockInputKind.Type, _ definition: ClockDefinition
  ) -> [PanelDefinition.Input] {
    usage.hasPlace = definition.place != nil
    var added: [PanelDefinition.Input] = []
    for part in ClockDefinition.Part.allCases where parts.contains(part) {
      let input = PanelDefinition.Input(name: part.rawValue, device: kind.init(part, definition.port))
      usage.clock[part] = inputs.count
      add(input.name, .input(inputs.count), at: .start)
      inputDevices.append(input.device)
      added.append(input)
    }
    return added
  }

  /// Adds the type of a value for expressions; nil for a value with an error.
  mutating func addType(of value: PanelDefinition.Value?) {
    let index = ranges.count
    guard let value else { return ranges.append(nil) }
    if value.isDuration { durations.insert(index) }
    if value.isTime { usage.times.insert(index) }
    if value.decimals > 0 { decimals[index] = value.decimals }
    if let list = value.list {
      lists[index] = DeclaredList(place: list, value: value)
      ranges.append(value.filled == nil ? 0...list.capacity : list.capacity...list.capacity)
    } else {
      ranges.append(value.min...value.max)
    }
  }

  private mutating func add(_ name: String, _ thing: Thing, at position: Position) {
    if things[name] == nil {
      things[name] = thing
      positions[name] = position
    }
    switch thing {
    case .input: inputs.append(name)
    case .output: outputs.append(name)
    case .sound: sounds.append(name)
    case .value: values.append(name)
    case .chip: chips.append(name)
    case .inputs, .outputs, .sounds, .texts: break
    }
  }

  /// Whether a name has at most 64 letters, digits and `-`, with a letter first. Adds a problem if not.
  @discardableResult
  package static func isGood(_ name: String, at position: Position, _ problems: ProblemList) -> Bool {
    let isGood =
      name.utf8.count <= 64
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
      && name.utf8.first.map(isLetter) ?? false
    if !isGood {
      problems.add(
        position, "invalid name \(quoted(name)); use letters, digits and -, start with a letter, at most 64 characters")
    }
    return isGood
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// Lookups by name. An unknown name adds a problem that suggests the nearest known one.
extension Names {
  package func thing(_ name: String) -> Thing? {
    guard let thing = things[name] ?? things[memberOfEach(name) ?? name] else { return nil }
    usage.note(thing)
    return thing
  }

  /// The name of the member that a name such as `keys(each)` means here; nil for any other name.
  func memberOfEach(_ name: String) -> String? {
    guard let each = usage.each, name.hasSuffix("(each)") else { return nil }
    return Self.member(each, of: String(name.dropLast("(each)".count)))
  }

  /// The error for a name such as `keys(each)`, if the group has no member with this number, or if it is not in a region
  /// with `each`; nil otherwise.
  func faultOfEach(_ name: String) -> String? {
    guard name.hasSuffix("(each)"), let group = group(String(name.dropLast("(each)".count))) else { return nil }
    guard let each = usage.each else { return Self.faultOfEach(count: group.members.count) }
    return "\(group.name) has no member \(each); write \(group.choices)"
  }

  /// The error for `each` outside of a region that is repeated.
  static func faultOfEach(count: Int = 4) -> String {
    "\"each\" is known only inside a region with each: 1..\(count)"
  }

  /// The input with this name, or the events of the output with this name.
  package func input(_ name: String, at position: Position, _ problems: ProblemList) -> Int? {
    switch thing(name) {
    case .input(let index): return index
    case .output(let output):
      if let input = reports[output] { return input }
    default: break
    }
    addUnknown(name, wanted: "input", among: inputs, at: position, problems)
    return nil
  }

  func output(_ name: String, at position: Position, _ problems: ProblemList) -> Int? {
    if case .output(let index) = thing(name) { return index }
    addUnknown(name, wanted: "output", among: outputs, at: position, problems)
    return nil
  }

  func sound(_ name: String, at position: Position, _ problems: ProblemList) -> Int? {
    if case .sound(let index) = thing(name) { return index }
    addUnknown(name, wanted: "sound", among: sounds, at: position, problems)
    return nil
  }

  package func value(_ name: String, at position: Position, _ problems: ProblemList) -> Int? {
    if case .value(let index) = thing(name) { return index }
    addUnknown(name, wanted: "value", among: values, at: position, problems)
    return nil
  }

  private func addUnknown(
    _ name: String, wanted: String, among known: [String], at position: Position, _ problems: ProblemList
  ) {
    if let fault = faultOfEach(name) { return problems.add(position, fault) }
    if let group = group(name), wanted == things[name]?.word {
      let (first, last) = (group.memberNames.first ?? name, group.memberNames.last ?? name)
      return problems.add(
        position, "\(quoted(name)) is a group of \(group.count); write one member, \(first) to \(last)")
    }
    let parts = name.split { $0 == "," || $0 == " " }.map(String.init)
    let suggestion =
      parts.count > 1 && parts.allSatisfy { things[$0]?.word == wanted }
      ? "write a list: [\(parts.joined(separator: ", "))]"
      : problems.suggestion(for: name, among: known, called: wanted + "s")
    if let other = things[name] {
      problems.add(position, "\(quoted(name)) is \(other.noun), not \(wanted.withArticle); \(suggestion)")
    } else {
      problems.add(position, "unknown \(wanted) \(quoted(name)); \(suggestion)")
    }
  }

  /// Whether a number in parentheses can follow the name, for a member or an element.
  func hasParts(_ thing: Thing) -> Bool {
    switch thing {
    case .inputs, .outputs, .sounds, .texts: true
    case .value(let value): lists[value] != nil
    case .input, .output, .sound, .chip: false
    }
  }

  /// Returns the group with this name; nil for any other name.
  func group(_ name: String) -> PanelDefinition.Group? {
    switch thing(name) {
    case .inputs(let group): inputGroups[group]
    case .outputs(let group): outputGroups[group]
    case .sounds(let group): soundGroups[group]
    default: nil
    }
  }

  /// Whether a number is in the value's range. Adds a problem if not.
  package func isInRange(_ number: Int, of value: Int, at position: Position, _ problems: ProblemList) -> Bool {
    guard let range = ranges[value], !range.contains(number) else { return true }
    let text = { (number: Int) in
      times.contains(value)
        ? ClockReader.text(ofMinutes: number)
        : durations.contains(value)
          ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals(of: value))
    }
    let bounds = "\(text(range.lowerBound))...\(text(range.upperBound))"
    problems.add(position, "\(text(number)) is outside the range of \(quoted(values[value])); write \(bounds)")
    return false
  }
}

extension String {
  /// The text with "a" or "an" before it.
  var withArticle: String { first.map { "aeiou".contains($0) } ?? false ? "an \(self)" : "a \(self)" }
}
