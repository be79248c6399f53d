import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The lenses of devices of one kind, and their journals. ``OutputLensContext`` and ``SensorLensContext`` make them
/// from drivers; kinds on lines have them already.
public struct LensBundle {
  package let lenses: [AnyLensGroup<PanelFrame>]
  /// The journal of each lens.
  package var journals: [LensEventFormatter]

  /// Lenses with one common journal.
  init(lenses: AnyLensGroup<PanelFrame>, journal: LensEventFormatter) {
    self.lenses = [lenses]
    journals = Array(repeating: journal, count: lenses.lensCount)
  }

  /// The lens of a chip that is a driver itself.
  package init(
    _ chip: some Driver<NoModel, Never>, of source: PanelTrouble.Source, _ rules: PanelRules, isRequired: Bool
  ) {
    self.init(
      lenses: AnyLensGroup {
        Lens(chip, name: source.lens, on: { _, _ in }, isRequired: isRequired).onTrouble { frame, trouble, past in
          rules.note(trouble, ofSingle: source, at: past.moment, in: &frame)
        }
      }, journal: LensEventFormatter(source: source))
  }

  init(joining parts: [LensBundle]) {
    lenses = parts.flatMap(\.lenses)
    journals = parts.flatMap(\.journals)
  }
}
