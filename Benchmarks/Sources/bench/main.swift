import Glibc
import PanelKit

// bench RESULTS [--record] [--only TEXT]: measures, and prints each row of the table compared with the one recorded in
// the file. Exits with 1 if a row costs more than 1.03 times what is recorded.
//
// bench RESULTS --counted: counts only the instructions of our side, and leaves out the rows that take longer than 15
// s. A busy machine makes no difference. Exits with 1 also if a row could not be counted, or is not in the file.
//
// bench --one NAME ours|theirs|memory COUNT: repeats one side of one benchmark COUNT times.
//
// bench --panel ARGUMENTS: is the panel program.
//
// bench --latency [COUNT]: prints the time from a press to the lamp with the network in each state.

// Without a seed of its own for each process, a dictionary takes the same time in each of the processes that are
// counted.
setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--one", arguments.count == 4, let count = Int(arguments[3]),
  let benchmark = benchmarks.first(where: { $0.name == arguments[1] })
{
  try Measurement.run(benchmark, side: arguments[2] == "theirs" ? "theirs" : "ours", count: count)
  if arguments[2] == "memory" { Measurement.printPeakMemory() }
  exit(0)
}
if arguments.first == "--panel" { exit(PanelCommand.run(Array(arguments.dropFirst()))) }
if arguments.first == "--latency" {
  NetworkLatency.print(count: arguments.dropFirst().first.flatMap { Int($0) } ?? 300)
  exit(0)
}
let isCounted = arguments.contains("--counted")
guard let path = arguments.first, !path.hasPrefix("--"), !(isCounted && arguments.contains("--record")) else {
  print("usage: bench RESULTS.md [--record | --counted] [--only TEXT]")
  exit(64)
}
let only = arguments.firstIndex(of: "--only").map { arguments[$0 + 1] }
if !Measurement.canCountInstructions {
  print(
    "valgrind is not there: no instructions are counted, and nothing is compared with what is recorded. Install it to have that."
  )
}
let results = Results(path: path)
results.printHeading()
var rows: [Row] = []
var areAllWithin = true
for benchmark in benchmarks
where only.map({ benchmark.name.contains($0) }) ?? true && (!isCounted || benchmark.isCountedSoon) {
  let row = isCounted ? Measurement.count(benchmark) : try Measurement.measure(benchmark)
  rows.append(row)
  if !results.print(row) || isCounted && !results.isCompared(row) { areAllWithin = false }
}
if arguments.contains("--record") { results.record(rows, among: benchmarks.map(\.name)) }
exit(areAllWithin ? 0 : 1)
