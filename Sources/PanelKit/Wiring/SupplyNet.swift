/// A supply of the board that devices are connected to.
public enum SupplyNet: CaseIterable, Hashable, Sendable {
  /// 0 V.
  case ground
  /// 3.3 V, the supply of the lines.
  case volts3
  /// 5 V, which destroys a line.
  case volts5

  /// The words for the supply in pictures and texts.
  var words: String {
    switch self {
    case .ground: "GND"
    case .volts3: "3.3 V"
    case .volts5: "5 V"
    }
  }

  /// The pin of the header for the supply's only wire, 1 to 40. Pins 4, 6, 9, 14, 17, 20, 25, 30 and 34 would work as
  /// well.
  var headerPin: Int {
    switch self {
    case .ground: 39
    case .volts3: 1
    case .volts5: 2
    }
  }
}
