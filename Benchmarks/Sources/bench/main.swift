import BenchDrivers
import CycleCore

let clock = ContinuousClock()
let events = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 20_000_000
for _ in 0..<3 {
  let a = Registers()
  let hand = try clock.measure {
    var app = HandWritten(last: events, a)
    try app.run()
  }
  let b = Registers()
  let cycle = try clock.measure { try runCycle(events, b) }
  print("hand \(hand / events)  cycle \(cycle / events)  ratio \(cycle / hand) sums \(a.checksum) \(b.checksum)")
}
