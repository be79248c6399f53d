import CycleCore

/// The state of a whole panel at a moment: where its regions are, and what its values are.
///
/// All numbers lie in one array: every filter of every event gets a frame, and one that held an array for each kind would be copied
/// five times as long as it is looked at.
struct PanelFrame: Equatable, Sendable {
  private var numbers: [Int]
  private let regionCount: Int32
  private let valueCount: Int32
  private let soundCount: Int32
  /// What has lost its hardware, by the kind of driver.
  var missing: Set = []
  /// How much trouble there has been, and the last of it.
  private(set) var troubleCount = 0
  // Nil as long as there is none, which costs nothing to copy.
  private var lastTroubles: [PanelTrouble]?

  /// A frame in which nothing has been entered and nothing has sounded.
  init(states: [Int], values: [Int], soundCount: Int) {
    regionCount = Int32(states.count)
    valueCount = Int32(values.count)
    self.soundCount = Int32(soundCount)
    numbers = states + states.map { _ in 0 } + values + [Int](repeating: 0, count: 2 * soundCount)
  }

  /// The current state of a region.
  subscript(state region: Int) -> Int {
    get { numbers[region] }
    set { numbers[region] = newValue }
  }

  /// How often a region has entered a state: what begins with entering begins anew when this changes.
  subscript(entry region: Int) -> Int {
    get { numbers[Int(regionCount) + region] }
    set { numbers[Int(regionCount) + region] = newValue }
  }

  subscript(value value: Int) -> Int {
    get { numbers[2 * Int(regionCount) + value] }
    set { numbers[2 * Int(regionCount) + value] = newValue }
  }

  private var firstSound: Int { 2 * Int(regionCount) + Int(valueCount) }

  /// How often a sound has been started.
  subscript(start sound: Int) -> Int {
    get { numbers[firstSound + sound] }
    set { numbers[firstSound + sound] = newValue }
  }

  /// Whether a sound has come to its end since it was started.
  subscript(ended sound: Int) -> Bool {
    get { numbers[firstSound + Int(soundCount) + sound] != 0 }
    set { numbers[firstSound + Int(soundCount) + sound] = newValue ? 1 : 0 }
  }

  var troubles: [PanelTrouble] { lastTroubles ?? [] }

  mutating func note(_ trouble: PanelTrouble) {
    lastTroubles = Array((troubles + [trouble]).suffix(PanelTrouble.capacity))
    troubleCount += 1
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
