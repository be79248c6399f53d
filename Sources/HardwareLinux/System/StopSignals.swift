import CycleCore
import Glibc
import HardwareDrivers

/// Turns signals into an action on the loop's thread: Ctrl-C, `systemctl stop` and a terminal that hangs up end an application in
/// good order.
///
///     let signals = try StopSignals(on: loop) { _ in cycle.requestStop() }
///     defer { signals.end() }
///     try cycle.run(on: loop)
///
/// The signals are blocked in the thread that makes this and in those started by it afterwards, so make it first. When one
/// has come, the signals do again what they did before: a second Ctrl-C ends a program that hangs while it stops. SIGHUP is the
/// exception: a terminal that hangs up sends it more than once, and the second one must not end the program before it has stopped.
public final class StopSignals {
  private var watch: SignalWatch?
  private var hangUps: SignalWatch?

  /// - Parameters:
  ///   - signals: by number. A SIGHUP that the program was started to ignore, as by `nohup`, stays ignored.
  ///   - action: gets the number of the signal, within the loop's wait, on its thread; once.
  /// - Throws: kind `failed` where the system gives no more descriptors. Calls `sigaction`, `pthread_sigmask` and `signalfd`.
  public init(
    on loop: LinuxLoop, signals: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT], _ action: @escaping (Int32) -> Void
  ) throws(DriverError) {
    watch = try SignalWatch(on: loop, signals: signals.filter { $0 != SIGHUP }) { [unowned self] received in
      hear(received[0], action)
    }
    // A signal that is blocked would be received although it is ignored.
    guard signals.contains(SIGHUP), !Self.isIgnored(SIGHUP) else { return }
    hangUps = try SignalWatch(on: loop, signals: [SIGHUP]) { [unowned self] _ in hear(SIGHUP, action) }
  }

  deinit {
    end()
  }

  private func hear(_ signal: Int32, _ action: (Int32) -> Void) {
    guard let watch else { return }
    self.watch = nil
    // All that wait are one request: otherwise two that came together would end the program before it has stopped.
    watch.end(discarding: true)
    action(signal)
  }

  /// Gives the signals back to what they did before. Does nothing the second time. Call it on the thread that made this.
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

extension Cycle where Lenses: ~Copyable {
  /// Runs on this device until ``CycleCore/Cycle/requestStop()``, or one of the signals of ``StopSignals``, then leaves every driver in its safe
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
