/// How many numbers of each kind the frames of a panel have.
struct FrameSizes: Equatable, Sendable {
  var regions = 0
  /// Elements of all lists.
  var elements = 0
  var sounds = 0
  /// Sounds of groups that states play by a number.
  var choices = 0
  var inputs = 0
  var inputGroups = 0
  /// Numbers of inputs that follow from others.
  var derived = 0
  /// Deadlines that come again.
  var repetitions = 0
  /// Deadlines whose time is drawn or is a value's.
  var waits = 0
  /// Sources of trouble.
  var sources = 0
  /// Chips of `chips`.
  var chips = 0
  /// Whether the panel has a broker.
  var hasNetwork = false
  /// Inputs that are looked at for presses from outside: all, or none.
  var remotes = 0
  /// Regions that can start in other states than their initial ones.
  var resumed = 0
  /// What is known of what the panel keeps: ``PanelDefinition/keptCount``.
  var kept = 0
  /// What a message takes that has been sent: itself, and what was computed for it; 0 for a panel that sends none.
  var perMessage = 0

  /// Outputs whose contacts are known: all, or none.
  var contacts = 0

  init(regions: Int = 0, inputs: Int = 0, sounds: Int = 0) {
    self.regions = regions
    self.inputs = inputs
    self.sounds = sounds
  }

  init(of panel: PanelDefinition) {
    regions = panel.regions.count
    elements = panel.values.reduce(0) { max($0, $1.list.map { $0.first + $0.capacity } ?? 0) }
    sounds = panel.sounds.count
    choices = panel.choiceCount
    inputs = panel.inputs.count
    inputGroups = panel.inputGroups.count
    derived = DerivedInputs.frameSize(of: panel)
    repetitions = panel.repetitionCount
    waits = panel.waitCount
    sources = PanelDevices(of: panel).sourceCount
    chips = panel.chips.count
    hasNetwork = panel.mqtt != nil
    remotes = panel.accept.presses.isEmpty ? 0 : panel.inputs.count
    resumed = panel.resumptions.count
    kept = panel.keptCount
    contacts = panel.readsContacts ? panel.outputs.count : 0
    perMessage = panel.messages.map { 1 + $0.numbers.count }.max() ?? 0
  }
}

/// Where each kind of number begins in the frames of a panel. A class, because each frame refers to it and is moved at each event.
final class FrameLayout: Sendable {
  /// The numbers of a region, in their order.
  enum OfRegion: Int {
    case state
    /// How often a state has been entered.
    case entry
    /// The state that was left last.
    case remembered
    /// When the current state was entered.
    case entered
  }

  /// The numbers of a sound, in their order.
  enum OfSound: Int {
    /// How often the sound has been started.
    case start
    case ended
    case isOnce
  }

  // Computed: a stored one would be looked up at each access to a number.
  private static var perRegion: Int { OfRegion.entered.rawValue + 1 }
  private static var perSound: Int { OfSound.isOnce.rawValue + 1 }

  let value: Int32
  let element: Int32
  private let sound: Int32
  let choice: Int32
  /// One for all inputs together, and one for each.
  let loss: Int32
  let position: Int32
  let reading: Int32
  let member: Int32
  let derived: Int32
  let hardware: Int32
  let chipCount: Int
  let hasNetwork: Bool
  let repetition: Int32
  let wait: Int32
  let source: Int32
  let remote: Int32
  let resumed: Int32
  let kept: Int32
  /// How many messages have been sent, then those that were sent last.
  let sent: Int32
  let perMessage: Int
  let contact: Int32
  let touchCount: Int32
  let stream: Int32
  let now: Int32
  let deadlinesAtOnce: Int32
  let isStopped: Int32
  let count: Int

  init(_ sizes: FrameSizes, valueCount: Int) {
    var count = Self.perRegion * sizes.regions
    func place(_ size: Int) -> Int32 {
      defer { count += size }
      return Int32(count)
    }
    value = place(valueCount)
    element = place(sizes.elements)
    sound = place(Self.perSound * sizes.sounds)
    choice = place(sizes.choices)
    loss = place(1 + sizes.inputs)
    position = place(sizes.inputs)
    reading = place(sizes.inputs)
    member = place(sizes.inputGroups)
    derived = place(sizes.derived)
    hardware = place(PluggableHardware.all(chips: sizes.chips, hasNetwork: sizes.hasNetwork).count)
    (chipCount, hasNetwork) = (sizes.chips, sizes.hasNetwork)
    repetition = place(sizes.repetitions)
    wait = place(sizes.waits)
    source = place(sizes.sources)
    remote = place(sizes.remotes)
    resumed = place(sizes.resumed)
    kept = place(sizes.kept)
    perMessage = sizes.perMessage
    sent = place(perMessage == 0 ? 0 : 1 + SentMessages.capacity * perMessage)
    contact = place(sizes.contacts)
    touchCount = place(1)
    stream = place(1)
    now = place(1)
    deadlinesAtOnce = place(1)
    isStopped = place(1)
    self.count = count
  }

  /// Where a number of a region is.
  static func place(_ number: OfRegion, of region: Int) -> Int { perRegion * region + number.rawValue }
  /// Where a number of a sound is.
  func place(_ number: OfSound, of sound: Int) -> Int { Int(self.sound) + Self.perSound * sound + number.rawValue }

  /// Where the counts of lost edges are.
  var losses: Range<Int> { Int(loss)..<Int(position) }
  /// Where the slots of regions are that can start in other states.
  var resumedSlots: Range<Int> { Int(resumed)..<Int(kept) }
  /// Where the numbers about what is kept are: with which number each item began, then whether there is trouble with them.
  var keptNumbers: Range<Int> { Int(kept)..<Int(sent) }
  /// Where the messages are that have been sent.
  var sentMessages: Range<Int> { Int(sent)..<Int(contact) }
  /// Where the contacts of relays are.
  var contacts: Range<Int> { Int(contact)..<Int(touchCount) }
  /// Where the numbers are that belong to the panel as a whole: what it counts and draws from, and whether it has stopped.
  var common: Range<Int> { Int(touchCount)..<count }
}
