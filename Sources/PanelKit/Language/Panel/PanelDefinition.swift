import HardwareDrivers
import Terminal

/// A whole panel file as values.
///
/// Names are resolved: a device, sound, value, region or state is an index into an array here.
@usableFromInline
package struct PanelDefinition: Equatable, Sendable {
  package var name: String
  /// `auto`, or a chip's label, name or path.
  package var chip = "auto"
  /// Further chips. Each is wired to lines of the panel's own chip, or of an earlier one.
  package var chips: [Chip] = []
  package var inputs: [Input] = []
  package var outputs: [Output] = []
  package var sounds: [Sound] = []
  package var values: [Value] = []
  package var inputGroups: [Group] = []
  var outputGroups: [Group] = []
  package var soundGroups: [Group] = []
  package var audio = Audio()
  package var tracks: [Track] = []
  /// The states in the order of the file, each before those inside it. The first one is the top level, which is always
  /// current.
  package var states: [State] = [State(name: "")]
  /// The regions in the order of the file, each before those inside its states.
  package var regions: [Region] = []
  /// Whether a condition or number uses the time since a state was entered.
  package var readsElapsed = false
  /// Whether a condition checks if a relay is closed.
  package var readsContacts = false
  /// Whether the panel draws random numbers.
  package var usesChance = false
  /// The final appearance of each output: off, on, or a number of lamps.
  package var safe: [OutputAppearance] = []
  package var interlocks: [Interlock] = []
  /// The forbidden conditions. They are checked after each event, before any of its effects are shown.
  package var nevers: [Never] = []
  /// The states that must be reachable; used only by a proof.
  package var reach: [Reach] = []
  /// The remote commands that the panel accepts.
  package var accept = AcceptedCommands()
  /// The subjects that the panel publishes to a broker; nil for a panel without a network.
  package var mqtt: MQTTDefinition?
  /// The receivers and the listener of Open Sound Control; nil for a panel without it.
  package var osc: OSCDefinition?
  /// The clock; nil for a panel that uses no time of day.
  package var clock: ClockDefinition? {
    get { clocks.first }
    set { clocks = newValue.map { [$0] } ?? [] }
  }
  /// The clock, if there is one. It is a list because readers have copies of the panel on their stacks.
  package var clocks: [ClockDefinition] = []
  /// The messages that transitions, `enter` and `exit` send, without duplicates.
  package var messages: [PanelMessage] = []
  /// Whether a transition asks for a change of the machine's power.
  package var asksForPower = false
  /// Warnings about parts that are valid, but most likely wrong.
  package var notes: [Problem] = []
  /// Unused declarations, which only a strict check reports: a panel may be unfinished.
  package var unused: [Problem] = []

  package struct Chip: Equatable, Sendable {
    package var name: String
    package var kind: any ChipKind

    package static func == (one: Chip, other: Chip) -> Bool {
      one.name == other.name && one.kind.isEqual(to: other.kind)
    }
  }

  package struct Input: Equatable, Sendable {
    package var name: String
    package var device: any InputKind

    package static func == (one: Input, other: Input) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device)
    }
  }

  package struct Output: Equatable, Sendable {
    package var name: String
    package var device: any OutputKind
    /// The regions that show the output, by priority: the first one wins. Empty for an output that only one region can
    /// show at a time.
    package var shownBy: [Int] = []

    package static func == (one: Output, other: Output) -> Bool {
      one.name == other.name && one.device.isEqual(to: other.device) && one.shownBy == other.shownBy
    }
  }

  /// Inputs, outputs or sounds with one name. Each member is a separate device or sound, with its number: `pad(1)`,
  /// `pad(2)`.
  package struct Group: Equatable, Sendable {
    package var name: String
    /// The index of the first member.
    package var first: Int
    /// The members' numbers, all different. By default 1, 2 and so on.
    package var numbers: [Int]
    /// The members' own names, as in `lights(red)`; nil if they have numbers only.
    package var words: [String]?

    package init(name: String, first: Int, numbers: [Int], words: [String]? = nil) {
      (self.name, self.first, self.numbers, self.words) = (name, first, numbers, words)
    }

    /// The names of the members: `pad(1)`, `lights(red)`.
    package var memberNames: [String] { (words ?? numbers.map(String.init)).map { "\(name)(\($0))" } }

    package var count: Int { numbers.count }
    package var members: Range<Int> { first..<first + count }

    /// The index of the member with a number; nil if the number doesn't exist.
    package func member(_ number: Int) -> Int? { numbers.firstIndex(of: number).map { first + $0 } }

    /// The number of the member with an index.
    package func number(of member: Int) -> Int { numbers[member - first] }

    /// The group's number before any event of a member: one less than the lowest number, so 0 by default.
    package var nobody: Int { (numbers.min() ?? 1) - 1 }

    /// The members' numbers that are single digits.
    package var digits: [Int] { numbers.filter { (0...9).contains($0) } }

    /// The range of the group's number.
    var range: ClosedRange<Int> { nobody...(numbers.max() ?? 1) }

    /// The members' numbers in a message: `1...12`, or `1, 2, 5`.
    package var choices: String {
      if let words { return listed(words) }
      let (least, greatest) = (nobody + 1, range.upperBound)
      return greatest - least == count - 1 ? "\(least)...\(greatest)" : listed(numbers.sorted().map(String.init))
    }
  }

  /// Relays of which at most one is closed, or one relay that rests after it was closed.
  package struct Interlock: Equatable, Sendable {
    /// The indexes of the outputs, which are 2 to 8 relays; or 1 that rests.
    package var relays: [Int]
    /// The time during which all of them are open before another one closes. A relay that rests is open for this time
    /// after it has opened.
    package var pause = Duration.milliseconds(500)
    /// Whether it is one relay that rests.
    package var isRest: Bool { relays.count == 1 }
    package var written = FilePassage()
  }

  package struct Sound: Equatable, Sendable {
    package var name: String
    package var source: SoundSource
    package var volume = Loudness.full
    package var pan = Pan.fixed(0)
    /// The name of its track; nil for none.
    package var track: String?
    /// The fades; nil for that of the track.
    package var fadeIn: Duration?
    package var fadeOut: Duration?
    package var loop = false
    /// Whether a file is read while it plays; nil for a file that is longer than 10 s.
    package var isStreamed: Bool?
    /// The duration of a tone; nil for a tone that ends with its state, and for a file.
    package var length: Duration?

    /// Whether the sound ends by itself.
    var ends: Bool {
      switch source {
      case .file: !loop
      case .tone: length != nil
      }
    }
  }

  package enum SoundSource: Equatable, Sendable {
    /// The path, relative to the panel file's folder unless it is absolute.
    case file(String)
    /// A tone with its frequency in hertz.
    case tone(hertz: Double)
  }

  /// A value: a number, a duration in milliseconds, or a list of whole numbers.
  package struct Value: Equatable, Sendable {
    package var name: String
    package var isDuration = false
    /// Whether the number is a time of day, in minutes since midnight. It goes round at midnight.
    package var isTime = false
    /// The number of decimals, 0 to 3. The value, or an element of a list, is its number divided by 10 ^ `decimals`.
    package var decimals = 0
    /// The unit for displays of the number; empty for none.
    package var unit = ""
    /// The initial number; for a list, its initial length.
    package var initial: Int
    /// The minimum of the value, or of a list's elements; `max` is the maximum.
    package var min: Int
    package var max: Int
    /// nil for a number and a duration.
    package var list: ListSlots?
    /// The elements at the start, for a list that always has all of its elements; nil for any other value.
    package var filled: [Int]?
    /// The settings for keeping the value over restarts; nil if it isn't kept.
    package var kept: Keeping?

    /// Whether the value is a number, not a duration, a time of day or a list.
    package var isNumber: Bool { !isDuration && !isTime && list == nil }

    /// A number of the value, or an element of a list, in the notation of the file: `3`, `20.5`, `250ms`.
    package func text(of number: Int) -> String {
      if isTime { return ClockReader.text(ofMinutes: number) }
      return isDuration ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals)
    }

    /// The number of a text in the notation of the file; nil for any other text.
    package func number(in text: String) -> Int? {
      if isTime { return ClockReader.minutes(text) }
      return isDuration
        ? (try? Quantity.duration(text))?.wholeMilliseconds : Quantity.fixed(text, decimals: decimals)
    }

    /// The elements of a list as one text: `[3,1,4]`.
    package func text(of elements: some Sequence<Int>) -> String {
      "[\(elements.map { text(of: $0) }.joined(separator: ","))]"
    }

    /// The maximum length of the value's text, in characters; a list is `[3,1,4]`.
    package var longestText: Int {
      let longest = Swift.max(text(of: min).count, text(of: max).count)
      return list.map { 1 + $0.capacity * (longest + 1) } ?? longest
    }
  }

  package struct Audio: Equatable, Sendable {
    package var device = "default"
    package var volume = Loudness.full
  }

  /// Sounds that have a loudness together, and that lower the sounds of other tracks.
  package struct Track: Equatable, Sendable {
    package var name: String
    package var volume = Loudness.full
    /// The fade of its sounds, in and out; nil for none.
    package var fade: Duration?
    package var ducks: [Duck] = []
    package var attack = Duration.milliseconds(100)
    package var hold = Duration.milliseconds(200)
    package var release = Duration.milliseconds(500)
  }

  /// A track that another one lowers while it sounds.
  package struct Duck: Equatable, Sendable {
    /// The name of the track that is lowered.
    package var track: String
    /// The factor of its samples, 0...1.
    package var gain: Double
  }

  /// A set of states, of which one is current while the state around the region is current.
  package struct Region: Equatable, Sendable {
    /// nil for the states of a state without `regions`.
    package var name: String?
    /// The state around the region: 0 for a region of the top level.
    package var owner = 0
    /// The first state when the region is entered.
    package var initial: Int
    /// At least one. The states inside them are in their own regions.
    package var states: [Int]
    /// The states in which the region starts if it was in one of them. Only a region of the top level has them.
    package var resume: [Resume] = []
    /// The region of the file that this one repeats; nil for a region without `each`.
    package var repeated: RepeatedRegion?
  }

  package struct State: Equatable, Sendable {
    package var name: String
    /// The region that the state is in; -1 for the top level.
    package var region = -1
    /// The regions inside the state.
    package var regions: [Int] = []
    package var show: [Show] = []
    /// The sounds that play in the state.
    package var play: [Playing] = []
    /// The settings that sounds have in the state instead of their own, by the number of the sound.
    package var playSettings: [Int: PlaySettings] = [:]
    /// The actions when the state is entered.
    package var enter = Actions()
    /// The actions when the state is left.
    package var exit = Actions()
    package var on: [Reaction] = []
    /// The deadlines: once or repeatedly after a time, or after a time without a touch. In the order of the file.
    package var after: [Deadline] = []
    /// The transitions that fire as soon as their condition holds. Each has a condition and a target.
    package var when: [Transition] = []
    /// The transitions that fire when each region inside the state is in a final state.
    package var done: [Transition] = []
    package var isFinal = false
    package var written = FilePassage()

    /// All transitions of the state.
    package var transitions: [Transition] {
      let triggered: [Transition] = on.flatMap(\.transitions) + after.flatMap(\.transitions)
      return triggered + done + when
    }

    /// All sounds that the state and its transitions play.
    package var sounds: [Playing] {
      var sounds = play + enter.play
      sounds += exit.play
      for transition in transitions { sounds += transition.play }
      return sounds
    }

    /// All assignments of the state and its transitions.
    package var assignments: [Assignment] {
      var assignments = enter.assignments + exit.assignments
      for transition in transitions { assignments += transition.assignments }
      return assignments
    }
  }

  /// The appearance of one output.
  @usableFromInline
  package struct Show: Equatable, Sendable {
    @usableFromInline package var output: Int
    package var rule: AppearanceRule
  }

  /// A sound to play: a fixed one, or the member of a group with a number, from 1. Any other number plays nothing.
  package enum Playing: Equatable, Sendable {
    case sound(Int)
    /// - Parameter choice: the index of the choice in a frame, which keeps the number at the start of the state; nil
    ///   for a sound that is only started.
    case member(group: Int, Number, choice: Int?)
  }

  /// The settings of a sound in one state; nil for those of the sound.
  package struct PlaySettings: Equatable, Sendable {
    package var volume: Loudness?
    package var pan: Pan?
    package var fadeIn: Duration?
    package var fadeOut: Duration?
  }

  /// The actions of a transition, and of entering or leaving a state. They set values, then start sounds that play to
  /// their end, then send messages, then ask for a change of the machine's power.
  package struct Actions: Equatable, Sendable {
    package var assignments: [Assignment] = []
    package var play: [Playing] = []
    /// The messages, as indexes in ``PanelDefinition/messages``.
    package var send: [Int] = []
    /// The change of the machine's power that is asked for; only a transition asks for one.
    package var power: PowerChange?

    package init(
      assignments: [Assignment] = [], play: [Playing] = [], send: [Int] = [], power: PowerChange? = nil
    ) {
      (self.assignments, self.play, self.send, self.power) = (assignments, play, send, power)
    }

    package var isEmpty: Bool { assignments.isEmpty && play.isEmpty && send.isEmpty && power == nil }
  }

  /// An event and its transitions. The first transition whose condition holds is applied.
  package struct Reaction: Equatable, Sendable {
    package var event: PanelEvent
    package var transitions: [Transition]
    /// Whether the event is one of several alternatives: `a.pressed | b.held`.
    var isAlternative = false
  }

  /// The events that a state or the top level reacts to. For a group, they include the events of each member.
  package var heardEvents: Set<PanelEvent> {
    let events = Set(states.flatMap { $0.on.map(\.event) })
    return events.union(events.flatMap { members(of: $0) })
  }

  /// The events of drivers that match an event. For an event of any member of a group, these are the events of all
  /// members.
  package func members(of event: PanelEvent) -> [PanelEvent] {
    switch event {
    case .anyInput(let group, let word): inputGroups[group].members.map { .input($0, word) }
    case .anyFinished(let group): soundGroups[group].members.map { .finished(sound: $0) }
    case .input, .finished, .lost, .restored, .asked: [event]
    }
  }

  /// Whether an event matches another one: it is the same, or `other` is for any member of its group.
  package func event(_ event: PanelEvent, is other: PanelEvent) -> Bool {
    switch (event, other) {
    case (.input(let input, let word), .anyInput(let group, let any)):
      word == any && inputGroups[group].members.contains(input)
    case (.finished(let sound), .anyFinished(let group)): soundGroups[group].members.contains(sound)
    default: event == other
    }
  }

  /// The number of deadlines that repeat.
  package var repetitionCount: Int {
    states.reduce(0) { $0 + $1.after.count { deadline in deadline.recurrence != .once } }
  }

  /// The number of deadlines with a random time or the time of a value.
  package var waitCount: Int { states.reduce(0) { $0 + $1.after.count { deadline in deadline.delay.wait != nil } } }

  /// The number of sounds in states that a number selects from a group.
  package var choiceCount: Int {
    states.reduce(0) { $0 + $1.play.count { playing in if case .member = playing { true } else { false } } }
  }

  /// A time after a state was entered, and its transitions. The first transition whose condition holds then is applied.
  package struct Deadline: Equatable, Sendable {
    package var delay: Delay
    /// Empty for an age at which only the `when` of the state is checked.
    package var transitions: [Transition]
    package var recurrence = Recurrence.once

    /// Whether the `when` of the state is checked at this time, because it contains `elapsed`.
    package var isCheck: Bool { transitions.isEmpty }
  }

  /// The repetition of a deadline while its state is current. Repeated deadlines have a number each.
  package enum Recurrence: Equatable, Sendable {
    case once
    /// Repeatedly: `every`.
    case again(Int)
    /// After each time without a touch of the panel: `untouched`.
    case untouched(Int)
  }

  package enum Delay: Equatable, Sendable {
    case fixed(Duration)
    /// A random time in a range of milliseconds, drawn again for each wait.
    case drawn(ClosedRange<Int>, wait: Int)
    /// The time in a value when the state is entered.
    case value(Int, wait: Int)

    /// The number of the wait, which a frame keeps; nil for a fixed time.
    package var wait: Int? {
      switch self {
      case .fixed: nil
      case .drawn(_, let wait), .value(_, let wait): wait
      }
    }
  }

  package struct Transition: Equatable, Sendable {
    /// nil always holds.
    package var condition: Condition?
    package var assignments: [Assignment] = []
    /// The sounds that start, and play to their end.
    package var play: [Playing] = []
    /// The messages that are sent, as indexes in ``PanelDefinition/messages``.
    package var send: [Int] = []
    /// The change of the machine's power that is asked for; nil for none.
    package var power: PowerChange?
    /// nil: the state stays current and is not entered again.
    package var target: Target?
    package var written = FilePassage()
  }

  /// A forbidden condition.
  package struct Never: Equatable, Sendable {
    package var name: String
    package var condition: Condition
    /// The condition as written in the file.
    package var text: String
    /// The remedy that is applied first when the condition holds. The panel stops only if the condition still holds
    /// after it. nil: the panel stops immediately.
    package var transition: Transition?
    package var written = FilePassage()
  }

  /// A state that must be reachable.
  package struct Reach: Equatable, Sendable {
    package var state: Int
    package var written = FilePassage()
  }

  package struct Target: Hashable, Sendable {
    /// The region that the state is in.
    package var region: Int
    package var state: Int
    /// Whether the inner states that were left last are entered, instead of the initial ones.
    package var resumes = false
  }

  package struct Assignment: Equatable, Sendable {
    package var value: Int
    package var change: Change
  }

  /// The change by an assignment. The result is limited to the value's min...max.
  package indirect enum Change: Equatable, Sendable {
    case to(Source)
    case by(Number)
    /// Adds an element to the list; a full list stays as it is.
    case append(Source)
    /// Replaces the elements of the list.
    case elements([Int])
    case elementsOf(ListSlots)
    /// Changes the element at a place, from 1. A place outside the list changes nothing.
    case element(at: Number, Change)
  }

  /// The source of the number that a value is set to.
  package enum Source: Equatable, Sendable {
    case number(Number)
    /// A random number.
    case draw(ClosedRange<Int>)
  }
}
