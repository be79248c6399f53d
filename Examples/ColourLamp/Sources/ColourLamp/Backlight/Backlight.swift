import CycleCore

/// The light of a screen: `SysfsBacklight`, or `SimulatedBacklight`.
public protocol Backlight: AnyObject {
  /// Sets the brightness, 0 to 1. May take 1 ms.
  func set(_ brightness: Double) throws(DriverError)
}

/// Dims the light of a screen.
///
/// **Timing.** A brightness is written when it changes. A screen that is unplugged is ``CycleCore/Trouble/lost(_:)``
/// until a write succeeds.
///
/// **Source.** Kernel documentation, `ABI/stable/sysfs-class-backlight`.
///
///     Lens(BacklightDriver(platform.hardware(at: BacklightPort("rpi_backlight"))), show: { $0.isNight ? 0.1 : 1 })
public struct BacklightDriver: Driver {
  public typealias Event = Never

  private let backlight: any Backlight

  public init(_ backlight: any Backlight) { self.backlight = backlight }

  public var safeModel: Double { 0 }

  public mutating func start(showing model: Double, in context: DriverContext<Never>) throws(DriverError) {
    try backlight.set(model)
  }

  public mutating func render(_ model: Double, replacing previous: Double?) throws(DriverError) {
    try backlight.set(model)
  }

  public mutating func stop() {}
}
