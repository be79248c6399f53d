import HardwareDrivers
import PanelLanguage
import PanelNetwork

/// A condition that an `expect` checks.
package enum Expectation: Equatable, Sendable {
  case output(Int, ObservedOutput)
  /// The complete appearance of an output, with its blinking times.
  case appearance(Int, OutputAppearance)
  /// The index of a value, and the range of expected numbers.
  case value(Int, ClosedRange<Int>)
  /// The expected elements of a list.
  case elements(of: ListSlots, [Int])
  /// The expected range of a sensor's reading, in the units of its ``SensorNumberRange``.
  case reading(input: Int, ClosedRange<Int>)
  /// A state, and the region whose state is checked; nil for the panel's only top-level region.
  case state(PanelDefinition.Target, of: Int?)
  /// Exactly these sounds, in any order.
  case playing([Int])
  /// The exact messages, as text, that were sent since the last such expectation or the start, in this order.
  case sent([String])
  /// The last request for a change of the machine's power since the start; nil for none.
  case power(PowerChange?)
  /// The position that the panel knows for an input, by its index in ``InputKind/positions``.
  case position(input: Int, Int)
  case presence(PluggableHardware, isLost: Bool)
  /// The master volume, 0...1.
  case volume(Double)
  /// The exit status with which `panel run` would end now.
  case ended(Int32)
  case condition(StatedCondition)

  /// The word for no request for a change of the machine's power.
  static let noPower = "none"
}
