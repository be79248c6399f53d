import Glibc

// late: runs drivers on the real loop beside two busy threads, and checks that they used their simulated hardware as
// its data sheet says. Prints a table; exits with 1 if something was wrong. Each device has a file with a function that
// returns its row.

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
