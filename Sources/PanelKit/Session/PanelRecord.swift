import Terminal

/// What a panel's rules have done: the events that its file names, the changes of states by the last event, and what a
/// coverage counts.
///
/// Used on the thread of the cycle, and by nothing that it calls: its accesses are not checked.
final class PanelRecord: RulesRecorder, @unchecked Sendable {
  /// What an event has led to.
  struct Consequences: Equatable {
    /// The events of inputs that follow from others.
    var events: [PanelEvent] = []
    var changes: [StateChange] = []

    var isEmpty: Bool { events.isEmpty && changes.isEmpty }
  }

  /// A change of a region's state.
  struct StateChange: Equatable {
    var region: Int
    /// The innermost current states; -1 where the region isn't current.
    var from: Int
    var to: Int
  }

  /// More events than this are counted only.
  static let mostHeard = 1000

  private let events: EventNumbers
  /// Whether the file names an event, by its number.
  private let isNamed: [Bool]
  private let show: PanelShow
  private let regions: [Int]
  private let coverage: Coverage?
  /// The innermost current state of each told region; empty where it isn't known.
  @exclusivity(unchecked) private var before: [Int] = []
  /// Whether a state has been entered since ``begin(in:)``.
  @exclusivity(unchecked) private var hasEntered = false
  /// Of the event that was applied last, not yet taken by ``takeConsequences()``.
  @exclusivity(unchecked) private var consequences = Consequences()
  /// Whether each input follows from others.
  private let isDerived: [Bool]
  /// The events since ``forgetHeard()``, the oldest first; the first ``mostHeard`` of them.
  @exclusivity(unchecked) private(set) var heard: [PanelEvent] = []
  /// How many events there have been in all.
  @exclusivity(unchecked) private(set) var heardCount = 0
  /// The event that came last.
  @exclusivity(unchecked) private(set) var lastHeard: PanelEvent?

  init(of panel: PanelDefinition, coverage: Coverage? = nil) {
    let (events, named) = (EventNumbers(of: panel), panel.heardEvents)
    self.events = events
    var isNamed = [Bool](repeating: false, count: events.count)
    for event in named { isNamed[events[event]] = true }
    self.isNamed = isNamed
    show = PanelShow(panel: panel)
    regions = show.toldRegions
    isDerived = panel.inputs.map { $0.device is any DerivedInputKind }
    self.coverage = coverage
  }

  func forgetHeard() { heard = [] }

  /// The panel has started anew.
  func restart() {
    forgetHeard()
    before = []
  }

  func takeConsequences() -> Consequences {
    defer { consequences = Consequences() }
    return consequences
  }

  /// The panel starts with a frame.
  func start(in frame: PanelFrame) { coverage?.meet(frame) }

  // MARK: - RulesRecorder

  func begin(in frame: PanelFrame) {
    hasEntered = false
    if before.isEmpty { before = regions.map { show.toldState(of: $0, in: frame) } }
  }

  func tell(_ event: PanelEvent) {
    if case .input(let input, _) = event, isDerived[input] { consequences.events.append(event) }
    guard isNamed[events[event]] else { return }
    heardCount += 1
    lastHeard = event
    if heard.count < Self.mostHeard { heard.append(event) }
  }

  func end(in frame: PanelFrame) {
    coverage?.meet(frame)
    guard hasEntered else { return }
    for place in regions.indices {
      let state = show.toldState(of: regions[place], in: frame)
      guard state != before[place] else { continue }
      consequences.changes.append(.init(region: regions[place], from: before[place], to: state))
      before[place] = state
    }
  }

  var countsConditions: Bool { coverage != nil }
  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    coverage?.ask(transition, in: frame)
  }
  func take(_ transition: PanelDefinition.Transition, number: Int) { coverage?.take(transition) }
  func enter(_ state: Int) {
    hasEntered = true
    coverage?.enter(state)
  }
}
