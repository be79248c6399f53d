import Terminal

/// A whole panel file as values.
///
/// Names are resolved: a device, sound, value, region or state is an index into an array here.
struct PanelDefinition: Equatable, Sendable {
  var name: String
  /// `auto`, or a chip's label, name or path.
  var chip = "auto"
  /// Further chips; each is wired to lines of the panel's own chip, or of one before it.
  var chips: [Chip] = []
  var inputs: [Input] = []
  var outputs: [Output] = []
  var sounds: [Sound] = []
  var values: [Value] = []
  var inputGroups: [Group] = []
  var outputGroups: [Group] = []
  var soundGroups: [Group] = []
  var audio = Audio()
  /// In the order of the file, each state before those inside it. The first one is the top level, always current.
  var states: [State] = [State(name: "")]
  /// In the order of the file, each region before those inside its states.
  var regions: [Region] = []
  /// Whether anything asks how long a state has been current.
  var readsElapsed = false
  /// Whether anything asks if a relay is closed.
  var readsContacts = false
  /// Whether anything is left to chance.
  var usesChance = false
  /// What each output shows at the end, by output: off, on, or a number of lamps.
  var safe: [Appearance] = []
  var interlocks: [Interlock] = []
  /// What must never be: checked after each event, before anything of it is shown.
  var nevers: [Never] = []
  /// The states that must be reachable; only a proof asks.
  var reach: [Reach] = []
  /// What may be done to the panel from outside.
  var accept = Acceptance()
  /// What the panel tells a broker; nil for a panel without a network.
  var mqtt: NetworkDefinition?
  /// What speaks Open Sound Control with the panel; nil for a panel that doesn't.
  var osc: OSCDefinition?
  /// What transitions, `enter` and `exit` send, each message once.
  var messages: [PanelMessage] = []
  /// Warnings: what is allowed, but most likely a mistake.
  var notes: [Problem] = []
  /// What the file declares and nothing uses, which a strict check notes: a panel may be on its way.
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
    /// The regions of which the first that shows the output wins; empty for an output that no two regions show at once.
    var shownBy: [Int] = []

    static func == (one: Output, other: Output) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device) && one.shownBy == other.shownBy
    }
  }

  /// Inputs, outputs or sounds under one name. Each is one of its own, called by its number: `pad(1)`, `pad(2)`.
  struct Group: Equatable, Sendable {
    var name: String
    /// The index of the first member.
    var first: Int
    /// The members' numbers, all different: 1, 2 and so on unless the file says otherwise.
    var numbers: [Int]

    var count: Int { numbers.count }
    var members: Range<Int> { first..<first + count }

    /// The index of the member with a number; nil if none has it.
    func member(_ number: Int) -> Int? { numbers.firstIndex(of: number).map { first + $0 } }

    /// The number of the member with an index.
    func number(of member: Int) -> Int { numbers[member - first] }

    /// What the group's number is before a member has told an event: one below the least, which is 0 unless the file says otherwise.
    var nobody: Int { (numbers.min() ?? 1) - 1 }

    /// The members' numbers that are digits.
    var digits: [Int] { numbers.filter { (0...9).contains($0) } }

    /// All that the group's number can be.
    var range: ClosedRange<Int> { nobody...(numbers.max() ?? 1) }

    /// The members' numbers in a message: `1...12`, or `1, 2, 5`.
    var choices: String {
      let (least, greatest) = (nobody + 1, range.upperBound)
      return greatest - least == count - 1 ? "\(least)...\(greatest)" : listed(numbers.sorted().map(String.init))
    }
  }

  /// Relays of which at most one is closed.
  struct Interlock: Equatable, Sendable {
    /// The indices of the outputs, 2 to 8 of them; all are relays.
    var relays: [Int]
    /// How long all of them are open before another one closes.
    var pause = Duration.milliseconds(500)
    var written = Written()
  }

  struct Sound: Equatable, Sendable {
    var name: String
    var source: SoundSource
    /// 0...1.
    var volume = 1.0
    var loop = false
    /// How long a tone sounds; nil for one that ends with its state, and for a file.
    var length: Duration?

    /// Whether the sound comes to an end by itself.
    var ends: Bool {
      switch source {
      case .file: !loop
      case .tone: length != nil
      }
    }
  }

  enum SoundSource: Equatable, Sendable {
    /// The path, with the panel file's folder before it unless it is absolute.
    case file(String)
    /// In hertz.
    case tone(hertz: Double)
  }

  /// A value: a whole number, a duration in milliseconds, or a list of whole numbers.
  struct Value: Equatable, Sendable {
    var name: String
    var isDuration = false
    /// Of a list, 0.
    var initial: Int
    /// Of a list, the least and the greatest element.
    var min: Int
    var max: Int
    /// nil for a number and a duration.
    var list: ListPlace?
    /// How the number is kept over restarts; nil if it isn't.
    var kept: Keeping?

    /// A number of the value as one writes it: `3`, `250ms`.
    func text(of number: Int) -> String { isDuration ? Quantity.text(.milliseconds(number)) : "\(number)" }

    /// How many characters the value's text has at most: of a list `[3,1,4]`.
    var longestText: Int {
      let longest = Swift.max(text(of: min).count, text(of: max).count)
      return list.map { 1 + $0.capacity * (longest + 1) } ?? longest
    }
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
    /// The states in which the region starts if it was in one of them; only of a region of the top level.
    var resume: [Resume] = []
  }

  struct State: Equatable, Sendable {
    var name: String
    /// The region that the state is in; -1 for the top level.
    var region = -1
    /// The regions inside the state.
    var regions: [Int] = []
    var show: [Show] = []
    /// What plays in the state.
    var play: [Playing] = []
    /// What entering the state does.
    var enter = Actions()
    /// What leaving the state does.
    var exit = Actions()
    var on: [Reaction] = []
    /// What happens after a time, once or again and again, or when nobody touches the panel, in the order of the file.
    var after: [Deadline] = []
    /// What happens as soon as its condition holds: each transition has a condition and a target.
    var when: [Transition] = []
    /// What happens when each region inside the state has come to a final state.
    var done: [Transition] = []
    var isFinal = false
    var written = Written()

    /// All transitions of the state.
    var transitions: [Transition] {
      let triggered: [Transition] = on.flatMap(\.transitions) + after.flatMap(\.transitions)
      return triggered + done + when
    }

    /// All that the state, and its transitions, do to values.
    var assignments: [Assignment] {
      var assignments = enter.assignments + exit.assignments
      for transition in transitions { assignments += transition.assignments }
      return assignments
    }
  }

  /// What one output shows.
  struct Show: Equatable, Sendable {
    var output: Int
    var appearance: Appearance
    /// The output looks so only while this number is its place in its group, from 1, and is off otherwise; nil for always.
    var selection: Selection?
  }

  struct Selection: Equatable, Sendable {
    var number: Number
    var place: Int
  }

  /// A sound to play: a fixed one, or the member of a group that a number says, from 1; any other number is silence.
  enum Playing: Equatable, Sendable {
    case sound(Int)
    /// - Parameter choice: the place of the choice in a frame, which keeps what the state began with; nil where a sound is only
    ///   begun.
    case member(group: Int, Number, choice: Int?)
  }

  /// What entering or leaving a state does: it sets values, then begins sounds, which play to their ends, then sends messages.
  struct Actions: Equatable, Sendable {
    var assignments: [Assignment] = []
    var play: [Playing] = []
    /// The indices of ``PanelDefinition/messages``.
    var send: [Int] = []

    var isEmpty: Bool { assignments.isEmpty && play.isEmpty && send.isEmpty }
  }

  /// An event and its transitions, of which the first whose condition holds is applied.
  struct Reaction: Equatable, Sendable {
    var event: PanelEvent
    var transitions: [Transition]
    /// Whether the event is one of several that are written together: `a.pressed | b.held`.
    var isAlternative = false
  }

  /// The events that some state, or the top level, reacts to: of a group, also those of each member.
  var heardEvents: Set<PanelEvent> {
    let events = Set(states.flatMap { $0.on.map(\.event) })
    return events.union(events.flatMap { members(of: $0) })
  }

  /// The events that drivers emit which are an event: for one of any member of a group, those of each.
  func members(of event: PanelEvent) -> [PanelEvent] {
    switch event {
    case .anyInput(let group, let word): inputGroups[group].members.map { .input($0, word) }
    case .anyFinished(let group): soundGroups[group].members.map { .finished(sound: $0) }
    case .input, .finished, .lost, .restored, .asked: [event]
    }
  }

  /// Whether an event is another one, or is one of any member of the group that the other one is of.
  func event(_ event: PanelEvent, is other: PanelEvent) -> Bool {
    switch (event, other) {
    case (.input(let input, let word), .anyInput(let group, let any)):
      word == any && inputGroups[group].members.contains(input)
    case (.finished(let sound), .anyFinished(let group)): soundGroups[group].members.contains(sound)
    default: event == other
    }
  }

  /// How many deadlines come again and again.
  var repetitionCount: Int {
    states.reduce(0) { $0 + $1.after.count { deadline in deadline.recurrence != .once } }
  }

  /// How many deadlines have a time that is drawn or is a value's.
  var waitCount: Int { states.reduce(0) { $0 + $1.after.count { deadline in deadline.delay.wait != nil } } }

  /// How many sounds of groups states play by a number.
  var choiceCount: Int {
    states.reduce(0) { $0 + $1.play.count { playing in if case .member = playing { true } else { false } } }
  }

  /// A time after the entering of a state and its transitions, of which the first whose condition holds is applied
  /// then.
  struct Deadline: Equatable, Sendable {
    var delay: Delay
    var transitions: [Transition]
    var recurrence = Recurrence.once
  }

  /// How often a deadline comes while its state is current. Those that come more than once have a number each.
  enum Recurrence: Equatable, Sendable {
    case once
    /// Again and again: `every`.
    case again(Int)
    /// Each time that nobody has touched the panel for so long: `untouched`.
    case untouched(Int)
  }

  enum Delay: Equatable, Sendable {
    case fixed(Duration)
    /// Drawn from a range of milliseconds, anew for each time of waiting.
    case drawn(ClosedRange<Int>, wait: Int)
    /// What a value says when the state is entered.
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
    /// nil holds always.
    var condition: Condition?
    var assignments: [Assignment] = []
    /// The sounds that begin, and play to their ends.
    var play: [Playing] = []
    /// The messages that are sent: indices of ``PanelDefinition/messages``.
    var send: [Int] = []
    /// nil: the state stays and is not entered again.
    var target: Target?
    var written = Written()
  }

  /// Something that must never be so.
  struct Never: Equatable, Sendable {
    var name: String
    var condition: Condition
    /// The condition as it is written.
    var text: String
    /// What is done first when it is so; the panel stops only if it is so after that. nil: the panel stops at once.
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
    /// Whether the states inside are entered that were left last, instead of the initial ones.
    var resumes = false
  }

  struct Assignment: Equatable, Sendable {
    var value: Int
    var change: Change
  }

  /// What an assignment does. Results are clamped to the value's min...max.
  enum Change: Equatable, Sendable {
    case to(Source)
    case by(Number)
    /// Adds an element to the list; a full list stays as it is.
    case append(Source)
    /// Replaces the elements of the list.
    case elements([Int])
    case elementsOf(ListPlace)
  }

  /// Where the number comes from that a value is set to.
  enum Source: Equatable, Sendable {
    case number(Number)
    /// Chance.
    case draw(ClosedRange<Int>)
  }
}
