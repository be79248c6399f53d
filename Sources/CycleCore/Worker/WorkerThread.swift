import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that waits for descriptors, a deadline and a bell, all on the monotonic clock.
final class WorkerThread {
  /// The state that the thread and its owner share. Both retain it, so that a detached thread can outlive its owner.
  final class Inside: @unchecked Sendable {
    /// Two ends that never block: ringing writes a byte into one end, and the thread reads it from the other.
    fileprivate let bell: (read: Int32, write: Int32)
    /// Whether the bell was rung since the thread last emptied it.
    fileprivate let isRung = Atomic<Bool>(false)
    fileprivate let hasEnded = Latch()
    fileprivate let body: (Inside) -> Void
    private let name: String
    private let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: 1 + largestCount)
    private var isRealTime = false

    private static var largestCount: Int { 16 }
    /// The priority under `SCHED_FIFO`: above ordinary threads, below the kernel's interrupt threads.
    private static var priority: Int32 { 40 }

    /// The function that makes the bell.
    #if canImport(Glibc)
      fileprivate static var bellFunction: String { "socketpair" }
    #else
      fileprivate static var bellFunction: String { "pipe" }
    #endif

    fileprivate init?(name: String, _ body: @escaping (Inside) -> Void) {
      var ends: [Int32] = [-1, -1]
      // A process that another thread starts between the creation and `fcntl` would inherit the ends. Where possible,
      // they are therefore created with close-on-exec. Swift's module of Glibc does not contain `pipe2`.
      #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
      #else
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
      #endif
      bell = (ends[0], ends[1])
      self.body = body
      self.name = name
    }

    deinit {
      close(bell.read)
      close(bell.write)
      polled.deallocate()
    }

    fileprivate func run() {
      setName()
      body(self)
      hasEnded.open()
    }

    /// Names the thread for the system. Swift's module of Glibc does not contain `pthread_setname_np`, and no other system
    /// has this file.
    private func setName() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, name, name.utf8.count)
      close(file)
    }

    func setPriority(isRealTime: Bool) {
      guard isRealTime != self.isRealTime else { return }
      self.isRealTime = isRealTime
      var parameters = sched_param()
      parameters.sched_priority = isRealTime ? Self.priority : 0
      // Without the permission (RLIMIT_RTPRIO) the thread keeps its normal priority.
      pthread_setschedparam(pthread_self(), isRealTime ? SCHED_FIFO : SCHED_OTHER, &parameters)
    }

    /// Waits until a descriptor is ready, the bell is rung or the deadline has passed. Calls `poll`, so it returns up
    /// to 1 ms after the deadline, never before it.
    func wait(until deadline: Moment?, polling descriptors: [PolledDescriptor]) {
      polled[0] = pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)
      var count = 1
      for descriptor in descriptors.prefix(Self.largestCount) {
        polled[count] = pollfd(fd: descriptor.descriptor, events: descriptor.events, revents: 0)
        count += 1
      }
      var milliseconds: Int32 = -1
      if let deadline {
        let rest = max(0, (deadline - ConditionVariable.now).wholeNanoseconds)
        milliseconds = Int32(clamping: rest / 1_000_000 + (rest % 1_000_000 > 0 ? 1 : 0))
      }
      poll(polled, nfds_t(count), milliseconds)
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
        while read(bell.read, bytes.baseAddress, bytes.count) > 0 {}
      }
      // After emptying the bell: a later ring writes into it again. The next step receives what was sent before.
      _ = isRung.exchange(false, ordering: .acquiringAndReleasing)
    }
  }

  private let inside: Inside
  private let thread: SystemThread

  /// Starts the thread.
  /// - Parameter device: the device's name in error messages. Without its article it is the name of the thread in the
  ///   system, as far as it fits, so that `top -H` shows which device needs the processor.
  init(for device: String, _ body: @escaping (Inside) -> Void) throws(DriverError) {
    guard let inside = Inside(name: Self.name(of: device), body) else {
      throw Self.refusal(device, Inside.bellFunction, errno)
    }
    self.inside = inside
    do throws(SystemThread.Refusal) {
      thread = try SystemThread { inside.run() }
    } catch {
      throw Self.refusal(device, "pthread_create", error.code)
    }
  }

  /// The name of the thread of a device: the kernel keeps 15 bytes.
  private static func name(of device: String) -> String {
    let words = device.hasPrefix("the ") ? device.dropFirst(4) : device[...]
    return String(decoding: words.utf8.prefix(15), as: UTF8.self)
  }

  private static func refusal(_ device: String, _ function: String, _ code: Int32) -> DriverError {
    let name = code == EAGAIN ? "EAGAIN" : code == EMFILE ? "EMFILE" : "error \(code)"
    return DriverError(
      .failed, of: device, cannot: "start the thread of \(device)", reason: "the system refused",
      cause: DriverError.Cause(function: function, name: name, number: code),
      remedy: "Check the limits of this process (ulimit -u, ulimit -n).")
  }

  /// Ends the thread's wait.
  func ring() {
    guard !inside.isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(inside.bell.write, &byte, 1)
  }

  /// Rings, and waits for the end of the thread. Returns false if it has not ended within `span`: the thread is then
  /// detached, and ends by itself.
  func join(atMost span: Duration) -> Bool {
    ring()
    guard inside.hasEnded.wait(for: span) else {
      thread.detach()
      return false
    }
    thread.join()
    return true
  }
}
