import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage

/// `knob: { encoder: { keys: rotary@11 } }`: a knob that is a relative axis of an input device.
package struct AxisEncoderKind: DrivenInputKind {
  package static let grammar = FieldSet(
    name: "an encoder",
    keys: [Key(name: "encoder", takes: "an input device: { keys: rotary@11 }", shape: .fields(source))])
  package static let plural = EncoderKind.plural
  package static let control = InputControl.knob
  package static var ports: [any Port.Type] { [KeysPort.self] }

  /// The relative axis of a knob.
  private enum Axis: String, CaseIterable, Sendable {
    case x, y, z, hwheel, dial, wheel, misc

    var ofDriver: AxisEncoder.Axis {
      switch self {
      case .x: .x
      case .y: .y
      case .z: .z
      case .hwheel: .hwheel
      case .dial: .dial
      case .wheel: .wheel
      case .misc: .misc
      }
    }
  }

  static let source = FieldSet(
    name: "the input device of an encoder",
    keys: [
      Key(
        name: "keys", takes: InputDeviceSettings.takes, isRequired: true, shape: .text,
        meaning: InputDeviceSettings.meaning),
      Key(
        name: "axis", takes: "x, y, z, hwheel, dial, wheel or misc", shape: .choice(Axis.self), usual: "`x`",
        meaning: "relative axis of the knob: `x` for the overlay `rotary-encoder`, `wheel` for the wheel of a mouse"),
      InputDeviceSettings.grabKey,
    ])

  private let name: String
  private let device: InputDeviceSettings
  private let axis: Axis

  package init?(reading fields: DeviceFields) {
    name = fields.name
    for key in ["pull", "edges"] where fields.has(key) {
      fields.addProblem(at: key, "\"\(key)\" is for an encoder at lines, and this one is an input device; leave it out")
    }
    guard let inner = fields.inside("encoder", Self.source) else { return nil }
    axis = inner.choice("axis") ?? .x
    guard let device = InputDeviceSettings(reading: inner, device: inner, key: "keys") else { return nil }
    self.device = device
  }

  package var lines: [String] { [] }
  package var events: [String] { ["clockwise", "counterclockwise"] }
  package var lens: String { "encoder \(name)" }
  package var hardware: [DeviceHardware] { [DeviceHardware(device.port)] }
  package var origin: String? { "it is the input device \(device.choice.text)" }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    guard let keys = platform.simulated(at: device.port) else { return .none }
    return .knob(SimulatedAxis(axis.ofDriver, of: keys))
  }

  package static func lenses(of knobs: [AxisEncoderKind], in context: InputLensContext) -> LensBundle {
    let drivers = knobs.map { knob in
      AxisEncoder(
        context.platform.hardware(at: knob.device.port), axis: knob.axis.ofDriver, isGrabbed: knob.device.isGrabbed)
    }
    return context.lenses(of: drivers, for: knobs, showing: NoModel()) { event in
      switch event {
      case .clockwise: .event(EncoderKind.clockwise)
      case .counterclockwise: .event(EncoderKind.counterclockwise)
      }
    }
  }
}

/// A knob of a simulated input device, for steps of a scenario.
private final class SimulatedAxis: SimulatedKnob {
  private let axis: AxisEncoder.Axis
  private let keys: SimulatedKeys

  init(_ axis: AxisEncoder.Axis, of keys: SimulatedKeys) {
    self.axis = axis
    self.keys = keys
  }

  /// Turns like a knob at lines: 4 ms for each detent.
  func turn(by detents: Int) throws(DriverError) {
    for _ in 0..<detents.magnitude {
      keys.turn(axis, by: Int32(detents.signum()))
      try keys.bench.advance(by: .milliseconds(4))
    }
  }
}
