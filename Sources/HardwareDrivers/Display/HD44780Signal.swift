import CycleCore

/// The levels on the wires of an HD44780 with four data lines, and the shortest time for which they must be held.
public struct HD44780Signal: Equatable, Sendable {
  /// RS: true for data, false for an instruction.
  public var isData: Bool
  /// E: the controller reads the data lines when it falls.
  public var isEnabled: Bool
  /// D4 to D7, in the lower four bits.
  public var nibble: UInt8
  public var hold: Duration

  public init(isData: Bool, isEnabled: Bool, nibble: UInt8, hold: Duration) {
    self.isData = isData
    self.isEnabled = isEnabled
    self.nibble = nibble
    self.hold = hold
  }

  /// Longer than all times that the data sheet requires below 4.5 V: 60 ns from RS to E, 195 ns from the data to the
  /// end of E, 450 ns of E, 1 µs from one E to the next.
  static let shortest = Duration.microseconds(1)
}

extension HD44780.Instruction {
  /// The signals that send it.
  ///
  /// - Parameter isData: the current level of RS. RS changes in a separate signal, because outputs that are written
  ///   together change in no defined order.
  public func signals(whileData isData: Bool) -> [HD44780Signal] {
    let shortest = HD44780Signal.shortest
    func signal(_ isEnabled: Bool, _ nibble: UInt8, _ hold: Duration) -> HD44780Signal {
      HD44780Signal(isData: kind == .data, isEnabled: isEnabled, nibble: nibble, hold: hold)
    }
    let (high, low) = (byte >> 4, byte & 0xF)
    var signals: [HD44780Signal] = []
    if kind != .wait, isData != (kind == .data) {
      signals.append(signal(false, kind == .nibble ? low : high, shortest))
    }
    switch kind {
    case .wait: signals.append(signal(false, 0, pause))
    case .nibble: signals += [signal(true, low, shortest), signal(false, low, pause)]
    case .command, .data:
      signals += [signal(true, high, shortest), signal(false, high, shortest)]
      signals += [signal(true, low, shortest), signal(false, low, pause)]
    }
    return signals
  }
}
