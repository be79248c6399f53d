import MallocCount

/// One row of the table: what was measured, against what, in the same run.
struct Row {
  var name: String
  /// What it is compared with.
  var yardstick: String
  /// Nanoseconds for one, of ours and of the yardstick: medians.
  var ours: Double
  var theirs: Double
  /// Allocations for one; nil where they were not counted.
  var mallocs: Double?

  /// How many times as long as the yardstick.
  var ratio: Double { ours / theirs }
}

/// Times two things against each other, in turns, so that both see the same machine.
///
/// - Parameters:
///   - count: how many of what is measured one call is told to do.
func compare(
  _ name: String, with yardstick: String, count: Int, rounds: Int = 7, ours: (Int) throws -> Void,
  theirs: (Int) throws -> Void
) rethrows -> Row {
  let clock = ContinuousClock()
  var times: (ours: [Double], theirs: [Double]) = ([], [])
  try ours(count)
  try theirs(count)
  for _ in 0..<rounds {
    times.ours.append(nanoseconds(try clock.measure { try ours(count) }) / Double(count))
    times.theirs.append(nanoseconds(try clock.measure { try theirs(count) }) / Double(count))
  }
  // What a run costs once, such as making the cycle, is in both and goes out.
  let allocations = (try countMallocs { try ours(count) }, try countMallocs { try ours(2 * count) })
  return Row(
    name: name, yardstick: yardstick, ours: median(times.ours), theirs: median(times.theirs),
    mallocs: Double(allocations.1 - allocations.0) / Double(count))
}

private func countMallocs(_ body: () throws -> Void) rethrows -> Int {
  let before = malloc_count()
  try body()
  return Int(malloc_count() - before)
}

func nanoseconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
