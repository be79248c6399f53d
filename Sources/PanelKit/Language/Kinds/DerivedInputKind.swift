import HardwareDrivers
import PanelWiring

/// A kind of input that is derived from other inputs. Its only driver is a clock.
package protocol DerivedInputKind: InputKind {
  /// The rule by which the input follows the others. It is complete after ``resolve(_:in:_:)``.
  var rule: Derivation { get }
  /// Whether the input emits delayed events by itself.
  var needsClock: Bool { get }
  /// Finds the inputs that it is derived from. Adds a problem for each that is wrong.
  mutating func resolve(_ name: String, in names: Names, _ problems: ProblemList)
}

extension InputKind {
  /// The input, if it is derived from others. Such an input has no control of its own; to ask the others for their protocol
  /// would take a thousand instructions each.
  package var derived: (any DerivedInputKind)? { Self.control == .none ? self as? any DerivedInputKind : nil }
}

extension DerivedInputKind {
  package static var control: InputControl { .none }
  package var lines: [String] { [] }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }
}
