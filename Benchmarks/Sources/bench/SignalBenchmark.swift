import CycleCore
import Signals

/// A push into three graphs of signals, against the same written by hand with closures; and into a chain that is too
/// long for recursion on any stack.
let signalBenchmarks = [
  Benchmark("a push through a diamond", against: "closures by hand", timed: 1_000_000, counted: 10_000) { diamond() },
  Benchmark("a push to 1000 leaves", against: "closures by hand", timed: 2_000, counted: 100) { fanOut(1000) },
  Benchmark("a push through a chain of 1000", against: "closures by hand", timed: 5_000, counted: 100) { chain(1000) },
  Benchmark("a push through a chain of 100000", against: "closures by hand", timed: 20, counted: 2) { chain(100_000) },
]

/// The receiver at the end of a graph, so that every result is used.
private final class Sink {
  @exclusivity(unchecked) var sum = 0
}

private func diamond() -> (ours: Benchmark.Work, theirs: Benchmark.Work) {
  let sink = Sink()
  let input = Input(0)
  let output = combine(input.map { $0 &+ 1 }, input.map { $0 &* 2 }) { $0 &+ $1 } --> { sink.sum &+= $0 }
  let byHand = Sink()
  let left: (Int) -> Int = opaque { $0 &+ 1 }
  let right: (Int) -> Int = opaque { $0 &* 2 }
  let both: (Int, Int) -> Int = opaque { $0 &+ $1 }
  let receive: (Int) -> Void = opaque { byHand.sum &+= $0 }
  return (
    { count in withExtendedLifetime(output) { for number in 0..<count { input <-- number } } },
    { for number in 0..<$0 { receive(both(left(number), right(number))) } }
  )
}

private func fanOut(_ leaves: Int) -> (ours: Benchmark.Work, theirs: Benchmark.Work) {
  let sink = Sink()
  let input = Input(0)
  let outputs = (0..<leaves).map { leaf in input.map { $0 &+ leaf } --> { sink.sum &+= $0 } }
  let byHand = Sink()
  let maps: [(Int) -> Int] = (0..<leaves).map { leaf in opaque { $0 &+ leaf } }
  let receives: [(Int) -> Void] = (0..<leaves).map { _ in opaque { byHand.sum &+= $0 } }
  return (
    { count in withExtendedLifetime(outputs) { for number in 0..<count { input <-- number } } },
    { for number in 0..<$0 { for leaf in maps.indices { receives[leaf](maps[leaf](number)) } } }
  )
}

private func chain(_ length: Int) -> (ours: Benchmark.Work, theirs: Benchmark.Work) {
  let sink = Sink()
  let input = Input(0)
  var end: Signal<Int> = input
  for _ in 0..<length { end = end.map { $0 &+ 1 } }
  let output = end --> { sink.sum &+= $0 }
  let byHand = Sink()
  let maps: [(Int) -> Int] = (0..<length).map { _ in opaque { $0 &+ 1 } }
  let receive: (Int) -> Void = opaque { byHand.sum &+= $0 }
  return (
    { count in withExtendedLifetime(output) { for number in 0..<count { input <-- number } } },
    {
      for number in 0..<$0 {
        var value = number
        for map in maps { value = map(value) }
        receive(value)
      }
    }
  )
}

/// Hides the body of a closure from the optimizer, as it is hidden where a closure is stored as a value.
@inline(never)
private func opaque<Closure>(_ closure: Closure) -> Closure { closure }
