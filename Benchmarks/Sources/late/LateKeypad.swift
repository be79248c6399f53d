import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A thousand times, each with another seed, presses and releases two keys of sixteen, overlapping and bouncing; at
/// half of them by chance the cycle stalls for 30 ms while the contact bounces. Checks that each press and each release
/// is emitted once and in order, and nothing else.
func lateKeypad() throws -> Outcome {
  let bench = Bench(loop: try LinuxLoop())
  let chip = SimulatedChip(bench)
  let rows = (0..<4).map { LineName("GPIO\($0)") }
  let columns = (0..<4).map { LineName("GPIO\($0 + 8)") }
  let matrix = KeyMatrix(chip, rows: rows, columns: columns)
  matrix.bounce = .milliseconds(8)
  let trial = DriverBench(Keypad(chip, rows: rows, columns: columns), on: bench)
  try trial.start()
  var wrong: [String] = []
  var expected: [Keypad.Event] = []
  var delays: [Duration] = []

  for seed in 0..<1_000 as Range<UInt64> {
    var random = SeededGenerator(seed: seed)
    let places = (0..<16).shuffled(using: &random).prefix(2)
    let keys = places.map { Keypad.Key(row: $0 / 4, column: $0 % 4) }
    for (key, isPressed) in [(keys[0], true), (keys[1], true), (keys[0], false), (keys[1], false)] {
      if isPressed { try matrix[key.row, key.column].press() } else { try matrix[key.row, key.column].release() }
      expected.append(isPressed ? .pressed(key) : .released(key))
      let start = bench.now
      if Bool.random(using: &random) { try bench.stall(for: .milliseconds(30)) }
      while trial.events.count < expected.count, bench.now - start < .seconds(10) {
        try bench.advance(by: .milliseconds(2))
      }
      delays.append(bench.now - start)
    }
    let told = trial.events.suffix(from: min(trial.events.count, expected.count - 4)).map(\.event)
    if told != expected.suffix(4) {
      wrong.append("seed \(seed): expected \(expected.suffix(4)), told \(told)")
      expected = trial.events.map(\.event)
    }
  }
  trial.stop()
  wrong += matrix.faults + trial.troubles.map { "\($0)" }
  delays.sort()
  let note = "told after \(milliseconds(delays[0])) to \(milliseconds(delays[delays.count - 1])) ms"
  return Outcome(device: "Keypad", count: 1_000, what: "seeds of four events", wrong: wrong, note: note)
}
