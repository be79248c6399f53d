import CycleCore

/// The frame of a panel: the current states of its regions, its values, its sounds, and its troubles.
///
/// All numbers are in one array: every filter of every event gets a frame, and to copy one with an array for each kind
/// would take five times as long as to read it.
struct PanelFrame: RefillableFrame, Sendable {
  /// Two for each region, one for each value, two for each sound, one for all inputs together and one for each of them.
  private var numbers: [Int]
  private let firstValue: Int32
  private let firstSound: Int32
  private let firstLoss: Int32
  /// How many lenses of each kind have lost their hardware, eight bits for each bit of a ``Set``. There may be several
  /// of a kind, because its devices may be on several chips.
  private var lostLenses: UInt64 = 0
  // nil until the first trouble: nil costs nothing to copy.
  private var troubleRecord: TroubleRecord?

  /// A frame in which no state has been entered and no sound started yet.
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

  /// How often a region has entered a state. It identifies an entering: the deadlines of the state begin anew with it.
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
    // The record is nearly always the same: to compare references costs less than to count them.
    if troubleRecord !== other.troubleRecord { troubleRecord = other.troubleRecord }
  }

  /// The kinds of which at least one lens has lost its hardware.
  var missing: DeviceKinds {
    guard lostLenses != 0 else { return [] }
    var missing: DeviceKinds = []
    for bit in 0..<8 where (lostLenses >> (8 * UInt64(bit))) & 0xFF != 0 { missing.rawValue |= 1 << UInt8(bit) }
    return missing
  }

  /// A lens of this kind has lost its hardware, or has it back.
  mutating func change(_ kind: DeviceKinds, isMissing: Bool) {
    // `restored` also comes after `failed`, when no hardware was missing and nothing was counted.
    guard isMissing || !missing.isDisjoint(with: kind) else { return }
    let one: UInt64 = 1 << (8 * UInt64(kind.rawValue.trailingZeroBitCount))
    lostLenses = isMissing ? lostLenses &+ one : lostLenses &- one
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

  struct DeviceKinds: OptionSet, Hashable, Sendable {
    var rawValue: UInt8
    static let buttons = DeviceKinds(rawValue: 1)
    static let switches = DeviceKinds(rawValue: 2)
    static let encoders = DeviceKinds(rawValue: 4)
    static let leds = DeviceKinds(rawValue: 8)
    static let bars = DeviceKinds(rawValue: 16)
    static let relays = DeviceKinds(rawValue: 32)
    static let audio = DeviceKinds(rawValue: 64)
    static let gpio: DeviceKinds = [.buttons, .switches, .encoders, .leds, .bars, .relays]
  }
}

/// Trouble with hardware.
enum PanelTrouble: Equatable, Sendable {
  case trouble(Trouble, PanelFrame.DeviceKinds)
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
