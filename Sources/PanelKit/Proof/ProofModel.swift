import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// The model of a panel for a proof: its rules, the parts that are followed, and the possible moves of its inputs and
/// sounds.
struct ProofModel {
  /// The moment of every event in the rules. The ages of states are set for each event.
  static let now = Moment(nanoseconds: 4_000_000_000_000_000_000)

  /// The panel of the slice.
  let panel: PanelDefinition
  /// The properties that are searched for.
  let goals: ProofGoals
  /// The followed regions of the top level. All others stay in their initial states.
  let regions: Set<Int>
  let rules: PanelRules
  /// The record of the rules' work since it was last cleared.
  let log: MoveRecorder
  let show: PanelRendering
  let slice: ConeOfInfluence
  let inputs: [InputMoves]
  /// The contacts whose debounce period separates two moves, by the numbers of their inputs.
  let exactContacts: [Int]
  /// The length of a tick, the unit of clocks, in nanoseconds: a hundredth of the greatest unit of which all times are
  /// whole numbers. That is 1 ms in most panels.
  ///
  /// An event occurs one tick after another one at the earliest, if it must occur later. In whole units, an input could
  /// not occur between two deadlines that are one unit apart.
  let tick: Int
  /// The number of ticks in the unit of all times.
  static let ticksPerUnit = 100
  /// The length of each sound in ticks, rounded down; nil for a sound without an end.
  let soundLengths: [Int?]
  /// The distinguished ages of each state.
  let ages: [ElapsedCells?]
  /// The hardware that can be lost: each chip alone, unless all are lost together.
  let losable: [PluggableHardware]
  /// The chip of each input; its lines are lost with the chip.
  let chipsOfInputs: [PluggableHardware?]
  /// The sensors that can be lost, by their inputs.
  let losableSensors: Set<Int>
  /// The input that is the time of day, if anything asks for the time or whether it is known; nil otherwise.
  let followedClock: Int?
  /// The followed `between` switches that do not follow the clock.
  let periods: [Int]
  private let hasFaults: Bool
  /// The values that keep their initial numbers.
  let constants: Set<Int>
  /// The cells of values; nil for a search that keeps all numbers apart.
  let cells: ValueCells?
  /// The followed values that remote commands can set, and the numbers that are tried.
  let settable: [(value: Int, numbers: [Int])]

  /// - Parameters:
  ///   - sounds: the panel's sounds, in its order.
  ///   - readings: the ranges of the sensors that are limited.
  ///   - hasFaults: whether the chip, the card and sensors can be lost.
  init(
    _ part: PropertySlice, sounds: [PanelSound], readings: [Int: ClosedRange<Int>] = [:],
    exactContacts: Set<Int> = [], hasFaults: Bool = true, cells: ValueCells? = nil
  ) {
    let panel = part.panel
    self.cells = cells
    self.panel = panel
    (goals, regions) = (part.goals, part.regions)
    let log = MoveRecorder(cells: cells)
    self.log = log
    rules = PanelRules(panel: panel, recorder: log)
    show = rules.show
    let slice = part.cone
    self.slice = slice
    let needsEdges = slice.followsTouches
    let inputs = panel.inputs.indices.map {
      InputMoves(
        $0, of: panel, in: slice, readings: readings, isExact: needsEdges || exactContacts.contains($0))
    }
    self.inputs = inputs
    self.exactContacts = exactContacts.filter { inputs[$0].isContact }.sorted()
    let tick = Self.unit(panel, inputs) / Self.ticksPerUnit
    self.tick = tick
    soundLengths = sounds.map { sound in
      guard !sound.isLooping, let length = sound.length else { return nil }
      return Int(length.wholeNanoseconds) / tick
    }
    ages = panel.states.map { ElapsedCells($0, of: panel, in: slice) }
    losable = hasFaults ? Self.losable(panel, slice) : []
    chipsOfInputs = panel.chipsOfInputs
    // A lost sensor may count as another number, even if nothing asks whether it is lost.
    let sensors = panel.inputs.indices.filter { input in
      guard panel.inputs[input].device.isSensor, let scale = panel.inputs[input].device.scale else { return false }
      return slice.follows(input: input) || scale.lost != nil && slice.asked.readings.contains(input)
    }
    losableSensors = hasFaults ? Set(sensors) : []
    self.hasFaults = hasFaults
    let isAsked = panel.clock?.inputs.values.contains { input in
      slice.asked.positions.contains(input) || slice.asked.readings.contains(input)
    }
    followedClock = isAsked == true ? panel.clock?.inputs[.time] : nil
    periods = panel.inputs.indices.filter { panel.inputs[$0].device is PeriodSwitch && inputs[$0].isContact }
    constants = part.constants
    var settable: [(value: Int, numbers: [Int])] = []
    for value in panel.accept.values where slice.follows(value: value) {
      let range = panel.values[value].min...panel.values[value].max
      // Of too many numbers, those at which a condition changes are tried. What they violate is violated.
      let few = cells ?? (range.count > Self.mostSettable ? ValueCells(of: part) : nil)
      settable.append((value, few?.numbers(of: value) ?? Array(range.prefix(Self.mostSettable))))
    }
    self.settable = settable
  }

  /// Whether the time can become unknown: it is known, or was known when a period of the day was.
  func canLoseClock(in frame: PanelFrame) -> Bool {
    hasFaults
      && (followedClock.map { [$0] + periods } ?? periods).contains {
        frame[position: $0] != PanelFrame.unknownPosition
      }
  }

  /// The regions whose states are reported, among those that are followed.
  var toldRegions: [Int] {
    show.toldRegions.filter { region in
      let owner = panel.regions[region].owner
      return regions.contains(owner == 0 ? region : rules.tree.topRegions[owner])
    }
  }

  /// The current states of the followed regions as text.
  func stateText(in frame: PanelFrame) -> String { show.stateText(of: toldRegions, in: frame) }

  /// Returns the hardware that can be lost. The loss of a chip is also the loss of all chips.
  private static func losable(_ panel: PanelDefinition, _ slice: ConeOfInfluence) -> [PluggableHardware] {
    // When their chip is lost, the positions of relays are unknown.
    let contacts = Set(slice.asked.contacts.map { panel.hardware(ofChip: panel.chip(of: panel.outputs[$0].device)) })
    let devices = panel.inputs.map { $0.device as any DeviceKind } + panel.outputs.map(\.device)
    let chips = Set(devices.filter { !$0.lines.isEmpty }.map { panel.hardware(ofChip: panel.chip(of: $0)) })
    return
      ((panel.hasChipsLostAlone ? [.audio] + chips.sorted() : PluggableHardware.common)
      + (panel.mqtt == nil ? [] : [.network])).filter { hardware in
        slice.follows(hardware) || contacts.contains(hardware) || hardware.hasLines && slice.follows(.gpio)
      }
  }

  /// The greatest unit that divides all times.
  private static func unit(_ panel: PanelDefinition, _ inputs: [InputMoves]) -> Int {
    var spans = panel.interlocks.map(\.pause)
    for device in panel.inputs.map(\.device) {
      spans += device.positions.count == 2 ? [0, 1].map { device.settlingTime(to: $0) } : [device.debounce]
    }
    for deadline in panel.states.flatMap(\.after) {
      if case .fixed(let duration) = deadline.delay { spans.append(duration) }
    }
    for case .button(let button) in inputs {
      spans += button.spans
    }
    for chord in panel.inputs.compactMap({ $0.device.derivation?.ofChord }) {
      spans += [chord.within, chord.hold, chord.doubleClick].compactMap { $0 }
    }
    let units: [Int64] = [1_000_000, 1_000]
    return Int(units.first { unit in spans.allSatisfy { $0.wholeNanoseconds % unit == 0 } } ?? 100)
  }

  /// Whether an input's events at one moment occur in the order of the file, because they count only after the debounce
  /// period. Only relevant if contacts are exact.
  func keepsOrder(_ input: Int) -> Bool { !exactContacts.isEmpty && panel.inputs[input].device.debounce > .zero }

  /// Whether an input is derived from others. Its delayed events occur in the order of the file.
  func isDerived(_ input: Int) -> Bool { panel.inputs[input].device.derived != nil }

  /// The greatest count of numbers to which a remote command can set a value. If there are more, nothing is proved.
  private static let mostSettable = 256

  /// A part of the panel that the proof does not cover, so that nothing can be proved.
  struct Gap {
    var text: String
    var remedy: Remedy

    enum Remedy {
      /// Limit the numbers of a sensor, given by its input.
      case fewerNumbers(Int)
      /// Limit a value that is kept, or that a remote command sets.
      case fewerValues(Int)
      case leaveState
      /// Leave out positions of a switch or a reader, given by its input.
      case fewerPositions(Int)
      /// Accept fewer remote commands: remove this name.
      case acceptLess(String)
    }
  }

  /// The first gap; nil if the proof covers everything.
  var gap: Gap? {
    for (input, model) in inputs.enumerated() {
      if model.numbers.count >= SensorCells.most {
        return Gap(
          text: "\(panel.inputs[input].name) has more than \(SensorCells.most) numbers",
          remedy: .fewerNumbers(input))
      }
    }
    if let input = uncoveredStarts.first {
      return Gap(
        text: "\(panel.inputs[input].name) has too many positions for all starts of the panel",
        remedy: .fewerPositions(input))
    }
    if keptStartCount > Starts.mostKept, let value = widestKeptValue {
      let names = keptValues.map { panel.values[$0].name }
      let numbers = names.count > 1 ? "combinations of numbers" : "numbers"
      return Gap(
        text: "\(listed(names)) \(names.count > 1 ? "are" : "is") kept, and the panel can start with more than "
          + "\(Starts.mostKept) \(numbers)",
        remedy: .fewerValues(value))
    }
    let ranges = panel.values.map { $0.min...$0.max }
    if let (value, _) = settable.first(where: { ranges[$0.value].count > Self.mostSettable && !isInCells($0.value) }) {
      return Gap(
        text: "a remote command can set \(panel.values[value].name) to more than \(Self.mostSettable) numbers",
        remedy: .fewerValues(value))
    }
    for input in panel.accept.presses where isMixed(input) {
      let name = panel.inputs[input].name
      return Gap(
        text: "presses of \(name) by hand and by remote command can overlap in more ways than presses of one button",
        remedy: .acceptLess(name))
    }
    for case (let state, let cells?) in ages.enumerated() where cells.isCutOff {
      let longest = Quantity.text(.milliseconds(cells.exactUpTo))
      return Gap(
        text: "elapsed is followed up to \(longest) only, and \(panel.states[state].name) can be current for longer",
        remedy: .leaveState)
    }
    return nil
  }

  /// Whether the numbers of a value are not kept apart.
  private func isInCells(_ value: Int) -> Bool { cells?.numbers(of: value) != nil }

  /// Whether it matters that remote presses overlap with presses by hand: for double clicks, and for exact contacts.
  private func isMixed(_ input: Int) -> Bool {
    guard case .button(let button) = inputs[input] else { return false }
    return button.hasSeries || exactContacts.contains(input)
  }

  func ticks(_ span: Duration) -> Int { Int(span.wholeNanoseconds) / tick }
  func ticks(milliseconds: Int) -> Int { milliseconds * (1_000_000 / tick) }
  func duration(_ ticks: Int) -> Duration { .nanoseconds(ticks * tick) }

  /// The regions whose states' ages are distinguished at a move.
  func ages(in frame: PanelFrame, at move: Move, _ alarms: [TimedEvent]) -> [(region: Int, cells: ElapsedCells)] {
    guard !slice.asked.elapsed.isEmpty else { return [] }
    return panel.regions.indices.compactMap { region in
      let state = frame[state: region]
      guard state >= 0, let cells = ages[state], cells.matter(at: move, alarms) else { return nil }
      return (region, cells)
    }
  }
}

extension InputMoves {
  /// The numbers that the input can have, as far as they differ.
  var numbers: [Int] {
    switch self {
    case .sensor(let numbers), .events(_, _, let numbers): numbers
    case .none, .position, .button: []
    }
  }

  var isContact: Bool {
    switch self {
    case .button, .position: true
    case .none, .events, .sensor: false
    }
  }
}
