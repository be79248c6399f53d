import CycleCore
import HardwareDrivers
import PanelLanguage
import Terminal

/// A light of a lamp that ends or has several looks: `{ fade: 0.8, over: 2s }`, `{ pulse: 1s, times: 3 }`,
/// `{ keys: [[0s, 0], [500ms, 1]] }`.
struct LampPattern: CustomAppearance {
  /// The light; the end of a fade to ``followed`` is not known in it.
  private let light: Light<Brightness>
  /// The value to which the lamp fades: dark at its `min`, bright at its `max`. Nil for any other pattern.
  private let followed: Int?
  /// The appearance as a file writes it.
  let text: String

  var followedValues: [Int] { followed.map { [$0] } ?? [] }
  var isMoving: Bool { true }
  var staysWithoutProgram: Bool { false }

  func light(in values: PanelValues) -> Light<Brightness> {
    guard let followed, case .fade(_, let span) = light.pattern else { return light }
    return .fade(to: Brightness(values.share(of: followed)), over: span, on: light.scale)
  }

  /// The look some time after the pattern began, or after the value that it follows changed. A fade begins with a look
  /// that is not known here, so it is `fading` until its end.
  func look(after age: Duration, in values: PanelValues) -> ObservedOutput {
    let light = light(in: values)
    let state = LightState(light, at: .zero)
    let hasEnded = state.end.map { $0 <= .zero + age } ?? false
    switch light.pattern {
    case .fade(let look, _): return hasEnded ? Self.look(of: look) : .word("fading")
    case .pulse: return hasEnded ? .off : .pulsing
    case .blink: return hasEnded ? .off : .blinking
    case .keys, .steady: return Self.look(of: state.shown(at: .zero + age).look)
    }
  }

  /// The look of a brightness, rounded to a hundredth, so that a scenario can name it. A brightness between dark and
  /// bright stays between them.
  static func look(of brightness: Brightness) -> ObservedOutput {
    let share = brightness.share
    if share <= 0 { return .off }
    return share >= 1 ? .on : .level(min(0.99, max(0.01, (share * 100).rounded() / 100)))
  }
}

// MARK: - Reading

extension LampPattern {
  static let spans: ClosedRange<Duration> = .milliseconds(1) ... .seconds(86_400)
  private static let keyCounts = 2...Keyframes<Brightness>.limit

  /// The keys of a lamp's show for patterns, and the key that each belongs to.
  static let grammar = [
    Key(
      name: "fade", takes: "a number 0...1 or a value's name, with over: 2s beside it",
      shape: .oneOf([.number(0...1), .value]),
      meaning:
        "brightness at the end of a fade from the present one. With a value, the lamp fades to its new brightness at each "
        + "change. At the `min` of the value the lamp is dark, at its `max` bright"),
    Key(name: "over", takes: "a duration: 2s", shape: .span(spans), meaning: "duration of the fade"),
    Key(
      name: "keys", takes: "a list of 2...8 times and brightnesses: [[0s, 0], [500ms, 1], [2s, 0.2]]",
      shape: .list(of: .list(of: .oneOf([.duration, .number(0...1)]), count: 2...2), count: keyCounts),
      meaning:
        "times since the beginning, each with the brightness at that time. The brightness changes evenly between them"
    ),
    Key(
      name: "rise", takes: "a duration: 200ms", shape: .span(spans), usual: "half of the pulse",
      meaning: "part of a pulse in which the lamp brightens"),
    Key(
      name: "times", takes: "a whole number 1...10000", shape: .whole(1...10_000),
      usual: "forever for a pulse, once for keys",
      meaning: "number of pulses, or of repetitions of the keys"),
    Key(
      name: "linear", takes: "true or false", shape: .flag, usual: "`false`",
      meaning:
        "`true` changes the light evenly. `false` changes the brightness evenly for the eye, which sees the square root of the light"
    ),
  ]
  /// The keys that belong to another key, each with those.
  static let owners = [
    "over": ["fade"], "rise": ["pulse"], "times": ["pulse", "keys"], "linear": ["fade", "pulse", "keys"],
  ]

  /// Reads the pattern at a key of a lamp's show. Adds a problem and returns nil if it is wrong.
  init?(_ key: String, of fields: DeviceFields, _ show: ShowField) {
    let isLinear = fields.flag("linear") ?? false
    let scale = isLinear ? BrightnessScale.linear : .perceived
    let end = isLinear ? ", linear: true }" : " }"
    let times = fields.whole("times")
    let repeated = times.map { ", times: \($0)" } ?? ""
    switch key {
    case "fade":
      guard let field = fields["fade"], let aim = show.level(field) else { return nil }
      let share: Double
      let written: String
      switch aim {
      case .value(let value): (share, followed, written) = (0, value, show.names.values[value])
      case .level(let level): (share, followed, written) = (level, nil, "\(level)")
      default: return nil
      }
      guard fields.has("over") else {
        fields.addProblem(at: "fade", "a fade takes a time; write { fade: \(written), over: 2s }")
        return nil
      }
      guard let span = fields.duration("over") else { return nil }
      light = .fade(to: Brightness(share), over: span, on: scale)
      text = "{ fade: \(written), over: \(Quantity.text(span))\(end)"
    case "pulse":
      followed = nil
      guard let length = fields.duration("pulse") else { return nil }
      let rise = fields.duration("rise")
      if fields.has("rise"), rise == nil { return nil }
      guard rise ?? .zero <= length else {
        fields.addProblem(at: "rise", "rise is longer than the pulse of \(Quantity.text(length))")
        return nil
      }
      let risen = rise ?? length / 2
      light = .pulse(rise: risen, fall: length - risen, times: times, on: scale)
      text = "{ pulse: \(Quantity.text(length))\(rise.map { ", rise: \(Quantity.text($0))" } ?? "")\(repeated)\(end)"
    default:
      followed = nil
      let keys = fields.keyframes("keys") { pair in
        pair["keys"].flatMap { pair.problems.number($0, in: 0...1) }.map { Brightness($0) }
      }
      guard let keys else { return nil }
      light = Light(.keys(keys, times: Int32(times ?? 1)), on: scale)
      let list = keys.list.map { "[\(Quantity.text($0.time)), \($0.value.share)]" }.joined(separator: ", ")
      text = "{ keys: [\(list)]\(repeated)\(end)"
    }
  }
}
