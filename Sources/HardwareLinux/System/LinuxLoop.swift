internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// The event loop of a real device: waits in `epoll_wait` on the monotonic clock, and sleeps when there is nothing to
/// do.
///
///     let loop = try LinuxLoop()
///     try loop.onReadable(0) { readCommand() }
///     try cycle.run(on: loop)
///
/// A kernel timer with a resolution of 1 ns keeps the deadlines. A wait allocates nothing. All calls must be made on
/// the same thread; only the doorbell can be rung from others.
public final class LinuxLoop: EventLoop {
  /// Numbers in place of a lens's number: for the loop's own descriptors (timer, doorbell), and for those with an
  /// action.
  private static let ownLens = UInt32.max
  private static let actionLens = UInt32.max - 1

  private let epoll: Int32
  private let timer: Int32
  private let doorbell: EventDoorbell
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: ReadyList.capacity)
  /// The moment that the timer is set to; nil when it is off.
  @exclusivity(unchecked) private var armed: Moment?
  @exclusivity(unchecked) private var actions: [(descriptor: Int32, action: () -> Void)] = []
  /// Descriptors with an action that epoll refuses (EPERM) because they are always readable: regular files.
  @exclusivity(unchecked) private var alwaysReadable: [Int32] = []

  /// - Throws: kind `failed` if no more descriptors can be opened. Calls `epoll_create1`, `timerfd_create`, `eventfd`.
  public init() throws(DriverError) {
    do throws(SystemFailure) {
      let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      if epoll < 0 { throw .last("epoll_create1") }
      self.epoll = epoll
      let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
      if timer < 0 {
        let failure = SystemFailure.last("timerfd_create")
        close(epoll)
        throw failure
      }
      self.timer = timer
      let bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
      if bell < 0 {
        let failure = SystemFailure.last("eventfd")
        close(timer)
        close(epoll)
        throw failure
      }
      doorbell = EventDoorbell(bell)
    } catch {
      events.deallocate()
      throw Self.failed("make an event loop", error)
    }
    try add(timer, as: Self.ownLens)
    try add(doorbell.descriptor, as: Self.ownLens)
  }

  deinit {
    close(timer)
    close(epoll)
    events.deallocate()
  }

  /// Calls `clock_gettime` with `CLOCK_MONOTONIC`.
  public var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Spins on the clock: a sleep would end 50 µs late or more.
  public func pause(for span: Duration) {
    guard span > .zero else { return }
    let end = now + span
    while now < end {}
  }

  /// Calls `epoll_ctl`. A descriptor that is already watched is watched for this lens from now on.
  public func watch(_ descriptor: Int32, for lens: Int) throws(DriverError) {
    try add(descriptor, as: Self.number(lens))
  }

  /// As ``watch(_:for:)``, with `EPOLLET`: the kernel doesn't check the descriptor again before the next wait.
  public func watchArrivals(_ descriptor: Int32, for lens: Int) throws(DriverError) {
    try add(descriptor, as: Self.number(lens), EPOLLET)
  }

  private static func number(_ lens: Int) -> UInt32 {
    precondition(lens >= 0 && lens < Int(actionLens), "a lens has a number that fits into 32 bits")
    return UInt32(lens)
  }

  public func unwatch(_ descriptor: Int32) {
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Calls the action within ``wait(until:ready:)``, on the loop's thread, whenever the descriptor is readable, at its
  /// end or in an error state, until ``removeReadable(_:)``. For sources that have no driver: standard input, a socket.
  /// A new action for a descriptor replaces its previous one.
  ///
  /// The caller still owns the descriptor, and removes it here before closing it.
  public func onReadable(_ descriptor: Int32, _ action: @escaping () -> Void) throws(DriverError) {
    removeReadable(descriptor)
    do throws(SystemFailure) {
      try control(descriptor, as: Self.actionLens)
    } catch {
      guard error.number == EPERM else { throw Self.failed("watch descriptor \(descriptor)", error) }
      alwaysReadable.append(descriptor)
    }
    actions.append((descriptor, action))
  }

  /// Removes the descriptor's action. Does nothing for a descriptor without one.
  public func removeReadable(_ descriptor: Int32) {
    guard let index = actions.firstIndex(where: { $0.descriptor == descriptor }) else { return }
    actions.remove(at: index)
    if let index = alwaysReadable.firstIndex(of: descriptor) {
      alwaysReadable.remove(at: index)
    } else {
      unwatch(descriptor)
    }
  }

  public func makeDoorbell() -> any Doorbell { doorbell }

  /// Waits until a descriptor is ready, the doorbell is rung or the deadline is due. If the deadline has passed
  /// already, it polls the descriptors once without waiting. Calls `epoll_wait`.
  ///
  /// - Parameter ready: the ready descriptors are appended, sorted by lens number and then by descriptor.
  /// - Parameter deadline: the latest moment at which it returns; nil for no limit.
  public func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    let timeout = try alwaysReadable.isEmpty ? arm(for: deadline) : 0
    var count: Int32
    repeat {
      count = epoll_wait(epoll, events, Int32(ReadyList.capacity), timeout)
    } while count < 0 && errno == EINTR
    if count < 0 { throw Self.failed("wait for events", .last("epoll_wait")) }
    sortEvents(Int(count))
    var firstAction = Int(count)
    for index in 0..<Int(count) {
      let (lens, descriptor) = Self.split(events[index].data.u64)
      switch lens {
      case Self.ownLens: acknowledge(descriptor)
      case Self.actionLens: firstAction = min(firstAction, index)
      default: ready.append(lens: Int(lens), descriptor: descriptor)
      }
    }
    // An action may remove others, or call `wait` itself, which overwrites `events`: `callActions` copies them first.
    if firstAction < Int(count) || !alwaysReadable.isEmpty { callActions(from: firstAction, to: Int(count)) }
  }

  private func callActions(from first: Int, to end: Int) {
    var descriptors = alwaysReadable
    for index in first..<end {
      let (lens, descriptor) = Self.split(events[index].data.u64)
      if lens == Self.actionLens { descriptors.append(descriptor) }
    }
    for descriptor in descriptors {
      actions.first { $0.descriptor == descriptor }?.action()
    }
  }

  /// Sets the timer; returns the timeout for `epoll_wait`: 0 if the deadline has passed, else -1 for none.
  private func arm(for deadline: Moment?) throws(DriverError) -> Int32 {
    var wanted = deadline
    if deadline == .distantFuture { wanted = nil }
    if let wanted, wanted <= now { return 0 }
    if wanted == armed { return -1 }
    let nanoseconds = wanted?.nanoseconds ?? 0
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
    setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    if timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil) != 0 {
      throw Self.failed("set the timer to \(wanted.map(String.init(describing:)) ?? "off")", .last("timerfd_settime"))
    }
    armed = wanted
    return -1
  }

  /// Reads one of the loop's own descriptors, so that it isn't readable any more.
  private func acknowledge(_ descriptor: Int32) {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    if descriptor == timer { armed = nil }
  }

  /// Sorts by lens, then by descriptor: `epoll_wait` returns descriptors in the order in which they became ready, which
  /// differs from run to run.
  private func sortEvents(_ count: Int) {
    for index in 1..<max(1, count) {
      let event = events[index]
      var place = index
      while place > 0, events[place - 1].data.u64 > event.data.u64 {
        events[place] = events[place - 1]
        place -= 1
      }
      events[place] = event
    }
  }

  private func add(_ descriptor: Int32, as lens: UInt32, _ trigger: EPOLL_EVENTS? = nil) throws(DriverError) {
    do throws(SystemFailure) {
      try control(descriptor, as: lens, trigger)
    } catch {
      throw Self.failed("watch descriptor \(descriptor)", error)
    }
  }

  private func control(_ descriptor: Int32, as lens: UInt32, _ trigger: EPOLL_EVENTS? = nil) throws(SystemFailure) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (trigger?.rawValue ?? 0)
    event.data.u64 = UInt64(lens) << 32 | UInt64(UInt32(bitPattern: descriptor))
    if epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 { return }
    if errno == EEXIST, epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 { return }
    throw .last("epoll_ctl")
  }

  private static func split(_ data: UInt64) -> (lens: UInt32, descriptor: Int32) {
    (UInt32(data >> 32), Int32(bitPattern: UInt32(truncatingIfNeeded: data)))
  }

  private static func failed(_ operation: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, cannot: operation, reason: failure.reason, cause: failure.cause,
      remedy: failure.number == EMFILE
        ? "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service)."
        : "The descriptor must be open and one that can be waited for.")
  }
}

/// Rings by writing to an eventfd, which is closed with the last reference to the bell.
private final class EventDoorbell: Doorbell {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  func ring() {
    var one: UInt64 = 1
    // Fails only with 2^64 - 2 rings unread: then the descriptor is readable anyway.
    _ = write(descriptor, &one, 8)
  }
}
