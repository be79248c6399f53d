internal import CGPIO
import CycleCore
import Glibc

/// Turns signals into an action on the loop's thread: Ctrl-C and `systemctl stop` end an application in good order.
///
///     let signals = try StopSignals(on: loop) { _ in cycle.requestStop() }
///     defer { signals.end() }
///     try cycle.run(on: loop)
///
/// The signals are blocked in the thread that makes this and in those started by it afterwards, so make it first. When one
/// has come, the signals do again what they did before: a second Ctrl-C ends a program that hangs while it stops.
public final class StopSignals {
  private let loop: LinuxLoop
  private let descriptor: Int32
  private var maskBefore: sigset_t
  private var isBlocking = true
  private var isEnded = false

  /// - Parameters:
  ///   - signals: by number.
  ///   - action: gets the number of the signal, within the loop's wait, on its thread; once.
  /// - Throws: kind `failed` where the system gives no more descriptors. Calls `pthread_sigmask` and `signalfd`.
  public init(
    on loop: LinuxLoop, signals: [Int32] = [SIGINT, SIGTERM], _ action: @escaping (Int32) -> Void
  ) throws(DriverError) {
    self.loop = loop
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    maskBefore = sigset_t()
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    if descriptor < 0 {
      let failure = SystemFailure.last("signalfd")
      throw DriverError(
        failure.kind, cannot: "wait for stop signals", reason: failure.reason, cause: failure.cause,
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
    pthread_sigmask(SIG_BLOCK, &set, &maskBefore)
    do throws(DriverError) {
      try loop.onReadable(descriptor) { [unowned self] in take(action) }
    } catch {
      isEnded = true
      restore()
      close(descriptor)
      throw error
    }
  }

  deinit {
    end()
  }

  /// Gives the signals back to what they did before. Does nothing the second time. Call it on the thread that made this.
  public func end() {
    guard !isEnded else { return }
    isEnded = true
    loop.removeReadable(descriptor)
    restore()
    close(descriptor)
  }

  private func take(_ action: (Int32) -> Void) {
    var first: Int32?
    var info = signalfd_siginfo()
    // All that wait are one request: otherwise two that came together would end the program before it has stopped.
    while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
      if first == nil { first = Int32(bitPattern: info.ssi_signo) }
    }
    guard let first else { return }
    restore()
    action(first)
  }

  private func restore() {
    if isBlocking { pthread_sigmask(SIG_SETMASK, &maskBefore, nil) }
    isBlocking = false
  }
}

extension Cycle where Lenses: ~Copyable {
  /// Runs on this device until ``CycleCore/Cycle/requestStop()``, SIGINT or SIGTERM, then leaves every driver in its safe
  /// state. Call it before other threads are started: they would receive the signals otherwise.
  ///
  /// - Throws: as ``CycleCore/Cycle/run(on:)``, and where the system gives no more descriptors.
  public func run() throws(DriverError) {
    let loop = try LinuxLoop()
    let signals = try StopSignals(on: loop) { [unowned self] _ in requestStop() }
    defer { signals.end() }
    try run(on: loop)
  }
}
