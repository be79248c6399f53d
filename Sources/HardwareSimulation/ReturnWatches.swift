import CycleCore
import HardwareDrivers

/// The watches of all drivers that wait for the return of one simulated hardware.
final class ReturnWatches {
  private var watches: [SimulatedReturnWatch] = []

  /// Adds a watch that lasts until it is released.
  func add(_ watcher: Watcher) -> any ReturnWatch {
    let watch = SimulatedReturnWatch(self, watcher.makeWaker())
    watches.append(watch)
    return watch
  }

  /// Wakes all waiting drivers: the hardware may be back.
  func wake() {
    for watch in watches { watch.wake() }
  }

  fileprivate func remove(_ watch: SimulatedReturnWatch) {
    watches.removeAll { $0 === watch }
  }
}

private final class SimulatedReturnWatch: ReturnWatch {
  private weak var watches: ReturnWatches?
  private let waker: Waker
  private var hasNews = false

  init(_ watches: ReturnWatches, _ waker: Waker) {
    self.watches = watches
    self.waker = waker
  }

  func wake() {
    hasNews = true
    waker.wake()
  }

  func acknowledge() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  func release() { watches?.remove(self) }
}
