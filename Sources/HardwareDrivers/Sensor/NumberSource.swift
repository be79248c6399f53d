import CycleCore

/// The interface between ``Sensor`` and a backend: anything that gives a number when it is read.
///
/// `IIOChannel`, `HwmonChannel`, `NumberFile` and ``OneWireThermometer`` read the kernel's files,
/// `SimulatedNumberSource` lives in memory. A reading may take long, so it is made in the step of a
/// ``CycleCore/Worker``; one at a time.
public protocol NumberSource {
  /// The source's name in errors, as in the configuration: `bme280 temp`, `/run/air`. It may be known only after the
  /// first reading. It must be read before the first call of ``readNumber(on:)``, and after that only on its thread.
  var name: String { get }
  /// The unit of the numbers, in its common notation: `°C`, `V`; empty if there is none, or it is unknown.
  var unit: String { get }
  /// Whether a reading blocks its thread while the hardware works: true for real hardware. If false, it returns
  /// immediately and advances the ``CycleCore/WorkClock`` by that time.
  var needsThread: Bool { get }

  /// Reads the current number, in ``unit``.
  ///
  /// - Parameter clock: the worker's clock.
  /// - Throws: ``CycleBase/DriverError`` with the source's name as its subject, the cause and the remedy. Kinds
  ///   `absent`, `lost`, `busy` and `notPermitted` mean that this program can't use the hardware: then the sensor is
  ///   lost until a reading succeeds. All other kinds mean that the hardware gave no number.
  func readNumber(on clock: WorkClock) throws(DriverError) -> Double

  /// The fault of a source that gives numbers nevertheless, such as a resolution that could not be set; nil if there is
  /// none. Called after each reading, on its thread.
  var refusal: DriverError? { get }

  /// Sets a function that the source calls when its number changes; the number is then read immediately. A source that
  /// can't detect changes is only read at intervals.
  func onChange(_ changed: @escaping () -> Void)

  /// Releases what the source holds between readings, on its thread: the sensor has stopped. The next reading takes it
  /// again. The default does nothing.
  func close()
}

extension NumberSource {
  /// Nil.
  public var refusal: DriverError? { nil }
  /// Does nothing: the source can't detect changes of its number.
  public func onChange(_ changed: @escaping () -> Void) {}
  /// Does nothing: the source holds nothing.
  public func close() {}
}
