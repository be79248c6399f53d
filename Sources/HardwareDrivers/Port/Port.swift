/// Names hardware that an application requests: an SPI bus, a camera, a GPIO chip.
///
/// A port has three parts, so that drivers and their tests need no backend. This one belongs beside the drivers. The
/// backends extend it: `RealPort` makes the hardware of this machine, and `SimulatedPort` makes the simulated one. An
/// application requests the hardware from its `Platform`, which chooses between the two.
///
///     struct TemperaturePort: Port {
///       typealias Hardware = any TemperatureSource
///       static let name = "temperature"
///     }
///
/// Equal ports represent the same hardware.
public protocol Port: Hashable, Sendable {
  /// The type that drivers use: `any GPIOChip`.
  associatedtype Hardware

  /// The name of this kind of hardware, in lower case letters and digits: `gpio` for the option `--gpio` and the step
  /// `unplug: gpio`.
  static var name: String { get }
  /// The help text of the option.
  static var help: String { get }
  /// The suffix of files that can replace the hardware, `.wav`; nil for none.
  static var fileSuffix: String? { get }
  /// The files of the hardware, in `/dev` or `/sys`; nil for hardware without one. `panel doctor` checks the rights to
  /// them.
  static var deviceNodes: DeviceNodes? { get }
}

/// The files of one kind of hardware that a program opens: device nodes in `/dev`, or files in `/sys`.
public struct DeviceNodes: Equatable, Sendable {
  /// The beginning of their paths: `/dev/i2c-` for `/dev/i2c-1`.
  public var prefix: String
  /// The file in each folder that begins with the prefix: `export`; nil if the paths are those of files.
  public var file: String?
  /// The driver of device nodes, as `DeviceAllow=` in a service unit names it: `char-i2c`; nil for files in `/sys`.
  public var driver: String?
  /// The group whose members may open them: `i2c`.
  public var group: String
  /// Whether a capital letter follows the prefix, as in `ttyUSB0`, but not in `tty1`.
  public var hasCapital = false

  /// Device nodes.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of their names in `/dev`: `i2c-`.
  ///   - driver: their driver: `char-i2c`.
  ///   - group: the group whose members may open them.
  ///   - hasCapital: whether a capital letter follows the prefix.
  public init(_ prefix: String, driver: String, group: String, hasCapital: Bool = false) {
    (self.prefix, self.driver, self.group) = ("/dev/\(prefix)", driver, group)
    self.hasCapital = hasCapital
  }

  /// Files in `/sys`.
  ///
  /// - Parameters:
  ///   - file: the name of the file in each folder.
  ///   - prefix: the beginning of the folders' paths: `/sys/class/pwm/pwmchip`.
  ///   - group: the group whose members may write the files.
  public init(file: String, inFolders prefix: String, group: String) {
    (self.prefix, self.file, self.group) = (prefix, file, group)
  }

  /// The paths as a shell matches them: `/dev/i2c-*`.
  public var pattern: String { prefix + (hasCapital ? "[A-Z]*" : "*") }

  /// Whether a path begins as those of the files do.
  public func contains(_ path: some StringProtocol) -> Bool {
    guard path.hasPrefix(prefix) else { return false }
    return !hasCapital || path.utf8.dropFirst(prefix.utf8.count).first.map { (0x41...0x5A).contains($0) } ?? false
  }
}

extension Port {
  public static var deviceNodes: DeviceNodes? { nil }
  public static var help: String { "Use real \(name) hardware, or simulated." }
  public static var fileSuffix: String? { nil }
}
