/// Decodes the two lines of an encoder: the direction of its turns, and transitions that skip a state.
///
///     clockwise         A ___####____     a clockwise detent: A first, then B
///                       B _____####__
///     counterclockwise  A _____####__     counterclockwise: B first, then A
///                       B ___####____
public struct QuadratureDecoder: Equatable, Sendable {
  /// The meaning of one transition of the lines.
  private enum Step {
    case none
    /// A quarter of a full period, clockwise.
    case forward
    case backward
    /// Both lines changed together: a state was missed.
    case skipped
  }

  /// Bit 0 is line A, bit 1 is line B.
  public private(set) var state: UInt8
  /// Quarter steps since the knob was last at rest; positive is clockwise.
  private var quarters = 0
  private let resolution: RotaryEncoder.Resolution

  /// - Parameters:
  ///   - state: the values of the lines now: bit 0 is line A, bit 1 is line B.
  ///   - resolution: the number of states from one detent to the next.
  public init(state: UInt8, resolution: RotaryEncoder.Resolution) {
    self.state = state & 3
    self.resolution = resolution
  }

  /// The meaning of a transition between two states of the lines.
  private static func step(from old: UInt8, to new: UInt8) -> Step {
    switch (old, new) {
    case (0b00, 0b01), (0b01, 0b11), (0b11, 0b10), (0b10, 0b00): .forward
    case (0b00, 0b10), (0b10, 0b11), (0b11, 0b01), (0b01, 0b00): .backward
    case (0b00, 0b11), (0b11, 0b00), (0b01, 0b10), (0b10, 0b01): .skipped
    default: .none
    }
  }

  /// Applies the lines' new state. Returns the detents turned (0, 1 or -1) and whether a state was skipped.
  public mutating func move(to new: UInt8) -> (detents: Int, skipped: Bool) {
    let step = Self.step(from: state, to: new & 3)
    state = new & 3
    switch step {
    case .none: return (0, false)
    case .forward: quarters += 1
    case .backward: quarters -= 1
    case .skipped: break
    }
    return (takeDetent(), step == .skipped)
  }

  /// Counts a detent when the knob is at rest and has turned at least half of the way from the last rest. Bounces and a
  /// skipped state neither add a detent nor remove one.
  private mutating func takeDetent() -> Int {
    let rests: Bool
    switch resolution {
    case .fullPeriod: rests = state == 0b00
    case .halfPeriod: rests = state == 0b00 || state == 0b11
    case .quarterPeriod: rests = true
    }
    guard rests else { return 0 }
    let enough = max(1, resolution.quarters / 2)
    defer { quarters = 0 }
    return quarters >= enough ? 1 : quarters <= -enough ? -1 : 0
  }
}
