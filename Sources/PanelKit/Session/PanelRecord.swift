import Terminal

/// What a panel's rules have done: the events that its file names, the changes of states by the last event, and what a
/// coverage counts.
///
/// Used on the thread of the cycle.
final class PanelRecord: RulesRecorder, @unchecked Sendable {
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
  /// The changes of the event that was applied last, not yet taken by ``takeChanges()``.
  private var changes: [StateChange] = []
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
    before = regions.map { _ in -1 }
    self.coverage = coverage
  }

  func forgetHeard() { heard = [] }

  func takeChanges() -> [StateChange] {
    defer { changes = [] }
    return changes
  }

  // MARK: - RulesRecorder

  func begin(in frame: PanelFrame) {
    for place in regions.indices { before[place] = show.toldState(of: regions[place], in: frame) }
  }

  func tell(_ event: PanelEvent) {
    guard named.contains(event) else { return }
    heardCount += 1
    lastHeard = event
    if heard.count < Self.mostHeard { heard.append(event) }
  }

  func end(in frame: PanelFrame) {
    for place in regions.indices {
      let state = show.toldState(of: regions[place], in: frame)
      if state != before[place] { changes.append(.init(region: regions[place], from: before[place], to: state)) }
    }
  }

  func ask(_ transition: PanelDefinition.Transition, in frame: PanelFrame) { coverage?.ask(transition, in: frame) }
  func take(_ transition: PanelDefinition.Transition) { coverage?.take(transition) }
  func enter(_ state: Int) { coverage?.enter(state) }
}
