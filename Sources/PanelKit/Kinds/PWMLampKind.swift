import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring

/// A kind of lamp on lines that can use the PWM channels of its lines.
package protocol DimmableKind: LineOutputKind where Device.Event == Never {
  /// The lamp on channels.
  associatedtype Channels: PWMDevice where Channels.Model == Device.Model, Channels.Event == Never

  /// The lamp on its lines.
  ///
  /// - Parameters:
  ///   - chip: the chip of the lines.
  ///   - moment: the beginning of its first appearance; nil if it begins with the start.
  func device(on chip: any GPIOChip, since moment: Moment?) -> Device
  /// The lamp on the channels of its lines.
  ///
  /// - Parameters:
  ///   - channels: those of ``lines``.
  ///   - hertz: the frequency.
  ///   - moment: the beginning of its first appearance; nil if it begins with the start.
  func device(on channels: [any PWMChannel], hertz: Int, since moment: Moment?) -> Channels
}

/// `lamp: { led: GPIO18, pwm: required }`: a lamp on the PWM channels of its lines.
package struct PWMLampKind<Lamp: DimmableKind>: DrivenOutputKind {
  package static var grammar: FieldSet { Lamp.grammar }
  package static var plural: String { "\(Lamp.plural) with PWM" }
  package static var ports: [any Port.Type] { [PWMPort.self] }
  package static var shown: Shape { Lamp.shown }
  package static var isLamp: Bool { Lamp.isLamp }
  package static var deviceClass: String? { Lamp.deviceClass }

  /// The lamp without channels.
  private let lamp: Lamp
  private let channels: [PWMLine]
  /// Whether the lamp is lost without channels, and not driven on its lines.
  private let isRequired: Bool
  private let hertz: Int

  init(_ lamp: Lamp, on channels: [PWMLine], isRequired: Bool, hertz: Int) {
    (self.lamp, self.channels, self.isRequired, self.hertz) = (lamp, channels, isRequired, hertz)
  }

  package init?(reading fields: DeviceFields) { return nil }

  package var lines: [String] { lamp.lines }
  package var hardware: [DeviceHardware] { ports.map { DeviceHardware($0, isRequired: isRequired) } }
  package var pagePicture: PagePicture { lamp.pagePicture }
  /// Without its channels, the lamp is switched by its lines.
  package var switchesLines: Bool { !isRequired }
  package func isLossOfLines(_ error: DriverError) -> Bool { !channels.describe(error) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    lamp.wiring(named: name)
  }

  private var ports: [PWMPort] { channels.map(\.port) }

  private func driver(
    on chip: any GPIOChip, _ platform: Platform, since moment: Moment?
  ) -> DimmableLamp<Lamp.Channels, Lamp.Device> {
    DimmableLamp(
      lamp.device(on: ports.map { platform.hardware(at: $0) }, hertz: hertz, since: moment),
      orOn: isRequired ? nil : lamp.device(on: chip, since: moment))
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.since).map { $0.driver(on: context.chip, context.platform, since: $1) }, kind: plural
    ) { place, appearance, values in devices[place].lamp.model(of: appearance, in: values) }
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    try hardware.show(
      lamp.model(of: safe, in: values), by: driver(on: hardware.chip, hardware.platform, since: nil))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    let channels = ports.compactMap { platform.simulated(at: $0) }
    return channels.count == lines.count ? SimulatedPWMOutput(channels) : nil
  }

  package var rest: OutputAppearance { lamp.rest }
  package func appearance(reading show: ShowField) -> OutputAppearance? { lamp.appearance(reading: show) }
  package var expectation: String { lamp.expectation }
  package func look(named text: String) -> ObservedOutput? { lamp.look(named: text) }
  package func look(expecting appearance: OutputAppearance) -> ObservedOutput? { lamp.look(expecting: appearance) }

  /// The look by the channels. If they drive nothing, for example while they are unplugged, the lamp is dark, or has the
  /// look by its lines.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let output = view.world as? SimulatedPWMOutput, output.channels.contains(where: { $0.wave == nil }) {
      return isRequired ? .off : lamp.look(of: appearance, in: view)
    }
    return lamp.look(of: appearance, in: OutputView(values: view.values, age: view.age))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String { lamp.picture(of: look, in: view) }
}

/// The simulated PWM channels of one output.
final class SimulatedPWMOutput: SimulatedOutput {
  let channels: [SimulatedPWM]

  init(_ channels: [SimulatedPWM]) { self.channels = channels }
}
