import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelKinds

/// `screen: { backlight: rpi_backlight }`: the light of a screen. It shows `on`, `off` or `{ level: 0.3 }`.
public struct BacklightKind: DrivenOutputKind {
  public static let grammar = FieldSet(
    name: "a backlight", summary: "light of a screen that the kernel drives",
    sample: "screen: { backlight: rpi_backlight }",
    keys: [Key(name: "backlight", takes: "a name in /sys/class/backlight: rpi_backlight", shape: .text)])
  public static var ports: [any Port.Type] { [BacklightPort.self] }

  private let port: BacklightPort

  public init?(reading fields: DeviceFields) {
    guard let name = fields.text("backlight") else { return nil }
    guard !name.contains("/") else {
      fields.addProblem(at: "backlight", "a name has no /; write a name in /sys/class/backlight: rpi_backlight")
      return nil
    }
    guard fields.take("the backlight \(name)", at: "backlight") else { return nil }
    port = BacklightPort(name)
  }

  public var lines: [String] { [] }

  // MARK: - What a file has it show

  private static let dimmed = FieldSet(
    name: "a brightness",
    keys: [
      Key(
        name: "level", takes: "a number 0...1 or a value's name", isRequired: true,
        shape: .oneOf([.number(0...1), .value]))
    ])

  public static var shown: Shape { .oneOf([.switched, .fields(dimmed)]) }

  public func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    guard let level = show.fields(Self.dimmed) else {
      show.addMisfit("backlight", expectation)
      return nil
    }
    return level.level("level", of: show)
  }

  public var expectation: String { "on, off or { level: 0.3 }" }

  public func look(named text: String) -> ObservedOutput? {
    switch text {
    case "on": .on
    case "off": .off
    default: Double(text).flatMap { (0...1).contains($0) ? Self.look(of: $0) : nil }
    }
  }

  private static func look(of brightness: Double) -> ObservedOutput {
    brightness == 0 ? .off : brightness == 1 ? .on : .level(brightness)
  }

  // MARK: - How it is driven

  private static func brightness(_ appearance: OutputAppearance, _ values: PanelValues) -> Double {
    switch appearance {
    case .on: 1
    case .level(let level): level
    case .value(let value): values.share(of: value)
    default: 0
    }
  }

  public static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { BacklightDriver(context.platform.hardware(at: $0.port)) }, kind: plural
    ) { _, appearance, values in brightness(appearance, values) }
  }

  public func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(
      Self.brightness(safe, values), by: BacklightDriver(hardware.platform.hardware(at: port)))
  }

  public func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: port)
  }

  public func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let screen = view.world as? SimulatedBacklight { return Self.look(of: screen.brightness) }
    return Self.look(of: Self.brightness(appearance, view.values))
  }
}
