import Terminal

/// What the line mode of a simulated panel says of its steps: `help`, `help STEP`; and its end, `quit`. Neither is a step of
/// a scenario.
enum StepHelp {
  enum Request: Equatable {
    /// About one step; about all of them if nil.
    case help(String?)
    case quit

    /// What is asked for in a line; nil for any other line.
    init?(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("help", 1): self = .help(nil)
      case ("help", 2): self = .help(words[1])
      case ("quit", 1): self = .quit
      default: return nil
      }
    }
  }

  /// The lines of an answer.
  ///
  /// - Parameter names: the panel's own, for the examples.
  static func lines(for request: Request, names: Names) -> [String] {
    switch request {
    case .quit: return []
    case .help(nil):
      return table(typed.map { (example(of: $0.word, names) ?? $0.inLine ?? $0.word, text(of: $0.word)) })
        + [
          "`help STEP` says more of one step, `quit` ends.", "Inputs: \(list(names.inputs)).",
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

  /// The steps that a line can have.
  private static var typed: [StepWord] { StepWord.all.filter { $0.inLine != nil } }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : listed(names) }

  private static func table(_ rows: [(String, String)]) -> [String] {
    CommandSyntax.table(rows).split(separator: "\n").map(String.init)
  }

  /// The step with names of this panel; nil where it has none that fit, or where the step takes no name.
  private static func example(of word: String, _ names: Names) -> String? {
    func input(_ control: InputControl) -> String? {
      names.inputDevices.firstIndex { $0.map { type(of: $0).control == control } ?? false }.map { names.inputs[$0] }
    }
    switch word {
    case "press", "release", "click": return input(.button).map { "\(word) \($0)" }
    case "hold": return input(.button).map { "hold \($0)=1500ms" }
    case "type": return names.inputGroups.first.map { "type \($0.name)=12" }
    case "sense":
      return names.inputs.indices.lazy.compactMap { input in
        names.inputDevices[input]?.scale.map { "sense \(names.inputs[input])=\($0.text(of: $0.range.upperBound))" }
      }.first
    case "jam": return input(.switch).map { "jam \($0)=off" }
    case "free": return input(.switch).map { "free \($0)" }
    case "busy", "idle": return names.outputs.first.map { "\(word) \($0)" }
    case "heard": return input(.button).map { "heard \($0).pressed" }
    case "bounce": return input(.button).map { "bounce \($0)=2ms" }
    case "turn": return input(.knob).map { "turn \($0)=-3" }
    case "switch": return input(.switch).map { "switch \($0)=on" }
    case "expect": return names.outputs.first.map { "expect \($0)=off" }
    default: return nil
    }
  }

  /// What a step does; empty for a word that is none.
  static func text(of word: String) -> String { texts[word] ?? "" }

  private static let texts = [
    "press": "the button goes down and stays down; it counts after its debounce time; several: bell,key",
    "release": "the button goes up",
    "click": "the button goes down and up again, in 50 ms or more",
    "hold": "the button goes down for so long, and up",
    "turn": "turns an encoder by so many detents of 4 ms, clockwise positive",
    "switch": "turns a switch on or off",
    "type": "clicks the buttons of a group, one for each digit",
    "sense": "a sensor reads this number, at once or with its next measurement; until the first time it is lost",
    "draw": "what chance has next: numbers, and durations",
    "wait": "lets time pass, or waits for a condition",
    "nothing": "time passes, in which nothing is told that the panel's file names, and nothing new shown",
    "heard": "fails unless exactly these events came since the last `heard`, of those that the panel's file names",
    "expect": "fails if it isn't so: outputs, values, inputs, state=NAME or state.REGION=NAME, playing=SOUND,SOUND",
    "show": "prints everything that there is to see",
    "unplug": "pulls the sound card (audio), the chip (gpio) or a sensor out",
    "plug": "puts it back",
    "busy": "another program takes the line of a device, while the panel has lost it",
    "idle": "the other program releases it",
    "jam": "the contact is stuck there, whatever the steps do",
    "free": "the contact goes where the steps last moved it",
    "stutter": "the sound card takes nothing for so long",
    "power-cut": "the supply fails for so long; then the panel starts anew, its contacts as they are",
    "bounce": "from here on the contacts of an input bounce for so long",
    "seed": "where chance begins: the same seed, the same run",
  ]

  /// More forms of a step in a line.
  private static let forms: [String: [(String, String)]] = [
    "wait": [
      (
        "wait until=\"lamp == on\" at-least=1s at-most=4s", "ends when it is so; fails if that is too early or too late"
      ),
      ("wait for=3s while=\"lamp == on\"", "fails when it is no longer so"),
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
