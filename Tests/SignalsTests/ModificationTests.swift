import Signals
import Testing

/// Modifications that wait for their transaction: each of them counts, whatever the network looks like.
@Suite("Modifications")
struct ModificationTests {
  /// With the inputs connected or not: that may change no result.
  @Test("two modifications in one output, connected or not", arguments: [true, false])
  func two(isConnected: Bool) {
    let (tick, x) = (Input(0), Input(0))
    let both = isConnected ? combine(tick, x) : nil
    let output =
      tick --> { _ in
        x.modify { $0 += 1 }
        x.modify { $0 += 1 }
      }
    withExtendedLifetime((both, output)) { tick <-- 1 }
    #expect(x.value == 2)
  }

  @Test("a modification in each of two outputs", arguments: [true, false])
  func eachOutput(isConnected: Bool) {
    let (tick, x) = (Input(0), Input(0))
    let both = isConnected ? combine(tick, x) : nil
    let outputs = [tick --> { _ in x.modify { $0 += 1 } }, tick --> { _ in x.modify { $0 += 1 } }]
    withExtendedLifetime((both, outputs)) { tick <-- 1 }
    #expect(x.value == 2)
  }

  @Test("two clicks, counted by ones and by tens")
  func clicks() {
    let (click, count) = (Input<Int>(), Input(0))
    let both = combine(click, count)
    var seen: [Int] = []
    let outputs = [
      click --> { _ in count.modify { $0 += 1 } }, click --> { _ in count.modify { $0 += 10 } },
      count.observe { seen.append($0) },
    ]
    withExtendedLifetime((both, outputs)) {
      click <-- 1
      click <-- 2
    }
    #expect(seen == [0, 1, 11, 12, 22])
  }

  @Test("the elements of a list, added up")
  func list() {
    let (list, sum) = (Input<[Int]>([]), Input(0))
    let both = combine(list, sum)
    let output = list.flattened() --> { value in sum.modify { $0 += value } }
    withExtendedLifetime((both, output)) { list <-- [1, 2, 3] }
    #expect(sum.value == 6)
  }

  @Test("a union of a signal and what follows from it, added up")
  func unionOfBoth() {
    let (a, sum) = (Input<Int>(), Input(0))
    let both = combine(a, sum)
    let output = union(a, a.map { $0 * 10 }) --> { value in sum.modify { $0 += value } }
    withExtendedLifetime((both, output)) {
      a <-- 1
      a <-- 2
    }
    #expect(sum.value == 33)
  }

  @Test("a modification after a push, of an input that has a value and of one that has none", arguments: [0, nil])
  func afterPush(initial: Int?) {
    let tick = Input(0)
    let x = initial.map { Input($0) } ?? Input<Int>()
    let both = combine(tick, x)
    var seen: [Int] = []
    let outputs = [
      tick --> { _ in
        x <-- 5
        x.modify { $0 += 1 }
      }, x.observe { seen.append($0) },
    ]
    withExtendedLifetime((both, outputs)) { tick <-- 1 }
    #expect(seen == (initial.map { [$0] } ?? []) + [5, 6])
  }

  @Test("an input that has no value by then is left alone, and nobody is told")
  func empty() {
    let (tick, x) = (Input(0), Input<Int>())
    let both = combine(tick, x)
    var told = 0
    let outputs = [tick --> { _ in x.modify { $0 += 1 } }, x --> { _ in told += 1 }]
    withExtendedLifetime((both, outputs)) { tick <-- 1 }
    #expect(x.value == nil)
    #expect(told == 0)
  }

  @Test("an output that modifies what it depends on")
  func own() {
    let x = Input(0)
    var seen: [Int] = []
    let outputs = [
      x --> { seen.append($0) },
      x --> { value in
        guard value == 1 else { return }
        x.modify { $0 += 10 }
        x.modify { $0 += 10 }
      },
    ]
    withExtendedLifetime(outputs) { x <-- 1 }
    #expect(seen == [1, 11, 21])
  }

  @Test("a transaction within another one is part of it")
  func nested() {
    let (width, height) = (Input(1), Input(1))
    var areas: [Int] = []
    var read: [Int?] = []
    let output = combine(width, height) { $0 * $1 } --> { areas.append($0) }
    func setHeight(_ value: Int) { transaction { $0.push(value, into: height) } }
    withExtendedLifetime(output) {
      transaction {
        $0.push(3, into: width)
        setHeight(4)
        read.append(height.value)
        setHeight(5)
      }
    }
    #expect(areas == [15])
    #expect(read == [1], "until the outermost closure has ended every signal has its old value")
  }
}
