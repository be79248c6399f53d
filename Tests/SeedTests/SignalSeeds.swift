import CycleCore
import Signals
import Stores
import TestSupport
import Testing

/// What a signal has done: its values, and its transactions as `B`, `E` with the value, `C`.
private final class Trace<Value: Sendable> {
  private let told = ValueTrace<Value>()
  private let toldOf = ValueTrace<String>()
  private var receiver: SignalObserver?

  init(_ signal: Signal<Value>) {
    receiver = SignalObserver(
      signal, willBegin: { [toldOf] in toldOf.add("B") },
      onValue: { [told, toldOf] in
        told.add($0)
        toldOf.add("E\($0)")
      }, onNoValue: { [toldOf] in toldOf.add("C") })
  }

  var values: [Value] { told.values }
  var transactions: [String] { toldOf.values }
}

/// The values of a signal from now on, the latest one included.
private final class Observed<Value: Sendable> {
  private let told = ValueTrace<Value>()
  private var receiver: SignalObserver?

  init(_ signal: Signal<Value>) {
    receiver = signal.observe { [told] in told.add($0) }
  }

  var values: [Value] { told.values }
}

@Suite("Signals: every row of the table")
struct SignalSeeds {
  @Test("Signal: push only, no latest value")
  func signal() {
    let input = Input<Int>()
    let signal: Signal<Int> = input.event()
    #expect(!signal.latestValue.hasValue && signal.value == nil)
    let trace = Trace(signal)
    input <-- 1
    #expect(trace.values == [1])
    #expect(signal.value == nil)
  }

  @Test("Input(initial:), value, modify, <--: 2, modify +1 gives 2, 3; the same value pushes again")
  func input() {
    let input = Input(2)
    let observed = Observed(input)
    input.modify { $0 += 1 }
    #expect(observed.values == [2, 3])
    #expect(input.value == 3)
    input <-- 3
    #expect(observed.values == [2, 3, 3])
    guard case .stored(3) = input.latestValue else { return #expect(Bool(false), "\(input.latestValue)") }
    let empty = Input<Int>()
    empty.modify { $0 += 1 }
    #expect(empty.value == nil)
  }

  @Test("ComputedSignal: k += 1: observe gives 1, get 2, map(*10).get 40, having been asked whether it has a value")
  func computed() {
    var k = 0
    let signal = Signal.computed {
      k += 1
      return k
    }
    let observed = Observed(signal)
    #expect(observed.values == [1])
    #expect(signal.value == 2)
    let tens = signal.map { $0 * 10 }
    #expect(tens.latestValue.hasValue)
    #expect(tens.value == 40)
    #expect(observed.values == [1], "it never pushes")
  }

  @Test(
    "latestValue: map computes, filter, event, union and gate have none, combine if all have, onChange and latest store"
  )
  func latestValue() {
    let input = Input(1)
    func kind(_ signal: Signal<Int>) -> String {
      switch signal.latestValue {
      case .none: "none"
      case .computed(let value): "computed \(value())"
      case .stored(let value): "stored \(value)"
      }
    }
    #expect(kind(input) == "stored 1")
    #expect(kind(input.map { $0 + 1 }) == "computed 2")
    #expect(kind(input.filter { $0 < 5 }) == "none")
    #expect(kind(input.filter { $0 < 5 }.map { $0 }) == "none")
    #expect(kind(input.event()) == "none")
    #expect(kind(union(input, input)) == "none")
    #expect(kind(Input(true).gate(input)) == "none")
    #expect(kind(combine(input, Input(2)) { $0 + $1 }) == "computed 3")
    #expect(kind(combine(input, Input<Int>()) { $0 + $1 }) == "none")
    #expect(kind(input.onChange()) == "stored 1")
    #expect(kind(input.map { $0 * 10 }.latest()) == "stored 10")
    #expect(kind(input.event().latest()) == "none")
  }

  @Test("latest(): an input is its own, what is mapped gets one")
  func latest() {
    let input = Input(1)
    #expect(input.latest() === input)
    let mapped = input.map { $0 }
    #expect(mapped.latest() !== mapped)
    let filtered = input.filter { $0 < 5 }.latest()
    let trace = Trace(filtered)
    input <-- 3
    input <-- 9
    #expect(filtered.value == 3)
    #expect(trace.values == [3])
  }

  @Test(
    "SignalObserver, Output, WillOutput: live as long as they are held; a begin is told also of what is then rejected")
  func receivers() {
    let input = Input(0)
    var told: [String] = []
    let small = input.filter { $0 < 5 }
    var output: SignalObserver? = small --> { told.append("\($0)") }
    var will: SignalObserver? = small.willOutput { told.append("will") }
    input <-- 3
    input <-- 9
    #expect(told == ["will", "3", "will"])
    #expect(output != nil && will != nil)
    output = nil
    will = nil
    input <-- 4
    #expect(told == ["will", "3", "will"])
  }

  @Test("-->: new values only; observe gives the latest one first")
  func arrow() {
    let input = Input(0)
    var new: [Int] = []
    let output = input --> { new.append($0) }
    let observed = Observed(input)
    input <-- 3
    #expect(new == [3])
    #expect(observed.values == [0, 3])
    let copy = Input(7)
    let link = input --> copy
    input <-- 5
    #expect(copy.value == 5)
    withExtendedLifetime((output, link)) {}
  }

  @Test("map, filter: 0, below 5: 3, 4, 7 gives 3, 4; the transactions of 3 and 7 are B E3 B C")
  func mapAndFilter() {
    let input = Input(0)
    let small = input.filter { $0 < 5 }
    let observed = Observed(small)
    for value in [3, 4, 7] { input <-- value }
    #expect(observed.values == [3, 4])
    let trace = Trace(small)
    for value in [3, 7] { input <-- value }
    #expect(trace.transactions == ["B", "E3", "B", "C"])
    let doubled = Observed(input.map { $0 * 2 })
    input <-- 8
    #expect(doubled.values == [14, 16])
  }

  @Test("union: 1 and 2, then 3 and 4: 3, 4")
  func unions() {
    let (a, b) = (Input(1), Input(2))
    let observed = Observed(union(a, b))
    a <-- 3
    b <-- 4
    #expect(observed.values == [3, 4])
  }

  @Test("union diamond: both values, in the order of the sources: 20, 200")
  func unionDiamond() {
    let w = Input(1)
    let both = union(w.map { $0 * 10 }, w.map { $0 * 100 })
    let trace = Trace(both)
    let pairs = Observed(combine(both, w) { "\($0)/\($1)" })
    let small = Trace(both.filter { $0 < 100 }.map { $0 + 1 })
    w <-- 2
    #expect(trace.transactions == ["B", "E20", "E200"])
    #expect(pairs.values == ["200/2"])
    #expect(small.transactions == ["B", "E21"])
  }

  @Test("onChange: 0; 0, 6, 6, 7 gives 0, 6, 7; the transactions are C, E6, C, E7")
  func onChange() {
    let input = Input(0)
    let changes = input.onChange()
    let observed = Observed(changes)
    let trace = Trace(changes)
    for value in [0, 6, 6, 7] { input <-- value }
    #expect(observed.values == [0, 6, 7])
    #expect(trace.transactions == ["B", "C", "B", "E6", "B", "C", "B", "E7"])
    let empty = Input<Int>()
    let first = Trace(empty.onChange())
    for value in [0, 0, 6, 6, 7] { empty <-- value }
    #expect(first.transactions == ["B", "E0", "B", "C", "B", "E6", "B", "C", "B", "E7"])
  }

  @Test("notNil, isNil: nil; 3, nil, 4 gives 3, 4; isNil repeats itself")
  func nils() {
    let input = Input<Int?>(nil)
    let trace = Trace(input.notNil())
    let isNil = Observed(input.isNil())
    for value in [3, nil, 4, 5] { input <-- value }
    #expect(trace.values == [3, 4, 5])
    #expect(trace.transactions == ["B", "E3", "B", "C", "B", "E4", "B", "E5"])
    #expect(isNil.values == [true, false, true, false, false])
  }

  @Test("never, const, event: never pushes, const replays, event hides the latest value: 1; 2 gives 2")
  func sources() {
    let input = Input(1)
    let events = Observed(input.event())
    input <-- 2
    #expect(events.values == [2])
    #expect(Observed(Signal.const(5)).values == [5])
    #expect(Observed(Signal<Int>.never()).values == [])
    #expect(Observed(combine(Signal<Int>.never(), .const(1)) { $0 + $1 }).values == [])
  }

  @Test("combine 2 to any: nothing before all have a value: b 10; 11 is B C; a 1 is 12, b 12 is 13")
  func combineTwo() {
    let (a, b) = (Input<Int>(), Input(10))
    let trace = Trace(combine(a, b) { $0 + $1 })
    b <-- 11
    #expect(trace.transactions == ["B", "C"])
    a <-- 1
    b <-- 12
    #expect(trace.values == [12, 13])
    a <-- 1
    #expect(trace.values == [12, 13, 13], "the same again is a value, too")
  }

  @Test("combine 2 to any: (s+5)*(s+3) is 15, 99 of 0, 6; s, s+5, -s is 0, 77, 117 of 0, 7, 9; one value a transaction")
  func combineDiamonds() {
    let s = Input(0)
    let product = Observed(combine(s.map { $0 + 5 }, s.map { $0 + 3 }) { $0 * $1 })
    s <-- 6
    #expect(product.values == [15, 99])
    let t = Input(0)
    let three = Observed(combine(t, t.map { $0 + 5 }, t.map { -$0 }) { a, b, c in a * b + c })
    t <-- 7
    t <-- 9
    #expect(three.values == [0, 77, 117])
  }

  @Test("combine 2 to any: six signals, and a list of them")
  func combineMany() {
    let inputs = (1...6).map { Input($0) }
    let (a, b, c) = (inputs[0], inputs[1], inputs[2])
    let six = Observed(
      combine(a, b, c, inputs[3], inputs[4], Input("x")) { "\($0)\($1)\($2)\($3)\($4)\($5)" })
    let list = Observed(combine(inputs))
    c <-- 9
    #expect(six.values == ["12345x", "12945x"])
    #expect(list.values == [[1, 2, 3, 4, 5, 6], [1, 2, 9, 4, 5, 6]])
  }

  @Test("combine evens and odds of one signal: nothing where all have to be fresh; any fresh: 2-3, 4-3")
  func evensAndOdds() {
    let w = Input(1)
    let evens = w.filter { $0.isMultiple(of: 2) }
    let odds = w.filter { !$0.isMultiple(of: 2) }
    let all = Trace(combine(evens, odds) { "\($0)-\($1)" })
    let any = Trace(combine(evens, odds, rule: .onAnyValue) { "\($0)-\($1)" })
    for value in 2...4 { w <-- value }
    #expect(all.transactions == ["B", "C", "B", "C", "B", "C"])
    #expect(any.transactions == ["B", "C", "B", "E2-3", "B", "E4-3"])
  }

  @Test("cancellation in diamonds: all cancel is a cancel; 1, 20, 3 gives -5, nothing, -1")
  func cancellation() {
    let w = Input(0)
    let x = w.map { $0 + 2 }
    let y = w.map { $0 - 9 }.filter { $0 < 5 }
    let z = Trace(combine(x, y) { $0 + $1 })
    for value in [1, 20, 3] { w <-- value }
    #expect(z.transactions == ["B", "E-5", "B", "C", "B", "E-1"])
    let none = Trace(combine(w.filter { _ in false }, w.filter { _ in false }) { $0 + $1 })
    w <-- 1
    #expect(none.transactions == ["B", "C"])
  }

  @Test("&&, ||, not: F, F; s T, t T, s F, t F: and F F T F F, or F T T T F; a && not a is F, always")
  func logic() {
    let (s, t) = (Input(false), Input(false))
    let and = Observed(s && t)
    let or = Observed(s || t)
    let never = Observed(s && not(s))
    s <-- true
    t <-- true
    s <-- false
    t <-- false
    #expect(and.values == [false, false, true, false, false])
    #expect(or.values == [false, true, true, true, false])
    #expect(never.values == [false, false, false])
  }

  @Test("onRisingEdge, onFallingEdge: the value at the beginning is no edge; without one the first that fits is")
  func edges() {
    func count(_ initial: Bool?, _ pushes: [Bool], _ edge: (Signal<Bool>) -> Signal<Bool>) -> Int {
      let input = initial.map { Input($0) } ?? Input()
      let trace = Trace(edge(input))
      for value in pushes { input <-- value }
      return trace.values.count
    }
    #expect(count(true, [], { $0.onRisingEdge() }) == 0)
    #expect(count(true, [true], { $0.onRisingEdge() }) == 0)
    #expect(count(false, [false, true, true], { $0.onRisingEdge() }) == 1)
    #expect(count(false, [], { $0.onFallingEdge() }) == 0)
    #expect(count(true, [true, false, false], { $0.onFallingEdge() }) == 1)
    #expect(count(nil, [true], { $0.onRisingEdge() }) == 1)
    #expect(count(nil, [false], { $0.onFallingEdge() }) == 1)
  }

  @Test("gate: closed 5, 6, open gives 6 once; 0 from the beginning waits at a closed gate; at an open one it is over")
  func gate() {
    let (source, open) = (Input(0), Input(false))
    let trace = Trace(open.gate(source))
    source <-- 5
    source <-- 6
    #expect(trace.values == [])
    open <-- true
    #expect(trace.values == [6])
    open <-- false
    open <-- true
    #expect(trace.values == [6], "opened again with nothing new")
    source <-- 7
    #expect(trace.values == [6, 7])
    #expect(trace.transactions == ["B", "C", "B", "C", "B", "E6", "B", "C", "B", "C", "B", "E7"])

    let (waiting, later) = (Input(0), Input(false))
    let waited = Trace(later.gate(waiting))
    later <-- true
    #expect(waited.values == [0])

    let (first, isOpen) = (Input(0), Input(true))
    let passed = Trace(isOpen.gate(first))
    #expect(passed.values == [])
    first <-- 1
    #expect(passed.values == [1])
  }

  @Test("gate and source from one input: one transaction, the gate's new value decides: 1, 3, 4, 2, 5 gives 3, 4, 5")
  func gateOfItsSource() {
    let s = Input<Int>()
    let trace = Trace(s.map { $0 >= 3 }.gate(s))
    for value in [1, 3, 4, 2, 5] { s <-- value }
    #expect(trace.values == [3, 4, 5])
  }

  @Test("mapWith 1, 2: 1 with 100 is 101; 200 is nothing by itself; 2 is 202; a side without a value is a cancel")
  func mapWith() {
    let (a, b) = (Input(1), Input(100))
    let source = Input<Int>()
    let sum = Trace(source.map(with: b) { $0 + $1 })
    source <-- 1
    b <-- 200
    source <-- 2
    #expect(sum.values == [101, 202])
    let empty = Input<Int>()
    let both = Trace(a.map(with: b, empty) { $0 + $1 + $2 })
    a <-- 3
    empty <-- 1000
    a <-- 4
    #expect(both.values == [1204])
    #expect(both.transactions.filter { $0 == "C" }.count == 2)
  }

  @Test("join: 1; i 10 is 10; j is 2; i 11 is nothing; j 20 is 20")
  func join() {
    let (i, j) = (Input(1), Input(2))
    let outer = Input<Signal<Int>>(i)
    let joined = outer.join()
    let observed = Observed(joined)
    let trace = Trace(joined)
    i <-- 10
    outer <-- j
    i <-- 11
    j <-- 20
    #expect(observed.values == [1, 10, 2, 20])
    #expect(trace.transactions == ["B", "E10", "B", "E2", "B", "E20"])
  }

  @Test("join: a signal that is higher up than the join is waited for")
  func joinHigher() {
    let s = Input(1)
    var high: Signal<Int> = s
    for _ in 0..<10 { high = high.map { $0 + 1 } }
    let outer = s.map { [high] in $0 > 1 ? high : Signal.const(0) }
    let sum = Observed(combine(outer.join(), s) { "\($0) \($1)" })
    s <-- 2
    s <-- 3
    #expect(sum.values == ["0 1", "12 2", "13 3"])
  }

  @Test("mapSeq, filterSeq, reduceSeq: of 1, 2, 3: 2 4 6, 2 3, 6")
  func sequences() {
    let input = Input([1, 2, 3])
    #expect(input.mapElements { $0 * 2 }.value == [2, 4, 6])
    #expect(input.filterElements { $0 > 1 }.value == [2, 3])
    #expect(input.reduceElements(0, +).value == 6)
  }

  @Test("reduce: 0; 1, 2, 3 gives 0, 1, 3, 6")
  func reduce() {
    let input = Input<Int>()
    let observed = Observed(input.reduce(0, +))
    for value in 1...3 { input <-- value }
    #expect(observed.values == [0, 1, 3, 6])
  }

  @Test(
    "throttle: the first passes, of those that follow within the span the last one at its end, on the cycle's clock")
  func throttle() {
    let clock = SignalClock()
    let input = Input<Int>()
    var told: [String] = []
    let output = input.throttle(.milliseconds(100), on: clock) --> { told.append("\($0)@\(clock.now)") }
    for value in [1, 2, 3] { input <-- value }
    #expect(told == ["1@0.000000000s"])
    #expect(clock.nextAlarm == .zero + .milliseconds(100))
    clock.advance(to: .zero + .milliseconds(450))
    #expect(told == ["1@0.000000000s", "3@0.100000000s"])
    #expect(clock.nextAlarm == nil)
    input <-- 4
    #expect(told.last == "4@0.450000000s")
    withExtendedLifetime(output) {}
  }

  @Test("debounce: a value when none has followed it for the span")
  func debounce() {
    let clock = SignalClock()
    let input = Input<Int>()
    var told: [String] = []
    let output = input.debounce(.milliseconds(100), on: clock) --> { told.append("\($0)@\(clock.now)") }
    for value in [1, 2, 3] {
      clock.advance(to: .zero + .milliseconds(60 * value))
      input <-- value
    }
    clock.advance(to: .zero + .seconds(1))
    #expect(told == ["3@0.280000000s"])
    #expect(clock.nextAlarm == nil)
    withExtendedLifetime(output) {}
  }

  @Test("Transaction: what is pushed inside an output is the next transaction: (0,0), (1,0), (1,10)")
  func transactionInsideAnOutput() {
    let (a, b) = (Input(0), Input(0))
    let pairs = Observed(combine(a, b) { "(\($0),\($1))" })
    let output = a --> { b <-- $0 * 10 }
    a <-- 1
    #expect(pairs.values == ["(0,0)", "(1,0)", "(1,10)"])
    withExtendedLifetime(output) {}
  }

  @Test("Transaction: pushes into several inputs are one")
  func transactionOfSeveral() {
    let (a, b, apart) = (Input(1), Input(2), Input(3))
    let sum = Trace(combine(a, b) { $0 + $1 })
    let other = Trace(apart)
    transaction {
      $0.push(10, into: a)
      $0.push(30, into: apart)
      $0.push(0, into: b)
      $0.push(20, into: b)
    }
    #expect(sum.transactions == ["B", "E30"])
    #expect(other.transactions == ["B", "E30"])
  }

  @Test(
    "observer added or removed during a push: one that is gone is not called, one that is new is called from the next on"
  )
  func observersDuringAPush() {
    let input = Input<Int>()
    var told: [String] = []
    var second: SignalObserver?
    var third: SignalObserver?
    let first =
      input --> { value in
        told.append("first \(value)")
        second = nil
        if third == nil { third = input.observe(initial: false) { told.append("third \($0)") } }
      }
    second = input.observe(initial: false) { told.append("second \($0)") }
    input <-- 1
    input <-- 2
    #expect(told == ["first 1", "first 2", "third 2"])
    withExtendedLifetime((first, second)) {}
  }
}
