import CycleCore
import Glibc
import HardwareDrivers

/// A lamp of the kernel: `/sys/class/leds/NAME` or `/sys/class/backlight/NAME`.
///
///     let act = LinuxKernelLight(KernelLightPort("ACT"))
///
/// While it is open, no trigger of the kernel drives the lamp. The trigger that was set before is set again at the end.
///
/// **Source.** Kernel documents `leds/leds-class.rst`, `ABI/stable/sysfs-class-backlight`.
public final class LinuxKernelLight: PWMChannel {
  private static let folders = ["/sys/class/leds", "/sys/class/backlight"]

  private let port: KernelLightPort
  private let fault: PWMErrorFactory
  private let system: any SysfsAccess

  /// Opens nothing.
  public convenience init(_ port: KernelLightPort) { self.init(port, system: LinuxSysfsAccess()) }

  init(_ port: KernelLightPort, system: any SysfsAccess) {
    self.port = port
    self.system = system
    fault = PWMErrorFactory(port)
  }

  /// The lamp's folder; nil if the kernel has no such lamp. A name with a slash would be a path elsewhere.
  private var folder: String? {
    guard !port.name.contains("/"), !port.name.hasPrefix(".") else { return nil }
    return Self.folders.map { "\($0)/\(port.name)" }.first { system.exists("\($0)/brightness") }
  }

  public var isPresent: Bool { folder != nil }

  /// Throws if the kernel has no such lamp.
  func find() throws(DriverError) -> String {
    guard let folder else { throw fault.absent() }
    return folder
  }

  /// Ends the trigger, and writes `brightness`.
  public func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection {
    let folder = try find()
    let connection = LinuxKernelLightConnection(folder, fault, system)
    do throws(DriverError) {
      try connection.open(showing: wave)
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// Wakes the watcher when the kernel announces a lamp.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    KernelEventWatch(of: "leds", watcher)
  }
}

/// A lamp of the kernel whose files are open.
private final class LinuxKernelLightConnection: PWMConnection {
  private let folder: String
  private let fault: PWMErrorFactory
  private let system: any SysfsAccess
  /// The file `brightness`; -1 while it is closed.
  private var brightness: Int32 = -1
  /// Whether the lamp is locked for this program: only then may it be changed.
  private var isOurs = false
  /// The greatest brightness that the driver has.
  private var steps = 1
  /// The brightness of a backlight before: a screen stays readable after the end. A lamp is dark then.
  private var rest = "0"
  /// The trigger that was set before; nil if there was none.
  private var trigger: String?
  private var watch: KernelEventWatch?

  init(_ folder: String, _ fault: PWMErrorFactory, _ system: any SysfsAccess) {
    (self.folder, self.fault, self.system) = (folder, fault, system)
  }

  deinit {
    close()
  }

  func open(showing wave: PWMWave) throws(DriverError) {
    do throws(SystemFailure) {
      brightness = try system.open("\(folder)/brightness")
      try system.lock(brightness)
      steps = max(1, system.bytes(of: "\(folder)/max_brightness").flatMap(Self.number) ?? 1)
      // `none [heartbeat] mmc0`: the one in brackets is set. A backlight has no triggers.
      if let bytes = system.bytes(of: "\(folder)/trigger") {
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        let set = words.first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map { String($0.dropFirst().dropLast()) }
        if let set, set != "none" {
          try system.write("none", to: "\(folder)/trigger")
          trigger = set
        }
      }
      if folder.hasPrefix("/sys/class/backlight/") { rest = try system.read(brightness) }
      isOurs = true
      try write(wave)
    } catch {
      throw error.number == EWOULDBLOCK ? fault.busy(cause: error.cause) : explain(error, "open")
    }
  }

  private static func number(_ bytes: [UInt8]) -> Int? {
    Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  func show(_ wave: PWMWave) throws(DriverError) {
    precondition(brightness >= 0, "a connection that has been closed is not used any more")
    do throws(SystemFailure) {
      try write(wave)
    } catch {
      throw explain(error, "set")
    }
  }

  private func write(_ wave: PWMWave) throws(SystemFailure) {
    try system.write("\(Int((wave.share * Double(steps)).rounded()))", to: brightness)
  }

  func watch(_ watcher: Watcher) throws(DriverError) { watch = KernelEventWatch(of: "leds", watcher) }

  func check() throws(DriverError) {
    watch?.acknowledge()
    do throws(SystemFailure) {
      _ = try system.read(brightness)
    } catch {
      throw fault.lost(cause: error.cause)
    }
  }

  func close() {
    watch?.release()
    watch = nil
    guard brightness >= 0 else { return }
    if isOurs { try? system.write(rest, to: brightness) }
    if let trigger { try? system.write(trigger, to: "\(folder)/trigger") }
    system.close(brightness)
    brightness = -1
  }

  /// Closes it: otherwise nothing would set the trigger again.
  func leave() { close() }

  private func explain(_ failure: SystemFailure, _ operation: String) -> DriverError {
    switch failure.number {
    case ENODEV, ENOENT, ENXIO: fault.lost(cause: failure.cause)
    case EACCES, EPERM: fault.notPermitted(operation, cause: failure.cause)
    default: fault.failed(operation, failure.reason, cause: failure.cause)
    }
  }
}

extension KernelLightPort: RealPort {
  public func makeReal() -> any PWMChannel { LinuxKernelLight(self) }

  /// Looks for the lamp.
  public func inspect() throws(DriverError) { _ = try LinuxKernelLight(self).find() }
}
