import CycleCore

/// The clock of the machine: the time of day becomes known, is set, and wanted times of day occur.
///
/// **Wiring.** None. A battery clock (RTC) makes the time known from the boot on, without a network.
///
/// **Timing.** Events have the moment at which the clock showed their time. The driver sleeps until the next wanted time
/// or until the clock is set: 0 wake-ups between. While the time is not known it reads the clock every 10 s, because no
/// descriptor becomes ready when a time server has finished.
///
/// **The start.** A time that is known at the start is passed to `Lens.onFound` as ``Event/known(_:)``. After a loss it
/// is an event.
///
/// **Summer time.** A change of the offset is ``Event/reached(_:)``. A time that summer time skips occurs at the change,
/// one that occurs twice on a date is emitted the first time.
///
/// **Losses.** Times that a jump of the clock skips are not emitted: ``Event/jumped(_:)`` has the new time. All other
/// times are emitted, also by a driver that is late.
///
/// **Source.** `timerfd_create(2)`, `adjtimex(2)`, `tzfile(5)`.
///
///     let clock = platform.hardware(at: ClockPort())
///     Lens(ClockDriver(clock), show: { _ in WantedTimes([.at(TimeOfDay(6, 30))]) }, on: { frame, event in
///       if case .reached(let reading) = event { frame.lastTime = reading }
///     })
public struct ClockDriver: Driver {
  public enum Event: Equatable, Sendable, Codable {
    /// The time became known.
    case known(ClockReading)
    /// The time is not known any more.
    case unknown
    /// The clock was set to this time, or the machine has slept until then.
    case jumped(ClockReading)
    /// A wanted time came, or the offset of the zone has changed.
    case reached(ClockReading)
  }

  private var follower: ClockFollower
  private var context: DriverContext<Event>?
  private var hasStarted = false

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - clock: the clock.
  ///   - place: the place whose sun rises and sets; needed for times of the sun only.
  public init(_ clock: any WallClock, place: Place? = nil) {
    follower = ClockFollower(clock, place: place)
  }

  public var safeModel: WantedTimes { .none }

  /// The first frame needs the time.
  public static var isInput: Bool { true }

  public mutating func start(showing model: WantedTimes, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    let found = try follower.open(model, context.watcher)
    if let found {
      if hasStarted {
        context.emit(.known(found.reading), at: found.moment)
      } else {
        context.find(.known(found.reading), at: found.moment)
      }
    }
    hasStarted = true
    setAlarm()
  }

  public mutating func render(_ model: WantedTimes, replacing previous: WantedTimes?) throws(DriverError) {
    if try follower.want(model) { context?.watcher.makeWaker().wake() }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    defer { setAlarm() }
    let isAllRead: Bool
    do throws(DriverError) {
      isAllRead = try follower.follow(
        hasRoom: { context.room > 0 }, take: { context.emit(Event($0), at: $1) })
    } catch {
      if error.kind == .lost, follower.isKnown { context.emit(.unknown) }
      throw error
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

  public func refusal(of event: Event) -> String? {
    switch event {
    case .unknown: nil
    case .known(let reading), .jumped(let reading), .reached(let reading): reading.refusal
    }
  }
}

extension ClockDriver.Event {
  fileprivate init(_ change: ClockFollower.Change) {
    switch change {
    case .known(let reading): self = .known(reading)
    case .unknown: self = .unknown
    case .jumped(let reading): self = .jumped(reading)
    case .reached(let reading): self = .reached(reading)
    }
  }
}
