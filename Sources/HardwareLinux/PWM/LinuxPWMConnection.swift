import CycleCore
import Glibc
import HardwareDrivers

/// A channel's folder in sysfs, `/sys/class/pwm/pwmchip0/pwm2`, whose files are open.
///
/// The kernel refuses a `duty_cycle` above the `period`, also for a moment. So a longer period is written first, and a
/// shorter one last.
final class LinuxPWMConnection: PWMConnection {
  private let found: PWMChannelFinder.Found
  private let folder: String
  private let fault: PWMErrorFactory
  private let system: any SysfsAccess
  /// The files `period`, `duty_cycle` and `enable`; -1 while they are closed.
  private var period: Int32 = -1
  private var duty: Int32 = -1
  private var enable: Int32 = -1
  /// The wave that the kernel has; nil if it is unknown.
  private var shown: PWMWave?
  private var watch: KernelEventWatch?
  private var isClosed = false

  init(_ found: PWMChannelFinder.Found, folder: String, fault: PWMErrorFactory, system: any SysfsAccess) {
    self.found = found
    self.folder = folder
    self.fault = fault
    self.system = system
  }

  deinit {
    close()
  }

  /// Opens and locks the files, and shows the first wave.
  func open(showing wave: PWMWave) throws(DriverError) {
    do throws(SystemFailure) {
      duty = try system.open("\(folder)/duty_cycle")
      try system.lock(duty)
      period = try system.open("\(folder)/period")
      enable = try system.open("\(folder)/enable")
      try setPolarity()
      do throws(SystemFailure) {
        try write(wave)
      } catch {
        // A killed program may have left two channels of a chip with one period for all of them running.
        guard error.number == EBUSY else { throw error }
        try system.write("0", to: enable)
        shown = nil
        try write(wave)
      }
      try system.write("1", to: enable)
    } catch {
      throw error.number == EWOULDBLOCK ? fault.busy(cause: error.cause) : explain(error, wave)
    }
  }

  /// Sets the polarity to normal. A channel that another program has left may be inverted; it must be disabled for the
  /// change.
  private func setPolarity() throws(SystemFailure) {
    let path = "\(folder)/polarity"
    guard let word = system.bytes(of: path), word.starts(with: Array("inversed".utf8)) else { return }
    try system.write("0", to: enable)
    try system.write("normal", to: path)
  }

  func show(_ wave: PWMWave) throws(DriverError) {
    precondition(!isClosed, "a connection that has been closed is not used any more")
    do throws(SystemFailure) {
      try write(wave)
    } catch {
      throw explain(error, wave)
    }
  }

  private func write(_ wave: PWMWave) throws(SystemFailure) {
    let before: PWMWave
    if let shown { before = shown } else { before = try read() }
    shown = nil
    let periodText = "\(wave.period.wholeNanoseconds)"
    if wave.period > before.period { try system.write(periodText, to: period) }
    if wave.high != before.high { try system.write("\(wave.high.wholeNanoseconds)", to: duty) }
    if wave.period < before.period { try system.write(periodText, to: period) }
    shown = wave
  }

  /// The wave that the kernel has now; a channel that was never set has a period of 0.
  private func read() throws(SystemFailure) -> PWMWave {
    let (period, high) = (Int64(try system.read(period)) ?? 0, Int64(try system.read(duty)) ?? 0)
    return PWMWave(period: .nanoseconds(period), high: .nanoseconds(high))
  }

  func watch(_ watcher: Watcher) throws(DriverError) { watch = KernelEventWatch(of: "pwm", watcher) }

  func check() throws(DriverError) {
    watch?.acknowledge()
    do throws(SystemFailure) {
      _ = try system.read(enable)
    } catch {
      throw fault.lost(cause: error.cause)
    }
  }

  func close() { release(disables: true, unexports: true) }

  /// Leaves the channel exported, because drivers of the kernel end the wave of a channel that is not.
  func leave() { release(disables: false, unexports: false) }

  /// Closes a connection whose opening failed.
  ///
  /// - Parameter unexports: whether this program has exported the channel.
  func abandon(unexports: Bool) { release(disables: false, unexports: unexports) }

  private func release(disables: Bool, unexports: Bool) {
    watch?.release()
    watch = nil
    guard !isClosed else { return }
    isClosed = true
    if disables, duty >= 0 {
      // Without these, the channel would run on after it is unexported.
      try? system.write("0", to: duty)
      try? system.write("0", to: enable)
    }
    for descriptor in [period, enable] where descriptor >= 0 { system.close(descriptor) }
    if unexports { try? system.write("\(found.channel)", to: "\(found.chip)/unexport") }
    if duty >= 0 { system.close(duty) }
    (period, duty, enable) = (-1, -1, -1)
  }

  /// Maps the errno: EINVAL for a wave that the driver of the chip can't make, EBUSY for one with a period that the other
  /// channels don't have, ENODEV for a chip that has gone.
  private func explain(_ failure: SystemFailure, _ wave: PWMWave) -> DriverError {
    switch failure.number {
    case ENODEV, ENOENT, ENXIO: fault.lost(cause: failure.cause)
    case EINVAL, ERANGE, EOPNOTSUPP: fault.unsupported(wave, cause: failure.cause)
    case EBUSY: fault.otherPeriod(wave, cause: failure.cause)
    case EACCES, EPERM: fault.notPermitted("set", cause: failure.cause)
    default: fault.failed("set", failure.reason, cause: failure.cause)
    }
  }
}
