import CycleCore

/// The name of a line: `GPIO17`, the kernel's name, or `gpiochip0:17`, a chip and an offset on it.
public struct LineName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  public init(_ name: String) {
    description = name
  }

  public init(stringLiteral name: String) {
    description = name
  }

  /// The chip (a name, a label or a path) and the offset, if the name contains them; nil for a plain line name.
  public var chipAndOffset: (chip: String, offset: Int)? {
    guard let colon = description.lastIndex(of: ":") else { return nil }
    guard let offset = Int(description[description.index(after: colon)...]), offset >= 0 else { return nil }
    return (String(description[..<colon]), offset)
  }
}

/// The logical value of a line: a line that is active low is active at low voltage.
@frozen
public enum LineValue: UInt8, Sendable {
  case inactive = 0
  case active = 1

  @inlinable
  public init(_ isActive: Bool) { self = isActive ? .active : .inactive }

  @inlinable
  public var isActive: Bool { self == .active }
}

/// The resistor inside the chip that holds a line that is not driven: an input, or an open-drain or open-source output
/// that isn't driving.
public enum Bias: Sendable {
  /// As the chip was set before.
  case asIs
  case disabled
  case pullUp
  case pullDown
}

/// How an output drives its line.
public enum Drive: Sendable {
  case pushPull
  /// Drives low, or not at all.
  case openDrain
  /// Drives high, or not at all.
  case openSource
}

/// One line and its intended use.
public struct LineConfiguration: Equatable, Sendable {
  public enum Direction: Equatable, Sendable {
    /// Reports the edges in ``LineConfiguration/edges``.
    case input(Bias)
    /// Driven with the value from the first instant. The bias holds the line while an open-drain or open-source output
    /// isn't driving: with a pull-up, an open-drain line reads high then.
    case output(LineValue, Drive, Bias = .asIs)
  }

  /// The edges that an input reports.
  public enum Edges: Sendable {
    /// The input is only read. It needs no interrupt of the chip, and libgpiod 1.6 changes it to an output and back
    /// without releasing it: see ``LineRequest/reconfigure(_:)``.
    case none
    /// Edges to ``LineValue/active``: rising, or falling on a line that is active low.
    case rising
    /// Edges to ``LineValue/inactive``.
    case falling
    case both

    /// Whether an edge to this value is reported.
    @inlinable
    public func contains(_ value: LineValue) -> Bool {
      switch self {
      case .none: false
      case .rising: value == .active
      case .falling: value == .inactive
      case .both: true
      }
    }
  }

  public var name: LineName
  public var direction: Direction
  /// Whether low voltage is the active value.
  public var isActiveLow: Bool
  /// The time for which an input must be stable before an edge is reported; zero reports every edge. If the kernel
  /// can't debounce, the driver must: see ``EdgeCapabilities/debounces``.
  public var debounce: Duration
  /// The edges that an input reports. Contacts need both. For pulses that are counted, one edge halves the load of the
  /// kernel's queue. Outputs report none.
  public var edges: Edges
  /// Whether an input carries pulses that are counted. An input that reports only one of its edges does in any case.
  ///
  /// A fast counter loses edges while the cycle is late, and may rest afterwards. On a contact that would be a storm of
  /// edges after which the line is requested again, because the kernel may have disabled its interrupt. A counter is
  /// not requested again.
  public var isCounter: Bool

  public init(
    _ name: LineName, _ direction: Direction, isActiveLow: Bool = false, debounce: Duration = .zero,
    edges: Edges = .both, isCounter: Bool = false
  ) {
    self.name = name
    self.direction = direction
    self.isActiveLow = isActiveLow
    self.debounce = debounce
    self.edges = edges
    self.isCounter = isCounter
  }

  /// Whether it is an output.
  public var isOutput: Bool {
    if case .output = direction { true } else { false }
  }

  /// Whether it is an input that reports edges.
  public var hasEdges: Bool { !isOutput && edges != .none }

  /// Whether every edge that is reported counts.
  var countsEdges: Bool { hasEdges && (isCounter || edges != .both) }
}

/// An edge of an input line: the new value, and the moment.
@frozen
public struct LineEdge: Equatable, Sendable, BitwiseCopyable {
  /// The line's index in the request, from 0.
  public var line: Int32
  /// The edge's sequence number on this line, from 1; 0 if the kernel doesn't number edges.
  public var sequence: UInt32
  /// The kernel's time stamp on the monotonic clock.
  public var moment: Moment
  public var value: LineValue

  public init(line: Int, value: LineValue, moment: Moment, sequence: UInt32 = 0) {
    self.line = Int32(truncatingIfNeeded: line)
    self.value = value
    self.moment = moment
    self.sequence = sequence
  }
}

/// The values of up to 64 lines of one request; bit n is line n.
@frozen
public struct LineValues: OptionSet, Hashable, Sendable, BitwiseCopyable, Codable {
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// A mask of the first `count` lines; all 64 if `count` is 64 or more.
  @inlinable
  public static func first(_ count: Int) -> LineValues {
    LineValues(rawValue: count >= 64 ? .max : (1 << UInt64(max(0, count))) - 1)
  }

  /// The value of one line; 0 ≤ `line` < 64.
  @inlinable @inline(__always)
  public subscript(line: Int) -> LineValue {
    get { LineValue(rawValue & (1 << UInt64(line)) != 0) }
    set {
      if newValue.isActive { rawValue |= 1 << UInt64(line) } else { rawValue &= ~(1 << UInt64(line)) }
    }
  }

  /// The values moved up by `lines` places: bit n becomes bit n + `lines`.
  @inlinable
  public func shifted(by lines: Int) -> LineValues { LineValues(rawValue: rawValue << UInt64(lines)) }
}
