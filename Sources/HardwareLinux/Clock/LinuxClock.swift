import CycleCore
import Glibc
import HardwareDrivers

/// The system's clock, `CLOCK_REALTIME`.
///
/// Its time is known if the kernel is synchronised (`adjtimex`), if systemd-timesyncd has been, or if the kernel has set
/// the clock from a battery clock at boot (`hctosys`). A time that was known stays known.
public final class LinuxClock: WallClock {
  private let port: ClockPort
  private let system: any ClockSystem

  /// Opens nothing.
  public convenience init(_ port: ClockPort = ClockPort()) { self.init(port, system: LinuxClockSystem()) }

  init(_ port: ClockPort, system: any ClockSystem) {
    (self.port, self.system) = (port, system)
  }

  /// Reads the file of the zone.
  public func zoneRules() throws(DriverError) -> ZoneRules {
    if let zone = port.zone { return try ZoneFile.rules(named: zone) }
    return try ZoneFile.machineRules()
  }

  /// Calls `timerfd_create`.
  public func open() throws(DriverError) -> any WallClockConnection {
    do throws(SystemFailure) {
      return LinuxClockConnection(try system.createTimer(), system, isTrusted: port.trust == .machine)
    } catch {
      throw ClockErrorFactory().failed("open the clock", error.kind, error.reason, cause: error.cause)
    }
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }

  /// Whether a time server or a battery clock has set the clock.
  public var isKnown: Bool { system.isKnown }
}

extension ClockSystem {
  /// Times before 2025 are those of a machine without a battery clock, whose kernel counts from 1970 or from a saved
  /// time.
  private static var earliest: Int64 { 1_735_689_600_000_000_000 }

  /// Whether the time is right: the kernel or systemd-timesyncd is synchronised, or a battery clock has set it.
  var isKnown: Bool {
    guard realTime >= Self.earliest else { return false }
    return isSynchronised || exists("/run/systemd/timesync/synchronized") || hasBatteryClock
  }

  private var hasBatteryClock: Bool {
    entries(of: "/sys/class/rtc").contains { name in
      name.hasPrefix("rtc") && bytes(of: "/sys/class/rtc/\(name)/hctosys")?.first == UInt8(ascii: "1")
    }
  }
}

/// A timer of the system's clock.
private final class LinuxClockConnection: WallClockConnection {
  private let system: any ClockSystem
  private var descriptor: Int32
  private var isKnown: Bool
  private var watcher: Watcher?
  private let fault = ClockErrorFactory()

  init(_ descriptor: Int32, _ system: any ClockSystem, isTrusted: Bool) {
    (self.descriptor, self.system, isKnown) = (descriptor, system, isTrusted)
  }

  deinit { close() }

  var pauseWhileUnknown: Duration? { .seconds(10) }

  func watch(_ watcher: Watcher) throws(DriverError) {
    try watcher.watch(descriptor)
    self.watcher = watcher
  }

  /// Calls `read`, `clock_gettime`, and `adjtimex` until the time is known.
  func read() throws(DriverError) -> WallClockSample {
    // The descriptor stays readable until the timer is read. ECANCELED: the clock was set.
    system.readTimer(descriptor)
    if !isKnown { isKnown = system.isKnown }
    let (moment, nanoseconds) = readClocks()
    return WallClockSample(moment: moment, nanoseconds: nanoseconds, isKnown: isKnown)
  }

  /// Reads both clocks at one moment: again, if another thread has run between.
  private func readClocks() -> (Moment, Int64) {
    var best: (moment: Moment, nanoseconds: Int64, width: Int64)?
    for _ in 0..<5 {
      let before = system.monotonicTime
      let time = system.realTime
      let after = system.monotonicTime
      let width = after - before
      if width < best?.width ?? .max { best = (Moment(nanoseconds: before + width / 2), time, width) }
      if width < 50_000 { break }
    }
    return best.map { ($0.moment, $0.nanoseconds) } ?? (.zero, 0)
  }

  /// Calls `timerfd_settime`.
  func setTimer(to microseconds: Int) throws(DriverError) {
    do throws(SystemFailure) {
      do throws(SystemFailure) {
        try system.setTimer(descriptor, to: microseconds)
      } catch {
        // The timer is set, and the clock was set since it was read.
        guard error.number == ECANCELED else { throw error }
        watcher?.makeWaker().wake()
      }
    } catch {
      throw fault.failed("set the timer of the clock", error.kind, error.reason, cause: error.cause)
    }
  }

  func close() {
    guard descriptor >= 0 else { return }
    watcher?.unwatch(descriptor)
    watcher = nil
    system.close(descriptor)
    descriptor = -1
  }
}
