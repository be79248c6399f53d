import CycleCore
import HardwareSimulation

/// How the outputs of a panel look to somebody in front of it.
///
/// On simulated devices, on and off are read from the levels of the lines, so that a lamp which the panel's frame has
/// on but whose line isn't driven looks off. Blinking and brightness are what a driver does over time; they are read
/// from the appearance in the frame.
struct OutputObserver {
  let application: PanelApplication
  /// nil on a real chip.
  let chips: SimulatedChips?
  /// For each output the simulated display that it is.
  let displays: [SimulatedCharacterDisplay?]

  /// When each output's appearance last changed.
  private(set) var since: [Moment]
  private let shown: ShownModels<Appearance>

  init(
    _ application: PanelApplication, chips: SimulatedChips?, displays: [SimulatedCharacterDisplay?], at moment: Moment
  ) {
    self.application = application
    self.chips = chips
    self.displays = displays
    shown = ShownModels(
      of: Array(application.panel.outputs.indices), in: application.show, readsValues: false, seed: application.frame
    ) { _, appearance, _ in appearance }
    since = application.panel.outputs.map { _ in moment }
  }

  /// Reads the appearances from a new frame.
  mutating func note(_ frame: PanelFrame, at moment: Moment) {
    shown.update(to: frame) { since[$0] = moment }
  }

  /// What the panel has the output show.
  func appearance(of output: Int) -> Appearance { shown.models[output] }

  func look(of output: Int, at moment: Moment) -> ObservedOutput {
    application.panel.outputs[output].device.look(of: shown.models[output], in: view(of: output, at: moment))
  }

  /// How an output has to look by what the panel has it show, whatever its lines do.
  func lookWithoutHardware(of output: Int, at moment: Moment) -> ObservedOutput {
    let values = application.show.values(in: application.frame)
    let view = OutputView(chip: nil, display: nil, values: values, age: moment - since[output])
    return application.panel.outputs[output].device.look(of: shown.models[output], in: view)
  }

  /// How a console draws the output.
  func picture(of output: Int, at moment: Moment) -> String {
    let (device, view) = (application.panel.outputs[output].device, view(of: output, at: moment))
    return device.picture(of: device.look(of: shown.models[output], in: view), in: view)
  }

  private func view(of output: Int, at moment: Moment) -> OutputView {
    let panel = application.panel
    return OutputView(
      chip: chips?[panel.chip(of: panel.outputs[output].device)], display: displays[output],
      values: application.show.values(in: application.frame),
      age: moment - since[output])
  }
}
