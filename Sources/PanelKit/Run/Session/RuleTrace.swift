import PanelEngine
import PanelLanguage
import Terminal

/// A record of a panel's rules: the events that its file names, the state changes by the last event, and the counts of
/// a coverage.
///
/// Used only on the thread of the cycle, and never while it is already in use: exclusive access is not checked.
package final class RuleTrace: RulesRecorder, @unchecked Sendable {
  /// The consequences of an event.
  struct Consequences: Equatable {
    /// The events of inputs that follow from others.
    var events: [PanelEvent] = []
    var changes: [StateChange] = []

    var isEmpty: Bool { events.isEmpty && changes.isEmpty }
  }

  /// A change of a region's state.
  struct StateChange: Equatable {
    var region: Int
    /// The innermost current state before the change; -1 if the region wasn't current. `to` is the state after it.
    var from: Int
    var to: Int
  }

  /// The maximum number of events that are kept; later ones are only counted.
  static let mostHeard = 1000

  private let events: EventNumbering
  /// Whether the file names an event, by its number.
  private let isNamed: [Bool]
  private let show: PanelRendering
  private let regions: [Int]
  private let coverage: Coverage?
  /// The innermost current state of each reported region; empty if it isn't known.
  @exclusivity(unchecked) private var before: [Int] = []
  /// Whether a state has been entered since ``begin(in:)``.
  @exclusivity(unchecked) private var hasEntered = false
  /// The consequences of the last event; empty after ``takeConsequences()``.
  @exclusivity(unchecked) private var consequences = Consequences()
  /// Whether each input follows from others.
  private let isDerived: [Bool]
  /// The events since ``forgetHeard()``, the oldest first; the first ``mostHeard`` of them.
  @exclusivity(unchecked) private(set) var heard: [PanelEvent] = []
  /// The number of events in all.
  @exclusivity(unchecked) package private(set) var heardCount = 0
  /// The last event.
  @exclusivity(unchecked) private(set) var lastHeard: PanelEvent?

  init(of panel: PanelDefinition, coverage: Coverage? = nil) {
    let (events, named) = (EventNumbering(of: panel), panel.heardEvents)
    self.events = events
    var isNamed = [Bool](repeating: false, count: events.count)
    for event in named { isNamed[events[event]] = true }
    self.isNamed = isNamed
    show = PanelRendering(panel: panel)
    regions = show.toldRegions
    isDerived = panel.inputs.map { $0.device.derived != nil }
    self.coverage = coverage
  }

  func forgetHeard() { heard = [] }

  /// Clears the record for a new start of the panel.
  func restart() {
    forgetHeard()
    before = []
  }

  func takeConsequences() -> Consequences {
    defer { consequences = Consequences() }
    return consequences
  }

  /// Counts the first frame of the panel.
  func start(in frame: PanelFrame) { coverage?.meet(frame) }

  // MARK: - RulesRecorder

  package func begin(in frame: PanelFrame) {
    hasEntered = false
    if before.isEmpty { before = regions.map { show.toldState(of: $0, in: frame) } }
  }

  package func tell(_ event: PanelEvent) {
    if case .input(let input, _) = event, isDerived[input] { consequences.events.append(event) }
    guard isNamed[events[event]] else { return }
    heardCount += 1
    lastHeard = event
    if heard.count < Self.mostHeard { heard.append(event) }
  }

  package func end(in frame: PanelFrame) {
    coverage?.meet(frame)
    guard hasEntered else { return }
    for place in regions.indices {
      let state = show.toldState(of: regions[place], in: frame)
      guard state != before[place] else { continue }
      consequences.changes.append(.init(region: regions[place], from: before[place], to: state))
      before[place] = state
    }
  }

  package var countsConditions: Bool { coverage != nil }
  package func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    coverage?.ask(transition, in: frame)
  }
  package func take(_ transition: PanelDefinition.Transition, number: Int) { coverage?.take(transition) }
  package func enter(_ state: Int) {
    hasEntered = true
    coverage?.enter(state)
  }
}
