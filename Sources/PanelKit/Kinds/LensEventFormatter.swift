import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The texts for the events of one lens.
package struct LensEventFormatter {
  package var source: PanelTrouble.Source
  /// The text of an event; nil for an event without one.
  package var text: (Any) -> String? = { _ in nil }
  /// Whether the lens belongs to inputs.
  package var isInput = false
  /// Whether an event is trouble, which is logged as a warning.
  package var isTrouble: (Any) -> Bool = { _ in false }

  package init(
    source: PanelTrouble.Source, text: @escaping (Any) -> String? = { _ in nil }, isInput: Bool = false,
    isTrouble: @escaping (Any) -> Bool = { _ in false }
  ) {
    (self.source, self.text, self.isInput, self.isTrouble) = (source, text, isInput, isTrouble)
  }
}
