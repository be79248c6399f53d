/// The slow work of a driver, done by a ``Worker`` one step at a time.
///
/// A call is slow if it can block for longer than the 1 ms that a driver may spend on the cycle's thread: to a bus, a
/// 1-wire sensor, a mixer of a sound server, the network, a file. On real hardware a thread calls ``step(in:)``, which
/// may block while the hardware works. In virtual time the driver's alarm calls the same step on the cycle's thread,
/// and simulated hardware calls ``WorkClock/sleep(for:)`` with the duration of a call.
///
///     struct ThermometerWork: Work {
///       typealias Report = Double
///       let sensor: any TemperatureSensor
///       var state: DriverError?
///
///       mutating func step(in context: WorkContext<Self>) -> WorkWait {
///         do throws(DriverError) {
///           context.report(try sensor.read(on: context.clock))   // 750 ms
///           state = nil
///         } catch {
///           state = error
///         }
///         return .until(context.now + .seconds(1))
///       }
///     }
///
/// A struct or a final class can be a work. One thread at a time uses it. If the thread had to be abandoned, it
/// releases the work.
public protocol Work {
  /// A request from the driver.
  associatedtype Command: Sendable = Never
  /// A result that the driver receives once. A report that does not fit into the postbox is dropped, counted, and
  /// reported to the application as ``Trouble/eventsLost(_:)``.
  associatedtype Report: Sendable = Never
  /// The state that the driver must know: the newest value always reaches it.
  associatedtype State: Equatable, Sendable

  /// The state of the hardware: whether it is there, how it was opened, why it was lost. The worker compares the
  /// property after each step, and passes on a changed value. The driver gets only the newest value, so a state that
  /// must count events contains a counter.
  var state: State { get }

  /// The descriptors to poll between two steps, if ``WorkWait/pollsDescriptors`` is true. Only the first 16 are polled,
  /// and only by a thread.
  var descriptors: [PolledDescriptor] { get }

  /// Whether the thread requires real-time priority (`SCHED_FIFO` 40) until the next step. Without the permission
  /// (`RLIMIT_RTPRIO`) the thread keeps its normal priority.
  var wantsRealTime: Bool { get }

  /// Receives the waiting commands, does the work that is due at ``WorkContext/now``, and returns how to wait for the
  /// next step.
  ///
  /// A command that arrives while the worker waits starts the next step immediately. A step may block; only the worker
  /// is then blocked.
  mutating func step(in context: WorkContext<Self>) -> WorkWait

  /// Brings the hardware nearer to rest. Called instead of ``step(in:)`` when the driver stops; the first call is
  /// immediate.
  ///
  /// - Returns: the moment of the next call; nil if the hardware is at rest. After ``Worker/longestFinish`` it is not
  ///   called again.
  mutating func finish(in context: WorkContext<Self>) -> Moment?

  /// Releases the hardware: the last call. It is not made for a thread that hangs, nor in virtual time for a work that
  /// takes longer than a stop may take.
  mutating func close(in context: WorkContext<Self>)
}

extension Work {
  public var descriptors: [PolledDescriptor] { [] }
  public var wantsRealTime: Bool { false }
  public mutating func finish(in context: WorkContext<Self>) -> Moment? { nil }
  public mutating func close(in context: WorkContext<Self>) {}
}

/// The wait of a work for its next step.
public struct WorkWait: Equatable, Sendable {
  /// The moment of the next step; nil if only a command, a wake or a descriptor starts it.
  public var deadline: Moment?
  /// Whether a ready descriptor in ``Work/descriptors`` also starts the next step.
  public var pollsDescriptors: Bool

  public init(until deadline: Moment?, pollsDescriptors: Bool = false) {
    self.deadline = deadline
    self.pollsDescriptors = pollsDescriptors
  }

  /// Waits until a moment, or a command.
  public static func until(_ moment: Moment) -> WorkWait { WorkWait(until: moment) }

  /// Waits until a command.
  public static var forCommand: WorkWait { WorkWait(until: nil) }
}

/// A descriptor and the events to poll it for, as in `poll(2)`.
public struct PolledDescriptor: Equatable, Sendable {
  public var descriptor: Int32
  public var events: Int16

  public init(descriptor: Int32, events: Int16) {
    self.descriptor = descriptor
    self.events = events
  }
}
