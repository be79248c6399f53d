import CycleCore

/// A period of each day, such as the night: from a time of day up to another one, which no more belongs to it. A period
/// that ends earlier than it begins lasts over midnight.
///
/// A period with the sun lasts over midnight if it begins in the afternoon and ends in the morning: a sunset is in the
/// afternoon, a sunrise in the morning. Any other one ends on the date on which it begins. On a date with sunset at 22:30,
/// the period from sunset to 22:00 does not occur.
///
/// **Wiring.** None.
///
/// **Timing.** Events have the moment at which the clock showed the time. The driver sleeps between: 2 wake-ups a day.
///
/// **The start.** A period that is current at the start is passed to `Lens.onFound` as ``Event/began``. Until the time
/// of the clock is known, nothing is found. Then a current period is an event.
///
/// **A clock that is set** emits an event if its new time is on the other side of a boundary.
///
/// **Source.** ``ClockDriver``.
///
///     let clock = platform.hardware(at: ClockPort())
///     Lens(DailyPeriod(clock, from: .at(TimeOfDay(22, 0)), to: .at(TimeOfDay(6, 0))), on: { frame, event in
///       frame.isNight = event == .began
///     })
public struct DailyPeriod: Driver {
  public enum Event: Equatable, Sendable, Codable {
    /// The period is current.
    case began
    /// The period is over.
    case ended
  }

  public let begin: DailyTime
  public let end: DailyTime
  private var follower: ClockFollower
  private var context: DriverContext<Event>?
  /// Whether the period was current when the time was known last; nil before.
  private var isCurrent: Bool?
  private var hasStarted = false

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - clock: the clock.
  ///   - begin: the first time of the period.
  ///   - end: the first time after it. If it is the first time of the period, the start throws.
  ///   - place: the place whose sun rises and sets; needed for times of the sun only.
  public init(_ clock: any WallClock, from begin: DailyTime, to end: DailyTime, place: Place? = nil) {
    (self.begin, self.end) = (begin, end)
    follower = ClockFollower(clock, place: place)
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    if case .at(let time) = begin, begin == end { throw ClockErrorFactory().emptyPeriod(time) }
    if let found = try follower.open(WantedTimes([begin, end]), context.watcher) {
      let isCurrent = contains(found.reading)
      if hasStarted {
        apply(isCurrent, at: found.moment)
      } else if isCurrent {
        context.find(.began, at: found.moment)
      }
      self.isCurrent = isCurrent
    }
    hasStarted = true
    setAlarm()
  }

  /// Whether the period contains a time.
  private mutating func contains(_ reading: ClockReading) -> Bool {
    let isOfSun = begin.needsPlace || end.needsPlace
    if isOfSun, !begin.isAfternoon(atNoon: true) || end.isAfternoon(atNoon: false) {
      return follower.isInPeriod(from: begin, to: end, at: reading)
    }
    return follower.isLater(begin, than: end, at: reading)
  }

  private mutating func apply(_ isCurrent: Bool, at moment: Moment) {
    if isCurrent != self.isCurrent ?? false { context?.emit(isCurrent ? .began : .ended, at: moment) }
    self.isCurrent = isCurrent
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    defer { setAlarm() }
    var changes: [(ClockFollower.Change, Moment)] = []
    let isAllRead = try follower.follow(
      hasRoom: { changes.count < context.room }, take: { changes.append(($0, $1)) })
    for (change, moment) in changes {
      switch change {
      // A period continues while the time is unknown.
      case .unknown: break
      case .known(let reading), .jumped(let reading), .reached(let reading):
        apply(contains(reading), at: moment)
      }
    }
    if !isAllRead { context.watcher.makeWaker().wake() }
  }

  private func setAlarm() {
    guard let context else { return }
    context.setAlarm(follower.pause.map { context.now + $0 })
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try follower.clock.watchForReturn(watcher)
  }

  public mutating func stop() {
    follower.close()
    context?.setAlarm(nil)
    context = nil
  }
}
