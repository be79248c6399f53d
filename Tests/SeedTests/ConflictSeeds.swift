import CycleCore
import Signals
import Stores
import TestSupport
import Testing

/// Where the systems that this one comes from contradict themselves: what was decided.
@Suite("Contradictions: what was decided")
struct ConflictSeeds {
  /// The values of a signal from now on.
  private final class Values<Value: Sendable> {
    private let told = ValueTrace<Value>()
    private var receiver: SignalObserver?

    init(_ signal: Signal<Value>, initial: Bool) {
      receiver = signal.observe(initial: initial) { [told] in told.add($0) }
    }

    var all: [Value] { told.values }
  }

  @Test("X1: --> gives new values only, 9, 12, 15; observe(initial: true) gives 0, 9, 12, 15")
  func initialValue() {
    let input = Input(0)
    let tripled = input.map { $0 * 3 }
    var new: [Int] = []
    let output = tripled --> { new.append($0) }
    let all = Values(tripled, initial: true)
    for value in [3, 4, 5] { input <-- value }
    #expect(new == [9, 12, 15])
    #expect(all.all == [0, 9, 12, 15])
    withExtendedLifetime(output) {}
  }

  @Test("X2: a filter that rejects in a diamond gives nothing at all, not a value with a stale side")
  func rejectedDiamond() {
    let w = Input<Int>()
    let z = Values(
      combine(w.map { $0 + 2 }, w.map { $0 - 9 }.filter { $0 < 5 }) { $0 + $1 }, initial: false)
    w <-- 0
    #expect(z.all == [-7])
    w <-- 20
    #expect(z.all == [-7])
    w <-- 3
    #expect(z.all == [-7, -1])
  }

  @Test("X2b: what is unchanged is no veto: combine(w/10 on change, w) goes on from 0,1 to 0,2")
  func unchangedIsNoVeto() {
    let w = Input(1)
    let pairs = Values(combine(w.map { $0 / 10 }.onChange(), w) { "\($0),\($1)" }, initial: false)
    w <-- 2
    #expect(pairs.all == ["0,2"])
    w <-- 15
    #expect(pairs.all == ["0,2", "1,15"])
  }

  @Test("X3: a gate is open while it is true; held(while:) is for what has to wait until something is over")
  func polarity() {
    let (animating, ui) = (Input(true), Input(0))
    let held = Values(ui.held(while: animating), initial: false)
    let gated = Values(not(animating).gate(ui), initial: false)
    ui <-- 1
    ui <-- 2
    #expect(held.all == [] && gated.all == [])
    animating <-- false
    #expect(held.all == [2] && gated.all == [2])
  }

  @Test("X4: gate gives a signal, and with a closure a receiver")
  func bothOverloads() {
    let (open, source) = (Input(true), Input(0))
    var told: [Int] = []
    let receiver = open.gate(source) { told.append($0) }
    source <-- 1
    #expect(told == [1])
    withExtendedLifetime(receiver) {}
  }

  @Test("X5: what waits at a gate outlasts a transaction that is cancelled: 3, a rejected 9, open: 3")
  func pendingOutlastsACancel() {
    let (source, open) = (Input<Int>(), Input(false))
    let passed = Values(open.gate(source.filter { $0 < 5 }), initial: false)
    source <-- 3
    source <-- 9
    open <-- true
    #expect(passed.all == [3])
  }

  @Test("X6: <-- pushes")
  func pushes() {
    let input = Input(1)
    input <-- 2
    #expect(input.value == 2)
  }

  @Test("X7: observers are called in the order of subscription, however deep what they observe")
  func subscriptionOrder() {
    for _ in 0..<20 {
      let w = Input(0)
      var deep: Signal<Int> = w
      for _ in 0..<5 { deep = deep.map { $0 } }
      var told: [Int] = []
      let receivers = (0..<50).map { number in (number.isMultiple(of: 3) ? deep : w) --> { _ in told.append(number) } }
      withExtendedLifetime(receivers) { w <-- 1 }
      #expect(told == Array(0..<50))
    }
  }

  @Test("X8: the lens is called MutatingLens, and MutableLens too")
  func name() {
    #expect(MutableLens<Int, Int, Int>.self == MutatingLens<Int, Int, Int>.self)
  }

  @Test("X9: an event is paired with the frame when it is reduced: two taps at once count 2")
  func pairing() throws {
    let tap = Probe("tap")
    tap.onStart = {
      $0.emit(.value("tap"))
      $0.emit(.value("tap"))
    }
    let cycle = Cycle(seed: 0) { Lens(tap, show: { "\($0)" }, on: { frame, _ in frame += 1 }) }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == 2)
  }

  @Test("X10: the frames before lie in a ring of fixed size, however many there were")
  func fixedHistory() throws {
    let driver = Probe("driver")
    driver.onStart = { context in for _ in 0..<1000 { context.emit(.value("1")) } }
    var lengths: Set<Int> = []
    let cycle = Cycle(seed: 0, history: 3) {
      Lens(
        driver, show: { "\($0)" },
        on: { frame, _, past in
          lengths.insert(past.count)
          #expect(past[3] == nil)
          frame += 1
        })
    }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == 1000)
    #expect(lengths.sorted() == [1, 2, 3])
  }
}
