import HardwareDrivers
import PanelWiring

/// The way to operate an input. It determines the steps of a scenario and the keys of a console for it.
public enum InputControl: Equatable, Sendable {
  /// Pressed and released: `press`, `release`, `click`, `hold`.
  case button
  /// Set to one of two positions: `switch`.
  case `switch`
  /// Set to one of several positions: `switch`. Each position has an event of its own.
  case selector
  /// Turned in detents: `turn`.
  case knob
  /// Gives a number: `sense`.
  case sensor
  /// Emits its events one by one, some of them with a number: `event`. A card reader is such an input. Its state is
  /// unknown until the first event.
  case events
  /// Not operated: derived from other inputs.
  case none

  /// Whether a person touches the panel to operate such an input.
  var isTouched: Bool {
    switch self {
    case .button, .switch, .selector, .knob, .events: true
    case .sensor, .none: false
    }
  }
}
