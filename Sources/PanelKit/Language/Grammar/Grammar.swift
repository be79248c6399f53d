import HardwareDrivers

/// A key that a map may have, and a description of its value.
public struct Key: Equatable, Sendable {
  /// The key as it is written in a file: `double-click`.
  public var name: String
  /// The description of the value that follows "takes" in messages, with an example after a colon: `a duration: 250ms`.
  public var takes: String
  public var isRequired: Bool
  /// The shape of the value, as far as it doesn't depend on other keys. Readers take ranges from it, and the JSON
  /// Schema for editors contains it.
  public var shape: Shape
  /// The default if the file doesn't set the key; empty if there is none. Markdown for the documentation.
  public var usual: String
  /// The purpose of the key, for the documentation; empty where ``takes`` is enough.
  public var meaning: String

  public init(
    name: String, takes: String, isRequired: Bool = false, shape: Shape = .any, usual: String = "",
    meaning: String = ""
  ) {
    (self.name, self.takes, self.isRequired) = (name, takes, isRequired)
    (self.shape, self.usual, self.meaning) = (shape, usual, meaning)
  }

  /// The description of the key in an editor.
  package var description: String {
    [takes, meaning, usual.isEmpty ? "" : "default: \(usual)"].filter { !$0.isEmpty }.joined(separator: "; ")
      .filter { $0 != "`" }
  }

  /// The example in `takes`: the text after its colon.
  package var example: String {
    takes.firstIndex(of: ":").map { takes[takes.index(after: $0)...].drop { $0 == " " } }.map(String.init) ?? takes
  }
}

/// A map with fixed keys, somewhere in a file.
public struct FieldSet: Equatable, Sendable {
  /// The name of the map in messages, with its article: `a button`.
  public var name: String
  /// The description of a device with these keys, for the documentation: `push button at a line`. Empty for other maps.
  public var summary: String
  /// An example of such a device in a file: `bell: { button: GPIO17 }`.
  public var sample: String
  /// The keys in the order of the documentation. The first key of a device, sensor source or chip names its kind.
  public var keys: [Key]
  /// Alternative lists of required keys: a map must have all keys of at least one list. Empty if ``Key/isRequired`` is
  /// enough.
  package var alternatives: [[String]] = []

  public init(name: String, summary: String = "", sample: String = "", keys: [Key]) {
    (self.name, self.summary, self.sample, self.keys) = (name, summary, sample, keys)
  }

  init(name: String, keys: [Key], alternatives: [[String]]) {
    self.init(name: name, keys: keys)
    self.alternatives = alternatives
  }
}

extension FieldSet {
  /// Words of other statechart languages, and the keys with the same meaning.
  private static let otherWords = [
    "goto": "go", "target": "go", "next": "go", "entry": "enter", "onEntry": "enter", "on-enter": "enter",
    "on-entry": "enter", "onExit": "exit", "on-exit": "exit", "leave": "exit", "guard": "if", "cond": "if",
    "condition": "if", "always": "when", "tell": "publish",
  ]

  /// The key of this map that a word of another language stands for; nil for any other word.
  func keyMeant(by word: String) -> String? {
    Self.otherWords[word].flatMap { name in keys.contains { $0.name == name } ? name : nil }
  }
}

/// All keys of the panel file and of the scenario file. Readers use these tables to find unknown keys, missing keys and
/// wrong types.
package enum Grammar {
  package static let panel = FieldSet(
    name: "a panel file",
    keys: [
      Key(name: "panel", takes: "the panel's name", isRequired: true, shape: .text),
      Key(name: "chip", takes: "auto, or a chip's label, name or path", shape: .text),
      Key(name: "chips", takes: "a map of further chips: more: { expander: mcp23017 }", shape: .names(of: .chip)),
      Key(name: "inputs", takes: "a map of inputs: bell: { button: GPIO17 }", shape: .names(of: .input)),
      Key(name: "outputs", takes: "a map of outputs: lamp: { led: GPIO23 }", shape: .names(of: .output)),
      Key(name: "sounds", takes: "a map of sounds: chime: { file: chime.wav }", shape: .names(of: .sound)),
      Key(name: "values", takes: "a map of values: level: { initial: 7, min: 0, max: 10 }", shape: .names(of: .value)),
      Key(
        name: "texts", takes: "a map of lists of texts: days: [ Mon, Tue, Wed ]",
        shape: .map(keys: .name, to: .list(of: .text, count: 1...TextListReader.most))),
      Key(
        name: "tracks", takes: "a map of tracks: music: { volume: 0.7 }",
        shape: .map(keys: .name, to: .oneOf([.nothing, .fields(track)]), count: 1...16)),
      Key(name: "audio", takes: "a map: { device: default, volume: 0.8 }", shape: .fields(audio)),
      Key(name: "on", takes: "a map of events: bell.pressed: ringing", shape: .transitions(at: .event)),
      Key(name: "every", takes: "a map of durations: 1s: { set: { level: +1 } }", shape: .transitions(at: .delay)),
      Key(name: "untouched", takes: "a map of durations: 2m: idle", shape: .transitions(at: .delay)),
      at,
      Key(name: "when", takes: "a map of conditions: level >= 10: idle", shape: .transitions(at: .text)),
      Key(name: "show", takes: "a map of outputs: lamp: on", shape: .shows),
      Key(name: "initial", takes: "a state's name", shape: .name),
      resume,
      Key(name: "states", takes: "a map of states: idle: { show: { lamp: off } }", shape: .states),
      Key(name: "regions", takes: "a map of regions: doors: { initial: open, states: ... }", shape: .regions),
      Key(name: "safe", takes: "a map of outputs: lamp: off", shape: .shows),
      Key(
        name: "interlocks", takes: "a list of maps: - { relays: [up, down], pause: 500ms }",
        shape: .list(of: .part(.interlock))),
      Key(
        name: "never", takes: "a map of conditions: crushing: down == on and beam == broken",
        shape: .map(keys: .name, to: .oneOf([.text, .fields(never)]))),
      Key(name: "reach", takes: "a list of states: [ open, lights.red ]", shape: .list(of: .statePath)),
      Key(
        name: "clock", takes: "a map: { latitude: 52.52, longitude: 13.40 }", shape: .fields(clock)),
      Key(name: "accept", takes: "a map: { set: [ level ], press: [ bell ] }", shape: .fields(accept)),
      Key(name: "mqtt", takes: "a map: { publish: all, discovery: homeassistant }", shape: .fields(mqtt)),
      Key(name: "osc", takes: "a map: { send: [ \"qlab.lan:53000\" ], accept: \"0.0.0.0:9000\" }", shape: .fields(osc)),
    ], alternatives: [["initial", "states"], ["regions"]])

  private static let at = Key(
    name: "at", takes: "a map of times of day: \"06:30 mon..fri\": rings", shape: .transitions(at: .text))

  package static let clock = FieldSet(
    name: "the clock",
    keys: [
      Key(
        name: "latitude", takes: "a number -90...90: 52.52", shape: .text, usual: "none",
        meaning: "latitude of the place whose sunrise and sunset the file uses; north is positive"),
      Key(
        name: "longitude", takes: "a number -180...180: 13.40", shape: .text, usual: "none",
        meaning: "longitude of that place; east is positive"),
      Key(
        name: "zone", takes: "a time zone: Europe/Berlin", shape: .text, usual: "the zone of the machine",
        meaning: "name of the zone in the time zone database"),
      Key(
        name: "trust", takes: "synchronised or machine", shape: .words(["synchronised", "machine"]),
        usual: "`synchronised`",
        meaning:
          "when the time is known. With `synchronised`, after a time server has synchronised the clock, or if a battery clock "
          + "has set it at boot. With `machine`, always"),
    ])

  /// A value that is a time of day.
  package static let time = FieldSet(
    name: "a time of day",
    keys: [
      Key(name: "initial", takes: "a time of day: \"06:30\"", isRequired: true, shape: .text),
      value.keys[3],
    ])

  static let never = FieldSet(
    name: "a forbidden condition",
    keys: [
      Key(name: "if", takes: "a condition: down == on and beam == broken", isRequired: true, shape: .text),
      Key(name: "go", takes: "a state's name", shape: .name),
      Key(
        name: "set", takes: "a map of values: level: +1", shape: .settings),
    ])

  /// A key of every output.
  static let shownBy = Key(
    name: "shown-by", takes: "a list of regions, the first one that shows the output wins: [a, b]",
    shape: .list(of: .member, count: 1...64), usual: "none",
    meaning:
      """
      names of [regions](#regions), which are parts of a panel with their own states. If several regions in this list show the \
      output, the first of them decides
      """)

  package static let interlock = FieldSet(
    name: "an interlock",
    keys: [
      Key(
        name: "relays", takes: "a list of 2...8 relays: [up, down]", isRequired: true,
        shape: .list(of: .member, count: 1...8)),
      Key(name: "pause", takes: "a duration: 500ms", shape: .duration),
    ])

  /// A loudness that a value sets.
  static let followedLoudness = FieldSet(
    name: "a volume",
    keys: [
      Key(name: "value", takes: "a value's name", isRequired: true, shape: .name),
      Key(name: "from", takes: "-60dB...0dB", shape: .decibels, usual: "`-60dB`"),
      Key(name: "to", takes: "-60dB...0dB", shape: .decibels, usual: "`0dB`"),
    ])
  private static let volume = Key(
    name: "volume", takes: "a number 0...1, -60dB...0dB, or a value's name",
    shape: .oneOf([.number(0...1), .decibels, .name, .fields(followedLoudness)]), usual: "`1`",
    meaning:
      "loudness. 1 is the full level of the file or the tone, and 0.5 is 18 dB below it. A value's `min`…`max` is 0…1, or with `{ value: level, from: -40dB, to: -6dB }` these decibels"
  )
  private static let fadeIn = fade("fade-in", "time in which the sound fades in when it starts")
  private static let fadeOut = fade("fade-out", "time in which the sound fades out when the panel leaves the state")
  private static func fade(_ name: String, _ meaning: String) -> Key {
    Key(
      name: name, takes: "a duration 0s...60s", shape: .span(.zero ... .seconds(60)),
      usual: "the `fade` of the track, or none", meaning: meaning)
  }
  private static let pan = Key(
    name: "pan", takes: "a number -1...1 or a value's name", shape: .oneOf([.number(-1...1), .name]), usual: "`0`",
    meaning: "side. -1 is left, 0 both sides at the full level, 1 right. A value's `min`…`max` is -1…1")
  private static let trackOfSound = Key(
    name: "track", takes: "a track's name", shape: .name, usual: "none",
    meaning: "track that the sound belongs to, which `tracks` declares")
  private static let loop = Key(
    name: "loop", takes: "true or false", shape: .flag, usual: "`false`",
    meaning: "whether the sound starts again at its end, until the panel leaves the state that plays the sound")
  private static let stream = Key(
    name: "stream", takes: "true or false", shape: .flag, usual: "`true` for a file that is longer than 10s",
    meaning: "whether the file is read while it plays, and only its beginning is kept in memory")
  private static let length = Key(
    name: "for", takes: "a duration: 500ms", shape: .duration, usual: "until the panel leaves the state",
    meaning: "duration of the tone, 1ms to 60s")

  /// One place for each kind of sound; its first key names the kind.
  package static let sounds = [
    FieldSet(
      name: "a sound file",
      keys: [
        Key(name: "file", takes: "the path of a sound file: sounds/chime.wav", shape: .text), volume, loop,
        stream, fadeIn, fadeOut, pan, trackOfSound,
      ]),
    FieldSet(
      name: "a tone",
      keys: [
        Key(name: "tone", takes: "a frequency: 440Hz", shape: .frequency), volume, loop, length,
        fadeIn, fadeOut, pan, trackOfSound,
      ]),
    FieldSet(
      name: "a group of sound files",
      keys: [
        Key(
          name: "files", takes: "a list of 2...32 paths of sound files: [a.wav, b.wav]",
          shape: .list(of: .text, count: 2...32)), volume, loop, stream, fadeIn, fadeOut, pan, trackOfSound,
      ]),
    FieldSet(
      name: "a group of tones",
      keys: [
        Key(
          name: "tones", takes: "a list of 2...32 frequencies: [262Hz, 330Hz]",
          shape: .list(of: .frequency, count: 2...32)), volume, loop, length, fadeIn, fadeOut, pan, trackOfSound,
      ]),
  ]

  package static let value = FieldSet(
    name: "a value",
    keys: [
      Key(name: "initial", takes: "a number: 7", isRequired: true, shape: .text),
      Key(name: "min", takes: "a number: 0", isRequired: true, shape: .text),
      Key(name: "max", takes: "a number: 10", isRequired: true, shape: .text),
      Key(
        name: "keep", takes: "true, or a map: { within: 60s }", shape: .oneOf([.flag, .fields(keep)]), usual: "`false`",
        meaning: "the number, or all elements of the list, survive restarts and power cuts"),
      Key(
        name: "decimals", takes: "the number of decimals 0...3: 1", shape: .whole(0...Quantity.mostDecimals),
        usual: "`0`",
        meaning: "number of decimals, also of `initial`, `min` and `max`"),
      Key(
        name: "unit", takes: "the unit to display: °C", shape: .text, usual: "none",
        meaning: "unit of the number for Home Assistant and the monitor"),
    ])

  static let keep = FieldSet(
    name: "keep",
    keys: [
      Key(
        name: "within", takes: "a duration: 60s", isRequired: true, shape: .span(DeclaredValueReader.keepTimes),
        usual: "`10s`",
        meaning:
          "longest time that a change stays unsaved; the value is saved at most once in that time. With `0s` each change is saved "
          + "before the panel shows its result, at most 20 times per minute")
    ])

  package static let list = FieldSet(
    name: "a list",
    keys: [
      Key(name: "list", takes: "the largest number of elements, 1...64", isRequired: true, shape: .whole(1...64)),
      Key(name: "min", takes: "a number or a duration: 0", isRequired: true, shape: .text),
      Key(name: "max", takes: "a number or a duration: 10", isRequired: true, shape: .text),
      Key(
        name: "filled", takes: "one number for all elements, or a list with one for each: [52.5, 63, 72]",
        shape: .oneOf([.text, .list(of: .text)]), usual: "the list is empty",
        meaning:
          "the elements at the start: one number for all of them, or a list with a number for each. The list always has "
          + "all of its elements"),
      Key(
        name: "decimals", takes: "the number of decimals 0...3: 1", shape: .whole(0...Quantity.mostDecimals),
        usual: "`0`",
        meaning: "number of decimals of the elements, also of `filled`, `min` and `max`"),
      Key(
        name: "keep", takes: "true, or a map: { within: 60s }", shape: .oneOf([.flag, .fields(keep)]), usual: "`false`",
        meaning: "the number, or all elements of the list, survive restarts and power cuts"),
    ])

  /// A look that depends on conditions.
  package static let choice = FieldSet(
    name: "a look by condition",
    keys: [
      Key(
        name: "when", takes: "a map of conditions and looks: { level > 5: on, else: off }", isRequired: true,
        shape: .map(keys: .text, to: .part(.look), count: 1...Int.max),
        meaning: "the look of the first condition that holds, or of `else`. Without `else`, the output is off")
    ])

  /// A row of a text that depends on conditions.
  package static let rowChoice = FieldSet(
    name: "a row by condition",
    keys: [
      Key(
        name: "when", takes: "a map of conditions and texts: { level > 5: Much, else: Little }", isRequired: true,
        shape: .map(keys: .text, to: .part(.row), count: 1...Int.max),
        meaning: "the text of the first condition that holds, or of `else`. Without `else`, the row is empty")
    ])

  /// The appearance of a group of outputs.
  package static let selection = FieldSet(
    name: "a selection",
    keys: [
      Key(
        name: "only", takes: "the number of a member, from 1: pick", shape: .text,
        meaning:
          "number of the one member that is on, counted from 1. This number may be "
          + "[computed](#conditions-and-numbers). The others are off. With a number that no member has, all are off"),
      Key(
        name: "from", takes: "the number of the first member, from 1: first", shape: .text,
        meaning:
          "number of the first member that is on, instead of `only`. The members from here up to `to` are on, and the "
          + "others are off. If `from` is greater than `to`, all are off"),
      Key(
        name: "to", takes: "the number of the last member: last", shape: .text,
        meaning: "number of the last member that is on, beside `from`"),
      Key(
        name: "as", takes: "the show of these members: { blink: 100ms }", shape: .part(.look), usual: "`on`",
        meaning: "what these members show; lamps also `{ blink: 100ms }`"),
    ])

  static let audio = FieldSet(
    name: "audio",
    keys: [
      Key(name: "device", takes: "the name of a sound device: hw:CARD=NAME,DEV=0", shape: .text),
      volume,
    ])

  /// The settings of a sound in the `play` of a state.
  static let playSettings = FieldSet(name: "a sound in \"play\"", keys: [volume, pan, fadeIn, fadeOut])

  package static let track = FieldSet(
    name: "a track",
    keys: [
      volume,
      Key(
        name: "fade", takes: "a duration 0s...60s", shape: .span(.zero ... .seconds(60)), usual: "none",
        meaning: "fade of its sounds, in and out"),
      Key(
        name: "ducks", takes: "a map of tracks: { music: -12dB }",
        shape: .map(keys: .name, to: .decibels, count: 1...16), usual: "none",
        meaning: "tracks that are lowered while a sound of this track is heard"),
      Key(
        name: "attack", takes: "a duration 0s...10s", shape: .span(.zero ... .seconds(10)), usual: "`100ms`",
        meaning: "time in which they are lowered"),
      Key(
        name: "hold", takes: "a duration 0s...10s", shape: .span(.zero ... .seconds(10)), usual: "`200ms`",
        meaning: "time for which they stay low after the last sound"),
      Key(
        name: "release", takes: "a duration 0s...10s", shape: .span(.zero ... .seconds(10)), usual: "`500ms`",
        meaning: "time in which they rise again"),
    ])

  private static let resume = Key(
    name: "resume", takes: "a list of states: [ armed, disarmed ]", shape: .list(of: .name, count: 1...64),
    usual: "none",
    meaning: "after a restart or a power cut, the region starts in its last state if this list contains that state")

  package static let region = FieldSet(
    name: "a region",
    keys: [
      Key(name: "initial", takes: "a state's name", isRequired: true, shape: .name),
      resume,
      Key(name: "states", takes: "a map of states: idle: { show: { lamp: off } }", isRequired: true, shape: .states),
      Key(
        name: "each", takes: "two numbers: 1..4", shape: .text,
        meaning:
          "repeats the region for each number from the first to the last one. Inside the region, `each` is the number, as in "
          + "`lamps(each)`"),
    ])

  package static let state = FieldSet(
    name: "a state",
    keys: [
      Key(name: "show", takes: "a map of outputs: lamp: on", shape: .shows),
      Key(name: "play", takes: "a list of sounds: [ chime ]", shape: .setSounds),
      Key(name: "enter", takes: "a map: { set: { rings: +1 } }", shape: .fields(enter)),
      Key(name: "exit", takes: "a map: { set: { rings: +1 } }", shape: .fields(exit)),
      Key(name: "on", takes: "a map of events: bell.pressed: ringing", shape: .transitions(at: .event)),
      Key(name: "after", takes: "a map of durations: 3s: idle", shape: .transitions(at: .delay)),
      Key(name: "every", takes: "a map of durations: 1s: { set: { level: +1 } }", shape: .transitions(at: .delay)),
      Key(name: "untouched", takes: "a map of durations: 2m: idle", shape: .transitions(at: .delay)),
      at,
      Key(name: "when", takes: "a map of conditions: level >= 10: idle", shape: .transitions(at: .text)),
      Key(name: "initial", takes: "a state's name", shape: .name),
      Key(name: "states", takes: "a map of states: idle: { show: { lamp: off } }", shape: .states),
      Key(name: "regions", takes: "a map of regions: doors: { initial: open, states: ... }", shape: .regions),
      Key(name: "done", takes: "a state, or { go: STATE }", shape: .part(.transition)),
      Key(name: "final", takes: "true", shape: .flag),
    ])

  private static let actions = [
    Key(name: "set", takes: "a map of values: level: +1", shape: .settings),
    Key(name: "play", takes: "a list of sounds: [ chime ]", shape: .sounds),
    send,
  ]

  static let enter = FieldSet(name: "enter", keys: actions)
  static let exit = FieldSet(name: "exit", keys: actions)

  package static let transition = FieldSet(
    name: "a transition",
    keys: [
      Key(name: "go", takes: "a state's name", shape: .name),
      Key(name: "resume", takes: "the name of a state with states inside", shape: .name),
      Key(name: "set", takes: "a map of values: level: +1", shape: .settings),
      Key(name: "play", takes: "a list of sounds: [ chime ]", shape: .sounds),
      send,
      Key(
        name: "power", takes: "off or restart", shape: .choice(PowerChange.self),
        meaning:
          "asks the service to turn the machine off, or to restart it; this has to be enabled: "
          + "[Turn the machine off](../run/power.md)"),
      Key(name: "if", takes: "a comparison: \"level >= 10\"", shape: .text),
      Key(
        name: "late", takes: "a duration 0m...24h: 2h", shape: .span(.zero ... .seconds(86_400)), usual: "`1m`",
        meaning: "of a time of `at` only: how late it may be taken after a start, a power cut or a jump of the clock"),
    ])

  package static let scenario = FieldSet(
    name: "a scenario file",
    keys: [
      Key(name: "scenario", takes: "the scenario's name", isRequired: true, shape: .text),
      Key(
        name: "start", takes: "a map of inputs, gpio, audio and busy: { mute: on, gpio: lost, busy: [ lamp ] }",
        shape: .map(keys: .text, to: .any, count: 1...Int.max)),
      Key(
        name: "cases", takes: "a list of maps: [ { typed: 3142, end: open } ]",
        shape: .list(of: .map(keys: .name, to: .text, count: 1...16), count: 1...1000)),
      Key(
        name: "steps", takes: "a list of steps: - press: bell", isRequired: true,
        shape: .list(of: .part(.step), count: 1...Int.max)),
    ])
}
