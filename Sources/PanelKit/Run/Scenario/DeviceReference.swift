import PanelLanguage
import PanelNetwork

/// A device of a panel, by its index.
package enum DeviceReference: Hashable, Sendable {
  case input(Int)
  case output(Int)
}
