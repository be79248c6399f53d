import CycleCore
import HardwareLinux
import HardwareSimulation
import Terminal

/// A panel as a console draws it: its outputs, states, values and sounds, and its inputs as controls.
final class PanelStage: ConsoleStage {
  private let session: PanelSession

  init(_ session: PanelSession) {
    self.session = session
  }

  var bench: Bench { session.bench }

  var controls: [ConsoleControl] {
    session.panel.inputs.map { input in
      switch input.device {
      case .button: ConsoleControl(input.name, .button)
      case .switch: ConsoleControl(input.name, .switch)
      case .encoder: ConsoleControl(input.name, .knob)
      }
    }
  }

  func start() throws(DriverError) { try session.start() }
  func stop() { session.stop() }
  func requestStop() { session.application.cycle.requestStop() }
  var isStopRequested: Bool { session.application.cycle.isStopRequested }

  func obstacle(to control: Int) -> String? { session.obstacle(to: step(control, isOn: true)) }
  func press(_ control: Int) throws(DriverError) { _ = try session.perform(step(control, isOn: true)) }
  func release(_ control: Int) throws(DriverError) { _ = try session.perform(step(control, isOn: false)) }

  func turn(_ control: Int, by detents: Int) throws(DriverError) {
    _ = try session.perform(.turn(input: control, detents: detents))
  }

  private func step(_ control: Int, isOn: Bool) -> Step {
    switch session.panel.inputs[control].device {
    case .button: isOn ? .press(input: control) : .release(input: control)
    case .switch: .switch(input: control, on: isOn)
    case .encoder: .turn(input: control, detents: 0)
    }
  }

  func lastEvents(_ count: Int) -> [(time: String, text: String)] {
    session.journal.last(count).map { (session.seconds(at: $0.moment), $0.text) }
  }

  // MARK: - What is shown

  var view: ConsoleView {
    let panel = session.panel
    return ConsoleView(
      title: panel.name, time: session.seconds(at: session.now),
      outputs: panel.outputs.indices.map { (panel.outputs[$0].name, look(of: $0)) }, state: states + values)
  }

  private func look(of output: Int) -> String {
    let definition = session.panel.outputs[output]
    let look = session.outputs.look(of: output, at: session.now)
    if case .bar(let lines) = definition.device, case .count(let count) = look {
      let lit = String(repeating: "▮", count: min(count, lines.count))
      return Style.yellow + lit + Style.plain + String(repeating: "▯", count: lines.count - min(count, lines.count))
        + "  \(count)"
    }
    if case .relay = definition.device { return look == .on ? "\(Style.yellow)■\(Style.plain)  on" : "□  off" }
    return "\(lamp(output, look))  \(look)"
  }

  /// A lamp as bright as it is at this moment.
  private func lamp(_ output: Int, _ look: ObservedOutput) -> String {
    switch look {
    case .off: Style.dark
    case .blinking: session.outputs.isLit(output) ? Style.lit : Style.dark
    case .pulsing: "\(Style.yellow)◐\(Style.plain)"
    case .level(let level): "\(Style.yellow)\(level < 0.5 ? "◔" : "◕")\(Style.plain)"
    case .on, .count: Style.lit
    }
  }

  private var states: [ConsoleView.Row] {
    session.panel.regions.indices.map { region in
      let definition = session.panel.regions[region]
      let state = definition.states[session.application.frame[state: region]]
      return (definition.name ?? "state", "\(Style.bold)\(state.name)\(Style.plain)")
    }
  }

  private var values: [ConsoleView.Row] {
    let frame = session.application.frame
    var rows: [ConsoleView.Row] = session.panel.values.indices.map {
      (session.panel.values[$0].name, "\(frame[value: $0])")
    }
    if !session.panel.sounds.isEmpty {
      let audible = session.application.show.audible(in: frame).map { session.panel.sounds[$0].name }
      rows.append(("playing", audible.isEmpty ? "–" : "♪ " + audible.joined(separator: ", ")))
    }
    return rows
  }
}
