import PanelLanguage

/// A word at the start of a step, and the form of its argument.
package struct StepWord: Sendable {
  enum Form: Equatable, Sendable {
    case nothing
    /// One word.
    case word
    /// A name, or a list of names: `[ left, right ]` in a file, `left,right` in a line.
    case names
    /// A list of names. In a line, no names mean an empty list.
    case list
    /// A name and a value: `{ bell: 2s }` in a file, `bell=2s` in a line.
    case pair
    /// A condition, in quotation marks in a line; or several names with values.
    case textOrPairs
    /// A duration, or a map with a condition.
    case wait
    /// A map that describes how the panel stops.
    case restart
    /// Steps inside the step; not possible in a line.
    case block
    /// The path of a file; not possible in a line.
    case file

    /// The shape of the argument in a file.
    var shape: Shape {
      switch self {
      case .nothing: .nothing
      case .word, .file: .text
      case .names: .oneOf([.text, .list(of: .text, count: 1...Int.max)])
      case .list: .list(of: .text)
      case .pair: .map(keys: .text, to: .text, count: 1...1)
      case .textOrPairs: .oneOf([.text, .map(keys: .text, to: .any, count: 1...Int.max)])
      case .restart: .fields(RestartReader.place)
      case .wait: .oneOf([.text, .fields(WaitReader.until), .fields(WaitReader.during)])
      case .block: .fields(StepListReader.repetition)
      }
    }
  }

  package let word: String
  let form: Form
  /// An example in a file.
  package let inFile: String
  /// The same example in a line; nil for a step that is not possible in a line.
  package let inLine: String?
  /// The word as a key of the step.
  let key: Key

  private init(word: String, form: Form, inFile: String, inLine: String?) {
    self.word = word
    self.form = form
    self.inFile = inFile
    self.inLine = inLine
    key = Key(name: word, takes: "a value, as in \"\(inFile)\"")
  }

  package static let all: [StepWord] = [
    .init(word: "press", form: .names, inFile: "press: bell", inLine: "press bell"),
    .init(word: "release", form: .names, inFile: "release: bell", inLine: "release bell"),
    .init(word: "click", form: .names, inFile: "click: [ bell, reset ]", inLine: "click bell,reset"),
    .init(word: "type", form: .pair, inFile: "type: { pad: 3142 }", inLine: "type pad=3142"),
    .init(word: "hold", form: .pair, inFile: "hold: { bell: 1500ms }", inLine: "hold bell=1500ms"),
    .init(word: "turn", form: .pair, inFile: "turn: { knob: -3 }", inLine: "turn knob=-3"),
    .init(word: "switch", form: .pair, inFile: "switch: { mute: on }", inLine: "switch mute=on"),
    .init(word: "sense", form: .pair, inFile: "sense: { air: 28.1 }", inLine: "sense air=28.1"),
    .init(word: "draw", form: .list, inFile: "draw: [ 3, 1, 2s ]", inLine: "draw 3,1,2s"),
    .init(word: "wait", form: .wait, inFile: "wait: 3s", inLine: "wait 3s"),
    .init(word: "nothing", form: .word, inFile: "nothing: 1m", inLine: "nothing 1m"),
    .init(word: "heard", form: .list, inFile: "heard: [ bell.pressed ]", inLine: "heard bell.pressed"),
    .init(word: "expect", form: .textOrPairs, inFile: "expect: { lamp: off }", inLine: "expect lamp=off"),
    .init(word: "show", form: .nothing, inFile: "show", inLine: "show"),
    .init(word: "repeat", form: .block, inFile: "repeat: { times: 3, steps: [ click: bell ] }", inLine: nil),
    .init(word: "unplug", form: .word, inFile: "unplug: audio", inLine: "unplug audio"),
    .init(word: "plug", form: .word, inFile: "plug: audio", inLine: "plug audio"),
    .init(word: "busy", form: .names, inFile: "busy: lamp", inLine: "busy lamp"),
    .init(word: "idle", form: .names, inFile: "idle: lamp", inLine: "idle lamp"),
    .init(word: "jam", form: .pair, inFile: "jam: { mute: off }", inLine: "jam mute=off"),
    .init(word: "free", form: .word, inFile: "free: mute", inLine: "free mute"),
    .init(word: "stutter", form: .word, inFile: "stutter: 300ms", inLine: "stutter 300ms"),
    .init(word: "power-cut", form: .word, inFile: "power-cut: 2s", inLine: "power-cut 2s"),
    .init(
      word: "restart", form: .restart, inFile: "restart: { after: stop }",
      inLine: "restart after=stop"),
    .init(word: "bounce", form: .pair, inFile: "bounce: { bell: 2ms }", inLine: "bounce bell=2ms"),
    .init(word: "seed", form: .word, inFile: "seed: 42", inLine: "seed 42"),
    .init(word: "reload", form: .file, inFile: "reload: lamp-2.panel.yaml", inLine: nil),
    .init(word: "remote", form: .pair, inFile: "remote: { level: 9 }", inLine: "remote level=9"),
    .init(
      word: "clock", form: .word, inFile: "clock: \"2026-11-25 06:29:30\"", inLine: "clock \"2026-11-25 06:29:30\""),
    .init(word: "event", form: .pair, inFile: "event: { reader: read 4711 }", inLine: "event reader=\"read 4711\""),
  ]

  /// The steps by their words.
  private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })

  static func named(_ word: String) -> StepWord? { byWord[word] }
}
