import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `mode: { selector: { off: GPIO5, slow: GPIO6, fast: GPIO13 } }`: a switch with a line for each position.
package struct SelectorKind: LineInputKind {
  package static let grammar = FieldSet(
    name: "a selector", summary: "switch with 2 to 16 positions and a line for each",
    sample: "mode: { selector: { slow: GPIO5, fast: GPIO6 } }",
    keys: [
      Key(
        name: "selector", takes: "a map of positions and their lines: { off: none, slow: GPIO5, fast: GPIO6 }",
        shape: .map(keys: .name, to: .oneOf([.line, .choice(NoLine.self)]), count: count),
        meaning:
          "positions in their order, and their lines. One position can have `none` instead of a line: it counts while no "
          + "contact is closed"),
      Key(
        name: "gap", takes: "a duration: 50ms", shape: .span(.milliseconds(1) ... .seconds(10)), usual: "`50ms`",
        meaning: "time without a closed contact until the position with `none` counts"),
    ] + ContactSettings.keys + [DeviceFields.reportStartKey])
  package static let control = InputControl.selector

  private static let count = 2...16

  /// The word for a position without a line.
  private enum NoLine: String, CaseIterable, Sendable {
    case none
  }

  /// The positions' names.
  package let events: [String]
  package var positions: [String] { events }
  package func position(after event: Int) -> Int? { event }
  package private(set) var reportsStart = false

  /// The line of each position; nil for the one without a line.
  private let places: [String?]
  private var contact = ContactSettings()
  private var gap = Duration.milliseconds(50)

  package init?(reading fields: DeviceFields) {
    contact = fields.contact()
    gap = fields.duration("gap") ?? .milliseconds(50)
    reportsStart = fields.reportsStart
    guard let entries = fields.entries("selector") else { return nil }
    var (names, places): ([String], [String?]) = ([], [])
    for (name, value) in entries {
      guard let node = value["selector"]?.node, Names.isGood(name, at: node.position, fields.problems) else {
        return nil
      }
      names.append(name)
      if case .scalar("none") = node.content {
        guard !places.contains(nil) else {
          value.addProblem(
            at: "selector",
            "only one position can have none; write the line of \(quoted(name)), such as \(name): GPIO17")
          return nil
        }
        places.append(nil)
      } else {
        guard let line = value.line("selector") else { return nil }
        fields.notePullDown(at: line)
        places.append(line)
      }
    }
    (events, self.places) = (names, places)
    if !places.contains(nil), let gap = fields["gap"] {
      fields.problems.note(gap.node.position, "no position has none, so gap has no effect; leave gap out")
    }
  }

  package var lines: [String] { places.compactMap { $0 } }
  package var debounce: Duration { contact.debounce }
  package var longestDebounce: Duration { contact.debounce + (places.contains(nil) ? gap : .zero) }
  package func settlingTime(to position: Int) -> Duration {
    contact.debounce + (places[position] == nil ? gap : .zero)
  }

  package func device(on chip: any GPIOChip) -> Selector { device(on: chip, at: nil) }

  package func device(on chip: any GPIOChip, at position: Int?) -> Selector {
    Selector(
      chip, lines: places.map { $0.map { LineName($0) } },
      settings: .init(
        bias: Bias(contact.pull), isActiveLow: contact.active == .low, debounce: contact.debounce, gap: gap),
      position: position)
  }

  package static func report(of event: Selector.Event) -> InputReport? {
    switch event {
    case .selected(let position): .event(position)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "selector switch", direction: .input,
      circuits: zip(events, places).compactMap { word, line in
        line.map { .switch(line: $0, isActiveHigh: contact.active == .high, pull: contact.pull, word: word) }
      })
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    .selector(
      SimulatedSelector(platform.bench, contacts: places.map { $0.map { contact.contact(at: $0, of: chip) } }))
  }
}

extension SimulatedSelector: SimulatedPositions {
  /// Turns the switch to the position of the event.
  public func emit(_ event: Int, number: Double?) throws(DriverError) { try select(event) }
}
