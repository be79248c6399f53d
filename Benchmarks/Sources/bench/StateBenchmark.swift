import CycleCore
import Stores

/// A tick of a long reel against one of a short reel, and a commit with many who watch other things against one with none of them.
func measureState() -> [Row] { [measureReel(), measureCommits()] }

private func measureReel() -> Row {
  func play(_ length: Int, _ ticks: Int) {
    var reel = Reel(0, Array(1..<length))
    var rest = ticks
    var sum = 0
    while rest > 0 {
      if !reel.isPlaying { reel = Reel(0, Array(1..<length)) }
      let before = reel
      reel.tick()
      if reel != before { sum &+= reel.head }
      rest -= 1
    }
    precondition(sum > 0)
  }
  return compare(
    "a tick of a reel of 10000 frames", with: "of 100 frames", count: 1_000_000, ours: { play(10_000, $0) },
    theirs: { play(100, $0) })
}

/// A thousand numbers, as stored properties.
private struct Ten<Element: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c, d, e, f, g, h, i, j: Element

  init(_ element: Element) {
    (a, b, c, d, e) = (element, element, element, element, element)
    (f, g, h, i, j) = (element, element, element, element, element)
  }

  static var paths: [WritableKeyPath<Ten, Element>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j] }
}

private typealias Thousand = Ten<Ten<Ten<Int>>>

private func measureCommits() -> Row {
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
  let row = compare(
    "a commit that 1 of 1000 watches", with: "1 of 1", count: 20_000,
    ours: { for number in 0..<$0 { store.commit { $0.update(\.a.a.a, to: number) } } },
    theirs: { for number in 0..<$0 { lonely.commit { $0.update(\.a.a.a, to: number) } } })
  precondition(count.sum > 0 && other.sum > 0, "each change is told")
  return withExtendedLifetime((subscriptions, subscription)) { row }
}
