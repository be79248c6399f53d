import HardwareDrivers
import PanelWiring

/// The picture of an output on the monitor's page.
public enum PagePicture: Equatable, Sendable {
  /// A round lamp with the brightness and the ``CustomAppearance/colour`` of the appearance.
  case lamp
  /// A row of this number of lamps, of which the first ones are lit.
  case bar(Int)
  /// A contact that is open or closed.
  case contact
  /// A text.
  case screen

  /// The word in the description of the panel.
  package var word: String {
    switch self {
    case .lamp: "lamp"
    case .bar: "bar"
    case .contact: "contact"
    case .screen: "screen"
    }
  }
}
