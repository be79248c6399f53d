import Terminal

/// A whole panel file as values.
///
/// Names are resolved: a device, sound, value, region or state is an index into an array here.
struct PanelDefinition: Equatable, Sendable {
  var name: String
  /// `auto`, or a chip's label, name or path.
  var chip = "auto"
  /// Further chips. Each is wired to lines of the panel's own chip, or of an earlier one.
  var chips: [Chip] = []
  var inputs: [Input] = []
  var outputs: [Output] = []
  var sounds: [Sound] = []
  var values: [Value] = []
  var inputGroups: [Group] = []
  var outputGroups: [Group] = []
  var soundGroups: [Group] = []
  var audio = Audio()
  /// The states in the order of the file, each before those inside it. The first one is the top level, which is always
  /// current.
  var states: [State] = [State(name: "")]
  /// The regions in the order of the file, each before those inside its states.
  var regions: [Region] = []
  /// Whether a condition or number uses the time since a state was entered.
  var readsElapsed = false
  /// Whether a condition checks if a relay is closed.
  var readsContacts = false
  /// Whether the panel draws random numbers.
  var usesChance = false
  /// The final appearance of each output: off, on, or a number of lamps.
  var safe: [Appearance] = []
  var interlocks: [Interlock] = []
  /// The forbidden conditions. They are checked after each event, before any of its effects are shown.
  var nevers: [Never] = []
  /// The states that must be reachable; used only by a proof.
  var reach: [Reach] = []
  /// The remote commands that the panel accepts.
  var accept = Acceptance()
  /// The subjects that the panel publishes to a broker; nil for a panel without a network.
  var mqtt: NetworkDefinition?
  /// The receivers and the listener of Open Sound Control; nil for a panel without it.
  var osc: OSCDefinition?
  /// The messages that transitions, `enter` and `exit` send, without duplicates.
  var messages: [PanelMessage] = []
  /// Warnings about parts that are valid, but most likely wrong.
  var notes: [Problem] = []
  /// Unused declarations, which only a strict check reports: a panel may be unfinished.
  var unused: [Problem] = []

  struct Chip: Equatable, Sendable {
    var name: String
    var kind: any ChipKind

    static func == (one: Chip, other: Chip) -> Bool { one.name == other.name && one.kind.isEqual(to: other.kind) }
  }

  struct Input: Equatable, Sendable {
    var name: String
    var device: any InputKind

    static func == (one: Input, other: Input) -> Bool { one.name == other.name && one.device.isEqual(to: other.device) }
  }

  struct Output: Equatable, Sendable {
    var name: String
    var device: any OutputKind
    /// The regions that show the output, by priority: the first one wins. Empty for an output that only one region can
    /// show at a time.
    var shownBy: [Int] = []

    static func == (one: Output, other: Output) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device) && one.shownBy == other.shownBy
    }
  }

  /// Inputs, outputs or sounds with one name. Each member is a separate device or sound, with its number: `pad(1)`,
  /// `pad(2)`.
  struct Group: Equatable, Sendable {
    var name: String
    /// The index of the first member.
    var first: Int
    /// The members' numbers, all different. By default 1, 2 and so on.
    var numbers: [Int]

    var count: Int { numbers.count }
    var members: Range<Int> { first..<first + count }

    /// The index of the member with a number; nil if the number doesn't exist.
    func member(_ number: Int) -> Int? { numbers.firstIndex(of: number).map { first + $0 } }

    /// The number of the member with an index.
    func number(of member: Int) -> Int { numbers[member - first] }

    /// The group's number before any event of a member: one less than the lowest number, so 0 by default.
    var nobody: Int { (numbers.min() ?? 1) - 1 }

    /// The members' numbers that are single digits.
    var digits: [Int] { numbers.filter { (0...9).contains($0) } }

    /// The range of the group's number.
    var range: ClosedRange<Int> { nobody...(numbers.max() ?? 1) }

    /// The members' numbers in a message: `1...12`, or `1, 2, 5`.
    var choices: String {
      let (least, greatest) = (nobody + 1, range.upperBound)
      return greatest - least == count - 1 ? "\(least)...\(greatest)" : listed(numbers.sorted().map(String.init))
    }
  }

  /// Relays of which at most one is closed.
  struct Interlock: Equatable, Sendable {
    /// The indexes of the outputs, which are 2 to 8 relays.
    var relays: [Int]
    /// The time during which all of them are open before another one closes.
    var pause = Duration.milliseconds(500)
    var written = Written()
  }

  struct Sound: Equatable, Sendable {
    var name: String
    var source: SoundSource
    /// The volume, 0...1.
    var volume = 1.0
    var loop = false
    /// The duration of a tone; nil for a tone that ends with its state, and for a file.
    var length: Duration?

    /// Whether the sound ends by itself.
    var ends: Bool {
      switch source {
      case .file: !loop
      case .tone: length != nil
      }
    }
  }

  enum SoundSource: Equatable, Sendable {
    /// The path, relative to the panel file's folder unless it is absolute.
    case file(String)
    /// A tone with its frequency in hertz.
    case tone(hertz: Double)
  }

  /// A value: a whole number, a duration in milliseconds, or a list of whole numbers.
  struct Value: Equatable, Sendable {
    var name: String
    var isDuration = false
    /// The initial number; 0 for a list.
    var initial: Int
    /// The minimum of the value, or of a list's elements; `max` is the maximum.
    var min: Int
    var max: Int
    /// nil for a number and a duration.
    var list: ListPlace?
    /// The settings for keeping the value over restarts; nil if it isn't kept.
    var kept: Keeping?

    /// A number of the value in the notation of the file: `3`, `250ms`.
    func text(of number: Int) -> String { isDuration ? Quantity.text(.milliseconds(number)) : "\(number)" }

    /// The maximum length of the value's text, in characters; a list is `[3,1,4]`.
    var longestText: Int {
      let longest = Swift.max(text(of: min).count, text(of: max).count)
      return list.map { 1 + $0.capacity * (longest + 1) } ?? longest
    }
  }

  struct Audio: Equatable, Sendable {
    var device = "default"
    /// nil means 1, so that only the sounds' own volumes apply.
    var volume: Volume?
  }

  enum Volume: Equatable, Sendable {
    /// A volume, 0...1.
    case fixed(Double)
    /// The index of a value, whose min...max is mapped to 0...1.
    case value(Int)
  }

  /// A set of states, of which one is current while the state around the region is current.
  struct Region: Equatable, Sendable {
    /// nil for the states of a state without `regions`.
    var name: String?
    /// The state around the region: 0 for a region of the top level.
    var owner = 0
    /// The first state when the region is entered.
    var initial: Int
    /// At least one. The states inside them are in their own regions.
    var states: [Int]
    /// The states in which the region starts if it was in one of them. Only a region of the top level has them.
    var resume: [Resume] = []
  }

  struct State: Equatable, Sendable {
    var name: String
    /// The region that the state is in; -1 for the top level.
    var region = -1
    /// The regions inside the state.
    var regions: [Int] = []
    var show: [Show] = []
    /// The sounds that play in the state.
    var play: [Playing] = []
    /// The actions when the state is entered.
    var enter = Actions()
    /// The actions when the state is left.
    var exit = Actions()
    var on: [Reaction] = []
    /// The deadlines: once or repeatedly after a time, or after a time without a touch. In the order of the file.
    var after: [Deadline] = []
    /// The transitions that fire as soon as their condition holds. Each has a condition and a target.
    var when: [Transition] = []
    /// The transitions that fire when each region inside the state is in a final state.
    var done: [Transition] = []
    var isFinal = false
    var written = Written()

    /// All transitions of the state.
    var transitions: [Transition] {
      let triggered: [Transition] = on.flatMap(\.transitions) + after.flatMap(\.transitions)
      return triggered + done + when
    }

    /// All assignments of the state and its transitions.
    var assignments: [Assignment] {
      var assignments = enter.assignments + exit.assignments
      for transition in transitions { assignments += transition.assignments }
      return assignments
    }
  }

  /// The appearance of one output.
  struct Show: Equatable, Sendable {
    var output: Int
    var appearance: Appearance
    /// The number that must be equal to the output's position in its group, from 1; otherwise the output is off. nil
    /// for an output without this condition.
    var selection: Selection?
  }

  struct Selection: Equatable, Sendable {
    var number: Number
    var place: Int
  }

  /// A sound to play: a fixed one, or the member of a group with a number, from 1. Any other number plays nothing.
  enum Playing: Equatable, Sendable {
    case sound(Int)
    /// - Parameter choice: the index of the choice in a frame, which keeps the number at the start of the state; nil
    ///   for a sound that is only started.
    case member(group: Int, Number, choice: Int?)
  }

  /// The actions when a state is entered or left. They set values, then start sounds that play to their end, then send
  /// messages.
  struct Actions: Equatable, Sendable {
    var assignments: [Assignment] = []
    var play: [Playing] = []
    /// The messages, as indexes in ``PanelDefinition/messages``.
    var send: [Int] = []

    var isEmpty: Bool { assignments.isEmpty && play.isEmpty && send.isEmpty }
  }

  /// An event and its transitions. The first transition whose condition holds is applied.
  struct Reaction: Equatable, Sendable {
    var event: PanelEvent
    var transitions: [Transition]
    /// Whether the event is one of several alternatives: `a.pressed | b.held`.
    var isAlternative = false
  }

  /// The events that a state or the top level reacts to. For a group, they include the events of each member.
  var heardEvents: Set<PanelEvent> {
    let events = Set(states.flatMap { $0.on.map(\.event) })
    return events.union(events.flatMap { members(of: $0) })
  }

  /// The events of drivers that match an event. For an event of any member of a group, these are the events of all
  /// members.
  func members(of event: PanelEvent) -> [PanelEvent] {
    switch event {
    case .anyInput(let group, let word): inputGroups[group].members.map { .input($0, word) }
    case .anyFinished(let group): soundGroups[group].members.map { .finished(sound: $0) }
    case .input, .finished, .lost, .restored, .asked: [event]
    }
  }

  /// Whether an event matches another one: it is the same, or `other` is for any member of its group.
  func event(_ event: PanelEvent, is other: PanelEvent) -> Bool {
    switch (event, other) {
    case (.input(let input, let word), .anyInput(let group, let any)):
      word == any && inputGroups[group].members.contains(input)
    case (.finished(let sound), .anyFinished(let group)): soundGroups[group].members.contains(sound)
    default: event == other
    }
  }

  /// The number of deadlines that repeat.
  var repetitionCount: Int {
    states.reduce(0) { $0 + $1.after.count { deadline in deadline.recurrence != .once } }
  }

  /// The number of deadlines with a random time or the time of a value.
  var waitCount: Int { states.reduce(0) { $0 + $1.after.count { deadline in deadline.delay.wait != nil } } }

  /// The number of sounds in states that a number selects from a group.
  var choiceCount: Int {
    states.reduce(0) { $0 + $1.play.count { playing in if case .member = playing { true } else { false } } }
  }

  /// A time after a state was entered, and its transitions. The first transition whose condition holds then is applied.
  struct Deadline: Equatable, Sendable {
    var delay: Delay
    var transitions: [Transition]
    var recurrence = Recurrence.once
  }

  /// The repetition of a deadline while its state is current. Repeated deadlines have a number each.
  enum Recurrence: Equatable, Sendable {
    case once
    /// Repeatedly: `every`.
    case again(Int)
    /// After each time without a touch of the panel: `untouched`.
    case untouched(Int)
  }

  enum Delay: Equatable, Sendable {
    case fixed(Duration)
    /// A random time in a range of milliseconds, drawn again for each wait.
    case drawn(ClosedRange<Int>, wait: Int)
    /// The time in a value when the state is entered.
    case value(Int, wait: Int)

    /// The number of the wait, which a frame keeps; nil for a fixed time.
    var wait: Int? {
      switch self {
      case .fixed: nil
      case .drawn(_, let wait), .value(_, let wait): wait
      }
    }
  }

  struct Transition: Equatable, Sendable {
    /// nil always holds.
    var condition: Condition?
    var assignments: [Assignment] = []
    /// The sounds that start, and play to their end.
    var play: [Playing] = []
    /// The messages that are sent, as indexes in ``PanelDefinition/messages``.
    var send: [Int] = []
    /// nil: the state stays current and is not entered again.
    var target: Target?
    var written = Written()
  }

  /// A forbidden condition.
  struct Never: Equatable, Sendable {
    var name: String
    var condition: Condition
    /// The condition as written in the file.
    var text: String
    /// The remedy that is applied first when the condition holds. The panel stops only if the condition still holds
    /// after it. nil: the panel stops immediately.
    var transition: Transition?
    var written = Written()
  }

  /// A state that must be reachable.
  struct Reach: Equatable, Sendable {
    var state: Int
    var written = Written()
  }

  struct Target: Equatable, Sendable {
    /// The region that the state is in.
    var region: Int
    var state: Int
    /// Whether the inner states that were left last are entered, instead of the initial ones.
    var resumes = false
  }

  struct Assignment: Equatable, Sendable {
    var value: Int
    var change: Change
  }

  /// The change by an assignment. The result is limited to the value's min...max.
  enum Change: Equatable, Sendable {
    case to(Source)
    case by(Number)
    /// Adds an element to the list; a full list stays as it is.
    case append(Source)
    /// Replaces the elements of the list.
    case elements([Int])
    case elementsOf(ListPlace)
  }

  /// The source of the number that a value is set to.
  enum Source: Equatable, Sendable {
    case number(Number)
    /// A random number.
    case draw(ClosedRange<Int>)
  }
}
