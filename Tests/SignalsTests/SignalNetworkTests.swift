import CycleCore
import Signals
import Testing

@Suite("Networks of signals")
struct SignalNetworkTests {
  @Test("a chain of 100 000 needs no stack, neither to be pushed through nor to be let go")
  func longChain() {
    let input = Input(0)
    var end: Signal<Int>? = input
    for _ in 0..<100_000 { end = end?.map { $0 + 1 } }
    #expect(end?.value == 100_000)
    var told: [Int] = []
    let output = end.map { $0 --> { told.append($0) } }
    withExtendedLifetime(output) { input <-- 1 }
    #expect(told == [100_001])
    end = nil
  }

  @Test("every signal of a random network has the value that its parents say, and is computed once a push")
  func randomNetworks() {
    for seed in UInt64(1)...50 {
      var random = Chance(seed: seed)
      let inputs = (0..<3).map { Input($0) }
      var signals: [Signal<Int>] = inputs
      // What each signal is, computed by hand from the signals before it.
      var formulas: [([Int], [Int]) -> Int] = inputs.indices.map { input in { inputs, _ in inputs[input] } }
      let counts = Counts()
      for number in 0..<40 {
        let (a, b) = (random.below(signals.count), random.below(signals.count))
        if random.below(2) == 0 {
          signals.append(
            signals[a].map {
              counts.count(number)
              return $0 &* 3 &+ number
            })
          formulas.append { $1[a] &* 3 &+ number }
        } else {
          signals.append(
            combine(signals[a], signals[b]) {
              counts.count(number)
              return $0 &- 2 &* $1
            })
          formulas.append { $1[a] &- 2 &* $1[b] }
        }
      }
      var values = [0, 1, 2]
      for push in 0..<30 {
        let input = random.below(3)
        values[input] = random.below(1000)
        counts.reset()
        inputs[input] <-- values[input]
        var expected: [Int] = []
        for formula in formulas { expected.append(formula(values, expected)) }
        #expect(signals.map { $0.value! } == expected, "seed \(seed), push \(push)")
        #expect(counts.most <= 1, "seed \(seed), push \(push)")
      }
    }
  }

  private final class Counts {
    private var all: [Int: Int] = [:]

    func count(_ number: Int) { all[number, default: 0] += 1 }
    func reset() { all = [:] }
    var most: Int { all.values.max() ?? 0 }
  }

  private struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next number of a linear congruence, after Knuth.
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test("networks that a signal connects become one: a transaction into both gives one value")
  func merging() {
    let (a, b, c) = (Input(1), Input(2), Input(3))
    let left = a.map { $0 * 10 }
    let right = combine(b, c) { $0 + $1 }
    var told: [Int] = []
    let output = combine(left, right) { $0 + $1 } --> { told.append($0) }
    transaction {
      $0.push(2, into: a)
      $0.push(3, into: c)
      $0.push(3, into: b)
    }
    c <-- 4
    #expect(told == [26, 27])
    withExtendedLifetime(output) {}
  }

  @Test("a signal that is made while a network is at work takes part from the next transaction on")
  func madeAtWork() {
    let (a, other) = (Input(0), Input(100))
    var made: [SignalObserver] = []
    var told: [String] = []
    let output =
      a --> { value in
        guard made.isEmpty else { return }
        made.append(combine(a, other) { $0 + $1 } --> { told.append("\(value): \($0)") })
        other <-- 200
      }
    a <-- 1
    a <-- 2
    #expect(told == ["1: 201", "1: 202"])
    withExtendedLifetime(output) {}
  }

  @Test(
    "networks that are connected while both are at work: what is let go is not called, what waits is not lost",
    arguments: [true, false])
  func connectedAtWork(outerFirst: Bool) {
    let (a, b) = (Input(0), Input(0))
    var told: [String] = []
    var made: [SignalObserver] = []
    var (lastOfA, lastOfB): (SignalObserver?, SignalObserver?) = (nil, nil)
    let first = a.observe(initial: false) { value in
      told.append("a \(value)")
      if value < 3 { b <-- value * 10 }
      told.append("a \(value) done")
    }
    let second = b.observe(initial: false) { value in
      told.append("b \(value)")
      if made.isEmpty {
        made.append(
          (outerFirst ? combine(a, b) { $0 + $1 } : combine(b, a) { $0 + $1 }).observe(initial: false) {
            told.append("sum \($0)")
          })
        lastOfA = nil
        lastOfB = nil
        a <-- 2
      }
    }
    lastOfA = a.observe(initial: false) { told.append("last of a \($0)") }
    lastOfB = b.observe(initial: false) { told.append("last of b \($0)") }
    a <-- 1
    #expect(
      told == [
        "a 1", "b 10", "a 1 done", "a 2", "a 2 done", "sum 12", "b 20", "sum 22",
      ])
    withExtendedLifetime((first, second, lastOfA, lastOfB)) {}
  }

  @Test("an output that pushes into another network has it done at once, and its own network comes afterwards")
  func otherNetworks() {
    let (a, b) = (Input(0), Input(0))
    var told: [String] = []
    let outputs = [
      a --> { value in
        told.append("a \(value)")
        if value < 3 { b <-- value }
        told.append("a \(value) done")
      },
      b --> { value in
        told.append("b \(value)")
        a <-- value + 1
      },
    ]
    a <-- 1
    #expect(
      told == [
        "a 1", "b 1", "a 1 done", "a 2", "b 2", "a 2 done", "a 3", "a 3 done",
      ])
    withExtendedLifetime(outputs) {}
  }

  @Test("a signal of another network that was busy before can be joined amid a transaction")
  func joinedAmidATransaction() {
    let (a, far) = (Input(0), Input(0))
    for value in 1...100 { far <-- value }
    let (left, right) = (a.map { $0 + 1 }, a.map { $0 * 10 })
    let chosen = a.map { [far] in $0 > 1 ? far as Signal<Int> : Signal.const(0) }.join()
    var (told, computed) = ([String](), 0)
    let sum = combine(left, right, chosen) { left, right, chosen -> String in
      computed += 1
      return "\(left) \(right) \(chosen)"
    }
    let output = sum --> { told.append($0) }
    for value in 1...3 { a <-- value }
    far <-- 7
    a <-- 1
    #expect(told == ["2 10 0", "3 20 100", "4 30 100", "4 30 7", "2 10 0"])
    #expect(computed == 6, "at first, and once for each push that it depends on")
    withExtendedLifetime(output) {}
  }

  @Test(
    "networks that are connected by what is told of a beginning: nothing is lost, and all take part in what follows")
  func connectedAtABeginning() {
    let (a, b) = (Input(0), Input(0))
    var (told, made) = ([String](), [SignalObserver]())
    let outputs = [
      a.observe(initial: false) { value in
        if value == 1 { b <-- 10 }
        told.append("a \(value)")
      },
      b.willOutput {
        guard made.isEmpty else { return }
        var deep: Signal<Int> = combine(a, b) { $0 + $1 }
        for _ in 0..<50 { deep = deep.map { $0 } }
        made.append(deep --> { told.append("sum \($0)") })
      }, b --> { told.append("b \($0)") },
    ]
    a <-- 1
    a <-- 2
    #expect(told == ["a 1", "b 10", "sum 11", "a 2", "sum 12"])
    withExtendedLifetime(outputs) {}
  }

  @Test("many that wait go first in, first out")
  func manyWaiting() {
    let input = Input(0)
    var told: [Int] = []
    let output =
      input --> { value in
        told.append(value)
        if value == 1 { for next in 2...1000 { input <-- next } }
      }
    input <-- 1
    #expect(told == Array(1...1000))
    withExtendedLifetime(output) {}
  }

  @Test("a network of 60 unequal diamonds behind a join is lifted at once when a higher signal is joined")
  func diamonds() {
    let a = Input(0)
    var deep: Signal<Int> = a
    for _ in 0..<100 { deep = deep.map { $0 + 1 } }
    let choice = Input<Signal<Int>>(a)
    var end = choice.join()
    for _ in 0..<60 { end = combine(end.map { $0 }.map { $0 }.map { $0 }, end) { max($0, $1) } }
    var told: [Int] = []
    let output = end --> { told.append($0) }
    choice <-- deep
    a <-- 1
    #expect(told == [100, 101])
    withExtendedLifetime(output) {}
  }

  #if compiler(>=6.2)
    @Test("an output that pushes into what it depends on, without an end, is a fault that names the input")
    func feedsItself() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let input = Input(0)
        let output = input.map { $0 &+ 1 } --> { input <-- $0 }
        input <-- 1
        withExtendedLifetime(output) {}
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("a signal feeds itself: one push led to 1048576 others, the last into Input<Int> of"))
      #expect(text.contains("SignalNetworkTests.swift:"))
    }

    @Test("a joined signal that depends on the join is a fault")
    func joinsItself() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let number = Input(0)
        let outer = Input<Signal<Int>>(number)
        let joined = outer.join()
        let later = joined.map { $0 + 1 }
        outer <-- later
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("a signal feeds itself: what \"join\" has been given depends on what it gives"))
    }
  #endif
}
