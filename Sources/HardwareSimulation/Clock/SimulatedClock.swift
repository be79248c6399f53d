import CycleCore
import HardwareDrivers

/// A clock in memory. The program uses it like any ``HardwareDrivers/WallClock``; the world's side sets it, synchronises
/// it and moves it to another zone.
///
///     let clock = SimulatedClock(bench, ClockPort(zone: "CET-1CEST,M3.5.0,M10.5.0/3"))
///     clock.set(CalendarDate(2026, 11, 25), TimeOfDay(6, 29, 30))
///     try bench.advance(by: .seconds(30))
///
/// The clock begins on 1 January 2000, and its time is not known. A clock without a zone, or with the name of
/// a zone, shows UTC until ``zone`` is set: the time zone database is a part of the machine.
public final class SimulatedClock: WallClock, SimulatedHardware {
  public let bench: Bench
  private let trust: ClockPort.Trust
  private let fault = ClockErrorFactory()

  // MARK: - The world's side

  public private(set) var isPlugged = true
  /// The rules of its zone. A program that has opened the clock reads them when it starts the next time.
  public var zone: ZoneRules
  /// Whether a time server has synchronised the clock.
  public var isSynchronised = false { didSet { wake() } }
  /// Whether a battery clock has set it at boot.
  public var hasBatteryClock = false { didSet { wake() } }
  /// The next opening fails with this error, once.
  public var nextOpenError: DriverError?
  /// Every setting of the timer fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// Whether a program has opened the clock.
  public var isOpen: Bool { connection != nil }
  /// The number of times that the program has set the timer, including failed ones.
  public private(set) var timerCount = 0

  /// The clock minus the bench's clock, in nanoseconds.
  private var difference: Int64 = 946_684_800_000_000_000
  private var isSet = false
  private var connection: SimulatedClockConnection?
  private let returns = ReturnWatchers()

  /// - Parameters:
  ///   - bench: the bench.
  ///   - port: the zone, and when the time is known.
  public init(_ bench: Bench, _ port: ClockPort = ClockPort()) {
    self.bench = bench
    zone = port.zone.flatMap { ZoneRules(posix: $0) } ?? .utc
    trust = port.trust
  }

  /// The number of nanoseconds since 1 January 1970 UTC.
  public var nanoseconds: Int64 { bench.now.nanoseconds + difference }

  /// The date and the time of day.
  public var reading: ClockReading { zone.reading(at: CalendarDate.microseconds(nanoseconds)) }

  /// Sets the clock, and marks it as synchronised.
  ///
  /// - Parameter nanoseconds: the number of nanoseconds since 1 January 1970 UTC.
  public func set(nanoseconds: Int64) {
    difference = nanoseconds - bench.now.nanoseconds
    (isSet, isSynchronised) = (true, true)
    connection?.plan()
    wake()
  }

  /// Sets the clock to a local time, and marks it as synchronised.
  public func set(_ date: CalendarDate, _ time: TimeOfDay) {
    set(nanoseconds: Int64(zone.seconds(on: date, at: time.seconds)) * 1_000_000_000)
  }

  /// Sets the clock forward or, with a negative span, back.
  public func jump(by span: Duration) { set(nanoseconds: nanoseconds + span.wholeNanoseconds) }

  /// Whether the time is right.
  public var isKnown: Bool { isSet && (isSynchronised || hasBatteryClock || trust == .machine) }

  /// Removes the clock: its time is not known any more.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    wake()
  }

  public func plug() {
    guard !isPlugged else { return }
    // A connection from before is lost.
    connection = nil
    isPlugged = true
    returns.wake()
  }

  private func wake() { connection?.wake() }

  // MARK: - The program's side

  public func zoneRules() -> ZoneRules { zone }

  public func open() throws(DriverError) -> any WallClockConnection {
    if let error = nextOpenError {
      nextOpenError = nil
      throw error
    }
    guard isPlugged else { throw fault.absent() }
    let connection = SimulatedClockConnection(self)
    self.connection = connection
    return connection
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { returns.add(watcher) }

  fileprivate func checkTimer(of asking: SimulatedClockConnection) throws(DriverError) {
    try check(asking)
    timerCount += 1
    if let error = lastingError { throw error }
  }

  fileprivate func check(_ asking: SimulatedClockConnection) throws(DriverError) {
    guard isPlugged, connection === asking else { throw fault.lost() }
  }

  fileprivate func close(_ closed: SimulatedClockConnection) {
    if connection === closed { connection = nil }
  }
}

extension CalendarDate {
  /// Microseconds, rounded down.
  fileprivate static func microseconds(_ nanoseconds: Int64) -> Int {
    Int(nanoseconds / 1000) - (nanoseconds % 1000 < 0 ? 1 : 0)
  }
}

/// A simulated clock that a program has opened.
private final class SimulatedClockConnection: WallClockConnection {
  private let clock: SimulatedClock
  private var waker: DriverWaker?
  /// The timer, in microseconds since 1970; nil if it is off.
  private var timer: Int?
  /// The moment of the earliest planned check of the timer.
  private var planned: Moment?

  init(_ clock: SimulatedClock) { self.clock = clock }

  var pauseWhileUnknown: Duration? { nil }

  func watch(_ watcher: Watcher) { waker = watcher.makeWaker() }

  func wake() { waker?.wake() }

  func read() throws(DriverError) -> WallClockSample {
    try clock.check(self)
    return WallClockSample(moment: clock.bench.now, nanoseconds: clock.nanoseconds, isKnown: clock.isKnown)
  }

  func setTimer(to microseconds: Int) throws(DriverError) {
    try clock.checkTimer(of: self)
    timer = microseconds
    plan()
  }

  /// Plans a check at the timer's time on the clock, unless an earlier one is planned.
  func plan() {
    guard let timer else { return }
    let span = max(0, Int64(timer) * 1000 - clock.nanoseconds)
    // Such a timer only notices that the clock is set.
    guard span < Self.longest else { return }
    let moment = clock.bench.now + .nanoseconds(span)
    if let planned, planned <= moment { return }
    planned = moment
    clock.bench.plan(at: moment) { [weak self] in self?.check(at: moment) }
  }

  /// Ten years, in nanoseconds.
  private static let longest: Int64 = 315_360_000_000_000_000

  private func check(at moment: Moment) {
    if planned == moment { planned = nil }
    guard let timer else { return }
    guard Int64(timer) * 1000 <= clock.nanoseconds else { return plan() }
    self.timer = nil
    wake()
  }

  func close() {
    waker = nil
    timer = nil
    clock.close(self)
  }
}
