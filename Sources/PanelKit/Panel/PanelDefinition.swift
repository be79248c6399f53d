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
  /// The statechart in the order of the file, each state before those inside it. The first one is the top level, which is
  /// always current.
  var states: [State] = [State(name: "")]
  /// In the order of the file, each region before those inside its states.
  var regions: [Region] = []
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

  /// States of which one is current while the state around the region is.
  struct Region: Equatable, Sendable {
    /// nil for the states that a state has without `regions`.
    var name: String?
    /// The state around the region: 0 for a region of the top level.
    var owner = 0
    /// The state that is entered with the region.
    var initial: Int
    /// At least one; those inside them are in regions of their own.
    var states: [Int]
  }

  struct State: Equatable, Sendable {
    var name: String
    /// The region that the state is in; -1 for the top level.
    var region = -1
    /// The regions inside the state.
    var regions: [Int] = []
    var show: [Show] = []
    /// The indices of the sounds that play in the state.
    var play: [Int] = []
    /// What entering the state does to values.
    var enter: [Assignment] = []
    /// What leaving the state does to values.
    var exit: [Assignment] = []
    var on: [Reaction] = []
    /// What happens after a time, once or again and again, in the order of the file.
    var after: [Deadline] = []
    /// What happens as soon as its condition holds: each transition has a condition and a target.
    var when: [Transition] = []
    /// What happens when each region inside the state has come to a final state.
    var done: [Transition] = []
    var isFinal = false
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
    /// Whether the event is one of several that are written together: `a.pressed | b.held`.
    var isAlternative = false
  }

  /// How many deadlines come again and again.
  var repetitionCount: Int { states.reduce(0) { $0 + $1.after.count { $0.repetition != nil } } }

  /// A time after the entering of a state and its transitions, of which the first whose condition holds is applied
  /// then.
  struct Deadline: Equatable, Sendable {
    var delay: Duration
    var transitions: [Transition]
    /// For a deadline that comes again and again its number among all of those in the panel; nil for one that comes once.
    var repetition: Int?
  }

  struct Transition: Equatable, Sendable {
    /// nil holds always.
    var condition: Condition?
    var assignments: [Assignment] = []
    /// nil: the state stays and is not entered again.
    var target: Target?
  }

  struct Target: Equatable, Sendable {
    /// The region that the state is in.
    var region: Int
    var state: Int
    /// Whether the states inside are entered that were left last, instead of the initial ones.
    var resumes = false
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
