import CycleCore
import Glibc
import HardwareDrivers

/// Calls an action on the loop's thread at a signal that ends the program (Ctrl-C, `systemctl stop`, a terminal that
/// hangs up), so that the application can stop its drivers first.
///
///     let signals = try StopSignals(on: loop) { _ in cycle.requestStop() }
///     defer { signals.end() }
///     try cycle.run(on: loop)
///
/// Blocks the signals in the thread that creates this and in threads that it starts later, so create it first. After
/// the first signal all except SIGHUP are unblocked and have their previous effect: a second Ctrl-C ends a program that
/// hangs while it stops. SIGHUP stays blocked. A terminal that hangs up sends it more than once, and the second one
/// must not end the program before it has stopped.
public final class StopSignals {
  private var watch: SignalWatch?
  private var hangUps: SignalWatch?

  /// - Parameters:
  ///   - signals: the numbers of the signals. SIGHUP stays ignored if the program was started with it ignored, as by
  ///     `nohup`.
  ///   - action: called once, within the loop's wait on its thread, with the number of the first signal.
  ///   - loop: the event loop.
  /// - Throws: kind `failed` if no more descriptors can be opened. Calls `sigaction`, `pthread_sigmask` and `signalfd`.
  public init(
    on loop: LinuxLoop, signals: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT], _ action: @escaping (Int32) -> Void
  ) throws(DriverError) {
    watch = try SignalWatch(on: loop, signals: signals.filter { $0 != SIGHUP }) { [unowned self] received in
      hear(received[0], action)
    }
    // A signal that is both blocked and ignored would still be received, so an ignored SIGHUP is not watched.
    guard signals.contains(SIGHUP), !Self.isIgnored(SIGHUP) else { return }
    hangUps = try SignalWatch(on: loop, signals: [SIGHUP]) { [unowned self] _ in hear(SIGHUP, action) }
  }

  deinit {
    end()
  }

  private func hear(_ signal: Int32, _ action: (Int32) -> Void) {
    guard let watch else { return }
    self.watch = nil
    // The other pending signals are dropped: once unblocked, they would end the program before it has stopped.
    watch.end(discarding: true)
    action(signal)
  }

  /// Unblocks the signals, which then have their previous effect. Does nothing the second time. Must be called on the
  /// thread that created this.
  public func end() {
    watch?.end()
    watch = nil
    hangUps?.end(discarding: true)
    hangUps = nil
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
