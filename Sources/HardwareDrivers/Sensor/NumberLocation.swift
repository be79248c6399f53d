/// The location of a number on this machine: `IIOChannel`, `HwmonChannel`, `NumberFile`, `OneWireLocation`, or a
/// type of your own. Equal places give the same number.
public protocol NumberLocation: Hashable, Sendable {
  /// The place's name in errors, as ``NumberSource/name``.
  var name: String { get }
  /// The unit of its numbers, as ``NumberSource/unit``.
  var unit: String { get }

  /// Creates the source that reads the number. Opens nothing.
  func makeSource() -> any NumberSource
}

/// A place that opens its files for each reading is its own source.
extension NumberLocation where Self: NumberSource {
  public var needsThread: Bool { true }
  public func makeSource() -> any NumberSource { self }
}
