import CycleCore

/// The seam below ``OneWireThermometer``: one sensor on a 1-wire bus.
///
/// `LinuxOneWireSensor` is the kernel's, `SimulatedOneWireSensor` lives in memory. Its calls take up to a second and belong into the
/// step of a ``CycleCore/Worker``; one is made at a time.
public protocol OneWireSensor: AnyObject {
  /// What errors call it: `28-0316a2f1e4ff`. It may be known with the first reading only. Asked before the first of the calls below, and
  /// then on their thread.
  var name: String { get }
  /// Whether calls block their thread for as long as the hardware takes: true for a real sensor. Otherwise they return at once and
  /// let the time pass on the ``CycleCore/WorkClock``.
  var needsThread: Bool { get }

  /// Measures: 94 ms at 9 bits to 750 ms at 12.
  ///
  /// - Throws: ``CycleCore/DriverError`` that names the sensor: it is not there (kind `absent` or `lost`), it may not be read
  ///   (`notPermitted`), it gave no answer or a wrong one (`failed`).
  func read(on clock: WorkClock) throws(DriverError) -> Temperature

  /// Sets how finely it measures, until it loses its power. Does nothing where it measures so already.
  ///
  /// - Parameter bits: 9 to 12: halves to sixteenths of a degree.
  /// - Throws: as above, and kind `unsupported` for a sensor that measures in one way only.
  func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError)
}
