import BenchDrivers
import CycleCore
import Glibc

// bench RESULTS [--record]: measures, prints the table beside the one in the file, and writes it there if asked to.
guard CommandLine.arguments.count > 1 else {
  print("usage: bench RESULTS.md [--record]")
  exit(64)
}
let results = Results(path: CommandLine.arguments[1])
let rows =
  [try measureCycle(), try measureHour()] + (try measureSizes()) + measureSignals() + measureState() + [
    try measureRow()
  ]
results.print(rows)
if CommandLine.arguments.contains("--record") { results.record(rows) }
