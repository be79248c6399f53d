import Glibc

/// What the monitor costs, with watchers and without.
let monitorBenchmarks = [
  Benchmark("a panel with the monitor on and nobody watching, in 10 s", in: "wake-ups") {
    let panel = RunningPanel(isMonitored: true)
    defer { panel.end() }
    return (panel.wakeUps(in: 10), nil)
  }.demanding(.amount, atMost: 0),
  Benchmark("a panel with one watcher, in 15 s", in: "wake-ups") {
    let panel = RunningPanel(isMonitored: true)
    defer { panel.end() }
    panel.watch()
    return (panel.wakeUps(in: 15), nil)
  }.demanding(.amount, atMost: 1),
  Benchmark("memory of a panel with the monitor on and nobody watching", in: "kB", against: "with the monitor off") {
    // Which pages of its libraries a process shares differs from start to start, by some hundred kB.
    let rounds = (0..<5).map { _ in
      let (monitored, alone) = (RunningPanel(isMonitored: true), RunningPanel(isMonitored: false))
      defer {
        monitored.end()
        alone.end()
      }
      return (monitored.residentKilobytes, alone.residentKilobytes)
    }
    return (rounds.map(\.0).min()!, rounds.map(\.1).min()!)
  }.demanding(.excess, atMost: 1_000),
  Benchmark("an event, 10000 of them a second and 8 watchers", in: "ns of the processor", against: "nobody watching") {
    func time(watchers: Int) throws -> Double {
      let watched = try WatchedCycle(eventsPerSecond: 10_000)
      defer { watched.end() }
      for _ in 0..<watchers { watched.request("/api/events") }
      try watched.run(toConnection: watchers)
      // What the ring has from before is sent first.
      try watched.run(toEvent: watched.events + 10_000)
      return try watched.run(toEvent: watched.events + 30_000) / 30_000
    }
    return (try time(watchers: 8), try time(watchers: 0))
  }.demanding(.ratioOfAmounts, atMost: 1.2),
  Benchmark("what 7 watchers miss of 10000 events in 5 s while an eighth stands still", in: "events") {
    let watched = try WatchedCycle(eventsPerSecond: 2_000)
    let answers = (0..<7).map { _ in watched.request("/api/events") }
    watched.request("/api/events")
    try watched.run(toConnection: 8)
    watched.stopLastClient()
    let last = watched.events + 10_000
    try watched.run(toEvent: last)
    // The last batch is sent 33 ms later at most.
    try watched.run(toEvent: last + 200)
    watched.end()
    let counts = answers.map { Measurement.output(of: "grep -c '^id: [0-9]*$' \($0)").filter { $0 != "\n" } }
    return (counts.map { Double(last) - min(Double(last), Double($0)!) }.reduce(0, +), nil)
  }.demanding(.amount, atMost: 0),
  Benchmark("the longest turn of a monitor that serves all that it has", in: "ms of the processor") {
    let watched = try WatchedCycle(eventsPerSecond: 10_000)
    defer { watched.end() }
    // Until the ring is full.
    try watched.run(toEvent: 25_000)
    for target in [
      "/", "/api/panel", "/api/film.recording", "/api/film?from=20000&to=24000", "/api/frame/20000", "/api/account",
      "/api/events?from=24000",
    ] {
      watched.request(target)
    }
    try watched.run(toEvent: watched.events + 10_000)
    for _ in 0..<7 { watched.request("/api/events?from=20000") }
    try watched.run(toEvent: watched.events + 20_000)
    return (watched.longestTurn / 1e6, nil)
  }.demanding(.amount, atMost: 1),
  Benchmark("the page, compressed", in: "kB") {
    let watched = try WatchedCycle(eventsPerSecond: 100)
    let page = watched.request("/")
    try watched.run(toEvent: 100)
    watched.end()
    return (Double(Measurement.output(of: "stat -c %s \(page)").filter { $0 != "\n" })! / 1_000, nil)
  }.demanding(.amount, atMost: 60),
]

/// A doorbell that runs in a process of its own, on simulated hardware, where nothing happens.
private final class RunningPanel {
  private let process: pid_t
  private let socket: String
  private let log: String
  private var client: pid_t?

  init(isMonitored: Bool) {
    let file = makeFile("idle.panel.yaml", doorbellPanel)
    let monitor = isMonitored ? "--monitor --monitor-address unix:\(file).sock" : ""
    (socket, log) = ("\(file).sock", makeFile("idle.log", ""))
    process = spawn(
      "exec '\(CommandLine.arguments[0])' --panel run \(file) --gpio simulated --audio simulated \(monitor) 2>\(log)")
    // Until it has started, and is idle.
    sleep(2)
  }

  /// Has curl watch.
  func watch() {
    let token = Measurement.output(of: "sed -n 's/.*watch .*token=//p' \(log)").filter { $0 != "\n" }
    client = spawn(
      "exec curl -sN --unix-socket \(socket) -H 'Authorization: Bearer \(token)' http://localhost/api/events >/dev/null"
    )
    sleep(2)
  }

  /// How often the kernel wakes one of its threads in so many seconds.
  func wakeUps(in seconds: UInt32) -> Double {
    let before = switches
    sleep(seconds)
    return switches - before
  }

  private var switches: Double {
    number(of: "awk '/^voluntary_ctxt_switches/ { n += $2 } END { print n }' /proc/\(process)/task/*/status")
  }

  var residentKilobytes: Double { number(of: "awk '/^VmRSS/ { print $2 }' /proc/\(process)/status") }

  private func number(of command: String) -> Double {
    guard let number = Double(Measurement.output(of: command).filter { $0 != "\n" }) else {
      preconditionFailure("the panel has ended")
    }
    return number
  }

  func end() {
    for each in [client, process].compactMap({ $0 }) {
      kill(each, SIGTERM)
      waitpid(each, nil, 0)
    }
  }
}
