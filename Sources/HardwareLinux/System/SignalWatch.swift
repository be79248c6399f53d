internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// Calls an action on the loop's thread each time one of its signals arrives.
///
///     let watch = try SignalWatch(on: loop, signals: [SIGWINCH]) { _ in redraw() }
///     defer { watch.end() }
///
/// Blocks the signals in the thread that creates this and in threads that it starts later, so create it first.
public final class SignalWatch {
  private let loop: LinuxLoop
  private let descriptor: Int32
  /// The signals that were not blocked before: ``end(discarding:)`` unblocks these only.
  private var blocked = sigset_t()
  private var isEnded = false

  /// - Parameters:
  ///   - signals: the numbers of the signals.
  ///   - action: called within the loop's wait, on its thread, with the numbers of all pending signals in the order in
  ///     which `signalfd` returns them.
  ///   - loop: the event loop.
  /// - Throws: kind `failed` if no more descriptors can be opened. Calls `pthread_sigmask` and `signalfd`.
  public init(
    on loop: LinuxLoop, signals: [Int32], _ action: @escaping ([Int32]) -> Void
  ) throws(DriverError) {
    self.loop = loop
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    if descriptor < 0 {
      let failure = SystemFailure.last("signalfd")
      throw DriverError(
        failure.kind, cannot: "wait for signals", reason: failure.reason, cause: failure.cause,
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &set, &before)
    sigemptyset(&blocked)
    for signal in signals where sigismember(&before, signal) == 0 { sigaddset(&blocked, signal) }
    do throws(DriverError) {
      try loop.onReadable(descriptor) { [unowned self] in
        let received = receive()
        if !received.isEmpty { action(received) }
      }
    } catch {
      isEnded = true
      pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
      close(descriptor)
      throw error
    }
  }

  deinit {
    end()
  }

  /// Unblocks the signals, which then have their previous effect. Does nothing the second time. Must be called on the
  /// thread that created this.
  ///
  /// - Parameter isDiscarding: whether pending signals are dropped; if not, they have their previous effect now.
  public func end(discarding isDiscarding: Bool = false) {
    guard !isEnded else { return }
    isEnded = true
    if isDiscarding { _ = receive() }
    loop.removeReadable(descriptor)
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    close(descriptor)
  }

  /// Returns the numbers of all pending signals and removes these. Calls `read`.
  private func receive() -> [Int32] {
    var received: [Int32] = []
    var info = signalfd_siginfo()
    while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
      received.append(Int32(bitPattern: info.ssi_signo))
    }
    return received
  }
}
