/// The loop in which a cycle waits: a clock, descriptors to watch, and a bell that other threads can ring.
///
/// Two loops come with the project: `LinuxLoop` waits in `epoll_wait` on the monotonic clock, ``VirtualLoop`` jumps
/// from deadline to deadline without waiting at all. A cycle uses its loop from one thread only; ``Doorbell`` is the
/// exception.
public protocol EventLoop: AnyObject {
  /// The moment on this loop's clock.
  var now: Moment { get }

  /// Whether time is virtual: the clock advances only while a cycle waits or pauses. Then nothing may block, because no
  /// thread keeps pace with the clock.
  var isVirtual: Bool { get }

  /// Blocks for at least `span` on this loop's clock, without checking descriptors: for pauses of up to 100 µs, which
  /// are too short for an alarm.
  func pause(for span: Duration)

  /// Wakes the lens of that number whenever the descriptor can be read or is broken, until ``unwatch(_:)``.
  func watch(_ descriptor: Int32, for lens: Int) throws(DriverError)

  /// As ``watch(_:for:)``, for a lens that at each wake reads all that the descriptor holds, or wakes itself for the
  /// rest: the loop may leave out wakes before which nothing new has arrived.
  func watchArrivals(_ descriptor: Int32, for lens: Int) throws(DriverError)

  /// Stops watching. A descriptor that is not watched is ignored.
  func unwatch(_ descriptor: Int32)

  /// A bell that ends ``wait(until:ready:)`` early, from any thread.
  func makeDoorbell() -> any Doorbell

  /// Waits until a descriptor is ready, the doorbell was rung, or the deadline is due.
  ///
  /// - Parameter ready: gets a record for each descriptor that is ready, by lens and then by descriptor.
  /// - Parameter deadline: the latest moment at which it returns; nil for no limit.
  func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError)
}

extension EventLoop {
  public var isVirtual: Bool { false }

  /// Wakes the lens as ``watch(_:for:)`` does.
  public func watchArrivals(_ descriptor: Int32, for lens: Int) throws(DriverError) { try watch(descriptor, for: lens) }
}

/// Ends the wait of an event loop, from any thread, without a lock.
public protocol Doorbell: AnyObject, Sendable {
  func ring()
}

/// Descriptors that became ready in one wait, at most ``capacity``; the next wait returns those beyond.
public struct ReadyList: RandomAccessCollection, Sendable {
  /// How many records one wait can return.
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

  // Written over rather than emptied: a loop fills this at each of its turns.
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

  /// Records beyond ``capacity`` are a fault of the loop.
  @inlinable
  public mutating func append(lens: Int, descriptor: Int32) {
    slots[used] = Record(lens: lens, descriptor: descriptor)
    used += 1
  }

  public mutating func removeAll() {
    used = 0
  }
}
