/// The watches of all drivers that wait for the return of one hardware, for a port whose code learns of the return:
/// simulated hardware, or a chip with lines that is itself a driver. Used on the cycle's thread.
///
///     func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { watches.add(watcher) }
///     func plug() { isPlugged = true; watches.wake() }
public final class ReturnWatchers {
  private var watches: [ListedReturnWatch] = []

  public init() {}

  /// Adds a watch that lasts until it is released.
  public func add(_ watcher: Watcher) -> any ReturnWatch {
    let watch = ListedReturnWatch(self, watcher.makeWaker())
    watches.append(watch)
    return watch
  }

  /// Wakes all waiting drivers: the hardware may be back.
  public func wake() {
    for watch in watches { watch.wake() }
  }

  fileprivate func remove(_ watch: ListedReturnWatch) {
    watches.removeAll { $0 === watch }
  }
}

private final class ListedReturnWatch: ReturnWatch {
  private weak var watches: ReturnWatchers?
  private let waker: DriverWaker
  private var hasNews = false

  init(_ watches: ReturnWatchers, _ waker: DriverWaker) {
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
