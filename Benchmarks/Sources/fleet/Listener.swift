import CycleCore
import Foundation
import Glibc
import HardwareDrivers
import HardwareLinux
import Synchronization

/// Hears all events of the fleet on a thread of its own, and how long each was under way.
final class Listener: Sendable {
  private struct State {
    var isListening = false
    var isOver = false
    var delays: [Duration] = []
  }

  private let state = Mutex(State())

  init(at address: BrokerConnectionSettings) throws {
    let thread = Thread { [self] in listen(to: MosquittoBroker(address)) }
    thread.start()
  }

  private func listen(to broker: MosquittoBroker) {
    // The keepalive of 60 s outlasts what is measured.
    let clock = WorkClock(at: .zero)
    do {
      try broker.connect(BrokerGreeting(client: "listener", subscriptions: ["panel/+/event/+"]), on: clock)
      while !state.withLock({ $0.isOver }) {
        var polled = broker.descriptors.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        poll(&polled, nfds_t(polled.count), 100)
        try broker.exchange(on: clock) { hear($0) }
      }
    } catch {
      // The broker was killed: there is nothing more to hear.
    }
    broker.close()
  }

  private func hear(_ news: BrokerNews) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    state.withLock { state in
      switch news {
      case .accepted: state.isListening = true
      case .delivered, .leftOut: break
      case .heard(let message):
        guard let sent = Int(String(decoding: message.payload, as: UTF8.self)) else { return }
        state.delays.append(.nanoseconds(now - sent))
      }
    }
  }

  /// Waits until the broker has accepted the subscription, 30 s at most.
  func waitForSubscription() { wait(atMost: 30) { $0.isListening } }

  /// Waits until so many events have been heard, 10 s at most.
  func wait(for count: Int) { wait(atMost: 10) { $0.delays.count >= count } }

  private func wait(atMost seconds: Int, until isOver: (State) -> Bool) {
    for _ in 0..<(seconds * 100) {
      if state.withLock({ isOver($0) }) { return }
      usleep(10_000)
    }
  }

  func clear() { state.withLock { $0.delays.removeAll(keepingCapacity: true) } }
  /// In ascending order.
  func delays() -> [Duration] { state.withLock { $0.delays.sorted() } }
  func end() { state.withLock { $0.isOver = true } }
}

extension [Duration] {
  /// Of values in ascending order the one that this part of them doesn't exceed; zero of none.
  func percentile(_ part: Double) -> Duration {
    isEmpty ? .zero : self[Swift.min(count - 1, Int(Double(count) * part))]
  }
}

func seconds(_ span: Duration) -> String { figure(span / .seconds(1)) + " s" }
func milliseconds(_ span: Duration) -> String { figure(span / .milliseconds(1)) + " ms" }

/// With two digits behind the point.
private func figure(_ number: Double) -> String { String(format: "%.2f", number) }
