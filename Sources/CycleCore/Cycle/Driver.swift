/// One kind of hardware: it renders its own models and emits its own events, and knows nothing of the application.
///
/// A driver lives on the cycle's thread. The cycle calls, in this order:
///
/// 1. ``start(showing:in:)`` once, with the model of the seed: take the hardware, outputs already at that model's values.
/// 2. ``render(_:replacing:)`` with the seed's model (`previous` is nil) when all drivers have started, then whenever the
///    model differs from the last one that was rendered without an error.
/// 3. ``wake(_:)`` whenever something that the driver watches is ready, or its alarm is due.
/// 4. ``render(_:replacing:)`` with the safe model, then ``stop()`` once.
///
/// A struct, a struct that can't be copied, or a final class can be a driver.
public protocol Driver: ~Copyable {
  /// What the hardware should be doing now: a desired state, never a command. ``NoModel`` for a driver that only listens.
  associatedtype Model: Equatable, Sendable
  /// What the hardware has just experienced. `Never` for a driver that only shows.
  associatedtype Event: Sendable

  /// What the hardware shall show when the application ends, unless the application says otherwise.
  var safeModel: Model { get }

  /// Which driver it is, where several lenses could be given the same one: an object. Nil for a value, of which each lens has
  /// its own.
  var identity: ObjectIdentifier? { get }

  /// Takes the hardware, so that its outputs hold `model` from the first instant.
  ///
  /// Report levels that are there from the beginning (a button held down) as events: they are reduced after every driver
  /// has rendered the seed. A driver whose start throws is not stopped: it must have released what it took.
  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError)

  /// Makes the hardware do what `model` says, writing differences only.
  ///
  /// A render that throws has changed nothing that counts: it becomes a ``Trouble/failed(_:)`` event of this driver and is
  /// tried again with the next frame.
  ///
  /// - Parameter previous: the last model that was rendered without an error, nil at the first time.
  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError)

  /// Something that the driver watches is ready, its alarm is due, or its own thread has posted.
  mutating func wake(_ wake: Wake)

  /// Releases everything. The hardware shows the safe model already. Returns within a second, whatever the hardware does.
  mutating func stop()

  /// The event by which the application hears of trouble; nil only from a driver that has no events at all.
  static func event(for trouble: Trouble) -> Event?
}

/// Trouble that every driver can have, told to the application as one of that driver's own events.
public enum Trouble: Equatable, Sendable {
  /// The hardware went away. The driver looks for it and tells ``restored`` when it is back.
  // Behind a pointer, so that every event that can carry trouble stays a word or two.
  indirect case lost(DriverError)
  /// The hardware is back and shows the model again.
  case restored
  /// The driver could not do what the model says; it is tried again with the next frame.
  indirect case failed(DriverError)
  /// So many of the driver's events did not fit into its lane and are gone.
  case eventsLost(Int)
}

/// Why a driver is woken.
@frozen
public enum Wake: Equatable, Sendable {
  /// This descriptor, which the driver watches, is ready or broken; ``Watcher/simulatedDescriptor`` for a simulated device.
  case ready(descriptor: Int32)
  /// The moment set with ``DriverContext/setAlarm(_:)`` has come.
  case alarm
  /// The driver's own thread has posted: receive what is in the ``Postbox``.
  case posted
}

/// The model of a driver that shows nothing.
@frozen
public struct NoModel: Equatable, Sendable {
  @inlinable
  public init() {}
}

extension Driver where Self: ~Copyable, Model == NoModel {
  @inlinable
  public var safeModel: NoModel { NoModel() }

  @inlinable
  public mutating func render(_ model: NoModel, replacing previous: NoModel?) throws(DriverError) {}
}

extension Driver where Self: ~Copyable, Event == Never {
  @inlinable
  public static func event(for trouble: Trouble) -> Never? { nil }
}

extension Driver where Self: ~Copyable {
  public var identity: ObjectIdentifier? { nil }
}

extension Driver where Self: AnyObject {
  public var identity: ObjectIdentifier? { ObjectIdentifier(self) }
}

extension Driver where Self: ~Copyable {
  @inlinable
  public mutating func wake(_ wake: Wake) {}
}
