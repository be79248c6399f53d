import Glibc

// late: runs devices on the real loop beside two busy threads, and looks whether their hardware was used against its data sheet. Prints a
// table; status 1 if something was wrong. A device is a file with a function that returns its row.

private let busyThreads = BusyThreads(count: 2)
let outcomes = [try lateDistanceSensors(), try lateCharacterDisplay(), try lateKeypad()]
busyThreads.end()

print("| device | what was done | wrong | |")
print("|---|---|---|---|")
for outcome in outcomes {
  print("| \(outcome.device) | \(outcome.count) \(outcome.what) | \(outcome.wrong.count) | \(outcome.note) |")
}
for outcome in outcomes {
  for sentence in outcome.wrong.prefix(5) { print("\(outcome.device): \(sentence)") }
}
exit(outcomes.allSatisfy { $0.wrong.isEmpty } ? 0 : 1)
