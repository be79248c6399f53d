import Terminal

/// A whole panel file as values.
///
/// Names are resolved: a device, sound, value, region or state is an index into an array here.
struct PanelDefinition: Equatable, Sendable {
  var name: String
  /// `auto`, or a chip's label, name or path.
  var chip = "auto"
  var inputs: [Input] = []
  var outputs: [Output] = []
  var sounds: [Sound] = []
  var values: [Value] = []
  var audio = Audio()
  /// The reactions in every state of every region; a state's own `on` comes first.
  var on: [Reaction] = []
  /// What is shown in every state; a state's own `show` comes first.
  var show: [Show] = []
  /// At least one; each has at least one state.
  var regions: [Region]
  /// What each output shows at the end, by output: off, on, or a number of lamps.
  var safe: [Appearance] = []
  /// Warnings: what is allowed, but most likely a mistake.
  var notes: [Problem] = []

  struct Input: Equatable, Sendable {
    var name: String
    var device: InputDevice
  }

  enum InputDevice: Equatable, Sendable {
    case button(line: String, ButtonSettings)
    case `switch`(line: String, Contact)
    case encoder(a: String, b: String, pull: Pull)
  }

  enum Pull: String, Equatable, Sendable, CaseIterable {
    case up, down, none
  }

  enum Level: String, Equatable, Sendable, CaseIterable {
    case low, high
  }

  /// How a button or a switch is wired.
  struct Contact: Equatable, Sendable {
    /// How long a level must be stable, 0...10 s.
    var debounce = Duration.milliseconds(5)
    var pull = Pull.up
    /// The level when it is pressed or on; unless the file sets it, `high` with a pull-down, else `low`.
    var active = Level.low

    /// Whether the pull resistor alone makes the input active, as with a normally closed contact: that keeps the input
    /// inactive until it opens.
    var isClosedAtRest: Bool { pull == .up && active == .high || pull == .down && active == .low }
    /// The level at which something other than the pull resistor holds the line while the input is inactive: a normally
    /// closed contact, or with `pull: none` a resistor on the board. nil if the pull resistor does.
    var inactive: Level? {
      guard isClosedAtRest || pull == .none else { return nil }
      return active == .low ? .high : .low
    }
  }

  struct ButtonSettings: Equatable, Sendable {
    var contact = Contact()
    /// How long the button must be down to emit `held`; nil if the file neither sets this nor uses that event.
    var hold: Duration?
    /// How soon a second press must follow to emit `double-clicked`; nil if the file neither sets this nor uses the
    /// event.
    var doubleClick: Duration?
    /// Whether the file uses the event `clicked`.
    var emitsClicks = false
  }

  struct Output: Equatable, Sendable {
    var name: String
    var device: OutputDevice
    /// The level that lights the lamp or closes the relay.
    var active = Level.high
  }

  enum OutputDevice: Equatable, Sendable {
    case led(line: String)
    /// 1...32 lines.
    case bar(lines: [String])
    case relay(line: String)
  }

  struct Sound: Equatable, Sendable {
    var name: String
    var source: SoundSource
    /// 0...1.
    var volume = 1.0
    var loop = false
  }

  enum SoundSource: Equatable, Sendable {
    /// The path, with the panel file's folder before it unless it is absolute.
    case file(String)
    /// In hertz.
    case tone(hertz: Double)
  }

  struct Value: Equatable, Sendable {
    var name: String
    var initial: Int
    var min: Int
    var max: Int
  }

  struct Audio: Equatable, Sendable {
    var device = "default"
    /// nil means 1: only the sounds' own volumes apply.
    var volume: Volume?
  }

  enum Volume: Equatable, Sendable {
    /// 0...1.
    case fixed(Double)
    /// The index of a value, whose min...max is mapped to 0...1.
    case value(Int)
  }

  struct Region: Equatable, Sendable {
    /// nil for the only region of a file without `regions`.
    var name: String?
    /// Index into `states`.
    var initial: Int
    var states: [State]
  }

  struct State: Equatable, Sendable {
    var name: String
    var show: [Show] = []
    /// The indices of the sounds that play in the state.
    var play: [Int] = []
    /// What entering the state does to values.
    var enter: [Assignment] = []
    var on: [Reaction] = []
    var after: [Deadline] = []
  }

  /// What one output shows.
  struct Show: Equatable, Sendable {
    var output: Int
    var appearance: Appearance
  }

  enum Appearance: Equatable, Sendable {
    case off, on
    /// `times` nil: for ever.
    case blink(on: Duration, off: Duration, times: Int?)
    /// Swells and fades once in the duration.
    case pulse(Duration)
    /// Brightness 0...1.
    case level(Double)
    /// The number of lit lamps of a bar.
    case count(Int)
    /// The index of a value that a bar shows: its min...max is mapped to none...all of the lamps.
    case value(Int)
  }

  /// An event and its transitions, of which the first whose condition holds is applied.
  struct Reaction: Equatable, Sendable {
    var event: PanelEvent
    var transitions: [Transition]
  }

  /// A time after the entering of a state and its transitions, of which the first whose condition holds is applied
  /// then.
  struct Deadline: Equatable, Sendable {
    var delay: Duration
    var transitions: [Transition]
  }

  struct Transition: Equatable, Sendable {
    /// nil holds always.
    var condition: Guard?
    var assignments: [Assignment] = []
    /// nil: the state stays and is not entered again.
    var target: Target?
  }

  struct Target: Equatable, Sendable {
    var region: Int
    var state: Int
  }

  struct Assignment: Equatable, Sendable {
    var value: Int
    var change: Change
  }

  /// The result is clamped to the value's min...max.
  enum Change: Equatable, Sendable {
    case to(Int)
    case by(Int)
  }
}

/// Something that happened on the panel.
enum PanelEvent: Hashable, Sendable {
  case input(Int, InputEvent)
  case finished(sound: Int)
  case lost(PluggableHardware)
  case restored(PluggableHardware)
}

enum InputEvent: String, Hashable, Sendable, CaseIterable {
  case pressed, released, held, clicked
  case doubleClicked = "double-clicked"
  case on, off
  case clockwise, counterclockwise
}

/// Hardware of a panel that can be unplugged and plugged in again.
enum PluggableHardware: String, Hashable, Sendable, CaseIterable {
  case audio, gpio
}
