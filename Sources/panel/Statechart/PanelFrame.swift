/// The state of a whole panel at a moment: where its regions are, and what its values are.
struct PanelFrame: Equatable, Sendable {
  /// The current state of each region.
  var states: [Int]
  /// How often each region has entered a state: what begins with entering begins anew when this changes.
  var entries: [Int]
  var values: [Int]
  /// How often each sound has been started.
  var starts: [Int]
  /// Sounds that have come to their end since they were started, by sound.
  var ended: [Bool]
  /// What has lost its hardware, by the kind of driver.
  var missing: Set = []

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

/// A deadline of a state: which one, and for which entering of the state it was set.
struct PanelDeadline: Equatable, Sendable {
  var region: Int
  var index: Int
  var entry: Int
}
