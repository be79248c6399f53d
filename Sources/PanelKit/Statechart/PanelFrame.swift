import CycleCore

/// The frame of a panel: the current states of its regions, its values, its sounds, and its troubles.
///
/// All numbers are in one array: every filter of every event gets a frame, and to copy one with an array for each kind
/// would take five times as long as to read it.
struct PanelFrame: RefillableFrame, Sendable {
  /// Three for each region, one for each value, two for each sound, one for all inputs together, two for each of them, one for each
  /// ``PluggableHardware``, one for each deadline that comes again, one for each source of trouble, and one for ``isEndless``.
  private var numbers: [Int]
  private let firstValue: Int32
  private let firstSound: Int32
  private let firstLoss: Int32
  private let firstPosition: Int32
  private let firstHardware: Int32
  private let firstRepetition: Int32
  private let firstSource: Int32
  // nil until the first trouble: nil costs nothing to copy.
  private var troubleRecord: TroubleRecord?

  /// A frame in which no state has been entered and no sound started yet.
  init(
    regionCount: Int, values: [Int], soundCount: Int, inputCount: Int = 0, repetitionCount: Int = 0,
    sourceCount: Int = 0
  ) {
    let zeros =
      2 * soundCount + 1 + 2 * inputCount + PluggableHardware.allCases.count + repetitionCount + sourceCount + 1
    numbers = (0..<regionCount).flatMap { _ in [-1, 0, -1] } + values + [Int](repeating: 0, count: zeros)
    firstValue = Int32(3 * regionCount)
    firstSound = Int32(3 * regionCount + values.count)
    firstLoss = firstSound + Int32(2 * soundCount)
    firstPosition = firstLoss + 1 + Int32(inputCount)
    firstHardware = firstPosition + Int32(inputCount)
    firstRepetition = firstHardware + Int32(PluggableHardware.allCases.count)
    firstSource = firstRepetition + Int32(repetitionCount)
  }

  /// The current state of a region; -1 while the state around the region isn't current.
  subscript(state region: Int) -> Int {
    get { numbers[3 * region] }
    set { numbers[3 * region] = newValue }
  }

  /// The state of a region that was left last; -1 if none was.
  subscript(remembered region: Int) -> Int {
    get { numbers[3 * region + 2] }
    set { numbers[3 * region + 2] = newValue }
  }

  /// How often a region has entered a state. It identifies an entering: the deadlines of the state begin anew with it.
  subscript(entry region: Int) -> Int {
    get { numbers[3 * region + 1] }
    set { numbers[3 * region + 1] = newValue }
  }

  subscript(value value: Int) -> Int {
    get { numbers[Int(firstValue) + value] }
    set { numbers[Int(firstValue) + value] = newValue }
  }

  /// How often a sound has been started.
  subscript(start sound: Int) -> Int {
    get { numbers[Int(firstSound) + 2 * sound] }
    set { numbers[Int(firstSound) + 2 * sound] = newValue }
  }

  /// Whether a sound has come to its end since it was started.
  subscript(ended sound: Int) -> Bool {
    get { numbers[Int(firstSound) + 2 * sound + 1] == 1 }
    set { numbers[Int(firstSound) + 2 * sound + 1] = newValue ? 1 : 0 }
  }

  /// The position that an input is in: its place in ``InputKind/positions``. It is kept while the chip is lost.
  subscript(position input: Int) -> Int {
    get { numbers[Int(firstPosition) + input] }
    set { numbers[Int(firstPosition) + input] = newValue }
  }

  /// How often a deadline that comes again has come.
  subscript(repetition number: Int) -> Int {
    get { numbers[Int(firstRepetition) + number] }
    set { numbers[Int(firstRepetition) + number] = newValue }
  }

  /// Whether transitions that follow from each other were broken off. Nothing happens on the panel any more then.
  private(set) var isEndless: Bool {
    get { numbers[numbers.count - 1] == 1 }
    set { numbers[numbers.count - 1] = newValue ? 1 : 0 }
  }

  /// Breaks off transitions that would follow from each other for ever.
  ///
  /// - Parameter states: some of the states that they have led to, in that order.
  mutating func breakOff(at states: [Int]) {
    isEndless = true
    note(.endless(states))
  }

  /// How many edges of all inputs have been lost at least.
  var lossCount: Int { numbers[Int(firstLoss)] }

  /// How many edges of an input have been lost at least.
  func losses(of input: Int) -> Int { numbers[Int(firstLoss) + 1 + input] }

  mutating func noteLoss(of edges: Int, at input: Int) {
    numbers[Int(firstLoss)] += edges
    numbers[Int(firstLoss) + 1 + input] += edges
  }

  mutating func refill(from other: borrowing PanelFrame) {
    for index in other.numbers.indices { numbers[index] = other.numbers[index] }
    // The record is nearly always the same: to compare references costs less than to count them.
    if troubleRecord !== other.troubleRecord { troubleRecord = other.troubleRecord }
  }

  /// Whether at least one lens has lost this hardware.
  func isMissing(_ hardware: PluggableHardware) -> Bool { numbers[Int(firstHardware) + hardware.index] > 0 }

  /// The hardware that at least one lens has lost.
  var missing: [PluggableHardware] { PluggableHardware.allCases.filter { isMissing($0) } }

  /// A lens has lost its hardware, or has it back. There may be several lenses of one source, on several chips, and several
  /// sources of one hardware.
  mutating func change(_ source: PanelTrouble.Source, isMissing: Bool) {
    let lostLenses = Int(firstSource) + source.number
    // `restored` also comes after `failed`, when no hardware was missing and nothing was counted.
    guard isMissing || numbers[lostLenses] > 0 else { return }
    numbers[lostLenses] += isMissing ? 1 : -1
    numbers[Int(firstHardware) + source.hardware.index] += isMissing ? 1 : -1
  }

  /// How many troubles there have been.
  var troubleCount: Int { troubleRecord?.count ?? 0 }

  /// The last troubles, at most ``PanelTrouble/capacity``.
  var troubles: [PanelTrouble] { troubleRecord?.last ?? [] }

  mutating func note(_ trouble: PanelTrouble) {
    troubleRecord = TroubleRecord(
      count: troubleCount + 1, last: Array((troubles + [trouble]).suffix(PanelTrouble.capacity)))
  }

  private final class TroubleRecord: Equatable, Sendable {
    let count: Int
    let last: [PanelTrouble]

    init(count: Int, last: [PanelTrouble]) {
      self.count = count
      self.last = last
    }

    static func == (one: TroubleRecord, other: TroubleRecord) -> Bool {
      one === other || one.count == other.count && one.last == other.last
    }
  }
}

/// Trouble with hardware.
enum PanelTrouble: Equatable, Sendable {
  case trouble(Trouble, Source)
  /// The sound device ran out of samples.
  case underrun
  /// Transitions that follow from each other were broken off: they would go on for ever. The states are the last that they have
  /// led to.
  case endless([Int])

  /// The lens that has the trouble, and its hardware.
  struct Source: Equatable, Sendable {
    var lens: String
    var hardware: PluggableHardware
    /// Its number among all sources of the panel.
    var number = 0
  }

  /// How many are kept.
  static let capacity = 16
}

/// A deadline of a state: which one, and for which entering of the state it was set.
struct PanelDeadline: Equatable, Sendable {
  var state: Int
  var index: Int
  var entry: Int
  /// How often it has come before, for one that comes again.
  var repetition = 0
}

extension PluggableHardware {
  /// Its place among all hardware.
  fileprivate var index: Int {
    switch self {
    case .audio: 0
    case .gpio: 1
    }
  }
}
