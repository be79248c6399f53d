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
  /// The device nodes of the hardware; nil for hardware without one in `/dev`. `panel doctor` checks the rights to
  /// them.
  static var deviceNodes: DeviceNodes? { get }
}

/// The device nodes of one kind of hardware in `/dev`.
public struct DeviceNodes: Equatable, Sendable {
  /// The beginning of their names: `i2c-` for `/dev/i2c-1`.
  public var prefix: String
  /// Their driver, as `DeviceAllow=` in a service unit names it: `char-i2c`.
  public var driver: String
  /// The group whose members may open them: `i2c`.
  public var group: String

  public init(_ prefix: String, driver: String, group: String) {
    (self.prefix, self.driver, self.group) = (prefix, driver, group)
  }
}

extension Port {
  public static var deviceNodes: DeviceNodes? { nil }
  public static var help: String { "Use real \(name) hardware, or simulated." }
  public static var fileSuffix: String? { nil }
}
