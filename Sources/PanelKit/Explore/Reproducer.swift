import HardwareSimulation
import PanelLanguage
import PanelProof
import PanelRun
import Terminal

/// A run with a violation, as a scenario file. The scenario fails as long as the panel has the fault.
package struct Reproducer {
  package let panel: PanelDefinition
  package let discovery: RandomSearch<ExploredPanel>.Discovery
  package let options: ExploredPanel.Options

  package init(panel: PanelDefinition, discovery: RandomSearch<ExploredPanel>.Discovery, options: ExploredPanel.Options)
  {
    (self.panel, self.discovery, self.options) = (panel, discovery, options)
  }

  /// The first words of a file that a random test has written.
  static let mark = "# panel explore "

  /// The part of the file's name after the panel's name.
  var shortName: String {
    switch discovery.violation.kind {
    case .never(let never): "explored-\(panel.nevers[never].name)"
    case .output(let output), .unsafe(let output): "explored-\(panel.outputs[output].name)"
    case .range(let value): "explored-\(panel.values[value].name)"
    case .endless: "explored-endless"
    case .livelock: "explored-livelock"
    case .lost: "explored-lost"
    case .end: "explored-end"
    case .replay: "explored-replay"
    }
  }

  private var title: String {
    switch discovery.violation.kind {
    case .never(let never): "never \(panel.nevers[never].name): \(panel.nevers[never].text)"
    default: String(discovery.violation.text.prefix { $0 != "\n" })
    }
  }

  /// The last step: the expectation that holds when the fault is fixed.
  private var expectation: String {
    switch discovery.violation.kind {
    case .never(let never) where panel.nevers[never].text.unicodeScalars.count <= ExpressionReader.longest - 8:
      return "expect: \(ScenarioYAML.scalar("not (\(panel.nevers[never].text))"))"
    case .output(let output):
      let wanted = discovery.violation.wanted ?? "off"
      return "expect: { \(panel.outputs[output].name): \(wanted) }"
    default: return "expect: { ended: 0 }"
    }
  }

  /// Writes the scenario, if it fails on a simulated panel.
  ///
  /// - Parameter place: the place of the file; nil for none.
  package func report(at place: ScenarioDestination?) throws(Problems) -> WitnessReport {
    switch ScenarioCheck.result(of: text, on: panel) {
    case .fails:
      try WitnessReport(text, at: place, named: shortName, verb: "shows", canReplace: Self.canReplace)
    case .passes: WitnessReport(without: "no scenario shows it; the same --seed and --steps find it again")
    case .stopped: WitnessReport.stopped
    }
  }

  /// The steps as items of the file.
  package var items: [String] {
    let texts = StepText(of: panel)
    return discovery.run.steps.compactMap { texts.item($0) }
  }

  /// The time on the clock at the start, and its zone. An input or a value of the panel can have the name `zone`.
  private var clock: [String] {
    guard let clock = discovery.run.clock else { return [] }
    let isNamed = panel.inputs.contains { $0.name == "zone" } || panel.values.contains { $0.name == "zone" }
    let zone = isNamed ? nil : panel.clock?.zone
    return ["clock: \"\(clock.text)\""] + (zone.map { ["zone: \(ScenarioYAML.scalar($0))"] } ?? [])
  }

  var text: String {
    let moved = discovery.run.moved.map { "\(panel.inputs[$0].name): \(panel.inputs[$0].device.positions[1])" }
    let start = moved + clock
    return "\(Self.mark)--seed \(options.seed) --steps \(options.steps), run \(discovery.number)\n"
      + ScenarioYAML.text(named: title, start: start, items: items + [expectation])
  }

  /// Whether a path is free, or holds a file that a random test has written.
  static func canReplace(_ path: String) -> Bool {
    guard TextFile.isThere(path) else { return true }
    guard let bytes = try? TextFile.read(path: path, what: "a scenario file") else { return false }
    return bytes.starts(with: Array(mark.utf8))
  }
}
