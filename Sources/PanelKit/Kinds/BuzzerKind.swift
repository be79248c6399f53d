import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `beep: { buzzer: GPIO18 }`: a buzzer with its own tone, or a passive one with `tones: true`.
package enum BuzzerDeclaration: OutputDeclaration {
  package static let grammar = FieldSet(
    name: "a buzzer", summary: "buzzer", sample: "beep: { buzzer: GPIO18 }",
    keys: [
      Key(name: "buzzer", takes: "a line: GPIO18", shape: .line), ActiveLevel.key,
      Key(
        name: "tones", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true` for a passive buzzer, which plays tones and melodies. It needs the PWM channel of the line"),
    ])
  package static let isGroup = false
  package static var ports: [any Port.Type] { ToneBuzzerKind.ports }
  package static var shown: Shape {
    .oneOf([.switched, .frequency, .tone, .value, .fields(BuzzerKind.beeps), .fields(ToneBuzzerKind.music)])
  }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    guard fields.flag("tones") ?? false else { return BuzzerKind(reading: fields).map { [$0] } }
    if fields.has("active") {
      fields.addProblem(at: "active", "a buzzer with tones has no active level; leave \"active\" out")
      return nil
    }
    return ToneBuzzerKind(reading: fields).map { [$0] }
  }
}

/// A buzzer that sounds while its line is active.
package struct BuzzerKind: LineOutputKind {
  package static var grammar: FieldSet { BuzzerDeclaration.grammar }
  package static let plural = "buzzers"
  package static var deviceClass: String? { "sound" }
  package static var shown: Shape { .oneOf([.switched, .fields(beeps)]) }

  private let line: String
  private let active: ActiveLevel

  package init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    guard let line = fields.line("buzzer") else { return nil }
    self.line = line
  }

  package var lines: [String] { [line] }
  package var pagePicture: PagePicture { .contact }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "active buzzer", direction: .output,
      circuits: [.box("buzzer", terminals: [WiringTerminal(line, "+")], supplies: ["−": .ground])],
      notes: [.buzzerCurrent])
  }

  package func device(on chip: any GPIOChip) -> LED { device(on: chip, since: nil) }

  package func device(in context: OutputLensContext, at place: Int) -> LED {
    device(on: context.chip, since: context.since[place])
  }

  private func device(on chip: any GPIOChip, since moment: Moment?) -> LED {
    LED(chip, line: LineName(line), settings: .init(isActiveLow: active == .low), since: moment)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> LED.Model {
    if let beeps = appearance.own(Beeps.self) {
      return .blink(on: beeps.length, off: beeps.interval - beeps.length, times: beeps.times)
    }
    return appearance == .on ? .on : .off
  }

  // MARK: - Appearance

  private static let spans: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3_600)

  static let beeps = FieldSet(
    name: "a buzzer's show",
    keys: [
      Key(
        name: "beep", takes: "a duration: 100ms", isRequired: true, shape: .span(spans), meaning: "length of a beep"),
      Key(
        name: "every", takes: "a duration: 300ms", shape: .span(spans), usual: "twice the length",
        meaning: "time from the beginning of a beep to the next one"),
      Key(
        name: "times", takes: "a whole number 1...10000", shape: .whole(1...10_000), usual: "forever",
        meaning: "number of beeps"),
    ])

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    guard case .map = show.node.content else {
      show.addMisfit("buzzer", "on, off or { beep: 100ms, times: 3 }")
      return nil
    }
    guard let fields = show.fields(Self.beeps), let length = fields.duration("beep") else { return nil }
    let times = fields.whole("times")
    let interval = fields.has("every") ? fields.duration("every") : length * 2
    guard let interval, fields.has("times") == (times != nil) else { return nil }
    guard interval > length else {
      fields.addProblem(at: "every", "every is not longer than the beep of \(Quantity.text(length))")
      return nil
    }
    return .own(Beeps(length: length, interval: interval, times: times))
  }

  private struct Beeps: CustomAppearance {
    let length: Duration
    let interval: Duration
    let times: Int?

    var isMoving: Bool { true }
    var staysWithoutProgram: Bool { false }
    var text: String {
      "{ beep: \(Quantity.text(length)), every: \(Quantity.text(interval))\(times.map { ", times: \($0)" } ?? "") }"
    }
  }

  // MARK: - Look

  package var expectation: String { "off, on or beeping" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "on": .on
    case "beeping": .word("beeping")
    default: nil
    }
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let chip = view.chip, !chip.isPlugged { return .off }
    if let beeps = appearance.own(Beeps.self) {
      guard let times = beeps.times, view.age >= beeps.interval * times else { return .word("beeping") }
      return .off
    }
    return view.isActive(line, active) ?? (appearance == .on) ? .on : .off
  }
}
