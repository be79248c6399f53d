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
      return table(Grammar.steps.map { (example(of: $0.word, names) ?? $0.inLine, text(of: $0.word)) })
        + [
          "`help STEP` says more of one step, `quit` ends.", "Inputs: \(list(names.inputs)).",
          "Outputs and values: \(list(names.outputs + names.values)).",
        ]
    case .help(let word?):
      guard let step = Grammar.steps.first(where: { $0.word == word }) else {
        let near = nearest(to: word, among: Grammar.steps.map(\.word)).map { ", did you mean \($0)?" } ?? ";"
        return ["there is no step \(quoted(word))\(near) `help` lists the steps"]
      }
      return table([
        (example(of: word, names) ?? step.inLine, text(of: word)), ("- \(step.inFile)", "the same in a scenario file"),
      ])
    }
  }

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
    "press": "the button goes down and stays down; it counts after its debounce time",
    "release": "the button goes up",
    "click": "the button goes down and up again, in 50 ms or more",
    "hold": "the button goes down for so long, and up",
    "turn": "turns an encoder by so many detents of 4 ms, clockwise positive",
    "switch": "turns a switch on or off",
    "wait": "lets time pass",
    "expect": "fails if it isn't so: outputs, values, state=NAME or state.REGION=NAME, playing=SOUND,SOUND",
    "show": "prints everything that there is to see",
    "unplug": "pulls the sound card (audio) or the chip (gpio) out",
    "plug": "puts it back",
    "bounce": "from here on the contacts of an input bounce for so long",
    "seed": "where chance begins: the same seed, the same run",
  ]
}
