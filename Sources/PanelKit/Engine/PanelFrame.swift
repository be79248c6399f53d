import CycleCore
import HardwareSimulation
import PanelLanguage

/// The frame of a panel: the current states of its regions, its values, its sounds, and its troubles.
///
/// All numbers are in one array, because every filter of every event receives a frame. Copying a frame with one array
/// per kind would take five times as long as reading it.
@usableFromInline
package struct PanelFrame: RefillableFrame, Sendable {
  @usableFromInline package private(set) var numbers: [Int]
  @usableFromInline package let layout: FrameLayout
  // nil until the first trouble: nil costs nothing to copy.
  private var troubleRecord: TroubleRecord?
  /// The results of the next draws, in place of random numbers; nil if there are none.
  private var prescribed: PrescribedDraws?

  /// A frame in which no state was entered and no sound was started.
  ///
  /// - Parameter values: the numbers of the values; 0 for a list.
  package init(_ sizes: FrameSizes, values: [Int]) {
    layout = FrameLayout(sizes, valueCount: values.count)
    numbers = [Int](repeating: 0, count: layout.count)
    for region in 0..<sizes.regions {
      numbers[FrameLayout.place(.state, of: region)] = -1
      numbers[FrameLayout.place(.remembered, of: region)] = -1
    }
    for (value, number) in values.enumerated() { self[value: value] = number }
    for place in layout.clockNumbers { numbers[place] = -1 }
  }

  /// The current state of a region; -1 while the state around the region is not current.
  @usableFromInline
  package subscript(state region: Int) -> Int {
    get { numbers[FrameLayout.place(.state, of: region)] }
    set { numbers[FrameLayout.place(.state, of: region)] = newValue }
  }

  /// The state of a region that was left last; -1 if none was.
  package subscript(remembered region: Int) -> Int {
    get { numbers[FrameLayout.place(.remembered, of: region)] }
    set { numbers[FrameLayout.place(.remembered, of: region)] = newValue }
  }

  /// The number of states that a region has entered. It identifies an entering: the state's deadlines restart with it.
  package subscript(entry region: Int) -> Int {
    get { numbers[FrameLayout.place(.entry, of: region)] }
    set { numbers[FrameLayout.place(.entry, of: region)] = newValue }
  }

  /// The moment when a region entered its current state, in nanoseconds; negative while it is not known at the start of
  /// the program.
  package subscript(entered region: Int) -> Int {
    get { numbers[FrameLayout.place(.entered, of: region)] }
    set { numbers[FrameLayout.place(.entered, of: region)] = newValue }
  }

  /// The moment of the current event in nanoseconds. It is 0 in every frame that is shown, so that equal frames are
  /// equal at all times.
  package var now: Int {
    get { numbers[Int(layout.now)] }
    set { numbers[Int(layout.now)] = newValue }
  }

  /// The number of consecutive deadlines without a wait.
  package var deadlinesAtOnce: Int {
    get { numbers[Int(layout.deadlinesAtOnce)] }
    set { numbers[Int(layout.deadlinesAtOnce)] = newValue }
  }

  /// The time since a region entered its current state, in milliseconds.
  func elapsed(in region: Int) -> Int {
    let entered = self[entered: region]
    return entered < 0 ? 0 : max(0, now - entered) / 1_000_000
  }

  /// The number of a value; for a list, the number of its elements.
  package subscript(value value: Int) -> Int {
    @inlinable
    get { numbers[Int(layout.value) + value] }
    set { numbers[Int(layout.value) + value] = newValue }
  }

  /// An element, by its place among the elements of all lists.
  package subscript(element place: Int) -> Int {
    get { numbers[Int(layout.element) + place] }
    set { numbers[Int(layout.element) + place] = newValue }
  }

  package func elements(of list: ListSlots) -> ArraySlice<Int> {
    let first = Int(layout.element) + list.first
    return numbers[first..<first + self[value: list.value]]
  }

  /// The element at a place, from 1; 0 if there is none.
  func element(_ place: Int, of list: ListSlots) -> Int {
    place >= 1 && place <= self[value: list.value] ? numbers[Int(layout.element) + list.first + place - 1] : 0
  }

  /// Replaces the elements of a list; drops those beyond its capacity.
  package mutating func setElements(of list: ListSlots, to elements: some Sequence<Int>) {
    let first = Int(layout.element) + list.first
    for place in 0..<list.capacity { numbers[first + place] = 0 }
    var count = 0
    for element in elements.prefix(list.capacity) {
      numbers[first + count] = element
      count += 1
    }
    self[value: list.value] = count
  }

  /// Sets the element at a place, from 1; does nothing for a place without an element.
  mutating func setElement(_ place: Int, of list: ListSlots, to element: Int) {
    guard place >= 1, place <= self[value: list.value] else { return }
    numbers[Int(layout.element) + list.first + place - 1] = element
  }

  /// Adds an element at the end of a list; does nothing if the list is full.
  mutating func append(_ element: Int, to list: ListSlots) {
    let count = self[value: list.value]
    guard count < list.capacity else { return }
    numbers[Int(layout.element) + list.first + count] = element
    self[value: list.value] = count + 1
  }

  /// The number of times that a sound was started.
  package subscript(start sound: Int) -> Int {
    get { numbers[layout.place(.start, of: sound)] }
    set { numbers[layout.place(.start, of: sound)] = newValue }
  }

  /// Whether a sound has ended since it was started.
  package subscript(ended sound: Int) -> Bool {
    get { numbers[layout.place(.ended, of: sound)] == 1 }
    set { numbers[layout.place(.ended, of: sound)] = newValue ? 1 : 0 }
  }

  /// Whether a sound that a transition started is still playing. It plays independently of the states.
  package subscript(isOnce sound: Int) -> Bool {
    get { numbers[layout.place(.isOnce, of: sound)] == 1 }
    set { numbers[layout.place(.isOnce, of: sound)] = newValue ? 1 : 0 }
  }

  /// The group member that a state plays, by the number of the choice: the index of the sound, or -1 for silence.
  package subscript(choice choice: Int) -> Int {
    get { numbers[Int(layout.choice) + choice] }
    set { numbers[Int(layout.choice) + choice] = newValue }
  }

  /// The position of an input that has not been read.
  package static let unknownPosition = -1

  /// Whether the initial states have been entered. Before that, inputs are read.
  package var hasBegun: Bool { numbers[Int(layout.now)] != Self.beforeBeginning }

  /// The value of ``now`` before the beginning.
  static let beforeBeginning = -1

  /// The position of an input: its place in ``InputKind/positions``, or ``unknownPosition``. It is kept while the chip
  /// is lost.
  package subscript(position input: Int) -> Int {
    get { numbers[Int(layout.position) + input] }
    set { numbers[Int(layout.position) + input] = newValue }
  }

  /// The last reading of a sensor; ``Int/unknown`` before the first. It is kept while the sensor is lost.
  package subscript(reading input: Int) -> Int {
    get { numbers[Int(layout.reading) + input] }
    set { numbers[Int(layout.reading) + input] = newValue }
  }

  /// The contact of a relay in an interlock, by its output: ``openContact``, ``closedContact``, or ``unknownPosition``
  /// while its lines are lost. Only available on a panel that reads contacts.
  package subscript(contact output: Int) -> Int {
    get { numbers[Int(layout.contact) + output] }
    set { numbers[Int(layout.contact) + output] = newValue }
  }

  /// Whether the panel reads the contacts of relays.
  package var knowsContacts: Bool { layout.contact < layout.clock }
  package static let openContact = 0
  package static let closedContact = 1

  /// The number of the group member that emitted the last event. Before the first event, it is the group's `nobody`.
  package subscript(member group: Int) -> Int {
    get { numbers[Int(layout.member) + group] }
    set { numbers[Int(layout.member) + group] = newValue }
  }

  /// A number of a derived input: its phase, or a count that identifies its deadlines.
  subscript(derived number: Int) -> Int {
    get { numbers[Int(layout.derived) + number] }
    set { numbers[Int(layout.derived) + number] = newValue }
  }

  /// The number of repetitions of a repeating deadline.
  package subscript(repetition number: Int) -> Int {
    get { numbers[Int(layout.repetition) + number] }
    set { numbers[Int(layout.repetition) + number] = newValue }
  }

  /// The wait of a deadline whose time is random or the number of a value, in milliseconds, by the number of the wait.
  package subscript(wait wait: Int) -> Int {
    get { numbers[Int(layout.wait) + wait] }
    set { numbers[Int(layout.wait) + wait] = newValue }
  }

  /// The sources whose presses of an input are ignored, as bits of ``PanelRules/Source``. Only on a panel that accepts
  /// presses.
  subscript(muted input: Int) -> Int {
    get { numbers[Int(layout.remote) + input] }
    set { numbers[Int(layout.remote) + input] = newValue }
  }

  /// The last state of a region that can start in it, by the region's slot in ``PanelDefinition/resumptions``.
  package subscript(resumed slot: Int) -> Int {
    get { numbers[Int(layout.resumed) + slot] }
    set { numbers[Int(layout.resumed) + slot] = newValue }
  }

  /// The initial number of a kept item, by its place among all kept items.
  package subscript(kept item: Int) -> Int {
    get { numbers[Int(layout.kept) + item] }
    set { numbers[Int(layout.kept) + item] = newValue }
  }

  /// Whether storing kept items has failed; only on a panel that keeps something.
  package var hasKeptTrouble: Bool {
    get { layout.keptNumbers.last.map { numbers[$0] == 1 } ?? false }
    set { if let place = layout.keptNumbers.last { numbers[place] = newValue ? 1 : 0 } }
  }

  /// The number of touches of a contact or a knob. Only counted on panels that use `untouched`.
  package var touchCount: Int {
    get { numbers[Int(layout.touchCount)] }
    set { numbers[Int(layout.touchCount)] = newValue }
  }

  /// A number of the clock.
  func numbers(ofClock place: Int) -> Int { numbers[Int(layout.clock) + place] }

  mutating func setNumber(ofClock place: Int, to number: Int) { numbers[Int(layout.clock) + place] = number }

  /// Draws a number of a range, with the same probability for each. Uses the next prescribed result, or the next number
  /// of a stream that depends only on its seed.
  mutating func draw(from range: ClosedRange<Int>) -> Int {
    if let next = prescribed?.results.first, let rest = prescribed?.results.dropFirst() {
      prescribed = rest.isEmpty ? nil : PrescribedDraws(Array(rest))
      guard !range.contains(next) else { return next }
      note(.drawOutside(next, range))
    }
    var stream = SeededGenerator(seed: UInt64(bitPattern: Int64(numbers[Int(layout.stream)])))
    defer { seed(with: stream.state) }
    return stream.number(in: range)
  }

  /// The state of the random stream.
  package var stream: Int { numbers[Int(layout.stream)] }

  /// Seeds the random stream.
  package mutating func seed(with seed: UInt64) { numbers[Int(layout.stream)] = Int(Int64(bitPattern: seed)) }

  /// The results of the next draws, in place of random numbers.
  package var prescribedDraws: [Int] { prescribed?.results ?? [] }

  /// Sets the results of the next draws.
  package mutating func prescribe(draws: [Int]) { prescribed = draws.isEmpty ? nil : PrescribedDraws(draws) }

  /// Whether the panel has stopped: outputs are safe, no sound plays, and events are ignored.
  @usableFromInline
  package private(set) var isStopped: Bool {
    get { numbers[Int(layout.isStopped)] == 1 }
    set { numbers[Int(layout.isStopped)] = newValue ? 1 : 0 }
  }

  /// The reason why the panel has stopped; nil while it works.
  package var stop: HaltReason? { isStopped ? troubleRecord?.stop : nil }

  /// Stops the panel permanently.
  mutating func stop(_ reason: HaltReason) {
    isStopped = true
    troubleRecord = TroubleRecord(count: troubleCount, last: troubles, stop: reason)
  }

  /// The frame as it was when the panel stopped, to check the appearance that it was about to show.
  package var unstopped: PanelFrame {
    var frame = self
    frame.isStopped = false
    return frame
  }

  /// The least number of lost edges of all inputs.
  package var lossCount: Int { numbers[Int(layout.loss)] }

  /// The least number of lost edges of an input.
  func losses(of input: Int) -> Int { numbers[Int(layout.loss) + 1 + input] }

  package mutating func noteLoss(of edges: Int, at input: Int) {
    for place in [Int(layout.loss), Int(layout.loss) + 1 + input] {
      numbers[place] = Saturating.sum(numbers[place].wide, edges.wide).narrow
    }
  }

  @usableFromInline
  package static func == (one: PanelFrame, other: PanelFrame) -> Bool {
    one.numbers == other.numbers && one.troubleRecord == other.troubleRecord && one.prescribed == other.prescribed
  }

  @usableFromInline
  package mutating func refill(from other: borrowing PanelFrame) {
    numbers.withUnsafeMutableBufferPointer { own in
      other.numbers.withUnsafeBufferPointer { _ = own.update(fromContentsOf: $0) }
    }
    // The record is nearly always the same, and comparing references costs less than counting them.
    if troubleRecord !== other.troubleRecord { troubleRecord = other.troubleRecord }
    if prescribed !== other.prescribed { prescribed = other.prescribed }
  }

  /// Whether at least one lens has lost this hardware.
  package func isMissing(_ hardware: PluggableHardware) -> Bool { numbers[place(of: hardware)] > 0 }

  /// The number of lenses that have lost this hardware.
  package func missingCount(of hardware: PluggableHardware) -> Int { numbers[place(of: hardware)] }

  private func place(of hardware: PluggableHardware) -> Int {
    layout.place(of: hardware)
  }

  /// Whether a source of trouble has lost its hardware.
  package func isMissing(source: Int) -> Bool { numbers[Int(layout.source) + source] > 0 }

  /// The hardware that at least one lens has lost.
  package var missing: [PluggableHardware] {
    PluggableHardware.all(chips: layout.chipCount, hasNetwork: layout.hasNetwork).filter { isMissing($0) }
  }

  /// Records that a lens has lost its hardware, or has it back. One source may have several lenses on several chips,
  /// and one hardware may have several sources.
  ///
  /// - Parameter hardware: all hardware that is lost with the source: the chip, and all chips together.
  package mutating func change(_ source: PanelTrouble.Source, of hardware: [PluggableHardware], isMissing: Bool) {
    let lostLenses = Int(layout.source) + source.number
    // `restored` also occurs after `failed`, when no hardware was missing and nothing was counted.
    guard isMissing || numbers[lostLenses] > 0 else { return }
    numbers[lostLenses] += isMissing ? 1 : -1
    for hardware in hardware { numbers[place(of: hardware)] += isMissing ? 1 : -1 }
  }

  // MARK: - The frame as a row of numbers, for storing many frames

  package var numberCount: Int { numbers.count }

  @usableFromInline
  package var recordingNumbers: [Int] {
    get { numbers }
    set { numbers = newValue }
  }

  package subscript(number place: Int) -> Int {
    get { numbers[place] }
    set { numbers[place] = newValue }
  }

  /// The place of each kind of number in the row.
  package var places: FrameLayout { layout }

  /// The number of troubles so far.
  package var troubleCount: Int { troubleRecord?.count ?? 0 }

  /// The last troubles, at most ``PanelTrouble/capacity``.
  package var troubles: [PanelTrouble] { troubleRecord?.last ?? [] }

  package mutating func note(_ trouble: PanelTrouble) {
    troubleRecord = TroubleRecord(
      count: troubleCount + 1, last: Array((troubles + [trouble]).suffix(PanelTrouble.capacity)), stop: stop)
  }

  private final class PrescribedDraws: Equatable, Sendable {
    let results: [Int]

    init(_ results: [Int]) { self.results = results }

    static func == (one: PrescribedDraws, other: PrescribedDraws) -> Bool {
      one === other || one.results == other.results
    }
  }

  private final class TroubleRecord: Equatable, Sendable {
    let count: Int
    let last: [PanelTrouble]
    let stop: HaltReason?

    init(count: Int, last: [PanelTrouble], stop: HaltReason?) {
      self.count = count
      self.last = last
      self.stop = stop
    }

    static func == (one: TroubleRecord, other: TroubleRecord) -> Bool {
      one === other || one.count == other.count && one.last == other.last && one.stop == other.stop
    }
  }
}

/// Trouble with hardware.
package enum PanelTrouble: Equatable, Sendable {
  case trouble(Trouble, Source)
  /// The sound device ran out of samples.
  case underrun
  /// The file of the sound with this name was read more slowly than it plays.
  case stalled(String)
  /// The sounds together were too loud for the device, in this number of sample frames.
  case clipping(Int)
  /// A draw had a prescribed result outside of its range.
  case drawOutside(Int, ClosedRange<Int>)
  /// Several relays of an interlock were switched on together: their names, and the name of the one that is closed or
  /// may close.
  case askedTogether([String], kept: String)
  /// At least three of these keys are down and cannot be distinguished; by their numbers. Empty when they can be
  /// distinguished again.
  case ghosted(keypad: String, keys: [Int])

  /// The lens that has the trouble, and its hardware; nil for a sensor, which is its own hardware.
  package struct Source: Equatable, Sendable {
    package var lens: String
    package var hardware: PluggableHardware?
    /// The number among all sources of the panel.
    package var number = 0

    package init(lens: String, hardware: PluggableHardware? = nil, number: Int = 0) {
      (self.lens, self.hardware, self.number) = (lens, hardware, number)
    }
  }

  /// The number of troubles that are kept.
  package static let capacity = 16
}
