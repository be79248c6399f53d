/// One kind of hardware: it renders its own models and emits its own events, and knows nothing of the application.
///
/// A driver lives on the cycle's thread. The cycle calls, in this order:
///
/// 1. ``start(showing:in:)`` of the drivers with ``isInput``: request the hardware and read it. The cycle waits until
/// they know its state, at most 100 ms (``DriverContext/awaitReading()``), and makes the first frame.
/// 2. ``start(showing:in:)`` of all other drivers: request the hardware, outputs already at the values of the first
///    frame's model.
/// 3. ``render(_:replacing:)`` with that model (`previous` is nil) after all drivers have started, and later whenever
/// the model differs from the last one that was rendered without an error.
/// 4. ``wake(_:)`` whenever something that the driver watches is ready, or its alarm is due.
/// 5. ``render(_:replacing:)`` with the safe model, then ``wake(_:)`` until ``isAtRest``, for at most one second, then
/// ``stop()``.
///
/// **Errors.** A driver throws an error from which it can't recover immediately. The cycle reports the error to the
/// application (``Trouble``) and retries the call after 1 s, 2 s, 4 s … 60 s. After an error of kind `lost` or `absent`
/// (the hardware is not there) the cycle calls ``stop()``, waits for ``watchForReturn(_:)`` and for the next retry, and
/// calls ``start(showing:in:)`` again. The driver keeps its state between these calls. For example, if the chip of a
/// pressed button disappears, the button emits after the restart that it was released.
///
/// **Time.** `start` may take 5 s, every other call 1 ms: during a driver's call, no event is reduced and no model is
/// rendered. Calls that can take longer (to a bus, a display, a network, a file) belong on a thread of the driver, such
/// as a ``Worker``. The cycle reports slower calls to ``Cycle/onOverrun(_:)``.
///
/// A struct, a struct that can't be copied, or a final class can be a driver.
public protocol Driver<Model, Event>: ~Copyable {
  /// The desired state of the hardware, never a command. ``NoModel`` for a driver without outputs.
  associatedtype Model: Equatable, Sendable
  /// Something that the hardware has just experienced. `Never` for a driver that emits no events.
  associatedtype Event: Sendable

  /// The model that is rendered when the application ends, unless the lens has another one (`safe:`).
  var safeModel: Model { get }

  /// Identifies a driver that is an object, so that the cycle detects its use in two lenses. Nil for a struct: each
  /// lens has its own copy.
  var identity: ObjectIdentifier? { get }

  /// The name of the driver in a recording; default: the name of its type.
  static var recordingName: String { get }

  /// Whether the first frame depends on the driver's readings. The cycle starts such drivers first. By default these
  /// are the drivers without outputs.
  static var isInput: Bool { get }

  /// Requests the hardware, so that its outputs hold `model` from the first instant. Called again, after ``stop()``,
  /// when lost hardware may be back.
  ///
  /// A state that exists at the start, such as a pressed button, is not an event: report it with
  /// ``DriverContext/find(_:at:)``. The call may take 5 s.
  ///
  /// - Throws: an error if the hardware can't be requested. Before it throws, the driver must release everything that
  ///   it holds. When the application starts, kinds `misconfigured` and `unsupported` end it; with all other kinds it
  ///   runs without this hardware, unless the lens requires it (`isRequired:`).
  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError)

  /// Sets the hardware to the state that `model` describes, writing differences only. May take 1 ms.
  ///
  /// - Parameter previous: the last model that was rendered without an error; nil for the first render after a start.
  /// - Parameter model: the model to render.
  /// - Throws: an error if the hardware could not be changed. The cycle then counts the model as not rendered.
  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError)

  /// Called when a descriptor that the driver watches is ready, when its alarm is due, or when its own thread has
  /// posted. Also called to retry an earlier wake that threw. May take 1 ms.
  mutating func wake(_ wake: Wake) throws(DriverError)

  /// Whether the hardware has reached the state of the last rendered model. A driver whose safe model takes several
  /// wakes (a display, a motor that slows down) returns false until then. It gets wakes for at most 1 s before it is
  /// stopped.
  var isAtRest: Bool { get }

  /// Starts a watch that wakes the lens when lost hardware may be back. Returns nil if the return can't be watched. The
  /// cycle retries the start as ``Recovery`` schedules it, with a watch as well.
  mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?

  /// Releases everything, whether the hardware is present or not. May take 1 ms; at the end of the application, 1 s.
  mutating func stop()

  /// Returns why the driver can't have emitted an event from outside (a recording, an edited recording, the monitor);
  /// nil if it can.
  ///
  /// Such an event was read from JSON: its type is right, but its numbers may have any value. A driver whose events
  /// contain the number of a device, a count or a list checks them here, so that filters can rely on them. Called for
  /// drivers that run and for drivers that were never started. By default no event is rejected.
  ///
  ///     func refusal(of event: Event) -> String? {
  ///       keys.indices.contains(event.key) ? nil : "key \(event.key) does not exist; keys are 0 to \(keys.count - 1)"
  ///     }
  func refusal(of event: Event) -> String?
}

extension Driver where Self: ~Copyable, Model == NoModel {
  @inlinable
  public var safeModel: NoModel { NoModel() }

  @inlinable
  public mutating func render(_ model: NoModel, replacing previous: NoModel?) throws(DriverError) {}
}

extension Driver where Self: ~Copyable {
  public var identity: ObjectIdentifier? { nil }
  public static var recordingName: String { typeName(of: Self.self) }
  public static var isInput: Bool { Model.self == NoModel.self }
}

extension Driver where Self: AnyObject {
  public var identity: ObjectIdentifier? { ObjectIdentifier(self) }
}

extension Driver where Self: ~Copyable {
  @inlinable
  public mutating func wake(_ wake: Wake) throws(DriverError) {}

  @inlinable
  public var isAtRest: Bool { true }

  public func refusal(of event: Event) -> String? { nil }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
}
