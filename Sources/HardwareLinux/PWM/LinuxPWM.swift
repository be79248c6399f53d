import CycleCore
import Glibc
import HardwareDrivers

/// A PWM channel of a real board: the kernel's `/sys/class/pwm` (`Documentation/driver-api/pwm`).
///
///     let pwm = LinuxPWM(PWMPort(line: "GPIO18"))
///
/// The channel is found each time that it is opened: by its device or by the line that it drives. A program that was
/// killed leaves its channel running and exported. The next program takes it over, because the lock of the file ended
/// with the program.
public final class LinuxPWM: PWMChannel {
  /// The time for which udev may set the group of the channel's files after the channel was exported.
  private static let mostRuleTime = 1_000
  private static let ruleStep = 10

  private let port: PWMPort
  private let fault: PWMErrorFactory
  private let system: any SysfsAccess

  /// Opens nothing.
  public convenience init(_ port: PWMPort) { self.init(port, system: LinuxSysfsAccess()) }

  init(_ port: PWMPort, system: any SysfsAccess) {
    self.port = port
    self.system = system
    fault = PWMErrorFactory(port)
  }

  private var finder: PWMChannelFinder { PWMChannelFinder(system: system) }

  public var isPresent: Bool { finder.find(port.choice) != nil }

  /// Finds the chip and the channel.
  func find() throws(DriverError) -> PWMChannelFinder.Found {
    let finder = finder
    if let found = finder.find(port.choice) { return found }
    let devices = finder.devices
    guard case .chip = port.choice else { throw fault.absent() }
    throw fault.absent("no chip has this name, of \(devices.isEmpty ? "none" : devices.joined(separator: ", "))")
  }

  /// Exports the channel, and writes `period`, `duty_cycle`, `polarity` and `enable`.
  public func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection {
    let found = try find()
    let folder = "\(found.chip)/pwm\(found.channel)"
    let isOurs = try export(found, folder)
    let connection = LinuxPWMConnection(found, folder: folder, fault: fault, system: system)
    do throws(DriverError) {
      try wait(for: folder, isOurs ? Self.mostRuleTime : 0)
      try connection.open(showing: wave)
    } catch {
      connection.abandon(unexports: isOurs)
      throw error
    }
    return connection
  }

  /// Exports the channel. Returns false if it was exported already.
  private func export(_ found: PWMChannelFinder.Found, _ folder: String) throws(DriverError) -> Bool {
    do throws(SystemFailure) {
      try system.write("\(found.channel)", to: "\(found.chip)/export")
      return true
    } catch {
      switch error.number {
      // If the channel has no folder, a driver of the kernel has it.
      case EBUSY: if system.exists(folder) { return false } else { throw fault.busy(cause: error.cause) }
      case EACCES, EPERM: throw fault.notPermitted(cause: error.cause)
      case ENODEV, ENOENT: throw fault.absent(cause: error.cause)
      case EINVAL: throw fault.absent("the chip has no channel \(found.channel)", cause: error.cause)
      default: throw fault.failed("open", error.reason, cause: error.cause)
      }
    }
  }

  /// Waits until udev has given the files of the channel to the group.
  private func wait(for folder: String, _ most: Int) throws(DriverError) {
    var rest = most
    while true {
      do throws(SystemFailure) {
        system.close(try system.open("\(folder)/duty_cycle"))
        return
      } catch {
        guard error.number == EACCES || error.number == ENOENT, rest > 0 else {
          throw error.number == EACCES
            ? fault.notPermitted(cause: error.cause) : fault.failed("open", error.reason, cause: error.cause)
        }
        system.sleep(milliseconds: Self.ruleStep)
        rest -= Self.ruleStep
      }
    }
  }

  /// Wakes the watcher when the kernel announces a chip.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    KernelEventWatch(of: "pwm", watcher)
  }
}

extension PWMPort: RealPort {
  public func makeReal() -> any PWMChannel { LinuxPWM(self) }

  /// Looks for the chip and the channel.
  public func inspect() throws(DriverError) { _ = try LinuxPWM(self).find() }
}
