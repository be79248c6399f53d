import CycleCore
import Glibc
import HardwareDrivers

/// An I²C bus of a real board: the kernel's `/dev/i2c-1` (`Documentation/i2c/dev-interface`).
///
///     let bus = LinuxI2C(.number(1))      // the header of a Raspberry Pi: SDA on pin 3, SCL on pin 5
///
/// No file is open while no device is. Each device has its own descriptor, and the kernel runs the transactions on the
/// bus one after the other, so each device can be used from its own thread.
public final class LinuxI2C: I2CBus, Sendable {
  private let choice: I2CBusPort.BusChoice
  private let deviceFolder: String
  private let system: any I2CSystem

  /// Doesn't open the bus.
  ///
  /// - Parameter deviceFolder: the folder of the buses' nodes.
  /// - Parameter choice: the bus.
  public convenience init(_ choice: I2CBusPort.BusChoice, deviceFolder: String = "/dev") {
    self.init(choice, deviceFolder: deviceFolder, system: LinuxI2CSystem())
  }

  init(_ choice: I2CBusPort.BusChoice, deviceFolder: String, system: any I2CSystem) {
    self.choice = choice
    self.deviceFolder = deviceFolder
    self.system = system
  }

  public var needsThread: Bool { true }

  public var name: String {
    switch choice {
    case .number(let number): "i2c-\(number)"
    case .named(let name): name
    }
  }

  /// Opens the bus's node and chooses the device. Calls `open`, `ioctl` with `I2C_FUNCS` and `I2C_SLAVE`.
  public func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection {
    let name = try node(for: address)
    let path = "\(deviceFolder)/\(name)"
    let fault = I2CErrorFactory(bus: name, address: address)
    let descriptor: Int32
    do throws(SystemFailure) {
      descriptor = try system.open(path)
    } catch {
      throw error.error(opening: fault)
    }
    do throws(SystemFailure) {
      let functions = try system.functions(descriptor)
      try system.setAddress(descriptor, address.rawValue)
      return LinuxI2CConnection(
        descriptor, to: address, path: path, functions: functions, fault: fault, system: system)
    } catch {
      system.close(descriptor)
      throw error.number == EBUSY ? busy(error, address, name, fault) : error.error(opening: fault)
    }
  }

  /// Wakes the watcher whenever a device appears, goes or changes its permissions in the device folder. Calls
  /// `inotify_add_watch`.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try FolderWatch(deviceFolder, for: "an I²C bus", watcher)
  }

  /// The name of the bus's node: `i2c-1`.
  private func node(for address: I2CAddress) throws(DriverError) -> String {
    switch choice {
    case .number(let number): return "i2c-\(number)"
    case .named(let wanted):
      let folder = "/sys/class/i2c-dev"
      // If the folder is missing, the list is empty.
      let nodes = ((try? system.entries(of: folder)) ?? []).filter { $0.hasPrefix("i2c-") }
      let named = nodes.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        .map { (node: $0, name: system.line(of: "\(folder)/\($0)/name") ?? "") }
      if let found = named.first(where: { $0.name == wanted }) { return found.node }
      let known = named.map { "\($0.node) (\($0.name))" }.joined(separator: ", ")
      throw I2CErrorFactory(bus: "\"\(wanted)\"", address: address)
        .absent("no adapter has this name, of \(known.isEmpty ? "none" : known)")
    }
  }

  /// The error of EBUSY: a kernel driver is bound to the address. A link in sysfs names that driver.
  private func busy(
    _ failure: SystemFailure, _ address: I2CAddress, _ node: String, _ fault: I2CErrorFactory
  ) -> DriverError {
    let device = "\(node.dropFirst(4))-00\(address.rawValue.hexadecimal)"
    let driver = system.target(of: "/sys/bus/i2c/devices/\(device)/driver")?.split(separator: "/").last.map(String.init)
    return fault.busy(
      driver, unbind: "`echo \(device) | sudo tee /sys/bus/i2c/drivers/\(driver ?? "DRIVER")/unbind`",
      cause: failure.cause)
  }
}
