import CycleCore
import Glibc
import HardwareDrivers

/// A thermometer on a 1-wire bus of the kernel's: `/sys/bus/w1/devices/28-*` (`Documentation/w1/slaves/w1_therm`).
///
///     let sensor = LinuxOneWireSensor("28-0316a2f1e4ff")      // `ls /sys/bus/w1/devices`
///
/// Reads the file `temperature` (kernel 5.10 and later), or else `w1_slave`. No file is open between two readings.
public final class LinuxOneWireSensor: OneWireSensor {
  /// Family codes of the thermometers that the kernel's driver supports: DS18S20, DS1822, DS18B20, DS1825, DS28EA00.
  private static let families = ["10-", "22-", "28-", "3b-", "42-"]

  private let wanted: String?
  private let folder: String
  private var found: String?

  /// Doesn't open the sensor.
  ///
  /// - Parameters:
  ///   - name: the name of the sensor's folder; nil for the first thermometer in the order of their names.
  ///   - folder: the kernel's folder of the sensors.
  public init(_ name: String? = nil, folder: String = "/sys/bus/w1/devices") {
    wanted = name
    self.folder = folder
  }

  public var name: String { wanted ?? found ?? "28-*" }
  public var needsThread: Bool { true }

  private var fault: OneWireErrorFactory { OneWireErrorFactory(sensor: name) }

  /// Calls `open` and `read`, which returns after the measurement.
  public func read(on clock: WorkClock) throws(DriverError) -> Temperature {
    let sensor = try find()
    if let text = try text(of: "temperature", sensor) { return try OneWireParser.temperature(in: text, of: sensor) }
    if let text = try text(of: "w1_slave", sensor) {
      return try OneWireParser.temperature(inScratchpad: text, of: sensor)
    }
    found = nil
    throw fault.absent()
  }

  /// Writes the file `resolution`, or `w1_slave` with an older kernel.
  public func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError) {
    let sensor = try find()
    var file = "resolution"
    if let text = try text(of: file, sensor) {
      if text.prefix(while: { $0 != "\n" }) == String(bits) { return }
    } else {
      // No `resolution` file: with a `temperature` file the sensor's resolution is fixed, else the kernel is older.
      if try text(of: "temperature", sensor) != nil { throw fault.fixedResolution() }
      file = "w1_slave"
    }
    let descriptor = open("\(folder)/\(sensor)/\(file)", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("set the resolution of", .last("open")) }
    defer { close(descriptor) }
    let line = Array("\(bits)\n".utf8)
    guard write(descriptor, line, line.count) == line.count else {
      throw failure("set the resolution of", .last("write"))
    }
  }

  /// The name of the sensor's folder.
  private func find() throws(DriverError) -> String {
    if let name = wanted ?? found { return name }
    do throws(SystemFailure) {
      let names = try Folder.entries(of: folder).filter { name in Self.families.contains { name.hasPrefix($0) } }
      found = names.min()
    } catch {
      guard error.number == ENOENT else { throw failure("look for", error) }
      throw fault.absent(cause: error.cause)
    }
    guard let found else { throw fault.absent() }
    return found
  }

  /// The content of a file of the sensor; nil if the file is missing.
  private func text(of file: String, _ sensor: String) throws(DriverError) -> String? {
    do throws(SystemFailure) {
      let bytes = try SmallFile.bytes(of: "\(folder)/\(sensor)/\(file)", atMost: 512)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      if error == SystemFailure(function: "open", number: ENOENT) { return nil }
      throw failure("read", error)
    }
  }

  private func failure(_ operation: String, _ failure: SystemFailure) -> DriverError {
    switch failure.number {
    case EACCES, EPERM: return fault.notPermitted(operation, cause: failure.cause)
    case ENOENT, ENODEV:
      found = nil
      return fault.absent(cause: failure.cause)
    case EOPNOTSUPP,
      EINVAL where operation != "read":
      return fault.fixedResolution(cause: failure.cause)
    default: return fault.failed(operation, failure.reason, cause: failure.cause)
    }
  }
}
