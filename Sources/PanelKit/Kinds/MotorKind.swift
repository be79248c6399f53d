import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `drive: { motor: [GPIO5, GPIO6], enable: GPIO12 }`: a DC motor at a bridge.
package struct MotorKind: DrivenOutputKind {
  package static let grammar = FieldSet(
    name: "a motor", summary: "DC motor at a bridge (DRV8833, TB6612FNG, L298N)",
    sample: "drive: { motor: [GPIO5, GPIO6], enable: GPIO12 }",
    keys: [
      Key(
        name: "motor", takes: "a list of two lines, forward and backward: [GPIO5, GPIO6]; or one line for the phase",
        shape: .oneOf([.line, .list(of: .line, count: 2...2)]),
        meaning: "lines of forward and backward, or the line of the phase: high is forward"),
      Key(
        name: "enable", takes: "a line: GPIO12", shape: .line, usual: "none",
        meaning: "line that enables the bridge. Its PWM channel sets the speed. A motor with a phase needs it"),
      Key(
        name: "pwm", takes: "required or never", shape: .choice(Channels.self),
        usual: "`never`; `required` at a PWM chip",
        meaning:
          "for a motor without `enable`: `required` uses the PWM channels of both lines for the speed. `never` only "
          + "switches the lines"),
      Key(
        name: "frequency", takes: "50Hz...100kHz", shape: .frequency, usual: "`1kHz`",
        meaning: "frequency of the PWM channels"),
      Key(
        name: "ramp", takes: "a duration: 500ms", shape: .span(.zero ... .seconds(60)), usual: "`0s`",
        meaning: "time from a standstill to full speed"),
      Key(
        name: "dead-time", takes: "a duration: 20ms", shape: .span(.zero ... .seconds(10)), usual: "`20ms`",
        meaning: "time without current before the direction changes"),
    ])
  package static let plural = "motors"
  package static var ports: [any Port.Type] { [PWMPort.self] }
  package static var isActing: Bool { true }
  package static var deviceClass: String? { "running" }

  private enum Channels: String, CaseIterable {
    case required, never
  }

  /// The lines of forward and backward, or that of the phase.
  private let directions: [String]
  private let enable: String?
  /// The lines whose PWM channels are used.
  private let modulated: [PWMLine]
  private let settings: Motor.Settings

  package init?(reading fields: DeviceFields) {
    let directions: [String]?
    if case .list = fields["motor"]?.node.content {
      directions = fields.lines("motor")
    } else {
      directions = fields.line("motor").map { [$0] }
    }
    let enable = fields.line("enable")
    let channels: Channels? = fields.choice("pwm")
    let hertz = fields["frequency"].map { fields.problems.frequency($0, in: 50...100_000) }
    guard let directions, fields.has("enable") == (enable != nil), fields.has("pwm") == (channels != nil),
      !fields.has("frequency") || hertz != .some(nil)
    else { return nil }
    if directions.count == 1, enable == nil {
      fields.addProblem(at: "motor", "a motor with a phase needs the line that enables it; write enable: GPIO12")
      return nil
    }
    if enable != nil, channels != nil {
      fields.addProblem(at: "pwm", "the speed is made by the PWM channel of \"enable\"; leave \"pwm\" out")
      return nil
    }
    self.directions = directions
    self.enable = enable
    let onChip = (directions + [enable].compactMap(\.self)).map { fields.pwmLine($0) }.first { $0.chip != nil }
    if let onChip, onChip.chipHertz != nil, fields.has("frequency") {
      fields.addProblem(
        at: "frequency",
        "all channels of \(onChip.chip ?? "") have one frequency; write frequency: under chips, at \(onChip.chip ?? "")"
      )
      return nil
    }
    let usesChannels = channels == .required || channels == nil && onChip != nil
    modulated = (enable.map { [$0] } ?? (usesChannels ? directions : [])).map { fields.pwmLine($0) }
    settings = Motor.Settings(
      ramp: fields.duration("ramp") ?? .zero, deadTime: fields.duration("dead-time") ?? .milliseconds(20),
      hertz: modulated.compactMap(\.chipHertz).first ?? Int((hertz ?? nil) ?? 1_000),
      isSwitched: enable == nil && !usesChannels)
  }

  package var lines: [String] { directions + [enable].compactMap(\.self) }
  /// Whether both sides of the motor can be connected: a bridge with a phase has no such state.
  private var canBrake: Bool { directions.count == 2 }

  package var hardware: [DeviceHardware] { modulated.map { DeviceHardware($0.port) } }
  package var pagePicture: PagePicture { .screen }
  package var switchesLines: Bool { modulated.count < lines.count }
  package func isLossOfLines(_ error: DriverError) -> Bool { !modulated.describe(error) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let roles = directions.count == 1 ? ["PH"] : ["IN1", "IN2"]
    let terminals = zip(lines, roles + ["EN"]).map { WiringTerminal($0, $1) }
    return WiringPlan.Device(
      name: name, kind: "DC motor", direction: .output,
      circuits: [.box("motor driver", terminals: terminals, supplies: ["GND": .ground])],
      notes: [.motorSupply])
  }

  // MARK: - Driver

  private func driver(on chip: any GPIOChip, _ platform: Platform) -> PWMDriver<Motor> {
    func channel(_ line: String) -> any PWMChannel {
      modulated.first { $0.line == line }.map { platform.hardware(at: $0.port) }
        ?? SwitchedLine(chip, line: LineName(line))
    }
    let inputs: Motor.Inputs
    if directions.count == 1 {
      inputs = .phase(channel(directions[0]), enable: channel(enable ?? directions[0]))
    } else if let enable {
      inputs = .enabled(channel(directions[0]), channel(directions[1]), enable: channel(enable))
    } else {
      inputs = .pair(channel(directions[0]), channel(directions[1]))
    }
    return PWMDriver(Motor(inputs, settings: settings))
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { $0.driver(on: context.chip, context.platform) }, kind: plural,
      model: { MotorKind.model(of: $1, in: $2) })
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    try hardware.show(Self.model(of: safe, in: values), by: driver(on: hardware.chip, hardware.platform))
  }

  private static func model(of appearance: OutputAppearance, in values: PanelValues) -> Motor.Model {
    switch appearance.own(MotorShow.self)?.choice {
    case .speed(let speed): .speed(speed)
    case .value(let value): .speed(values.signedShare(of: value))
    case .brake: .brake
    case .stop: .speed(0)
    case nil: .coast
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { .oneOf([.words(["stop", "brake", "off"]), .number(-1...1), .value]) }

  private struct MotorShow: CustomAppearance {
    enum Choice: Equatable {
      case speed(Double)
      case value(Int)
      case stop
      case brake
    }

    let choice: Choice
    let text: String

    var followedValues: [Int] { if case .value(let value) = choice { [value] } else { [] } }
    var staysWithoutProgram: Bool { choice == .stop }
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    guard let word = show.word else { return addMisfit(show) }
    switch word {
    case "off": return .off
    case "stop": return .own(MotorShow(choice: .stop, text: word))
    case "brake":
      guard canBrake else {
        show.problems.add(show.node.position, "a motor with a phase can't brake; show stop")
        return nil
      }
      return .own(MotorShow(choice: .brake, text: word))
    default: break
    }
    if let speed = Quantity.number(word) {
      guard (-1...1).contains(speed) else { return addMisfit(show) }
      guard !settings.isSwitched || [-1, 0, 1].contains(speed) else {
        show.problems.add(
          show.node.position,
          "motor \(quoted(show.entry.key)) has no PWM for the speed \(word); write pwm: required beside motor, or show "
            + "-1, 0 or 1")
        return nil
      }
      return .own(MotorShow(choice: .speed(speed), text: word))
    }
    guard word.first?.isLetter ?? false, word != "on" else { return addMisfit(show) }
    return show.value(word).map { .own(MotorShow(choice: .value($0), text: word)) }
  }

  private func addMisfit(_ show: ShowField) -> OutputAppearance? {
    show.addMisfit("motor", "a speed -1...1, stop, \(canBrake ? "brake, " : "")off, or a value")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "stop, \(canBrake ? "brake, " : "")off or a speed -1...1" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "stop": .word("stop")
    case "brake": canBrake ? .word("brake") : nil
    default: Quantity.number(text).flatMap { (-1...1).contains($0) ? Self.look(of: $0) : nil }
    }
  }

  private static func look(of speed: Double) -> ObservedOutput {
    let hundredths = Int((speed * 100).rounded())
    if hundredths == 0 { return .word("stop") }
    return .word(hundredths % 100 == 0 ? "\(hundredths / 100)" : Quantity.text(hundredths, decimals: 2))
  }

  /// The look that the file asks for, or off while the lines are not there. The speed in a ramp is not seen.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let chip = view.chip, !chip.isPlugged { return .off }
    if let output = view.world as? SimulatedPWMOutput, output.channels.contains(where: { $0.wave == nil }) {
      return .off
    }
    switch Self.model(of: appearance, in: view.values) {
    case .speed(let speed): return Self.look(of: speed)
    case .brake: return .word("brake")
    case .coast: return .off
    }
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    let channels = modulated.compactMap { platform.simulated(at: $0.port) }
    return channels.count == modulated.count && !channels.isEmpty ? SimulatedPWMOutput(channels) : nil
  }
}
