/// One kind of hardware: it renders its own models and emits its own events, and knows nothing of the application.
///
/// A driver lives on the cycle's thread. The cycle calls, in this order:
///
/// 1. ``start(showing:in:)`` with the model of the seed: request the hardware, outputs already at that model's values.
/// 2. ``render(_:replacing:)`` with the seed's model (`previous` is nil) when all drivers have started, then whenever the
///    model differs from the last one that was rendered without an error.
/// 3. ``wake(_:)`` whenever something that the driver watches is ready, or its alarm is due.
/// 4. ``render(_:replacing:)`` with the safe model, then ``wake(_:)`` until ``isAtRest``, for one second at most, then ``stop()``.
///
/// **Errors.** A driver throws what it can't mend at once, and the cycle does the rest: it tells the application (``Trouble``), and
/// tries again after 1 s, 2 s, 4 s … 60 s. An error of kind `lost` or `absent` says that the hardware is not there: the cycle calls
/// ``stop()``, waits for ``watchForReturn(_:)`` or the next try, and calls ``start(showing:in:)`` anew. What a driver knows it keeps
/// meanwhile: a button that was down when its chip went away tells that it is up when it has been started again.
///
/// **Time.** `start` may take 5 s, everything else 1 ms: as long as a driver works, no event is reduced and no lamp changes. What can
/// take longer (a bus, a display, a network, a file) has a thread of its own. The cycle names a driver that was slower
/// (``Cycle/onOverrun(_:)``).
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

  /// Requests the hardware, so that its outputs hold `model` from the first instant. Called again, after ``stop()``, when hardware
  /// that was lost may be back.
  ///
  /// Report levels that are there from the beginning (a button held down) as events: they are reduced after every driver
  /// has rendered the seed. May take 5 s.
  ///
  /// - Throws: the reason why the hardware can't be had; the driver must have released what it held. Kinds `misconfigured` and
  ///   `unsupported` end an application that starts; with all others it starts without this hardware, unless its lens says that
  ///   it is required.
  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError)

  /// Makes the hardware do what `model` says, writing differences only. May take 1 ms.
  ///
  /// - Parameter previous: the last model that was rendered without an error, nil at the first time after a start.
  /// - Throws: what kept it from that. A render that throws has changed nothing that counts.
  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError)

  /// Something that the driver watches is ready, its alarm is due, its own thread has posted, or what it threw in an earlier wake is
  /// to be tried again. May take 1 ms.
  mutating func wake(_ wake: Wake) throws(DriverError)

  /// Whether the hardware has come to where the last model wants it. A driver whose safe model takes several wakes (a display, a
  /// motor that runs out) says false until it is there: it gets one second of wakes before it is stopped.
  var isAtRest: Bool { get }

  /// Has the watcher woken when hardware that was lost may be back; nil if nobody tells, and it has to be tried from time to time.
  mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?

  /// Releases everything, whether the hardware is there or gone. May take 1 ms; at the end of the application, a second.
  mutating func stop()
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
  /// An earlier wake threw: the driver does again what failed then.
  case retry
}

/// The model of a driver that shows nothing, and is never rendered.
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

extension Driver where Self: ~Copyable {
  public var identity: ObjectIdentifier? { nil }
}

extension Driver where Self: AnyObject {
  public var identity: ObjectIdentifier? { ObjectIdentifier(self) }
}

extension Driver where Self: ~Copyable {
  @inlinable
  public mutating func wake(_ wake: Wake) throws(DriverError) {}

  @inlinable
  public var isAtRest: Bool { true }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
}
