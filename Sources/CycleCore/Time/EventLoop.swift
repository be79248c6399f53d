/// The loop in which a cycle waits: a clock, descriptors to watch, and a bell that other threads can ring.
///
/// The project has two loops: `LinuxLoop` waits in `epoll_wait` on the monotonic clock; ``VirtualLoop`` jumps from
/// deadline to deadline without waiting. A cycle uses its loop from one thread only, except the ``Doorbell``.
public protocol EventLoop: AnyObject {
  /// The current moment on this loop's clock.
  var now: Moment { get }

  /// Whether time is virtual: the clock advances only while a cycle waits or pauses. Nothing may block then, because a
  /// blocked thread would not advance the clock.
  var isVirtual: Bool { get }

  /// Blocks for at least `span` on this loop's clock, without checking descriptors. For pauses of up to 100 µs, which
  /// are too short for an alarm.
  func pause(for span: Duration)

  /// Wakes the lens with this number whenever the descriptor can be read or is broken, until ``unwatch(_:)``.
  func watch(_ descriptor: Int32, for lens: Int) throws(DriverError)

  /// Watches like ``watch(_:for:)``, for a lens that at each wake reads everything that the descriptor holds, or wakes
  /// itself for the rest. The loop may omit wakes if nothing new has arrived.
  func watchArrivals(_ descriptor: Int32, for lens: Int) throws(DriverError)

  /// Stops watching. Does nothing for a descriptor that is not watched.
  func unwatch(_ descriptor: Int32)

  /// Makes a bell that ends ``wait(until:ready:)`` early, from any thread.
  func makeDoorbell() -> any Doorbell

  /// Waits until a descriptor is ready, the doorbell was rung, or the deadline is due.
  ///
  /// - Parameter ready: gets a record for each ready descriptor, ordered by lens and then by descriptor.
  /// - Parameter deadline: the latest moment at which it returns; nil for no limit.
  func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError)
}

extension EventLoop {
  public var isVirtual: Bool { false }

  /// Wakes the lens like ``watch(_:for:)``.
  public func watchArrivals(_ descriptor: Int32, for lens: Int) throws(DriverError) { try watch(descriptor, for: lens) }
}

/// Ends the wait of an event loop, from any thread, without a lock.
public protocol Doorbell: AnyObject, Sendable {
  func ring()
}

/// Descriptors that became ready in one wait, at most ``capacity``. The next wait returns the others.
public struct ReadyList: RandomAccessCollection, Sendable {
  /// The maximum number of records that one wait returns.
  public static let capacity = 64

  public struct Record: Equatable, Sendable {
    public var lens: Int
    public var descriptor: Int32

    @inlinable
    init(lens: Int, descriptor: Int32) {
      self.lens = lens
      self.descriptor = descriptor
    }
  }

  // Overwritten instead of emptied: a loop fills this at each of its turns.
  @usableFromInline var slots = [Record](repeating: Record(lens: 0, descriptor: 0), count: capacity)

  public init() {}

  public var count: Int { used }
  @usableFromInline var used = 0

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(index: Int) -> Record {
    precondition(index < count, "there is no such record")
    return slots[index]
  }

  /// Adds a record. More than ``capacity`` records are a programming error of the loop.
  @inlinable
  public mutating func append(lens: Int, descriptor: Int32) {
    slots[used] = Record(lens: lens, descriptor: descriptor)
    used += 1
  }

  public mutating func removeAll() {
    used = 0
  }
}
