import HardwareDrivers

/// The clock of a panel: its place, its zone, and the times of day that the file names. Its inputs have names of the
/// language, and no declaration in the file.
package struct ClockDefinition: Equatable, Sendable {
  /// A number of the clock, which is an input of its own.
  package enum Part: String, CaseIterable, Sendable {
    /// The time of day, in minutes since midnight.
    case time = "clock"
    /// 1 Monday to 7 Sunday.
    case weekday = "clock.weekday"
    case day = "clock.day"
    case month = "clock.month"
    /// Sunrise of the date, in minutes since its midnight.
    case sunrise = "clock.sunrise"
    case sunset = "clock.sunset"

    package var range: ClosedRange<Int> {
      switch self {
      case .time: 0...1439
      case .weekday: 1...7
      case .day: 1...31
      case .month: 1...12
      case .sunrise, .sunset: -1440...2880
      }
    }

    /// Whether it is a time of day.
    package var isTime: Bool { self == .time }
  }

  /// A time of day of the file.
  package enum Time: Hashable, Sendable {
    /// Minutes since midnight.
    case fixed(Int)
    /// The time in a value, and this number of minutes later.
    case value(Int, later: Int = 0)
    /// Minutes after sunrise.
    case sunrise(Int)
    case sunset(Int)

    /// Whether it is a time of the sun.
    var isOfSun: Bool {
      switch self {
      case .fixed, .value: false
      case .sunrise, .sunset: true
      }
    }
  }

  /// A time of `at`. It is an event of the clock's input.
  package struct Alarm: Hashable, Sendable {
    package var time: Time
    /// The days of the week, 1 to 7; empty for each day.
    package var days: Set<Int> = []
    /// The longest time for which it may be late.
    package var late: Duration
    /// The text in the file, without blanks: `06:30-mon..fri`.
    package var word: String

    package func isOn(_ weekday: Int) -> Bool { days.isEmpty || days.contains(weekday) }
  }

  /// The default of `late`.
  package static let usualLateness = Duration.seconds(60)
  /// The number of the first alarm among the events of the clock's input; before it is `changed`.
  package static let firstAlarm = 1

  package var place: Place?
  package var zone: String?
  package var trust = ClockPort.Trust.synchronised
  /// The inputs that the file uses, by their parts.
  package var inputs: [Part: Int] = [:]
  package var alarms: [Alarm] = []
  /// Whether an alarm has a `late` of its own. Then times that passed while the panel did not run still occur.
  package var catchesUp = false
  /// The times at which a condition changes.
  package var watched: Set<Time> = []
  /// Whether the panel shows the time, or computes with it.
  package var showsTime = false

  package var port: ClockPort { ClockPort(zone: zone, trust: trust) }
}

/// The kind of the inputs of the clock, which no file declares.
package protocol ClockInputKind: InputKind {
  init(_ part: ClockDefinition.Part, _ port: ClockPort)
  var part: ClockDefinition.Part { get }
  /// The alarms; empty for all parts but the time.
  var alarms: [ClockDefinition.Alarm] { get set }
}

extension PanelDefinition {
  /// The part of the clock that an input is; nil for any other input.
  package func clockPart(of input: Int) -> ClockDefinition.Part? {
    (inputs[input].device as? any ClockInputKind)?.part
  }
}
