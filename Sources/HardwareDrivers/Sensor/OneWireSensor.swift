import CycleCore

/// The interface between ``OneWireThermometer`` and a backend: one sensor on a 1-wire bus.
///
/// `LinuxOneWireSensor` uses the kernel's files, `SimulatedOneWireSensor` lives in memory. A call takes up to a second,
/// so it must be made in the step of a ``CycleCore/Worker``; one call at a time.
public protocol OneWireSensor: AnyObject {
  /// The sensor's name in errors: `28-0316a2f1e4ff`. It may be known only after the first reading. It must be read
  /// before the first of the calls below, and after that only on their thread.
  var name: String { get }
  /// Whether calls block their thread while the hardware works: true for a real sensor. If false, they return
  /// immediately and advance the ``CycleCore/WorkClock`` by that time.
  var needsThread: Bool { get }

  /// Measures: 94 ms at 9 bits to 750 ms at 12.
  ///
  /// - Throws: ``CycleBase/DriverError`` that names the sensor: it is missing (kind `absent` or `lost`), it can't be
  ///   read by this user (`notPermitted`), or its reply is missing or wrong (`failed`).
  func read(on clock: WorkClock) throws(DriverError) -> Temperature

  /// Sets the resolution, which lasts until the sensor loses its power. Does nothing if the sensor has this resolution
  /// already.
  ///
  /// - Parameter bits: 9 to 12, for steps of 1/2 to 1/16 of a degree.
  /// - Parameter clock: the clock of the worker.
  /// - Throws: as ``read(on:)``, and kind `unsupported` for a sensor with a fixed resolution.
  func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError)
}
