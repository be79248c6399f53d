import CycleCore

/// The location of a number on this machine: `IIOChannel`, `HwmonChannel`, `NumberFile`, `OneWireChannel`, or a
/// type of your own. Equal places give the same number.
public protocol NumberLocation: Hashable, Sendable {
  /// The place's name in errors, as ``NumberSource/name``.
  var name: String { get }
  /// The unit of its numbers, as ``NumberSource/unit``.
  var unit: String { get }

  /// Creates the source that reads the number. Opens nothing.
  func makeSource() -> any NumberSource

  /// Throws the error that a reading would give now, for example because the hardware is absent. Changes nothing, also
  /// not for a program that reads the number now. Takes less than 2 s. The default reads the number once.
  func inspect() throws(DriverError)
}

extension NumberLocation {
  public func inspect() throws(DriverError) { _ = try makeSource().readNumber(on: .monotonic()) }
}

/// A place that opens its files for each reading is its own source.
extension NumberLocation where Self: NumberSource {
  public var needsThread: Bool { true }
  public func makeSource() -> any NumberSource { self }
}
