import CycleCore
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// The path to a violation as text, one line per event.
struct CounterexampleReport {
  /// The panel as the file defines it, without limits.
  let panel: PanelDefinition
  /// The panel file, as the user wrote it.
  let file: String
  /// The limits of the proof, as the user wrote them; empty if there are none. A scenario has none.
  let limits: String
  let way: Proof.Path
  private var model: ProofModel { way.model }

  /// - Parameter limits: the limits of the proof, as the user wrote them.
  init(panel: PanelDefinition, file: String, limits: String = "", way: Proof.Path) {
    (self.panel, self.file, self.limits, self.way) = (panel, file, limits, way)
  }

  /// The name of the violation: `never crushing`, `endless loop of "when"`.
  var title: String {
    switch way.trace.violation {
    case .never(let never): "never \(panel.nevers[never].name)"
    case .interlock(let interlock): panel.title(of: panel.interlocks[interlock])
    case .circle: "endless loop of \"after\""
    case .endless, nil: "endless loop of \"when\""
    }
  }

  /// The violated property, in the words of the file.
  var property: String {
    switch way.trace.violation {
    case .never(let never): panel.nevers[never].text
    case .interlock: "switched on together"
    case .endless(let states), .circle(let states): states.map { panel.states[$0].name }.joined(separator: ", ")
    case nil: ""
    }
  }

  /// Whether the violation is an endless loop. The title alone then describes it.
  private var isLoop: Bool {
    switch way.trace.violation {
    case .endless, .circle, nil: true
    case .never, .interlock: false
    }
  }

  private var place: String {
    let written: FilePassage? =
      switch way.trace.violation {
      case .never(let never): panel.nevers[never].written
      case .interlock(let interlock): panel.interlocks[interlock].written
      case .endless, .circle, nil: nil
      }
    return written?.source.map { "\(file):\($0.position.line):\($0.position.column)" } ?? file
  }

  var lines: [String] { lines(saying: "is violated") }

  /// - Parameter words: the words after the name of the property: `is violated`.
  func lines(saying words: String) -> [String] {
    let inputs = way.inputs == 0 ? "no input" : counted(way.inputs, "input")
    let moment = way.moments?.last.map { ", at \(Self.text(ofMoment: $0))" } ?? ""
    let text = model.text(ofStart: way.trace)
    let start = text.isEmpty ? "" : " with \(text)"
    let head = "  shortest counterexample: \(inputs)\(moment), from the start\(start)"
    return ["\(place): \(title)\(isLoop ? "" : " \(words)"): \(property)", head] + rows
  }

  /// Writes the path as a scenario file, if that scenario fails on a simulated panel. A file that a user has written or
  /// changed is kept.
  ///
  /// - Parameter place: the place of the file; nil for none.
  func record(at place: ScenarioDestination?) throws(Problems) -> WitnessReport {
    let (text, isStopped) = failingScenario()
    if isStopped { return .stopped }
    guard let scenario = text else {
      let limit = limits.isEmpty ? "" : "the limit \(limits), "
      // A proof lets such an input emit each event at any time.
      let isFree = panel.inputs.contains { type(of: $0.device).control == .events }
      let refusal = isFree ? "an event that the simulated device does not emit then, " : ""
      return WitnessReport(
        without:
          "no scenario can reproduce it: it needs \(limit)a sound that ends late, two events at the same time, \(refusal)or devices that return one by one"
      )
    }
    return try WitnessReport(scenario, at: place, named: shortName, verb: "reproduces") {
      ScenarioText.canReplace($0, by: scenario)
    }
  }

  /// The delays after a sound's length at which it ends, in milliseconds: the time that the card's buffers hold.
  private static let delays = [0, 5, 10, 20, 50, 100]

  /// The path as a scenario file that fails on a simulated panel; nil if no scenario fails, or if a check was stopped.
  func failingScenario() -> (text: String?, isStopped: Bool) {
    for delay in Self.delays {
      var way = way
      if delay > 0 { way.moments = way.trace.order.moments(withSoundsLaterBy: model.ticks(milliseconds: delay)) }
      let scenario = ScenarioText(way, in: model, named: scenarioName, expecting: expectation)
      if let text = scenario?.text {
        switch ScenarioCheck.result(of: text, on: panel) {
        case .fails: return (text, false)
        case .passes: break
        case .stopped: return (nil, true)
        }
      }
      if !way.trace.order.hasSounds { break }
    }
    return (nil, false)
  }

  private var scenarioName: String {
    switch way.trace.violation {
    case .endless, .circle: title
    case .never, .interlock, nil: "\(title): \(property)"
    }
  }

  /// The part of the scenario's file name after the panel's name.
  private var shortName: String {
    switch way.trace.violation {
    case .never(let never): panel.nevers[never].name
    case .interlock(let interlock):
      (["interlock"] + panel.interlocks[interlock].relays.map { panel.outputs[$0].name }).joined(separator: "-")
    case .endless, .circle, nil: "endless"
    }
  }

  /// The expectation of the last step. It holds only if the panel has not taken this path.
  private var expectation: ScenarioText.Expectation {
    switch way.trace.violation {
    // A longer condition could not be read.
    case .never(let never) where panel.nevers[never].text.unicodeScalars.count > ExpressionReader.longest - 8: .works
    case .never(let never): .not(panel.nevers[never].text)
    case .endless, .circle: .works
    case .interlock, nil: .not(stateText)
    }
  }

  /// The states at the end of the path, as a condition.
  private var stateText: String {
    let frame = way.trace.events.last?.after ?? model.rules.seed
    return model.toldRegions.filter { frame[state: $0] >= 0 }.map { region in
      let state = panel.states[model.show.toldState(of: region, in: frame)].name
      return "state\(panel.regions[region].name.map { ".\($0)" } ?? "") == \(state)"
    }.joined(separator: " and ")
  }

  private var rows: [String] {
    let rows = way.trace.events.enumerated().compactMap { number, event -> (String, String, String, String)? in
      // A path that ends at its start has only the start to show.
      let change = way.trace.events.count > 1 ? change(event) : model.stateText(in: event.after)
      guard matters(event) || !change.isEmpty else { return nil }
      let position = event.taken.first.flatMap { model.rules.table.transitions[$0].written.source?.position }
      return (
        way.moments.map { Self.text(ofMoment: $0[number]) } ?? "", event.cause, change,
        position.map { "\($0.line):\($0.column)" } ?? ""
      )
    }
    let causes = max(15, (rows.map(\.1.count).max() ?? 0) + 2)
    let changes = max(39, (rows.map(\.2.count).max() ?? 0) + 2)
    return rows.map { moment, cause, change, position in
      let time = String(repeating: " ", count: max(0, 8 - moment.count)) + moment
      let row = "\(time)  \(cause.padded(to: causes))\(change.padded(to: changes))\(position)"
      return visible(String(row.reversed().drop { $0 == " " }.reversed()))
    }
  }

  /// Whether the event is an action from outside that deserves a line even if it changes nothing yet.
  private func matters(_ event: Trace.Event) -> Bool {
    guard let hand = event.hand else { return false }
    return hand.input < 0 || panel.inputs[hand.input].device.gesture == nil
      || model.slice.asked.positions.contains(hand.input)
  }

  /// The changes of an event: states, then values.
  private func change(_ event: Trace.Event) -> String {
    let show = model.show
    var changes: [String] = []
    for region in model.toldRegions {
      let (before, after) = (show.toldState(of: region, in: event.before), show.toldState(of: region, in: event.after))
      guard before != after else { continue }
      let name = panel.regions[region].name.map { "\($0): " } ?? ""
      changes.append("\(name)\(show.path(of: before, in: region)) -> \(show.path(of: after, in: region))")
    }
    for value in panel.values.indices where event.before[value: value] != event.after[value: value] {
      let definition = panel.values[value]
      changes.append(
        "\(definition.name) \(definition.text(of: event.before[value: value])) -> \(definition.text(of: event.after[value: value]))"
      )
    }
    return changes.joined(separator: ", ")
  }
}

extension CounterexampleReport {
  /// A moment of a path as text: `11ms`, `20.011s`.
  static func text(ofMoment nanoseconds: Int) -> String {
    let span = Duration.nanoseconds(nanoseconds)
    guard let milliseconds = span.wholeMilliseconds else { return Quantity.text(span) }
    guard milliseconds >= 1000 else { return "\(milliseconds)ms" }
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    let digits = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(milliseconds / 1000)\(digits.isEmpty ? "" : "." + String(digits))s"
  }
}
