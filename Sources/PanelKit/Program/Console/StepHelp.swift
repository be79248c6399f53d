import CycleCore
import PanelLanguage
import PanelRun
import Terminal

/// The requests `help`, `help STEP` and `quit` in the line mode of a simulated panel. They are not steps of a scenario.
enum StepHelp {
  enum Request: Equatable {
    /// Help about one step; about all steps if nil.
    case help(String?)
    case quit

    /// Reads a request; nil for any other line.
    init?(_ text: String) {
      // The first characters of nearly every line show that it is a step.
      let line = text.utf8.drop { $0 == UInt8(ascii: " ") }
      guard line.starts(with: "help".utf8) || line.starts(with: "quit".utf8) else { return nil }
      let words = text.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("help", 1): self = .help(nil)
      case ("help", 2): self = .help(words[1])
      case ("quit", 1): self = .quit
      default: return nil
      }
    }
  }

  /// Returns the lines of the help.
  ///
  /// - Parameter names: the names of the panel, for the examples.
  static func lines(for request: Request, names: Names) -> [String] {
    switch request {
    case .quit: return []
    case .help(nil):
      return table(
        typed.filter { applies($0.word, names) }.map {
          (example(of: $0.word, names) ?? $0.inLine ?? $0.word, text(of: $0.word))
        })
        + [
          "`help STEP` explains one step, `quit` ends.", "Inputs: \(list(names.inputs)).",
          "Outputs and values: \(list(names.outputs + names.values)).",
        ]
    case .help(let word?):
      guard let step = typed.first(where: { $0.word == word }) else {
        let near = nearest(to: word, among: typed.map(\.word)).map { ", did you mean \($0)?" } ?? ";"
        return ["there is no step \(quoted(word))\(near) `help` lists the steps"]
      }
      return table(
        [(example(of: word, names) ?? step.inLine ?? word, text(of: word))] + (forms[word] ?? [])
          + [("- \(step.inFile)", "the same in a scenario file")])
    }
  }

  /// The steps that can be typed.
  private static var typed: [StepWord] { StepWord.all.filter { $0.inLine != nil } }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : listed(names) }

  private static func table(_ rows: [(String, String)]) -> [String] {
    HelpText(columns: 80).table(rows).split(separator: "\n").map(String.init)
  }

  /// Whether the panel has anything to which the step applies.
  private static func applies(_ word: String, _ names: Names) -> Bool {
    switch word {
    case "press", "release", "click", "hold", "type", "turn", "switch", "sense", "jam", "free", "busy", "idle",
      "bounce", "event":
      example(of: word, names) != nil
    case "draw": names.usage.drawsNumbers
    case "remote": names.panel?.accept.isEmpty == false
    case "stutter": !names.sounds.isEmpty
    case "clock": !names.clock.isEmpty
    default: true
    }
  }

  /// Returns the name and the device of the first input with one of these controls.
  private static func input(_ controls: InputControl..., in names: Names) -> (name: String, device: any InputKind)? {
    for (name, device) in zip(names.inputs, names.inputDevices) {
      if let device, controls.contains(type(of: device).control) { return (name, device) }
    }
    return nil
  }

  /// Returns the step with names of this panel; nil if no name fits, or if the step takes no name.
  private static func example(of word: String, _ names: Names) -> String? {
    switch word {
    case "press", "release", "click": return input(.button, in: names).map { "\(word) \($0.name)" }
    case "hold": return input(.button, in: names).map { "hold \($0.name)=1500ms" }
    case "type":
      return groupOfButtons(names).map { group in
        "type \(group.name)=\(group.digits.prefix(2).map { "\($0)" }.joined())"
      }
    case "sense": return input(.sensor, in: names).map { "sense \($0.name)=\(highest($0.device))" }
    case "event":
      return input(.events, in: names).flatMap { name, device in
        if device.events.isEmpty { return nil }
        let text = device.eventExample
        return "event \(name)=\(text.contains(" ") ? "\"\(text)\"" : text)"
      }
    case "jam": return contact(names).map { "jam \($0.name)=\($0.device.positions[0])" }
    case "free": return contact(names).map { "free \($0.name)" }
    case "busy", "idle":
      let inputs = zip(names.inputs, names.inputDevices).map { ($0, $1?.lines ?? []) }
      let outputs = zip(names.outputs, names.outputDevices).map { ($0, $1?.lines ?? []) }
      return (outputs + inputs).first { !$0.1.isEmpty }.map { "\(word) \($0.0)" }
    case "heard":
      return (input(.button, in: names) ?? input(.switch, .selector, .knob, in: names)).map {
        "heard \($0.name).\($0.device.events[0])"
      }
    case "bounce": return contact(names).map { "bounce \($0.name)=2ms" }
    case "turn": return input(.knob, in: names).map { "turn \($0.name)=-3" }
    case "switch":
      return (input(.switch, in: names) ?? input(.selector, in: names)).map {
        "switch \($0.name)=\($0.device.positions[1])"
      }
    case "unplug", "plug": return names.sounds.isEmpty ? "\(word) gpio" : nil
    case "expect":
      let lamp = zip(names.outputs, names.outputDevices).first { $1?.look(named: "off") != nil }
      let region = names.regions.first
      let state = region.map { "expect state\($0.name.map { ".\($0)" } ?? "")=\($0.states.first ?? "")" }
      return lamp.map { "expect \($0.0)=off" } ?? state
    default: return nil
    }
  }

  private static func contact(_ names: Names) -> (name: String, device: any InputKind)? {
    input(.switch, in: names) ?? input(.button, in: names)
  }

  private static func highest(_ sensor: any InputKind) -> String {
    sensor.scale.map { $0.text(of: $0.range.upperBound) } ?? ""
  }

  private static func groupOfButtons(_ names: Names) -> PanelDefinition.Group? {
    names.inputGroups.first { group in
      !group.digits.isEmpty && names.inputDevices[group.first].map { type(of: $0).control == .button } ?? false
    }
  }

  /// Returns the description of a step; empty for any other word.
  static func text(of word: String) -> String { texts[word] ?? "" }

  private static let texts = [
    "press": "the button goes down and stays down; it counts after its debounce time; several: bell,key",
    "release": "the button goes up",
    "click": "the button goes down and up again, in 50 ms or more",
    "hold": "the button goes down for this time, and up",
    "turn": "turns an encoder by this number of detents, 4 ms each; clockwise is positive",
    "switch": "moves a switch into one of its positions",
    "type": "clicks the buttons of a group, one for each digit",
    "event": "the input emits one of its events, with the number that the event carries",
    "sense": "a sensor reads this number, immediately or with its next measurement; before the first one it is unknown",
    "draw": "the next random numbers and durations",
    "clock": "the clock is set to a date and a time of day of its zone",
    "remote":
      "a remote command: set a value (9, +1, -1, = -4), press a button (press, release, click, hold 2s, 1, 0), turn an encoder, or ask for an event (do, 0)",
    "wait": "time passes, or the step waits for a condition",
    "nothing": "waits, and fails if the panel reacts to anything or changes an output",
    "heard":
      "fails unless exactly these events occurred since the last `heard`; events that the file does not use do not count",
    "expect":
      "fails unless all of it is true: outputs, values, inputs, state=NAME or state.REGION=NAME, playing=SOUND,SOUND, sent=ADDRESS",
    "show": "prints all outputs, values, states and positions of inputs",
    "unplug":
      "disconnects the sound card (audio), all chips (gpio), one chip, a sensor, or all hardware of a port (i2c)",
    "plug": "connects it again",
    "busy": "another program uses the line of a device while the panel has lost it",
    "idle": "the other program releases it",
    "jam": "the contact is stuck in this position, whatever the steps do",
    "free": "the contact moves to the position that the steps gave it last",
    "stutter": "the sound card accepts no samples for this time",
    "power-cut": "the power fails for this time; then the panel starts again, with its contacts as they are",
    "restart": "the panel stops, saves its kept values, and starts again",
    "bounce": "from here on, the contacts of an input bounce for this time",
    "seed": "the seed of random numbers: the same seed gives the same run",
  ]

  /// Further forms of a step in a line.
  private static let forms: [String: [(String, String)]] = [
    "wait": [
      (
        "wait until=\"lamp == on\" at-least=1s at-most=4s",
        "ends when the condition holds; fails if that is too early or too late"
      ),
      ("wait for=3s while=\"lamp == on\"", "fails when the condition ends"),
    ],
    "restart": [
      ("restart after=power-cut", "the power fails for 1 s"),
      ("restart after=power-cut at=rename", "the power fails at this step of the next save"),
    ],
    "expect": [
      ("expect time=180ms..190ms", "any value between them"),
      ("expect lamp.blink=250ms", "a look in full"),
      ("expect mute=on gpio=there audio.volume=0.5", "inputs, hardware, the volume"),
      ("expect ended=0", "the exit status that `panel run` would end with"),
      ("expect \"level >= 3 and not gpio == lost\"", "any condition"),
    ],
  ]
}
