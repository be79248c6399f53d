import CycleCore
import PanelEngine
import PanelLanguage

/// The events that the outputs of one kind report.
struct OutputEventRouter {
  /// The input with the events of each output; nil for an output without events.
  private let inputs: [(number: Int, name: String, events: InputEvents)?]

  init(of context: OutputLensContext) {
    let panel = context.rules.panel
    inputs = context.reports.map { input in
      input.map { ($0, panel.inputs[$0].name, InputEvents(of: panel.inputs[$0].device)) }
    }
  }

  /// Applies the report of the output at a place.
  func apply(
    _ report: InputReport, of place: Int, _ rules: PanelRules, at now: Moment, in frame: inout PanelFrame
  ) {
    guard let input = inputs[place] else { programmerError("an output reports \(report), and its kind has no events") }
    report.apply(to: input.number, input.events, rules, at: now, in: &frame)
  }

  /// The reason why the output at a place can't have reported this; nil if it can.
  func refusal(of report: InputReport, at place: Int) -> String? {
    guard inputs.indices.contains(place) else { return "there is no output \(place) of \(inputs.count)" }
    guard let input = inputs[place] else { return "the output has no events" }
    return report.refusal(input.events)
  }

  /// The text of a report in a journal: `gate.arrived`.
  func text(of report: InputReport, at place: Int) -> String? {
    inputs.indices.contains(place) ? inputs[place].map { report.text(of: $0.name, $0.events) } : nil
  }
}
