import CycleCore
import Stores

/// A tick of a long reel against one of a short reel; and a commit in a store with 999 observers of properties that
/// don't change against one without them.
let stateBenchmarks = [
  Benchmark("a tick of a reel of 10000 frames", against: "of 100 frames", timed: 1_000_000, counted: 100_000) {
    ({ play(10_000, $0) }, { play(100, $0) })
  },
  Benchmark("a commit that 1 of 1000 watches", against: "1 of 1", timed: 20_000, counted: 1_000) { commits() },
]

private func play(_ length: Int, _ ticks: Int) {
  var reel = AnimationQueue(0, Array(1..<length))
  var rest = ticks
  var sum = 0
  while rest > 0 {
    if !reel.isPlaying { reel = AnimationQueue(0, Array(1..<length)) }
    let before = reel
    reel.tick()
    if reel != before { sum &+= reel.head }
    rest -= 1
  }
  precondition(sum > 0)
}

/// Ten stored properties; nested three deep, a thousand numbers.
private struct Ten<Element: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c, d, e, f, g, h, i, j: Element

  init(_ element: Element) {
    (a, b, c, d, e) = (element, element, element, element, element)
    (f, g, h, i, j) = (element, element, element, element, element)
  }

  static var paths: [WritableKeyPath<Ten, Element>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j] }
}

private typealias Thousand = Ten<Ten<Ten<Int>>>

private func commits() -> (ours: Benchmark.Work, theirs: Benchmark.Work) {
  /// Counted on one thread.
  final class Count: @unchecked Sendable {
    var sum = 0
  }
  func makeStore(watchers: Int) -> (Store<Thousand, Never>, [Subscription], Count) {
    let store = Store<Thousand, Never>(Thousand(Ten(Ten(0))))
    let count = Count()
    var paths: [KeyPath<Thousand, Int>] = []
    for first in Thousand.paths {
      for second in Ten<Ten<Int>>.paths {
        for third in Ten<Int>.paths { paths.append(first.appending(path: second).appending(path: third)) }
      }
    }
    return (store, paths.prefix(watchers).map { store.storage.observe($0) { count.sum &+= $0 } }, count)
  }
  let (store, subscriptions, count) = makeStore(watchers: 1000)
  let (lonely, subscription, other) = makeStore(watchers: 1)
  return (
    { times in
      for number in 0..<times { store.commit { $0.update(\.a.a.a, to: number) } }
      withExtendedLifetime(subscriptions) { precondition(count.sum > 0 || times < 2, "each change is told") }
    },
    { times in
      for number in 0..<times { lonely.commit { $0.update(\.a.a.a, to: number) } }
      withExtendedLifetime(subscription) { precondition(other.sum > 0 || times < 2, "each change is told") }
    }
  )
}
