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
    var device: any InputKind

    static func == (one: Input, other: Input) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device)
    }
  }

  struct Output: Equatable, Sendable {
    var name: String
    var device: any OutputKind

    static func == (one: Output, other: Output) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device)
    }
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

  /// A value: a whole number, or a duration in milliseconds.
  struct Value: Equatable, Sendable {
    var name: String
    var isDuration = false
    var initial: Int
    var min: Int
    var max: Int

    /// A number of the value as one writes it: `3`, `250ms`.
    func text(of number: Int) -> String { isDuration ? Quantity.text(.milliseconds(number)) : "\(number)" }
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
    var condition: Condition?
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
    case to(Number)
    case by(Number)
  }
}

/// Something that happened on the panel.
enum PanelEvent: Hashable, Sendable {
  /// An input, and the event's place in ``InputKind/events``.
  case input(Int, Int)
  case finished(sound: Int)
  case lost(PluggableHardware)
  case restored(PluggableHardware)
}

/// Hardware of a panel that can be unplugged and plugged in again.
enum PluggableHardware: String, Hashable, Sendable, CaseIterable {
  case audio, gpio
}
