import CycleCore

/// A time of day: 06:30. It has no date and no zone.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// The number of seconds of a day without a change of the clock.
  public static var secondsOfDay: Int { 86_400 }

  /// The number of seconds since midnight, 0 to 86399, as a clock shows them.
  public let seconds: Int

  /// - Parameters:
  ///   - hour: 0 to 23; others trap.
  ///   - minute: 0 to 59; others trap.
  ///   - second: 0 to 59; others trap.
  public init(_ hour: Int, _ minute: Int, _ second: Int = 0) {
    precondition(
      (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second),
      "a time of day is 00:00:00 to 23:59:59")
    seconds = (hour * 60 + minute) * 60 + second
  }

  /// Creates the time of day a number of seconds after midnight. Days are a circle: 86400 is 00:00, and -60 is 23:59.
  public init(secondsSinceMidnight seconds: Int) {
    let rest = seconds % Self.secondsOfDay
    self.seconds = rest < 0 ? rest + Self.secondsOfDay : rest
  }

  /// Reads `HH:MM` or `HH:MM:SS`. Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard part.utf8.count == 2, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else {
        return nil
      }
      numbers.append(number)
    }
    if numbers.count == 2 { numbers.append(0) }
    guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
    self.init(numbers[0], numbers[1], numbers[2])
  }

  public var hour: Int { seconds / 3600 }
  public var minute: Int { seconds / 60 % 60 }
  public var second: Int { seconds % 60 }
  /// The number of whole minutes since midnight, 0 to 1439.
  public var minutes: Int { seconds / 60 }

  public static func < (earlier: TimeOfDay, later: TimeOfDay) -> Bool { earlier.seconds < later.seconds }
}

extension TimeOfDay: CustomStringConvertible {
  /// `06:30`, or `06:30:15` if it has seconds.
  public var description: String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(hour)):\(digits(minute))" + (second == 0 ? "" : ":\(digits(second))")
  }
}

extension TimeOfDay: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(secondsSinceMidnight: try decoder.singleValueContainer().decode(Int.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(seconds)
  }
}
