import CycleCore
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The looks of a panel's outputs, as a user of the panel sees them.
///
/// On simulated devices, on and off are read from the levels of the lines. So a lamp looks off if its line isn't
/// driven, even if the frame has it on. Blinking and brightness depend on the driver and on time; they are read from
/// the appearance in the frame.
package struct OutputLooks {
  let application: PanelApplication
  /// nil on a real chip.
  let chips: SimulatedChips?
  /// The simulated device of each output; nil for an output without one.
  let worlds: [(any SimulatedOutput)?]

  /// The moment of the last change of each output's appearance, or of a value that a moving appearance follows.
  package private(set) var since: [Moment]
  private let shown: ModelCache<Shown>

  private struct Shown: Equatable {
    var appearance: OutputAppearance
    /// The numbers of the values that the appearance follows, if it changes with time.
    var followed: [Double] = []
  }

  init(
    _ application: PanelApplication, chips: SimulatedChips?, worlds: [(any SimulatedOutput)?], at moment: Moment
  ) {
    self.application = application
    self.chips = chips
    self.worlds = worlds
    let appearances = application.panel.states.flatMap(\.show).flatMap(\.rule.appearances)
    shown = ModelCache(
      of: Array(application.panel.outputs.indices), in: application.show,
      readsValues: appearances.contains { $0.isMoving && $0.dependsOnValues }, seed: application.frame
    ) { _, appearance, values in
      guard case .special(let special) = appearance, special.value.isMoving else {
        return Shown(appearance: appearance)
      }
      return Shown(appearance: appearance, followed: special.value.followedValues.map { values.number(of: $0) })
    }
    since = application.panel.outputs.indices.map { application.shownSince?[$0] ?? moment }
  }

  /// Reads the appearances from a new frame.
  mutating func note(_ frame: PanelFrame, at moment: Moment) {
    shown.update(to: frame) { since[$0] = moment }
  }

  /// The appearance of an output in the frame.
  package func appearance(of output: Int) -> OutputAppearance { shown.models[output].appearance }

  func look(of output: Int, at moment: Moment) -> ObservedOutput {
    application.show.observed[output].look(of: appearance(of: output), in: view(of: output, at: moment))
  }

  /// The look of an output that follows from the frame alone, without its lines.
  package func lookWithoutHardware(of output: Int, at moment: Moment) -> ObservedOutput {
    let values = application.show.values(in: application.frame)
    let view = OutputView(values: values, age: moment - since[output])
    return application.show.observed[output].look(of: appearance(of: output), in: view)
  }

  /// The console's picture of an output.
  package func picture(of output: Int, at moment: Moment) -> String {
    let (device, view) = (application.show.observed[output], view(of: output, at: moment))
    return device.picture(of: device.look(of: appearance(of: output), in: view), in: view)
  }

  private func view(of output: Int, at moment: Moment) -> OutputView {
    let panel = application.panel
    return OutputView(
      chip: chips?[panel.chip(of: panel.outputs[output].device)], world: worlds[output],
      values: application.show.values(in: application.frame),
      age: moment - since[output])
  }
}
