import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `arm: { servo: GPIO12, speed: 60 }`: a servo, or the controller of a brushless motor, on the PWM channel of its
/// line.
package struct ServoKind: DrivenOutputKind {
  package static let grammar = FieldSet(
    name: "a servo", summary: "servo, or controller of a brushless motor (ESC)", sample: "arm: { servo: GPIO12 }",
    keys: [
      Key(name: "servo", takes: "a line: GPIO12", shape: .line),
      Key(
        name: "pulse", takes: "two durations 0.4ms..2.6ms", shape: .spans(Servo.Settings.pulses),
        usual: "`1ms..2ms`", meaning: "widths of the pulse at both ends of `angles`"),
      Key(
        name: "angles", takes: "two numbers -3600..3600", shape: .numbers(-3_600...3_600), usual: "`-90..90`",
        meaning: "angles at both ends of `pulse`, in degrees"),
      Key(
        name: "reversed", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true`: the greatest angle is at the shortest pulse, for a servo that is mounted the other way round"),
      Key(
        name: "speed", takes: "a number 1...10000", shape: .number(1...10_000), usual: "`300`",
        meaning: "greatest speed in degrees per second"),
      Key(
        name: "acceleration", takes: "a number 1...100000", shape: .number(1...100_000), usual: "none",
        meaning: "greatest acceleration in degrees per second and second, so that a move begins and ends gently"),
      Key(
        name: "rest", takes: "a duration: 500ms", shape: .span(.zero ... .seconds(3_600)), usual: "never",
        meaning: "time from the arrival to the end of the pulses. A servo without pulses is silent and has no force"),
      Key(
        name: "arm", takes: "a duration: 2s", shape: .span(.milliseconds(1) ... .seconds(60)), usual: "none",
        meaning:
          "for an ESC: time with the narrowest pulse before anything else. An ESC also gets that pulse at `rest`"),
    ])
  package static let plural = "servos"
  package static var ports: [any Port.Type] { [PWMPort.self] }
  package static var isActing: Bool { true }

  private let line: PWMLine
  private let settings: Servo.Settings

  /// The pulses in a second.
  private static let hertz = Int(Duration.seconds(1) / Servo.period)

  package init?(reading fields: DeviceFields) {
    let pulse = fields.durations("pulse")
    let angles = fields.numbers("angles")
    guard let line = fields.line("servo"), fields.has("pulse") == (pulse != nil),
      fields.has("angles") == (angles != nil)
    else { return nil }
    self.line = fields.pwmLine(line)
    if let hertz = self.line.chipHertz, hertz != Self.hertz {
      fields.addProblem(
        at: "servo",
        "a servo needs pulses of \(Self.hertz)Hz, and all channels of \(self.line.chip ?? "") have \(hertz)Hz; write "
          + "frequency: \(Self.hertz)Hz there")
      return nil
    }
    settings = Servo.Settings(
      pulse: pulse ?? .milliseconds(1) ... .milliseconds(2), angles: angles ?? -90...90,
      speed: fields.number("speed") ?? 300, acceleration: fields.number("acceleration"), rest: fields.duration("rest"),
      arming: fields.duration("arm"), isReversed: fields.flag("reversed") ?? false)
    if settings.isReversed, settings.arming != nil {
      fields.addProblem(
        at: "reversed", "an ESC begins with its narrowest pulse, so it can't be reversed; leave reversed out")
      return nil
    }
  }

  package var lines: [String] { [line.line] }
  package var hardware: [DeviceHardware] { [DeviceHardware(line.port)] }
  package var pagePicture: PagePicture { .screen }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: settings.arming == nil ? "servo" : "ESC", direction: .output,
      circuits: [
        .box(
          settings.arming == nil ? "servo" : "ESC", terminals: [WiringTerminal(line.line, "signal")],
          supplies: ["GND": .ground])
      ],
      notes: [.servoSupply])
  }

  // MARK: - Driver

  private func driver(on platform: Platform, at position: MotorPosition = MotorPosition()) -> PWMDriver<Servo> {
    PWMDriver(Servo(platform.hardware(at: line.port), settings: settings, position: position))
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { servo in
        servo.driver(on: context.platform, at: context.positions.position(of: "servo \(servo.line.port.subject)"))
      }, kind: plural,
      model: { devices[$0].model(of: $1, in: $2) },
      report: { event in
        switch event {
        case .arrived: .event(0)
        }
      })
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: driver(on: hardware.platform))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: line.port)
  }

  package var events: [String] { ["arrived"] }

  private func model(of appearance: OutputAppearance, in values: PanelValues) -> Servo.Model {
    switch appearance.own(ServoPosition.self)?.choice {
    case .angle(let angle): .angle(angle)
    case .value(let value): .angle(values.number(of: value))
    case .keys(let keys, let times): .keys(keys, times: times)
    case .rest, nil: .rest
    }
  }

  // MARK: - Appearance

  package static var shown: Shape {
    .oneOf([.words(["rest"]), .number(-3_600...3_600), .value, .fields(ServoPosition.sequence)])
  }

  package var rest: OutputAppearance { .own(ServoPosition(.rest, text: "rest")) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    let (low, high) = (settings.angles.lowerBound, settings.angles.upperBound)
    guard let word = show.word else {
      if case .map = show.node.content {
        return ServoPosition(reading: show, in: settings.angles).map { .own($0) }
      }
      return addMisfit(show)
    }
    if word == "rest" { return rest }
    if let angle = Quantity.number(word) {
      guard settings.angles.contains(angle) else {
        show.problems.add(
          show.node.position,
          "servo \(quoted(show.entry.key)) can't turn to \(word); its angles are \(ServoPosition.text(of: low)) to "
            + ServoPosition.text(of: high))
        return nil
      }
      return .own(ServoPosition(.angle(angle), text: word))
    }
    guard word.first?.isLetter ?? false, word != "on", word != "off" else { return addMisfit(show) }
    return show.value(word).map { .own(ServoPosition(.value($0), text: word)) }
  }

  private func addMisfit(_ show: ShowField) -> OutputAppearance? {
    show.addMisfit("servo", "an angle, rest, a value, or { keys: [[0s, 0], [1s, 90]] }")
    return nil
  }

  // MARK: - Look

  package var expectation: String {
    "rest, moving during a sequence of angles, or the angle of the last pulse in degrees. A servo whose pulses have ended "
      + "after `rest` has the angle at which it arrived"
  }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "rest", "moving": .word(text)
    default: Quantity.number(text).map { .word(ServoPosition.text(of: $0)) }
    }
  }

  /// The angle by the pulse. A servo whose pulses have ended after its arrival stays at its angle. A sequence of angles
  /// is moving until its end.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    let target: Double
    switch model(of: appearance, in: view.values) {
    case .angle(let angle): target = angle
    case .keys(let keys, let times):
      guard let times, let last = keys.list.last, view.age >= last.time * Int(times) + lag else {
        return .word("moving")
      }
      target = last.value
    case .rest: return .word("rest")
    }
    let angles = settings.angles
    guard let pwm = view.world as? SimulatedPWM else { return .word(ServoPosition.text(of: target)) }
    guard let high = pwm.wave?.high else { return .word("rest") }
    guard high > .zero else { return .word(ServoPosition.text(of: target)) }
    let share = (high - settings.pulse.lowerBound) / (settings.pulse.upperBound - settings.pulse.lowerBound)
    return .word(ServoPosition.text(of: angles.lowerBound + share * (angles.upperBound - angles.lowerBound)))
  }

  /// The time of the longest move.
  package var lag: Duration {
    let way = settings.angles.upperBound - settings.angles.lowerBound
    let seconds = way / settings.speed + (settings.acceleration.map { 2 * settings.speed / $0 } ?? 0)
    return .seconds(seconds) + (settings.arming ?? .zero)
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    "\(look)" == "rest" ? "\(Style.dark)  rest" : "\(Style.yellow)↻\(Style.plain)  \(look)°"
  }
}

/// The position of a servo, as a file has it: `45`, `rest`, a value, or `{ keys: [[0s, 0], [1s, 90]] }`.
struct ServoPosition: CustomAppearance {
  enum Choice: Equatable {
    case rest
    case angle(Double)
    case value(Int)
    case keys(Keyframes<Double>, times: Int32?)
  }

  let choice: Choice
  let text: String

  init(_ choice: Choice, text: String) { (self.choice, self.text) = (choice, text) }

  var followedValues: [Int] { if case .value(let value) = choice { [value] } else { [] } }
  var isMoving: Bool { if case .keys = choice { true } else { false } }
  // The pulses end with the program, before the servo has turned.
  var staysWithoutProgram: Bool { choice == .rest }

  /// An angle in tenths of a degree, without a zero at the end.
  static func text(of angle: Double) -> String {
    let tenths = Int((angle * 10).rounded())
    return Quantity.text(tenths, decimals: 1).hasSuffix(".0") ? "\(tenths / 10)" : Quantity.text(tenths, decimals: 1)
  }

  private static let keyCounts = 2...Keyframes<Double>.limit

  static let sequence = FieldSet(
    name: "a servo's show",
    keys: [
      Key(
        name: "keys", takes: "a list of 2...8 times and angles: [[0s, 0], [1s, 90]]", isRequired: true,
        shape: .list(
          of: .list(of: .oneOf([.duration, .number(-3_600...3_600)]), count: 2...2), count: keyCounts),
        meaning: "times since the beginning, each with the angle at that time. The servo moves evenly between them"),
      Key(
        name: "times", takes: "a whole number 1...10000, or forever", shape: Repetitions.shape, usual: "`1`",
        meaning: "number of repetitions"),
    ])

  /// Reads `{ keys: …, times: 3 }`. Adds a problem and returns nil if it is wrong.
  init?(reading show: ShowField, in angles: ClosedRange<Double>) {
    guard let fields = show.fields(Self.sequence) else { return nil }
    let keys = fields.keyframes("keys") { pair in
      pair["keys"].flatMap { pair.problems.number($0, in: angles) }
    }
    guard let keys else { return nil }
    guard let repetitions = fields.repetitions("times") else { return nil }
    let times = repetitions.count.map { Int32($0) }
    let list = keys.list.map { "[\(Quantity.text($0.time)), \(Self.text(of: $0.value))]" }.joined(separator: ", ")
    self.init(
      .keys(keys, times: times),
      text: "{ keys: [\(list)]\(times == 1 ? "" : ", times: \(times.map { "\($0)" } ?? "forever")") }")
  }
}
