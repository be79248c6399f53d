import HardwareDrivers
import PanelLanguage

/// `led`: a lamp at a line, at the PWM channel of the line, or one of the kernel.
package enum LEDDeclaration: OutputDeclaration {
  package static let grammar: FieldSet = {
    var grammar = LEDKind.grammar
    grammar.keys[0].shape = .oneOf([.line, .fields(KernelLEDKind.place)])
    return grammar
  }()
  package static let isGroup = false
  package static var ports: [any Port.Type] { PWMLampKind<LEDKind>.ports + KernelLEDKind.ports }
  package static var shown: Shape { LEDKind.shown }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    if fields.isMap("led") { return KernelLEDKind(reading: fields).map { [$0] } }
    let use = PWMUse(reading: fields)
    guard let led = LEDKind(reading: fields), let use else { return nil }
    return use.kinds(of: [led], fields)
  }
}

/// The use of the PWM channels of lamps' lines, as a file has it.
struct PWMUse {
  private enum Word: String, CaseIterable {
    case auto, required, never
  }

  static let keys = [
    Key(
      name: "pwm", takes: "auto, required or never", shape: .choice(Word.self), usual: "`never`",
      meaning: "use of the PWM channel of the line, which makes a level without flicker. `required` drives the lamp by "
        + "the channel only. `auto` uses the channel of a machine that has one. `never` switches the line. A lamp at a PWM chip is always driven by its channel"
    ),
    Key(
      name: "frequency", takes: "50Hz...20kHz", shape: .frequency, usual: "`1kHz`",
      meaning: "frequency of the PWM channel"),
  ]

  private let word: Word
  private let hertz: Int

  /// Adds a problem and returns nil if a setting is wrong.
  init?(reading fields: DeviceFields) {
    word = fields.choice("pwm") ?? .never
    guard let field = fields["frequency"] else {
      hertz = 1_000
      return
    }
    guard let hertz = fields.problems.frequency(field, in: 50...20_000) else { return nil }
    self.hertz = Int(hertz.rounded())
  }

  /// The kinds of lamps with the settings. The lines of a chip with PWM are driven by its channels. Adds a problem and
  /// returns nil if the frequency does not fit.
  func kinds(of lamps: [some DimmableKind], _ fields: DeviceFields) -> [any OutputKind]? {
    let channels = lamps.map { lamp in lamp.lines.map { fields.pwmLine($0) } }
    let onChips = channels.joined().filter { $0.chip != nil }
    if let chip = onChips.first?.chip, fields.has("pwm") {
      fields.addProblem(at: "pwm", "a lamp at \(chip) is always driven by its channel; leave pwm out")
      return nil
    }
    if fields.has("frequency") {
      if let line = onChips.first(where: { $0.chipHertz != nil }), let chip = line.chip {
        fields.addProblem(
          at: "frequency", "all channels of \(chip) have one frequency; write frequency: under chips, at \(chip)")
        return nil
      }
      guard word != .never || !onChips.isEmpty else {
        fields.addProblem(
          at: "frequency", "a frequency needs a PWM channel; write pwm: auto or pwm: required beside it")
        return nil
      }
    }
    return zip(lamps, channels).map { lamp, channels in
      let isOnChip = channels.contains { $0.chip != nil }
      guard word != .never || isOnChip else { return lamp }
      return PWMLampKind(
        lamp, on: channels, isRequired: word == .required || isOnChip,
        hertz: channels.compactMap(\.chipHertz).first ?? hertz)
    }
  }
}
