import CycleCore
import Glibc
import Synchronization

/// The one thread of a real sound device: opens it, keeps it filled, closes it. No other thread touches the device.
///
/// While the device runs the thread asks for real-time priority; it neither allocates nor takes a lock then.
final class PlaybackThread: @unchecked Sendable {
  private enum Order: Int {
    case play
    case finish
  }

  private let loop: PlaybackLoop
  /// A pipe that can't block: what is rung is read by the thread.
  private let bell: (read: Int32, write: Int32)
  private let order = Atomic<Int>(Order.play.rawValue)
  private let mustRetry = Atomic<Bool>(false)
  private var thread = pthread_t()
  private var isStarted = false
  /// What opening the device came to, written before `opening` is posted.
  private var outcome: Result<PCMConfiguration, DriverError>?
  private let opening: UnsafeMutablePointer<sem_t>
  private let ending: UnsafeMutablePointer<sem_t>
  private let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: 17)

  /// Of `SCHED_FIFO`: above ordinary threads, below the kernel's interrupt threads.
  private static let priority: Int32 = 40

  init(_ loop: PlaybackLoop) {
    self.loop = loop
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    bell = (ends[0], ends[1])
    opening = .allocate(capacity: 1)
    ending = .allocate(capacity: 1)
    sem_init(opening, 0, 0)
    sem_init(ending, 0, 0)
  }

  deinit {
    if bell.read >= 0 { close(bell.read) }
    if bell.write >= 0 { close(bell.write) }
    sem_destroy(opening)
    sem_destroy(ending)
    opening.deallocate()
    ending.deallocate()
    polled.deallocate()
  }

  private static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  // MARK: - The cycle's side

  /// Starts the thread and waits until it has opened the device, at most 5 s.
  func start() throws(DriverError) -> PCMConfiguration {
    guard bell.read >= 0 else { throw Self.refusal("pipe", EMFILE) }
    let argument = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<PlaybackThread>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, argument)
    guard code == 0 else {
      Unmanaged<PlaybackThread>.fromOpaque(argument).release()
      throw Self.refusal("pthread_create", code)
    }
    isStarted = true
    guard Self.wait(opening, seconds: 5), let outcome else {
      // Should it answer after all, the thread closes it again.
      order.store(Order.finish.rawValue, ordering: .releasing)
      pthread_detach(thread)
      isStarted = false
      throw DriverError(
        .busy, cannot: "open the sound device", reason: "it has not answered for 5 s",
        remedy: "Look at the sound server, or choose another device.")
    }
    do {
      return try outcome.get()
    } catch {
      pthread_join(thread, nil)
      isStarted = false
      throw error
    }
  }

  private static func refusal(_ function: String, _ code: Int32) -> DriverError {
    let name = code == EAGAIN ? "EAGAIN" : code == EMFILE ? "EMFILE" : "error \(code)"
    return DriverError(
      .failed, cannot: "start the sound thread", reason: "the system refused",
      cause: DriverError.Cause(function: function, name: name, number: code),
      remedy: "Look at the limits of this process (ulimit -u, ulimit -n).")
  }

  /// There are new commands.
  func ring() {
    // A full pipe has been rung already.
    var byte: UInt8 = 0
    _ = write(bell.write, &byte, 1)
  }

  /// The device may be back.
  func retry() {
    mustRetry.store(true, ordering: .releasing)
    ring()
  }

  /// Lets what fades be heard, closes the device and ends the thread. A device that hangs is left alone after a second.
  func stop() {
    guard isStarted else { return }
    isStarted = false
    order.store(Order.finish.rawValue, ordering: .releasing)
    ring()
    if Self.wait(ending, seconds: 1) { pthread_join(thread, nil) } else { pthread_detach(thread) }
  }

  private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>, seconds: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    while sem_timedwait(semaphore, &end) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  // MARK: - The thread's side

  private func run() {
    // Signals are for the cycle's thread.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    do throws(DriverError) {
      outcome = .success(try loop.openFirst(at: Self.now))
    } catch {
      outcome = .failure(error)
      sem_post(opening)
      return
    }
    sem_post(opening)
    while order.load(ordering: .acquiring) == Order.play.rawValue {
      if mustRetry.exchange(false, ordering: .acquiring) { loop.retryNow() }
      let wait = loop.step(at: Self.now)
      setPriority(isRealTime: loop.isOpen)
      self.wait(wait)
    }
    let end = Self.now + .milliseconds(500)
    while Self.now < end, let next = loop.finish(at: Self.now) {
      poll(nil, 0, max(1, Self.milliseconds(until: next)))
    }
    loop.close(at: Self.now)
    sem_post(ending)
  }

  private var isRealTime = false

  private func setPriority(isRealTime: Bool) {
    guard isRealTime != self.isRealTime else { return }
    self.isRealTime = isRealTime
    var parameters = sched_param()
    parameters.sched_priority = isRealTime ? Self.priority : 0
    // Without the right to it (RLIMIT_RTPRIO) the thread goes on as an ordinary one.
    pthread_setschedparam(pthread_self(), isRealTime ? SCHED_FIFO : SCHED_OTHER, &parameters)
  }

  private func wait(_ wait: PlaybackLoop.Wait) {
    var count = 1
    polled[0] = pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)
    if wait.pollsDescriptors {
      for descriptor in loop.sink.descriptors.prefix(16) {
        polled[count] = pollfd(fd: descriptor.descriptor, events: descriptor.events, revents: 0)
        count += 1
      }
    }
    var milliseconds: Int32 = -1
    if let deadline = wait.deadline {
      milliseconds = Self.milliseconds(until: deadline)
    }
    poll(polled, nfds_t(count), milliseconds)
    drainBell()
  }

  private func drainBell() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(bell.read, bytes.baseAddress, bytes.count) > 0 {}
    }
  }

  /// Rounded up.
  private static func milliseconds(until moment: Moment) -> Int32 {
    Int32(clamping: (max(0, (moment - now).wholeNanoseconds) + 999_999) / 1_000_000)
  }
}
