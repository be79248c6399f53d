import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `lamp: { led: { kernel: ACT } }`: a lamp that a driver of the kernel has.
package struct KernelLEDKind: DrivenOutputKind {
  package static var grammar: FieldSet { LEDKind.grammar }
  package static let plural = "lamps of the kernel"
  package static var ports: [any Port.Type] { [KernelLightPort.self] }
  package static var shown: Shape { LEDKind.shown }
  package static var isLamp: Bool { true }
  package static var deviceClass: String? { LEDKind.deviceClass }

  /// The map after `led`.
  static let place = FieldSet(
    name: "a lamp of the kernel",
    keys: [
      Key(
        name: "kernel", takes: "the name of a lamp in /sys/class/leds or /sys/class/backlight: ACT", isRequired: true,
        shape: .text, meaning: "lamp of the kernel. No trigger of the kernel drives it while the panel runs")
    ])

  private let name: String
  /// The appearances and looks of a lamp.
  private let led = LEDKind(line: "")

  package init?(reading fields: DeviceFields) {
    guard let inner = fields.inside("led", Self.place), let name = inner.text("kernel") else { return nil }
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      inner.addProblem(at: "kernel", "\(quoted(name)) is not a lamp of the kernel; ls /sys/class/leds lists them")
      return nil
    }
    for key in ["active", "pwm", "frequency"] where fields.has(key) {
      fields.addProblem(at: key, "\(key) is for a lamp at a line; leave it out")
      return nil
    }
    guard fields.take("the kernel's lamp \(name)", at: "led") else { return nil }
    self.name = name
  }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [DeviceHardware(port)] }
  package func wiring(named name: String) -> WiringPlan.Device? { nil }

  private var port: KernelLightPort { KernelLightPort(name) }

  private func driver(on platform: Platform, since moment: Moment? = nil) -> PWMDriver<PWMLED> {
    PWMDriver(PWMLED(platform.hardware(at: port), since: moment))
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.since).map { $0.driver(on: context.platform, since: $1) }, kind: plural
    ) { place, appearance, values in devices[place].led.model(of: appearance, in: values) }
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    try hardware.show(led.model(of: safe, in: values), by: driver(on: hardware.platform))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: port)
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? { led.appearance(reading: show) }
  package var expectation: String { led.expectation }
  package func look(named text: String) -> ObservedOutput? { led.look(named: text) }
  package func look(expecting appearance: OutputAppearance) -> ObservedOutput? { led.look(expecting: appearance) }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let light = view.world as? SimulatedPWM, light.wave == nil { return .off }
    return led.look(of: appearance, in: OutputView(values: view.values, age: view.age))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    led.picture(of: look, in: OutputView(values: view.values, age: view.age))
  }
}
