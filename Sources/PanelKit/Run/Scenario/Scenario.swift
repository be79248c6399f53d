import PanelLanguage
import PanelNetwork

/// A scenario file that was read for a panel.
package struct Scenario: Equatable, Sendable {
  var name: String
  /// The path as the user wrote it.
  package var file: String
  /// The cases: one for each row of `cases`, or a single one without `cases`.
  package var cases: [Case]

  /// The start and the steps of one run on a new panel.
  package struct Case: Equatable, Sendable {
    /// The title: `case 2 (typed 3141, end wrong)`; nil without `cases`.
    var title: String?
    var start = Start()
    var steps: [PlacedStep]

    /// Whether a step expects an exit status other than 0: then the stop of the panel is not a failure.
    var expectsEnd: Bool {
      steps.contains { placed in
        guard case .expect(let expectations) = placed.step else { return false }
        return expectations.contains { if case .ended(let status) = $0 { status != 0 } else { false } }
      }
    }
  }

  /// The conditions before the panel starts.
  package struct Start: Equatable, Sendable {
    /// Positions of contacts, by their indices in ``InputKind/positions``; other contacts are at rest.
    package var positions: [Int: Int] = [:]
    /// The readings of sensors, in the units of their ``SensorNumberRange``; other sensors have no reading yet.
    var readings: [Int: Int] = [:]
    /// Contacts that chatter from before the start on: for a duration, or if it is nil, until a step moves them.
    var unsettled: [Int: Duration?] = [:]
    /// The missing hardware.
    var missing: Set<PluggableHardware> = []
    /// The devices whose lines another program has requested.
    var busy: [DeviceReference] = []
    /// The kept numbers by name; others have none.
    var kept: [String: Int] = [:]
    /// The time on the clock; nil if it is unknown.
    package var clock: ClockTime?
    /// The zone of the clock; nil for the panel's, or UTC.
    var zone: String?

    package init(
      positions: [Int: Int] = [:], readings: [Int: Int] = [:], unsettled: [Int: Duration?] = [:],
      missing: Set<PluggableHardware> = [], busy: [DeviceReference] = [], kept: [String: Int] = [:]
    ) {
      (self.positions, self.readings, self.unsettled, self.missing, self.busy, self.kept) = (
        positions, readings, unsettled, missing, busy, kept
      )
    }

    /// Whether some lines are not available.
    var isIncomplete: Bool { !missing.isEmpty || !busy.isEmpty }
  }

  package struct PlacedStep: Equatable, Sendable {
    package var step: Step
    /// The position of the step's word in the file.
    package var position: Position
    /// The round of the `repeat` around the step: `round 2 of 3`; nil outside a `repeat`.
    var round: String?
  }

  /// Returns a line for each `draw` whose results were not used in any case.
  ///
  /// - Parameter undrawn: the smallest number of unused results among the cases. They are the last ones of all steps.
  package func notes(undrawn: Int) -> [String] {
    var count = undrawn
    var notes: [String] = []
    for placed in cases[0].steps.reversed() {
      guard count > 0, case .draw(let drawn) = placed.step else { continue }
      let results = drawn.suffix(count).map(String.init).joined(separator: ", ")
      notes.append("\(file):\(placed.position.line):\(placed.position.column): note: no random choice used \(results)")
      count -= min(count, drawn.count)
    }
    return notes.reversed()
  }

  /// Returns the name of a case in reports.
  package func title(of one: Case) -> String { [name, one.title].compactMap { $0 }.joined(separator: ", ") }
}
