import CycleCore

/// The settings of a serial line.
public struct SerialSettings: Hashable, Sendable {
  /// The check of each byte.
  public enum Parity: String, CaseIterable, Sendable {
    case none, even, odd
  }

  /// The allowed speeds: 50 to 4 000 000 bits per second.
  public static let speeds = 50...4_000_000

  /// The speed in bits per second.
  public var baud: Int
  /// The number of data bits of a byte, 5 to 8.
  public var bits: Int
  /// The parity bit.
  public var parity: Parity
  /// The number of stop bits, 1 or 2.
  public var stopBits: Int

  /// Traps for a value that is not allowed.
  ///
  /// - Parameters:
  ///   - baud: the speed, one of ``speeds``; most GPS receivers and sensors have 9600.
  ///   - bits: the number of data bits, 5 to 8.
  ///   - parity: the parity bit.
  ///   - stopBits: the number of stop bits, 1 or 2.
  public init(baud: Int = 9600, bits: Int = 8, parity: Parity = .none, stopBits: Int = 1) {
    precondition(Self.speeds.contains(baud), "a serial line has 50 to 4 000 000 baud")
    precondition((5...8).contains(bits), "a byte of a serial line has 5 to 8 bits")
    precondition((1...2).contains(stopBits), "a serial line has 1 or 2 stop bits")
    (self.baud, self.bits, self.parity, self.stopBits) = (baud, bits, parity, stopBits)
  }

  /// The time of one byte on the wire, with its start, parity and stop bits.
  public var byteTime: Duration {
    let count = 1 + bits + (parity == .none ? 0 : 1) + stopBits
    return .nanoseconds((Int64(count) * 1_000_000_000 + Int64(baud) - 1) / Int64(baud))
  }

  /// The settings in their common notation: `9600 8N1`.
  public var text: String {
    let letter =
      switch parity {
      case .none: "N"
      case .even: "E"
      case .odd: "O"
      }
    return "\(baud) \(bits)\(letter)\(stopBits)"
  }
}
