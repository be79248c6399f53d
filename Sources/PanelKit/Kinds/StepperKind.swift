import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `blind: { stepper: [GPIO17, GPIO27, GPIO22, GPIO23], speed: 600 }`: a stepper motor.
package struct StepperKind: LineOutputKind {
  package static let grammar = FieldSet(
    name: "a stepper", summary: "stepper motor", sample: "blind: { stepper: [GPIO17, GPIO27, GPIO22, GPIO23] }",
    keys: [
      Key(
        name: "stepper", takes: "a list of four lines, or { step: GPIO20, direction: GPIO21, enable: GPIO16 }",
        shape: .oneOf([.list(of: .line, count: 4...4), .fields(pulses)]),
        meaning: "lines of the four coils in their order, or the inputs of a chip such as A4988"),
      Key(
        name: "steps", takes: "full or half", shape: .choice(Stepper.Steps.self), usual: "`half`",
        meaning: "steps of four coils. A turn of a 28BYJ-48 has 4096 half steps"),
      Key(
        name: "speed", takes: "a number 1...1000", shape: .number(1...1_000), usual: "`300`",
        meaning: "greatest speed in steps per second"),
      Key(
        name: "acceleration", takes: "a number 1...100000", shape: .number(1...100_000), usual: "none",
        meaning: "greatest acceleration in steps per second and second"),
    ])
  private static let pulses = FieldSet(
    name: "the inputs of a stepper chip",
    keys: [
      Key(name: "step", takes: "a line: GPIO20", isRequired: true, shape: .line, meaning: "line of the pulses"),
      Key(name: "direction", takes: "a line: GPIO21", isRequired: true, shape: .line, meaning: "line of the direction"),
      Key(
        name: "enable", takes: "a line: GPIO16", shape: .line, usual: "none",
        meaning: "line that enables the chip. It is active low"),
    ])
  package static let plural = "steppers"
  package static var isActing: Bool { true }
  package static var deviceClass: String? { "moving" }

  package let lines: [String]
  private let isChip: Bool
  private let steps: Stepper.Steps
  private let settings: Stepper.Settings

  package init?(reading fields: DeviceFields) {
    let steps: Stepper.Steps? = fields.choice("steps")
    settings = Stepper.Settings(speed: fields.number("speed") ?? 300, acceleration: fields.number("acceleration"))
    self.steps = steps ?? .half
    isChip = fields.isMap("stepper")
    if isChip {
      guard let chip = fields.inside("stepper", Self.pulses), let step = chip.line("step"),
        let direction = chip.line("direction")
      else { return nil }
      let enable = chip.line("enable")
      guard chip.has("enable") == (enable != nil) else { return nil }
      if fields.has("steps") {
        fields.addProblem(at: "steps", "the jumpers of the chip set its steps; leave \"steps\" out")
        return nil
      }
      lines = [step, direction] + [enable].compactMap(\.self)
    } else {
      guard let coils = fields.lines("stepper") else { return nil }
      lines = coils
    }
  }

  package var pagePicture: PagePicture { .screen }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let roles = isChip ? ["STEP", "DIR", "EN"] : ["IN1", "IN2", "IN3", "IN4"]
    return WiringPlan.Device(
      name: name, kind: "stepper motor", direction: .output,
      circuits: [
        .box(
          isChip ? "stepper driver (A4988)" : "stepper driver (ULN2003)",
          terminals: zip(lines, roles).map { WiringTerminal($0, $1) }, supplies: ["GND": .ground])
      ],
      notes: [.motorSupply])
  }

  package func device(on chip: any GPIOChip) -> Stepper { device(on: chip, at: MotorPosition()) }

  package func device(in context: OutputLensContext, at place: Int) -> Stepper {
    // In other steps, the same position has a different number.
    let motor = "\(context.lens) \(lines) \(isChip ? "" : steps.rawValue)"
    return device(on: context.chip, at: context.positions.position(of: motor))
  }

  private func device(on chip: any GPIOChip, at position: MotorPosition) -> Stepper {
    let names = lines.map { LineName($0) }
    return Stepper(
      isChip
        ? .pulses(step: names[0], direction: names[1], enable: names.count > 2 ? names[2] : nil)
        : .coils(names, steps),
      on: chip, settings: settings, position: position)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> Stepper.Model {
    switch appearance.own(StepperShow.self)?.choice {
    case .position(let position): .position(position)
    case .value(let value): .position(Int(values.number(of: value).rounded()))
    case .hold: .hold
    case nil: .off
    }
  }

  package var events: [String] { ["arrived"] }

  package static func report(of event: Stepper.Event) -> InputReport? {
    switch event {
    case .arrived: .event(0)
    }
  }

  // MARK: - Appearance

  package static var shown: Shape {
    .oneOf([.words(["off", "hold"]), .whole(-1_000_000_000...1_000_000_000), .value])
  }

  private struct StepperShow: CustomAppearance {
    enum Choice: Equatable {
      case position(Int)
      case value(Int)
      case hold
    }

    let choice: Choice
    let text: String

    var followedValues: [Int] { if case .value(let value) = choice { [value] } else { [] } }
    var staysWithoutProgram: Bool { false }
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    guard let word = show.word else { return addMisfit(show) }
    if word == "off" { return .off }
    if word == "hold" { return .own(StepperShow(choice: .hold, text: word)) }
    if let position = Quantity.whole(word) {
      guard Stepper.positions.contains(position) else { return addMisfit(show) }
      return .own(StepperShow(choice: .position(position), text: word))
    }
    guard word.first?.isLetter ?? false, word != "on" else { return addMisfit(show) }
    return show.value(word).map { .own(StepperShow(choice: .value($0), text: word)) }
  }

  private func addMisfit(_ show: ShowField) -> OutputAppearance? {
    show.addMisfit("stepper", "a position in whole steps, hold, off, or a value")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "off, hold or the position in steps to which it moves" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "hold": .word("hold")
    default: Quantity.whole(text).map { .word("\($0)") }
    }
  }

  /// The position to which the motor moves. The steps of a simulated motor are the levels of its lines.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let chip = view.chip, !chip.isPlugged { return .off }
    switch model(of: appearance, in: view.values) {
    case .position(let position): return .word("\(position)")
    case .hold: return .word("hold")
    case .off: return .off
    }
  }
}
