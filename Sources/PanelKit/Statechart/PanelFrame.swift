import CycleCore

/// The state of a whole panel at a moment: where its regions are, and what its values are.
///
/// All numbers lie in one array: every filter of every event gets a frame, and one that held an array for each kind would be copied
/// five times as long as it is looked at.
struct PanelFrame: RefillableFrame, Sendable {
  /// Two for each region, one for each value, two for each sound, one for all inputs together and one for each of them.
  private var numbers: [Int]
  private let firstValue: Int32
  private let firstSound: Int32
  private let firstLoss: Int32
  /// How many lenses of each kind have lost their hardware, eight bits for each bit of a ``Set``: the devices of one kind may be on
  /// several chips.
  private var lostLenses: UInt64 = 0
  // Nil as long as there is none, which costs nothing to copy.
  private var troubleRecord: TroubleRecord?

  /// A frame in which nothing has been entered and nothing has sounded.
  init(states: [Int], values: [Int], soundCount: Int, inputCount: Int = 0) {
    numbers = states.flatMap { [$0, 0] } + values + [Int](repeating: 0, count: 2 * soundCount + 1 + inputCount)
    firstValue = Int32(2 * states.count)
    firstSound = Int32(2 * states.count + values.count)
    firstLoss = firstSound + Int32(2 * soundCount)
  }

  /// The current state of a region.
  subscript(state region: Int) -> Int {
    get { numbers[2 * region] }
    set { numbers[2 * region] = newValue }
  }

  /// How often a region has entered a state: what begins with entering begins anew when this changes.
  subscript(entry region: Int) -> Int {
    get { numbers[2 * region + 1] }
    set { numbers[2 * region + 1] = newValue }
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
    lostLenses = other.lostLenses
    // Seldom another: to look costs less than to count references.
    if troubleRecord !== other.troubleRecord { troubleRecord = other.troubleRecord }
  }

  /// The kinds of which some devices have lost their hardware.
  var missing: Set {
    guard lostLenses != 0 else { return [] }
    var missing: Set = []
    for bit in 0..<8 where (lostLenses >> (8 * UInt64(bit))) & 0xFF != 0 { missing.rawValue |= 1 << UInt8(bit) }
    return missing
  }

  /// A lens of this kind has lost its hardware, or has it back.
  mutating func change(_ kind: Set, isMissing: Bool) {
    // What had only failed is restored without having been missing.
    guard isMissing || !missing.isDisjoint(with: kind) else { return }
    let one: UInt64 = 1 << (8 * UInt64(kind.rawValue.trailingZeroBitCount))
    lostLenses = isMissing ? lostLenses &+ one : lostLenses &- one
  }

  /// How much trouble there has been.
  var troubleCount: Int { troubleRecord?.count ?? 0 }

  /// The last of it.
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

  struct Set: OptionSet, Hashable, Sendable {
    var rawValue: UInt8
    static let buttons = Set(rawValue: 1)
    static let switches = Set(rawValue: 2)
    static let encoders = Set(rawValue: 4)
    static let leds = Set(rawValue: 8)
    static let bars = Set(rawValue: 16)
    static let relays = Set(rawValue: 32)
    static let audio = Set(rawValue: 64)
    static let gpio: Set = [.buttons, .switches, .encoders, .leds, .bars, .relays]
  }
}

/// Trouble with hardware.
enum PanelTrouble: Equatable, Sendable {
  case trouble(Trouble, PanelFrame.Set)
  /// The sound device ran out of samples.
  case underrun

  /// How many are kept.
  static let capacity = 16
}

/// A deadline of a state: which one, and for which entering of the state it was set.
struct PanelDeadline: Equatable, Sendable {
  var region: Int
  var index: Int
  var entry: Int
}
