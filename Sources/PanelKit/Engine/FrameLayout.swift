import PanelLanguage

/// The number of numbers of each kind in the frames of a panel.
package struct FrameSizes: Equatable, Sendable {
  var regions = 0
  /// The elements of all lists.
  var elements = 0
  var sounds = 0
  /// The group sounds that states select by a number.
  var choices = 0
  var inputs = 0
  var inputGroups = 0
  /// The numbers of derived inputs.
  var derived = 0
  /// The deadlines that repeat.
  var repetitions = 0
  /// The deadlines whose time is random or the number of a value.
  var waits = 0
  /// The sources of trouble.
  var sources = 0
  /// The chips of `chips`.
  var chips = 0
  /// Whether the panel has a broker.
  var hasNetwork = false
  /// The inputs that are checked for remote presses: all, or none.
  var remotes = 0
  /// The regions that can start in states other than their initial ones.
  var resumed = 0
  /// The numbers about kept items: ``PanelDefinition/keptCount``.
  var kept = 0
  /// The size of a sent message: the message and its results; 0 for a panel that sends none.
  var perMessage = 0

  /// The numbers of requests for a change of the machine's power: 2, or 0 for a panel that asks for none.
  var power = 0
  /// The outputs whose contacts are known: all, or none.
  var contacts = 0
  /// The numbers of the clock: its own, and two for each alarm; 0 for a panel without a clock.
  var clock = 0

  init(regions: Int = 0, inputs: Int = 0, sounds: Int = 0) {
    self.regions = regions
    self.inputs = inputs
    self.sounds = sounds
  }

  package init(of panel: PanelDefinition) {
    regions = panel.regions.count
    elements = panel.values.reduce(0) { max($0, $1.list.map { $0.first + $0.capacity } ?? 0) }
    sounds = panel.sounds.count
    choices = panel.choiceCount
    inputs = panel.inputs.count
    inputGroups = panel.inputGroups.count
    derived = DerivedInputs.frameSize(of: panel)
    repetitions = panel.repetitionCount
    waits = panel.waitCount
    sources = DriverGroups(of: panel).sourceCount
    chips = panel.chips.count
    hasNetwork = panel.mqtt != nil
    remotes = panel.accept.presses.isEmpty ? 0 : panel.inputs.count
    resumed = panel.resumptions.count
    kept = panel.keptCount
    contacts = panel.readsContacts ? panel.outputs.count : 0
    clock = panel.clock.map { PanelFrame.clockCount + 2 * $0.alarms.count } ?? 0
    power = panel.asksForPower ? PanelFrame.powerCount : 0
    perMessage = panel.messages.map { 1 + $0.numbers.count }.max() ?? 0
  }
}

/// The layout of a panel's frames. It is a class because each frame refers to it and is moved at each event.
@usableFromInline
package final class FrameLayout: Sendable {
  /// The numbers of a region, in their order.
  package enum OfRegion: Int {
    case state
    /// The number of times that a state was entered.
    case entry
    /// The last state that was left.
    case remembered
    /// The moment when the current state was entered.
    case entered
  }

  /// The numbers of a sound, in their order.
  package enum OfSound: Int {
    /// The number of times that the sound was started.
    case start
    case ended
    case isOnce
  }

  // Computed, because a stored property would be looked up at each access to a number.
  private static var perRegion: Int { OfRegion.entered.rawValue + 1 }
  private static var perSound: Int { OfSound.isOnce.rawValue + 1 }

  @usableFromInline package let value: Int32
  package let element: Int32
  private let sound: Int32
  package let choice: Int32
  /// The place of one count for all inputs together, followed by one for each.
  let loss: Int32
  package let position: Int32
  package let reading: Int32
  package let member: Int32
  package let derived: Int32
  let hardware: Int32
  let chipCount: Int
  let hasNetwork: Bool
  package let repetition: Int32
  package let wait: Int32
  package let source: Int32
  let remote: Int32
  let resumed: Int32
  let kept: Int32
  /// The place of the number of sent messages, followed by the last messages.
  let sent: Int32
  let perMessage: Int
  let contact: Int32
  let clock: Int32
  /// The place of the number of requests for a change of the machine's power, followed by the last one.
  let power: Int32
  let touchCount: Int32
  package let stream: Int32
  let now: Int32
  let deadlinesAtOnce: Int32
  let isStopped: Int32
  let count: Int

  package init(_ sizes: FrameSizes, valueCount: Int) {
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
    sent = place(perMessage == 0 ? 0 : 1 + SentOSCMessages.capacity * perMessage)
    contact = place(sizes.contacts)
    clock = place(sizes.clock)
    power = place(sizes.power)
    touchCount = place(1)
    stream = place(1)
    now = place(1)
    deadlinesAtOnce = place(1)
    isStopped = place(1)
    self.count = count
  }

  /// The place of a number of a region.
  package static func place(_ number: OfRegion, of region: Int) -> Int { perRegion * region + number.rawValue }
  /// The place of a number of a sound.
  package func place(_ number: OfSound, of sound: Int) -> Int {
    Int(self.sound) + Self.perSound * sound + number.rawValue
  }

  /// The place of the number of lenses that have lost this hardware.
  package func place(of hardware: PluggableHardware) -> Int { Int(self.hardware) + hardware.index(chips: chipCount) }

  /// The places of the counts of lost edges.
  package var losses: Range<Int> { Int(loss)..<Int(position) }
  /// The places of the slots of regions that can start in other states.
  package var resumedSlots: Range<Int> { Int(resumed)..<Int(kept) }
  /// The places of the numbers about kept items: the initial number of each item, then whether storing them has failed.
  package var keptNumbers: Range<Int> { Int(kept)..<Int(sent) }
  /// The places of the sent messages.
  package var sentMessages: Range<Int> { Int(sent)..<Int(contact) }
  /// The places of the contacts of relays.
  package var contacts: Range<Int> { Int(contact)..<Int(clock) }
  /// The places of the numbers of the clock.
  package var clockNumbers: Range<Int> { Int(clock)..<Int(power) }
  /// The places of the requests for a change of the machine's power.
  package var powerRequests: Range<Int> { Int(power)..<Int(touchCount) }
  /// The places of the numbers that belong to the whole panel: its counters, its random stream, and whether it has
  /// stopped.
  package var common: Range<Int> { Int(touchCount)..<count }
}
