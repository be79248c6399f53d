import Terminal

/// What a panel's rules have done: the events that its file names, the changes of states by the last event, and what a
/// coverage counts.
///
/// Used on the thread of the cycle.
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

  private let named: Set<PanelEvent>
  private let show: PanelShow
  private let regions: [Int]
  private let coverage: Coverage?
  private var before: [Int]
  /// Of the event that was applied last, not yet taken by ``takeConsequences()``.
  private var consequences = Consequences()
  /// Whether each input follows from others.
  private let isDerived: [Bool]
  /// The events since ``forgetHeard()``, the oldest first; the first ``mostHeard`` of them.
  private(set) var heard: [PanelEvent] = []
  /// How many events there have been in all.
  private(set) var heardCount = 0
  /// The event that came last.
  private(set) var lastHeard: PanelEvent?

  init(of panel: PanelDefinition, coverage: Coverage? = nil) {
    named = panel.heardEvents
    show = PanelShow(panel: panel)
    regions = show.toldRegions
    isDerived = panel.inputs.map { $0.device is any DerivedInputKind }
    before = regions.map { _ in -1 }
    self.coverage = coverage
  }

  func forgetHeard() { heard = [] }

  func takeConsequences() -> Consequences {
    defer { consequences = Consequences() }
    return consequences
  }

  /// The panel starts with a frame.
  func start(in frame: PanelFrame) { coverage?.meet(frame) }

  // MARK: - RulesRecorder

  func begin(in frame: PanelFrame) {
    for place in regions.indices { before[place] = show.toldState(of: regions[place], in: frame) }
  }

  func tell(_ event: PanelEvent) {
    if case .input(let input, _) = event, isDerived[input] { consequences.events.append(event) }
    guard named.contains(event) else { return }
    heardCount += 1
    lastHeard = event
    if heard.count < Self.mostHeard { heard.append(event) }
  }

  func end(in frame: PanelFrame) {
    coverage?.meet(frame)
    for place in regions.indices {
      let state = show.toldState(of: regions[place], in: frame)
      if state != before[place] {
        consequences.changes.append(.init(region: regions[place], from: before[place], to: state))
      }
    }
  }

  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    coverage?.ask(transition, in: frame)
  }
  func take(_ transition: PanelDefinition.Transition, number: Int) { coverage?.take(transition) }
  func enter(_ state: Int) { coverage?.enter(state) }
}
