import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

// fleet: runs the network side of many panels against a mosquitto of its own: how long they take to come up, what the
// broker takes for them, how soon a listener hears of an event, and how all come back after the broker was killed.
// Prints a table; exits with 1 if a message is unaccounted for, lost where nothing was full, or a panel doesn't come
//   back. fleet [PANELS]                        5000 unless given
//   fleet --share FIRST COUNT ADDRESS     a process with some of the panels, which the first one starts

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--share" {
  guard arguments.count == 4, let first = Int(arguments[1]), let count = Int(arguments[2]) else { exit(64) }
  try Share(first: first, count: count, at: BrokerConnectionSettings(arguments[3])).obey()
  exit(0)
}
guard let count = arguments.isEmpty ? 5000 : Int(arguments[0]), count > 0, arguments.count <= 1 else {
  print("usage: fleet [PANELS], a number of 1 and more")
  exit(64)
}

let broker = try BrokerProcess()
broker.waitForPort()
let fleet = try Fleet(count, at: broker.address)
var rows: [(what: String, figure: String)] = []
var wrong: [String] = []

@MainActor func check(_ isSo: Bool, _ sentence: String) {
  if !isSo { wrong.append(sentence) }
}

// Coming up.
let before = try broker.use()
var took = try fleet.perform("start")
check(fleet.sum.arrived == count, "\(count - fleet.sum.arrived) panels did not come up")
let up = try broker.use()
rows.append(("\(count) panels up: connected, and their first messages acknowledged", seconds(took)))
rows.append(("the broker's memory with them, and before", "\(up.kilobytes) kB, \(before.kilobytes) kB"))
rows.append(("the broker's processor time for them", seconds(up.time - before.time)))
rows.append(
  (
    "memory of a panel's client, its thread included",
    "\(fleet.sum.kilobytes / count) kB, in \(fleet.processCount) processes"
  ))

// A steady load.
let listener = try Listener(at: broker.address)
listener.waitForSubscription()
for (panels, rate) in [(min(1000, count), 10), (count, 1)] {
  listener.clear()
  let before = try broker.use()
  try fleet.perform("load", panels: panels, "\(rate) 10")
  listener.wait(for: panels * rate * 10)
  let heard = listener.delays()
  check(heard.count == panels * rate * 10, "of \(panels * rate * 10) events \(heard.count) were heard")
  check(fleet.sum.isBalanced && fleet.sum.pending == 0, "messages are unaccounted for: \(fleet.sum.account)")
  let use = try broker.use()
  let delay = "p50 \(milliseconds(heard.percentile(0.5))), p99 \(milliseconds(heard.percentile(0.99)))"
  rows.append(
    (
      "\(panels) panels, \(rate) events a second each, for 10 s: from the panel to a listener",
      "\(delay); \(heard.count) of \(panels * rate * 10) heard, broker \(seconds(use.time - before.time))"
    ))
}
check(fleet.sum.lost == 0, "\(fleet.sum.lost) events were lost although nothing was full")

// The broker is killed, and comes back after 2 s; panels go on telling meanwhile.
broker.kill()
try fleet.perform("offline", panels: count, "1 2")
check(fleet.sum.connected == 0, "\(fleet.sum.connected) panels have not noticed that the broker is gone")
try broker.start()
took = try fleet.perform("return")
check(fleet.sum.connected == count, "\(count - fleet.sum.connected) panels did not come back")
check(
  fleet.sum.isBalanced && fleet.sum.pending == 0,
  "after the broker's return messages are unaccounted for: \(fleet.sum.account)")
rows.append(("all back after the broker was killed for 2 s, with nothing left to send", seconds(took)))
rows.append(("each panel: offered = delivered + superseded + lost + pending; the sums", fleet.sum.account))
rows.append(("the broker's memory then", "\(try broker.use().kilobytes) kB"))
listener.end()
try fleet.perform("end")
broker.kill()

print("| what | |")
print("|---|---|")
for row in rows { print("| \(row.what) | \(row.figure) |") }
for sentence in wrong { print("wrong: \(sentence)") }
exit(wrong.isEmpty ? 0 : 1)
