import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `lamp: { led: GPIO23 }`
package struct LEDKind: DimmableKind {
  package static let grammar = FieldSet(
    name: "an led", summary: "lamp at a line", sample: "lamp: { led: GPIO23 }",
    keys: [Key(name: "led", takes: "a line: GPIO23", shape: .line), ActiveLevel.key] + PWMUse.keys)

  var line: String
  /// The level that lights the lamp.
  var active = ActiveLevel.high

  init(line: String, active: ActiveLevel = .high) {
    self.line = line
    self.active = active
  }

  package init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    guard let line = fields.line("led") else { return nil }
    self.line = line
  }

  package var lines: [String] { [line] }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "LED", direction: .output, circuits: [.led(line: line, isActiveHigh: active == .high)])
  }

  package func device(on chip: any GPIOChip) -> LED { device(on: chip, since: nil) }

  package func device(in context: OutputLensContext, at place: Int) -> LED {
    device(on: context.chip, since: context.since[place])
  }

  package func device(on chip: any GPIOChip, since moment: Moment?) -> LED {
    var settings = LED.Settings()
    settings.isActiveLow = active == .low
    return LED(chip, line: LineName(line), settings: settings, since: moment)
  }

  package func device(on channels: [any PWMChannel], hertz: Int, since moment: Moment?) -> PWMLED {
    PWMLED(channels[0], settings: .init(isActiveLow: active == .low, hertz: hertz), since: moment)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> LED.Model {
    switch appearance {
    case .special:
      appearance.own(LampPattern.self)?.light(in: values) ?? appearance.own(PacedBlink.self)?.light(in: values) ?? .off
    case .off, .count, .writing: .off
    case .on: .on
    case .level(let level): .level(level)
    case .value(let value): .level(values.share(of: value))
    case .blink(let on, let off, let times): .blink(on: on, off: off, times: times)
    case .pulse(let length): .pulse(length)
    }
  }

  package static var isLamp: Bool { true }
  package static var deviceClass: String? { "light" }

  // MARK: - Appearance

  package static var shown: Shape { .oneOf([.switched, .fields(shows)]) }

  private static let spans: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)

  private static let shows = FieldSet(
    name: "a lamp's show",
    keys: [
      Key(
        name: "blink", takes: "a duration, a value that is one, or { on: 100ms, off: 900ms, times: 3 }",
        shape: .oneOf([.span(spans), .name, .fields(blink)]),
        meaning:
          "one duration is both the on-time and the off-time. Blinking starts with the on-time. It follows a value that is "
          + "a duration: a change counts from the next on-time or off-time"),
      Key(
        name: "pulse", takes: "a duration: 2s", shape: .span(.milliseconds(10) ... .seconds(3600)),
        meaning: "period in which the lamp brightens and dims once"),
      Key(
        name: "level", takes: "a number 0...1 or a value's name", shape: .oneOf([.number(0...1), .value]),
        meaning:
          "brightness of a lamp: the line is switched on and off 100 times per second. At the `min` of a value the "
          + "lamp is dark, at its `max` bright. `code.count` is the length of a list: an empty list is dark, a full one "
          + "bright"),
    ] + LampPattern.grammar)

  private static let blink = FieldSet(
    name: "blink",
    keys: [
      Key(
        name: "on", takes: "a duration, or a value that is one: 100ms", isRequired: true,
        shape: .oneOf([.span(spans), .name]), meaning: "on-time"),
      Key(
        name: "off", takes: "a duration, or a value that is one: 900ms", isRequired: true,
        shape: .oneOf([.span(spans), .name]), meaning: "off-time"),
      Key(
        name: "times", takes: "a whole number 1...10000", shape: .whole(1...10_000), usual: "forever",
        meaning: "number of blinks. Then the lamp is off"),
    ])

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    if case .map(let entries) = show.node.content {
      let problems = show.problems
      if let key = entries.first(where: { ["only", "from", "to"].contains($0.key) }),
        case .output = show.names.thing(show.entry.key)
      {
        problems.add(
          key.position,
          "\(quoted(show.entry.key)) is a single lamp; \(quoted(key.key)) chooses \(key.key == "only" ? "one" : "some") of a group: leds"
        )
        return nil
      }
      guard let fields = problems.fields(show.node, Self.shows, at: show.node.position, advice: Self.advice)
      else { return nil }
      let known = entries.filter { fields[$0.key] != nil }
      let main = known.filter { LampPattern.owners[$0.key] == nil }
      if main.count > 1 {
        problems.add(main[1].position, "\(main[1].key) can't be beside \(main[0].key); write one of them")
        return nil
      }
      if let lonely = known.first(where: { entry in
        LampPattern.owners[entry.key].map { owners in !owners.contains { $0 == main.first?.key } } ?? false
      }) {
        problems.add(lonely.position, Self.advice(onLonely: lonely.key, beside: main.first?.key))
        return nil
      }
      if let blink = fields["blink"] { return Self.blink(blink, show) }
      if let level = fields["level"] { return show.level(level) }
      if let pulse = fields["pulse"], known.count == 1 {
        return problems.duration(pulse, in: .milliseconds(10) ... .seconds(3600)).map { .pulse($0) }
      }
      if let key = main.first?.key {
        return show.fields(Self.shows).flatMap { LampPattern(key, of: $0, show) }.map { .own($0) }
      }
      if !entries.isEmpty { return nil }
    }
    show.addMisfit("led", "on, off, { blink: 250ms }, { pulse: 2s }, { fade: 1, over: 2s } or { level: 0.3 }")
    return nil
  }

  /// The advice for a key of `blink` that is written next to it.
  private static func advice(_ entry: YAMLNode.Entry) -> String? {
    Self.blink.keys.contains { $0.name == entry.key } ? "write blink: { on: 250ms, off: 250ms, times: 3 }" : nil
  }

  /// The advice for a key that is written without the key that it belongs to.
  private static func advice(onLonely key: String, beside other: String?) -> String {
    if key == "times", other == "blink" {
      return "times can't be beside blink; write blink: { on: 250ms, off: 250ms, times: 3 }"
    }
    let owners = (LampPattern.owners[key] ?? []).joined(separator: " or ")
    return other.map { "\(key) can't be beside \($0); it belongs to \(owners)" } ?? "\(key) needs \(owners) beside it"
  }

  private static func blink(_ field: Field, _ show: ShowField) -> OutputAppearance? {
    let problems = show.problems
    guard case .map = field.node.content else {
      return PacedBlink.span(field, of: show, in: spans).map { appearance(blinking: $0, $0, nil) }
    }
    guard let fields = problems.fields(field.node, blink, at: field.position) else { return nil }
    let on = fields["on"].flatMap { PacedBlink.span($0, of: show, in: spans) }
    let off = fields["off"].flatMap { PacedBlink.span($0, of: show, in: spans) }
    let times = problems.whole(fields["times"], in: 1...10_000)
    guard let on, let off else { return nil }
    if let field = fields["times"], [on, off].contains(where: { $0.isValue }) {
      problems.add(field.position, "\"times\" can't be beside a value; write durations, or leave \"times\" out")
      return nil
    }
    return appearance(blinking: on, off, times)
  }

  private static func appearance(
    blinking on: PacedBlink.Span, _ off: PacedBlink.Span, _ times: Int?
  ) -> OutputAppearance {
    if case .fixed(let lit) = on, case .fixed(let dark) = off { return .blink(on: lit, off: dark, times: times) }
    return .own(PacedBlink(on: on, off: off))
  }

  // MARK: - Look

  package var expectation: String { "off, on, blinking, pulsing, fading or a level 0...1" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "on": .on
    case "blinking": .blinking
    case "pulsing": .pulsing
    case "fading": .word("fading")
    default: Quantity.number(text).flatMap { (0...1).contains($0) ? Self.look(ofLevel: $0) : nil }
    }
  }

  /// A lamp at full brightness is on, and a lamp at zero brightness is off.
  private static func look(ofLevel level: Double) -> ObservedOutput {
    level == 0 ? .off : level == 1 ? .on : .level(level)
  }

  package func look(expecting appearance: OutputAppearance) -> ObservedOutput? {
    if case .level(let level) = appearance { Self.look(ofLevel: level) } else { nil }
  }

  // On and off are read from the line's level, so a lamp that is on in the frame looks off if its line is not driven.
  // Blinking and brightness are produced by the driver over time, so they are read from the appearance.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let chip = view.chip, !chip.isPlugged { return .off }
    let isLit = view.isActive(line, active)
    var appearance = appearance
    // Rounded to a hundredth, so that a scenario can name it. A brightness between dark and bright stays between them.
    if case .value(let value) = appearance {
      let share = view.values.share(of: value)
      appearance = .level(share <= 0 || share >= 1 ? share : min(0.99, max(0.01, (share * 100).rounded() / 100)))
    }
    switch appearance {
    case .blink(let on, let off, let times):
      guard let times, view.age >= (on + off) * times else { return .blinking }
      return .off
    case .pulse: return .pulsing
    case .level(let level) where level > 0 && level < 1: return .level(level)
    case .level(let level): return isLit ?? (level >= 1) ? .on : .off
    case .on: return isLit ?? true ? .on : .off
    case .special where appearance.own(PacedBlink.self) != nil: return .blinking
    case .special: return appearance.own(LampPattern.self)?.look(after: view.age, in: view.values) ?? .off
    case .off, .count, .value, .writing: return isLit ?? false ? .on : .off
    }
  }

  /// The lamp with its brightness at this moment.
  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    let lamp =
      switch look {
      case .off: Style.dark
      case .blinking: view.isActive(line, active) ?? true ? Style.lit : Style.dark
      case .pulsing, .word: "\(Style.yellow)◐\(Style.plain)"
      case .level(let level): "\(Style.yellow)\(level < 0.5 ? "◔" : "◕")\(Style.plain)"
      case .on, .count, .rows: Style.lit
      }
    return "\(lamp)  \(look)"
  }
}
