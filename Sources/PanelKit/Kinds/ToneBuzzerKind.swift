import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `beep: { buzzer: GPIO18, tones: true }`: a passive buzzer on the PWM channel of its line.
package struct ToneBuzzerKind: DrivenOutputKind {
  package static var grammar: FieldSet { BuzzerDeclaration.grammar }
  package static let plural = "buzzers with tones"
  package static var ports: [any Port.Type] { [PWMPort.self] }
  package static var deviceClass: String? { "sound" }
  package static var shown: Shape { BuzzerDeclaration.shown }

  private let line: PWMLine

  package init?(reading fields: DeviceFields) {
    guard let line = fields.line("buzzer") else { return nil }
    self.line = fields.pwmLine(line)
    if self.line.chipHertz != nil {
      fields.addProblem(
        at: "buzzer",
        "each tone has another frequency, and all channels of \(self.line.chip ?? "") have the same one; use a line of the "
          + "board with PWM, such as GPIO18")
      return nil
    }
  }

  package var lines: [String] { [line.line] }
  package var hardware: [DeviceHardware] { [DeviceHardware(line.port)] }
  package var pagePicture: PagePicture { .contact }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "passive buzzer", direction: .output,
      circuits: [.box("buzzer", terminals: [WiringTerminal(line.line, "+")], supplies: ["−": .ground])],
      notes: [.buzzerCurrent])
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.since).map {
        PWMDriver(ToneBuzzer(context.platform.hardware(at: $0.line.port), since: $1))
      }, kind: plural,
      model: { _, appearance, values in model(of: appearance, in: values) },
      report: { event in
        switch event {
        case .finished: .event(0)
        }
      })
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    try hardware.show(
      Self.model(of: safe, in: values), by: PWMDriver(ToneBuzzer(hardware.platform.hardware(at: line.port))))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: line.port)
  }

  package var events: [String] { ["finished"] }

  private static func model(of appearance: OutputAppearance, in values: PanelValues) -> ToneBuzzer.Model {
    guard let music = appearance.own(Music.self) else { return .silent }
    guard let value = music.followedValues.first else { return music.model }
    let hertz = values.number(of: value)
    return ToneBuzzer.frequencies.contains(hertz) ? .tone(hertz) : .silent
  }

  // MARK: - Appearance

  static let music = FieldSet(
    name: "a melody",
    keys: [
      Key(
        name: "melody", takes: "notes: \"C4 8, E4 8, G4 4\", or a text of RTTTL", isRequired: true, shape: .text,
        meaning:
          "notes, each with its part of a whole note. `R` is a rest, a dot makes a note half as long again"),
      Key(
        name: "tempo", takes: "a whole number 20...400", shape: .whole(20...400), usual: "`120`",
        meaning: "quarters in a minute; RTTTL has its own"),
      Key(
        name: "times", takes: "a whole number 1...10000, or forever", shape: Repetitions.shape, usual: "`1`",
        meaning: "number of repetitions"),
    ])

  private struct Music: CustomAppearance {
    let model: ToneBuzzer.Model
    let text: String
    /// The value that is the frequency of the tone; none for a model of its own.
    var followedValues: [Int] = []

    var isMoving: Bool { if case .melody = model { true } else { false } }
    var staysWithoutProgram: Bool { false }
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if show.switched == .off { return .off }
    if let word = show.word, show.switched == nil {
      if let hertz = try? Quantity.frequency(word), ToneBuzzer.frequencies.contains(hertz) {
        return .own(Music(model: .tone(hertz), text: word))
      }
      if let melody = try? Melody(word), melody.notes.count == 1, let hertz = melody.notes[0].hertz {
        return .own(Music(model: .tone(hertz), text: word))
      }
    }
    if let word = show.word, show.switched == nil, word.first?.isLetter ?? false {
      return show.value(word).map { .own(Music(model: .silent, text: word, followedValues: [$0])) }
    }
    if case .map = show.node.content {
      guard let fields = show.fields(Self.music), let text = fields.text("melody") else { return nil }
      let tempo = fields.whole("tempo") ?? 120
      guard let repetitions = fields.repetitions("times") else { return nil }
      do throws(Melody.TextError) {
        let melody = try Melody(text, tempo: Double(tempo))
        return .own(Music(model: .melody(melody, times: repetitions.count), text: "{ melody: \(quoted(text)) }"))
      } catch {
        fields.addProblem(at: "melody", error.reason)
        return nil
      }
    }
    show.addMisfit("buzzer", "off, a tone of 20Hz to 20kHz such as 440Hz or A4, a value, or { melody: \"C4 8, E4 8\" }")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "off, melody, or a tone in hertz such as 440Hz" }

  package func look(named text: String) -> ObservedOutput? {
    if text == "off" { return .off }
    if text == "melody" { return .word(text) }
    return (try? Quantity.frequency(text)).map { Self.look(of: $0) }
  }

  private static func look(of hertz: Double) -> ObservedOutput { .word("\(Int(hertz.rounded()))Hz") }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let pwm = view.world as? SimulatedPWM, pwm.wave == nil { return .off }
    switch Self.model(of: appearance, in: view.values) {
    case .silent: return .off
    case .tone(let hertz): return Self.look(of: hertz)
    case .melody(let melody, let times):
      return times.map { view.age >= melody.length * $0 } ?? false ? .off : .word("melody")
    }
  }
}
