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

extension DerivedInputKind {
  package static var control: InputControl { .none }
  package var lines: [String] { [] }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }
}
