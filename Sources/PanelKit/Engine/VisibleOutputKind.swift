import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelLanguage

/// A kind of output whose devices can be observed.
public protocol VisibleOutputKind: OutputKind {
  /// The look of the device for a person in front of it.
  func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput
  /// The longest time until the device looks like a new appearance. The default is zero.
  var lag: Duration { get }
  /// The picture of the device in a console, in one line. The default is the word of the look.
  func picture(of look: ObservedOutput, in view: OutputView) -> String
}

extension VisibleOutputKind {
  public var lag: Duration { .zero }
  public func picture(of look: ObservedOutput, in view: OutputView) -> String { "\(look)" }
}

extension OutputKind {
  /// The kind with the looks of its devices.
  package var observed: any VisibleOutputKind {
    guard let observed = self as? any VisibleOutputKind else {
      programmerError("\(Self.self) is not a VisibleOutputKind")
    }
    return observed
  }
}

/// The visible state of one output.
public struct OutputView {
  /// The simulated chip of the output; nil if it is real.
  public let chip: SimulatedChip?
  /// The simulated device of the output, if its kind makes one; nil on real hardware and in a proof.
  public let world: (any SimulatedOutput)?
  /// The current values of the panel.
  public let values: PanelValues
  /// The time for which the output has had its appearance.
  public let age: Duration

  package init(
    chip: SimulatedChip? = nil, world: (any SimulatedOutput)? = nil, values: PanelValues, age: Duration
  ) {
    (self.chip, self.world, self.values, self.age) = (chip, world, values, age)
  }

  /// Whether a simulated line has the level that lights a lamp; nil on a real chip, whose lines aren't read.
  public func isActive(_ line: String, _ active: ActiveLevel) -> Bool? {
    guard let chip else { return nil }
    return (chip.line(LineName(line)).level == .high) == (active == .high)
  }
}
