import CycleCore

/// The interface between ``Sensor`` and a backend: anything that gives a number when it is read.
///
/// `IIOChannel`, `HwmonChannel`, `NumberFile` and `OneWireNumber` read the kernel's files, `SimulatedNumberSource`
/// lives in memory. A reading may take long, so it is made in the step of a ``CycleCore/Worker``; one at a time.
public protocol NumberSource {
  /// The source's name in errors, as the configuration has it: `bme280 temp`, `/run/air`. It may be known only after
  /// the first reading. Read it before the first call of ``readNumber(on:)``, and after that only on its thread.
  var name: String { get }
  /// The unit of the numbers, as people write it: `°C`, `V`; empty where there is none, or none is known.
  var unit: String { get }
  /// Whether a reading blocks its thread while the hardware works: true for real hardware. If false, it returns
  /// immediately and advances the ``CycleCore/WorkClock`` by that time.
  var needsThread: Bool { get }

  /// Reads the number as it is now, in ``unit``.
  ///
  /// - Parameter clock: the worker's.
  /// - Throws: ``CycleCore/DriverError`` with the source's name as its subject, the cause and the remedy. Kinds
  ///   `absent`, `lost`, `busy` and `notPermitted` say that the hardware is not there for this program: then the sensor
  ///   is lost until a reading succeeds. All others say that it is there and gave no number.
  func readNumber(on clock: WorkClock) throws(DriverError) -> Double

  /// Sets a function that the source calls when its number changes; the number is then read immediately. A source that
  /// doesn't know when its number changes is only read at intervals.
  func onChange(_ changed: @escaping () -> Void)
}

extension NumberSource {
  /// Does nothing: the source doesn't know when its number changes.
  public func onChange(_ changed: @escaping () -> Void) {}
}
