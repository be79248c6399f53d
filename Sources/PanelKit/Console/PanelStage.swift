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
      switch type(of: input.device).control {
      case .button: ConsoleControl(input.name, .button)
      case .switch: ConsoleControl(input.name, .switch)
      case .knob: ConsoleControl(input.name, .knob)
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
    switch type(of: session.panel.inputs[control].device).control {
    case .button: isOn ? .press(input: control) : .release(input: control)
    case .switch: .switch(input: control, on: isOn)
    case .knob: .turn(input: control, detents: 0)
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
      outputs: panel.outputs.indices.map {
        (panel.outputs[$0].name, session.outputs.picture(of: $0, at: session.now))
      }, state: states + values)
  }

  private var states: [ConsoleView.Row] {
    let show = session.application.show
    let frame = session.application.frame
    return show.toldRegions.map { region in
      let path = show.path(of: show.toldState(of: region, in: frame), in: region)
      return (session.panel.regions[region].name ?? "state", "\(Style.bold)\(path)\(Style.plain)")
    }
  }

  private var values: [ConsoleView.Row] {
    let frame = session.application.frame
    var rows: [ConsoleView.Row] = session.panel.values.indices.map {
      (session.panel.values[$0].name, session.panel.values[$0].text(of: frame[value: $0]))
    }
    if !session.panel.sounds.isEmpty {
      let audible = session.application.show.audible(in: frame).map { session.panel.sounds[$0].name }
      rows.append(("playing", audible.isEmpty ? "–" : "♪ " + audible.joined(separator: ", ")))
    }
    return rows
  }
}
