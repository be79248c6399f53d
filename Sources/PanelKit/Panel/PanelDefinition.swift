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
  /// What holds in every state of every region; a state's own `on` comes first.
  var on: [Reaction] = []
  /// What is shown in every state; a state's own `show` comes first.
  var show: [Show] = []
  /// At least one; each has at least one state.
  var regions: [Region]
  /// What each output shows at the end, by output: off, on, or a number of lamps.
  var safe: [Appearance] = []
  /// What is not wrong, and most likely not meant.
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
    /// The level when it is pressed or on; where the file is silent: `high` with a pull-down, else `low`.
    var active = Level.low

    /// Whether the resistor alone makes the input active: a normally closed contact keeps it inactive, until it opens.
    var isClosedAtRest: Bool { pull == .up && active == .high || pull == .down && active == .low }
    /// What holds the line at its other level while the input is inactive; nil where the pull resistor does. With a normally closed
    /// contact it is the contact, without a pull resistor it is one on the board.
    var inactive: Level? {
      guard isClosedAtRest || pull == .none else { return nil }
      return active == .low ? .high : .low
    }
  }

  struct ButtonSettings: Equatable, Sendable {
    var contact = Contact()
    /// How long it must be down to be held; nil where nothing in the file asks for that.
    var hold: Duration?
    /// How soon the second click must follow; nil where nothing in the file asks for double clicks.
    var doubleClick: Duration?
    /// Whether anything in the file asks for clicks.
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
    /// nil leaves the mixer as it is.
    var volume: Volume?
  }

  enum Volume: Equatable, Sendable {
    /// 0...1.
    case fixed(Double)
    /// The value's min...max is 0...1.
    case value(Int)
  }

  struct Region: Equatable, Sendable {
    /// nil for the one region that needs no name.
    var name: String?
    /// Index into `states`.
    var initial: Int
    var states: [State]
  }

  struct State: Equatable, Sendable {
    var name: String
    var show: [Show] = []
    /// Sounds.
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
    /// So many lamps of a bar.
    case count(Int)
    /// A bar that shows a value: its min...max is the whole bar.
    case value(Int)
  }

  /// What an event does: the first transition whose condition holds.
  struct Reaction: Equatable, Sendable {
    var event: PanelEvent
    var transitions: [Transition]
  }

  /// What happens so long after the state was entered.
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
  case lost(Seam)
  case restored(Seam)
}

enum InputEvent: String, Hashable, Sendable, CaseIterable {
  case pressed, released, held, clicked
  case doubleClicked = "double-clicked"
  case on, off
  case clockwise, counterclockwise
}

/// What can be taken away from a panel and given back.
enum Seam: String, Hashable, Sendable, CaseIterable {
  case audio, gpio
}
