import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// A kind of input with drivers. A kind on GPIO lines is a ``LineInputKind``. A kind on other hardware passes its
/// drivers to ``InputLensContext/lenses(of:for:showing:report:)``.
public protocol DrivenInputKind: InputKind {
  /// The lenses of consecutive devices of this kind in the file.
  static func lenses(of devices: [Self], in context: InputLensContext) -> LensBundle
  /// The simulated side of the device, for the steps of `InputKind.control`.
  func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput
}

/// A kind of output with drivers. A kind on GPIO lines is a ``LineOutputKind``. A kind on other hardware passes its
/// drivers to ``OutputLensContext/lenses(of:kind:model:report:)``.
public protocol DrivenOutputKind: VisibleOutputKind {
  /// The lenses of all devices of this kind.
  static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle
  /// Sets the device to its safe state, and releases its lines. Throws if the device is not available.
  func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError)
  /// The device's own lines that are high while it shows this. Only a ``LineOutputKind`` has any.
  func highLines(showing appearance: OutputAppearance, in values: PanelValues, on chip: any GPIOChip) -> [String]
  /// The relay of the output for an interlock; nil for an output that can't be in one. The default is nil, or the
  /// device of a ``LineOutputKind`` that is a relay.
  func relay(on chip: any GPIOChip) -> Relay?

  /// The simulated device of the output, such as a gate or a display; `OutputView.world` has it for the look. It is
  /// made once. It must be a ``SimulatedEvents`` if the output reports events. The default is nil, for an output that
  /// is no more than the levels of its lines.
  ///
  /// - Parameters:
  ///   - chip: the simulated chip of the output's lines; nil if the lines are real.
  ///   - platform: provides the simulated hardware that has its own port.
  func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)?
}

extension DrivenOutputKind {
  public func highLines(showing appearance: OutputAppearance, in values: PanelValues, on chip: any GPIOChip) -> [String]
  {
    []
  }
  public func relay(on chip: any GPIOChip) -> Relay? { nil }
  public func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? { nil }
}

extension LineOutputKind where Device == Relay {
  public static var isInterlockable: Bool { true }
  public func relay(on chip: any GPIOChip) -> Relay? { device(on: chip) }
}

extension InputKind {
  /// The kind with its drivers.
  package var driven: any DrivenInputKind {
    guard let driven = self as? any DrivenInputKind else { programmerError("\(Self.self) is not a DrivenInputKind") }
    return driven
  }
}

extension OutputKind {
  /// The kind with its drivers.
  package var driven: any DrivenOutputKind {
    guard let driven = self as? any DrivenOutputKind else { programmerError("\(Self.self) is not a DrivenOutputKind") }
    return driven
  }
}

extension DerivedInputKind where Self: DrivenInputKind {
  // The lens is among those of the other inputs, so that events at one moment are in the order of the file.
  package static func lenses(of devices: [Self], in context: InputLensContext) -> LensBundle {
    let (rules, inputs) = (context.rules, context.inputs)
    return LensBundle(
      lenses: AnyLensGroup {
        Lens(
          Timer<PanelDeadline>(), name: plural,
          show: { frame in frame.isStopped ? [] : rules.derived.deadlines(of: inputs, in: frame) },
          on: { frame, event, past in
            if case .due(let deadline) = event { rules.react(to: deadline, at: past.moment, in: &frame) }
          }
        ).refusingEvents { rules.refusal(of: $0) }
      },
      journal: LensEventFormatter(source: PanelTrouble.Source(lens: plural, hardware: nil, number: context.source)))
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput { .none }
}
