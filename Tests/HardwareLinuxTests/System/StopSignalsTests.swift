import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// Sends a signal to the calling thread alone: the tests beside this one don't notice.
private func sendMyself(_ signal: Int32) {
  pthread_kill(pthread_self(), signal)
}

/// Threads of a test inherit that all signals are blocked.
private func unblockAll() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}

private func isBlocked(_ signal: Int32) -> Bool {
  var mask = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &mask)
  return sigismember(&mask, signal) == 1
}

private final class Signals {
  var received: [Int32] = []
}

@Suite struct StopSignalsTests {
  @Test("a signal becomes an action in the wait, once, and then does again what it did before")
  func action() throws {
    let (facts, leftOpen) = try withOwnDescriptors {
      unblockAll()
      let loop = try LinuxLoop()
      let seen = Signals()
      let signals = try StopSignals(on: loop) { seen.received.append($0) }
      let blocked = [isBlocked(SIGINT), isBlocked(SIGTERM)]
      sendMyself(SIGTERM)
      sendMyself(SIGINT)
      var ready = ReadyList()
      try loop.wait(until: nil, ready: &ready)
      try loop.wait(until: .zero, ready: &ready)
      let blockedAfterwards = [isBlocked(SIGINT), isBlocked(SIGTERM)]
      signals.end()
      return (seen.received, blocked, blockedAfterwards)
    }
    #expect(facts.0 == [SIGINT])
    #expect(facts.1 == [true, true])
    #expect(facts.2 == [false, false])
    #expect(leftOpen == 0)
  }

  @Test("without a signal everything is as before in the end")
  func noSignal() throws {
    let (blocked, leftOpen) = try withOwnDescriptors {
      unblockAll()
      let loop = try LinuxLoop()
      let signals = try StopSignals(on: loop, signals: [SIGUSR2]) { _ in }
      let during = isBlocked(SIGUSR2)
      signals.end()
      signals.end()
      return [during, isBlocked(SIGUSR2)]
    }
    #expect(blocked == [true, false])
    #expect(leftOpen == 0)
  }

  @Test("a cycle on this device stops in good order at SIGTERM")
  func cycle() throws {
    let (calls, leftOpen) = try withOwnDescriptors {
      unblockAll()
      let log = CallLog()
      let cycle = Cycle(seed: 1) {
        Lens(Terminated(log: log), show: { $0 })
      }
      try cycle.run()
      return log.calls
    }
    #expect(calls == ["start 1", "render 1", "render 0", "stop"])
    #expect(leftOpen == 0)
  }
}

private final class CallLog {
  var calls: [String] = []
}

/// A driver that gets its own thread a SIGTERM when it starts.
private struct Terminated: Driver {
  typealias Event = Never
  let log: CallLog
  var safeModel: Int { 0 }

  mutating func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {
    log.calls.append("start \(model)")
    sendMyself(SIGTERM)
  }

  mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
    log.calls.append("render \(model)")
  }

  mutating func stop() {
    log.calls.append("stop")
  }
}
