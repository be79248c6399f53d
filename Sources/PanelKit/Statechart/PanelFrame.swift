import CycleCore
import HardwareSimulation

/// The frame of a panel: the current states of its regions, its values, its sounds, and its troubles.
///
/// All numbers are in one array: every filter of every event gets a frame, and to copy one with an array for each kind
/// would take five times as long as to read it.
struct PanelFrame: RefillableFrame, Sendable {
  private var numbers: [Int]
  private let layout: FrameLayout
  // nil until the first trouble: nil costs nothing to copy.
  private var troubleRecord: TroubleRecord?
  /// The results that the next draws have, whatever chance says; nil for none.
  private var prescribed: PrescribedDraws?

  /// A frame in which no state has been entered and no sound started yet.
  ///
  /// - Parameter values: the numbers of the values; of a list, 0.
  init(_ sizes: FrameSizes, values: [Int]) {
    layout = FrameLayout(sizes, valueCount: values.count)
    numbers = [Int](repeating: 0, count: layout.count)
    for region in 0..<sizes.regions {
      numbers[FrameLayout.place(.state, of: region)] = -1
      numbers[FrameLayout.place(.remembered, of: region)] = -1
    }
    for (value, number) in values.enumerated() { self[value: value] = number }
  }

  /// The current state of a region; -1 while the state around the region isn't current.
  subscript(state region: Int) -> Int {
    get { numbers[FrameLayout.place(.state, of: region)] }
    set { numbers[FrameLayout.place(.state, of: region)] = newValue }
  }

  /// The state of a region that was left last; -1 if none was.
  subscript(remembered region: Int) -> Int {
    get { numbers[FrameLayout.place(.remembered, of: region)] }
    set { numbers[FrameLayout.place(.remembered, of: region)] = newValue }
  }

  /// How often a region has entered a state. It identifies an entering: the deadlines of the state begin anew with it.
  subscript(entry region: Int) -> Int {
    get { numbers[FrameLayout.place(.entry, of: region)] }
    set { numbers[FrameLayout.place(.entry, of: region)] = newValue }
  }

  /// When a region entered its current state, in nanoseconds; negative while that isn't known, at the start of the program.
  subscript(entered region: Int) -> Int {
    get { numbers[FrameLayout.place(.entered, of: region)] }
    set { numbers[FrameLayout.place(.entered, of: region)] = newValue }
  }

  /// The moment of the event that is being applied, in nanoseconds; 0 in every frame that is shown, so that equal frames are equal
  /// at all times.
  var now: Int {
    get { numbers[Int(layout.now)] }
    set { numbers[Int(layout.now)] = newValue }
  }

  /// How many deadlines that don't wait have followed each other.
  var deadlinesAtOnce: Int {
    get { numbers[Int(layout.deadlinesAtOnce)] }
    set { numbers[Int(layout.deadlinesAtOnce)] = newValue }
  }

  /// The milliseconds since a region entered its current state.
  func elapsed(in region: Int) -> Int {
    let entered = self[entered: region]
    return entered < 0 ? 0 : max(0, now - entered) / 1_000_000
  }

  /// The number of a value: of a list, how many elements it has.
  subscript(value value: Int) -> Int {
    get { numbers[Int(layout.value) + value] }
    set { numbers[Int(layout.value) + value] = newValue }
  }

  func elements(of list: ListPlace) -> ArraySlice<Int> {
    let first = Int(layout.element) + list.first
    return numbers[first..<first + self[value: list.value]]
  }

  /// The element at a place, from 1; 0 where there is none.
  func element(_ place: Int, of list: ListPlace) -> Int {
    place >= 1 && place <= self[value: list.value] ? numbers[Int(layout.element) + list.first + place - 1] : 0
  }

  /// Replaces the elements of a list; those beyond its capacity are left out.
  mutating func setElements(of list: ListPlace, to elements: some Sequence<Int>) {
    let first = Int(layout.element) + list.first
    for place in 0..<list.capacity { numbers[first + place] = 0 }
    var count = 0
    for element in elements.prefix(list.capacity) {
      numbers[first + count] = element
      count += 1
    }
    self[value: list.value] = count
  }

  /// Adds an element at the end of a list; a full list stays as it is.
  mutating func append(_ element: Int, to list: ListPlace) {
    let count = self[value: list.value]
    guard count < list.capacity else { return }
    numbers[Int(layout.element) + list.first + count] = element
    self[value: list.value] = count + 1
  }

  /// How often a sound has been started.
  subscript(start sound: Int) -> Int {
    get { numbers[layout.place(.start, of: sound)] }
    set { numbers[layout.place(.start, of: sound)] = newValue }
  }

  /// Whether a sound has come to its end since it was started.
  subscript(ended sound: Int) -> Bool {
    get { numbers[layout.place(.ended, of: sound)] == 1 }
    set { numbers[layout.place(.ended, of: sound)] = newValue ? 1 : 0 }
  }

  /// Whether a sound that a transition has begun has not come to its end yet: it plays whatever the states play.
  subscript(isOnce sound: Int) -> Bool {
    get { numbers[layout.place(.isOnce, of: sound)] == 1 }
    set { numbers[layout.place(.isOnce, of: sound)] = newValue ? 1 : 0 }
  }

  /// The member that a state plays of a group of sounds, by the number of the choice: the index of the sound, or -1 for silence.
  subscript(choice choice: Int) -> Int {
    get { numbers[Int(layout.choice) + choice] }
    set { numbers[Int(layout.choice) + choice] = newValue }
  }

  /// The position of an input that has not been read yet.
  static let unknownPosition = -1

  /// Whether the states that the panel begins in have been entered. Before that, inputs are being read.
  var hasBegun: Bool { numbers[Int(layout.now)] != Self.beforeBeginning }

  /// What ``now`` is before the beginning.
  static let beforeBeginning = -1

  /// The position that an input is in: its place in ``InputKind/positions``, or ``unknownPosition``. It is kept while the
  /// chip is lost.
  subscript(position input: Int) -> Int {
    get { numbers[Int(layout.position) + input] }
    set { numbers[Int(layout.position) + input] = newValue }
  }

  /// What a sensor has read last, ``Int/unknown`` before that: it is kept while the sensor is lost.
  subscript(reading input: Int) -> Int {
    get { numbers[Int(layout.reading) + input] }
    set { numbers[Int(layout.reading) + input] = newValue }
  }

  /// What is known of the contact of a relay in an interlock, by its output: ``openContact``, ``closedContact``, or
  /// ``unknownPosition`` while its lines are lost. Only on a panel that asks for it.
  subscript(contact output: Int) -> Int {
    get { numbers[Int(layout.contact) + output] }
    set { numbers[Int(layout.contact) + output] = newValue }
  }

  /// Whether the panel asks for the contacts of relays.
  var knowsContacts: Bool { layout.contact < layout.touchCount }
  static let openContact = 0
  static let closedContact = 1

  /// The number of the member of a group of inputs that has told an event last; before the first event
  /// ``PanelDefinition/Group/nobody``.
  subscript(member group: Int) -> Int {
    get { numbers[Int(layout.member) + group] }
    set { numbers[Int(layout.member) + group] = newValue }
  }

  /// A number of an input that follows from others: its phase, or which of its deadlines are meant.
  subscript(derived number: Int) -> Int {
    get { numbers[Int(layout.derived) + number] }
    set { numbers[Int(layout.derived) + number] = newValue }
  }

  /// How often a deadline that comes again has come.
  subscript(repetition number: Int) -> Int {
    get { numbers[Int(layout.repetition) + number] }
    set { numbers[Int(layout.repetition) + number] = newValue }
  }

  /// How long a deadline waits whose time is drawn or is a value's, in milliseconds, by the number of the wait.
  subscript(wait wait: Int) -> Int {
    get { numbers[Int(layout.wait) + wait] }
    set { numbers[Int(layout.wait) + wait] = newValue }
  }

  /// Whose presses of an input are not heard, on a panel that accepts presses: ``PanelRules/Source``s, as bits.
  subscript(muted input: Int) -> Int {
    get { numbers[Int(layout.remote) + input] }
    set { numbers[Int(layout.remote) + input] = newValue }
  }

  /// Which state a region was in last that it can start in, by the region's slot: ``PanelDefinition/resumptions``.
  subscript(resumed slot: Int) -> Int {
    get { numbers[Int(layout.resumed) + slot] }
    set { numbers[Int(layout.resumed) + slot] = newValue }
  }

  /// The number with which what is kept began, by its place among all that is.
  subscript(kept item: Int) -> Int {
    get { numbers[Int(layout.kept) + item] }
    set { numbers[Int(layout.kept) + item] = newValue }
  }

  /// Whether there is trouble with what is kept; only on a panel that keeps something.
  var hasKeptTrouble: Bool {
    get { layout.keptNumbers.last.map { numbers[$0] == 1 } ?? false }
    set { if let place = layout.keptNumbers.last { numbers[place] = newValue ? 1 : 0 } }
  }

  /// How often somebody has touched a contact or a knob; counted only on panels that react to not being touched.
  var touchCount: Int {
    get { numbers[Int(layout.touchCount)] }
    set { numbers[Int(layout.touchCount)] = newValue }
  }

  /// Draws one of the numbers of a range, each as likely as the others: the next one that was prescribed, or else the next one of a
  /// stream that depends on its seed alone.
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

  /// Where the stream of chance is.
  var stream: Int { numbers[Int(layout.stream)] }

  /// Seeds the stream of chance.
  mutating func seed(with seed: UInt64) { numbers[Int(layout.stream)] = Int(Int64(bitPattern: seed)) }

  /// The results that the next draws have, whatever chance says.
  var prescribedDraws: [Int] { prescribed?.results ?? [] }

  /// Sets the results that the next draws have.
  mutating func prescribe(draws: [Int]) { prescribed = draws.isEmpty ? nil : PrescribedDraws(draws) }

  /// Whether nothing happens on the panel any more: outputs are safe, nothing sounds, nothing is heard.
  private(set) var isStopped: Bool {
    get { numbers[Int(layout.isStopped)] == 1 }
    set { numbers[Int(layout.isStopped)] = newValue ? 1 : 0 }
  }

  /// Why nothing happens any more; nil while the panel works.
  var stop: PanelStop? { isStopped ? troubleRecord?.stop : nil }

  /// Stops everything for good.
  mutating func stop(_ reason: PanelStop) {
    isStopped = true
    troubleRecord = TroubleRecord(count: troubleCount, last: troubles, stop: reason)
  }

  /// As it was when everything was stopped, so that what was about to be shown then can be asked.
  var unstopped: PanelFrame {
    var frame = self
    frame.isStopped = false
    return frame
  }

  /// How many edges of all inputs have been lost at least.
  var lossCount: Int { numbers[Int(layout.loss)] }

  /// How many edges of an input have been lost at least.
  func losses(of input: Int) -> Int { numbers[Int(layout.loss) + 1 + input] }

  mutating func noteLoss(of edges: Int, at input: Int) {
    for place in [Int(layout.loss), Int(layout.loss) + 1 + input] {
      numbers[place] = Saturating.sum(numbers[place], edges)
    }
  }

  static func == (one: PanelFrame, other: PanelFrame) -> Bool {
    one.numbers == other.numbers && one.troubleRecord == other.troubleRecord && one.prescribed == other.prescribed
  }

  mutating func refill(from other: borrowing PanelFrame) {
    numbers.withUnsafeMutableBufferPointer { own in
      other.numbers.withUnsafeBufferPointer { _ = own.update(fromContentsOf: $0) }
    }
    // The record is nearly always the same: to compare references costs less than to count them.
    if troubleRecord !== other.troubleRecord { troubleRecord = other.troubleRecord }
    if prescribed !== other.prescribed { prescribed = other.prescribed }
  }

  /// Whether at least one lens has lost this hardware.
  func isMissing(_ hardware: PluggableHardware) -> Bool { numbers[place(of: hardware)] > 0 }

  /// How many lenses have lost hardware.
  func missingCount(of hardware: PluggableHardware) -> Int { numbers[place(of: hardware)] }

  private func place(of hardware: PluggableHardware) -> Int {
    Int(layout.hardware) + hardware.index(chips: layout.chipCount)
  }

  /// Whether a source of trouble has lost its hardware.
  func isMissing(source: Int) -> Bool { numbers[Int(layout.source) + source] > 0 }

  /// The hardware that at least one lens has lost.
  var missing: [PluggableHardware] {
    PluggableHardware.all(chips: layout.chipCount, hasNetwork: layout.hasNetwork).filter { isMissing($0) }
  }

  /// A lens has lost its hardware, or has it back. There may be several lenses of one source, on several chips, and several
  /// sources of one hardware.
  ///
  /// - Parameter hardware: all that is lost with the source's: the chip, and all chips together.
  mutating func change(_ source: PanelTrouble.Source, of hardware: [PluggableHardware], isMissing: Bool) {
    let lostLenses = Int(layout.source) + source.number
    // `restored` also comes after `failed`, when no hardware was missing and nothing was counted.
    guard isMissing || numbers[lostLenses] > 0 else { return }
    numbers[lostLenses] += isMissing ? 1 : -1
    for hardware in hardware { numbers[place(of: hardware)] += isMissing ? 1 : -1 }
  }

  // MARK: - The frame as a row of numbers, for whoever keeps many frames

  var numberCount: Int { numbers.count }

  var filmNumbers: [Int] {
    get { numbers }
    set { numbers = newValue }
  }

  subscript(number place: Int) -> Int {
    get { numbers[place] }
    set { numbers[place] = newValue }
  }

  /// Where each kind of number begins in the row.
  var places: FrameLayout { layout }

  /// How many troubles there have been.
  var troubleCount: Int { troubleRecord?.count ?? 0 }

  /// The last troubles, at most ``PanelTrouble/capacity``.
  var troubles: [PanelTrouble] { troubleRecord?.last ?? [] }

  mutating func note(_ trouble: PanelTrouble) {
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
    let stop: PanelStop?

    init(count: Int, last: [PanelTrouble], stop: PanelStop?) {
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
enum PanelTrouble: Equatable, Sendable {
  case trouble(Trouble, Source)
  /// The sound device ran out of samples.
  case underrun
  /// A draw whose result was prescribed outside of the range that was asked for.
  case drawOutside(Int, ClosedRange<Int>)
  /// Relays of an interlock were to be on together: their names, and that of the one that is closed or may close.
  case askedTogether([String], kept: String)
  /// At least three of these keys are down, and nobody can tell which, by their numbers; none: they can be told apart again.
  case ghosted(keypad: String, keys: [Int])

  /// The lens that has the trouble, and its hardware: nil for a sensor, which is hardware of its own.
  struct Source: Equatable, Sendable {
    var lens: String
    var hardware: PluggableHardware?
    /// Its number among all sources of the panel.
    var number = 0
  }

  /// How many are kept.
  static let capacity = 16
}
