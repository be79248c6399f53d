import Glibc

/// Prints how long a press takes to the lamp with the network in each state, beside a panel whose file has no broker:
/// both are pressed by turns, so that both meet the same load of the machine.
struct NetworkLatency {
  /// A state of the network, and how a panel gets there.
  private struct State: Sendable {
    let name: String
    var needsRoot = false
    /// Returns a panel in this state.
    let begin: @Sendable (BrokerProcess) -> NetworkedPanel
  }

  private static let states = [
    State(name: "no address") { _ in NetworkedPanel(isTold: true) },
    State(name: "silent name server", needsRoot: true) { _ in
      NetworkedPanel(isTold: true, broker: "mqtt://broker.test", behind: "exec unshare --net --mount sh \(silentNames)")
    },
    State(name: "refused") { NetworkedPanel(isTold: true, broker: $0.address) },
    State(name: "connected") { broker in connected(to: broker) },
    State(name: "half open: nobody answers") { broker in
      let panel = connected(to: broker)
      broker.stop()
      return panel
    },
    State(name: "slow: answers each 200 ms") { broker in
      let panel = connected(to: broker)
      broker.disturb("while kill -STOP $broker; do sleep 0.2; kill -CONT $broker; sleep 0.02; done")
      return panel
    },
    State(name: "flapping: gone each 6 s") { broker in
      broker.disturb(
        "while :; do timeout --foreground -s KILL 6 \(broker.command); sleep 0.3; done")
      usleep(500_000)
      let panel = NetworkedPanel(isTold: true, broker: broker.address)
      panel.wait(for: "\"connected\": true")
      return panel
    },
    State(name: "full outbox, refused") { broker in
      let panel = NetworkedPanel(isTold: true, broker: broker.address)
      for _ in 0..<200 { _ = panel.press() }
      panel.wait(for: "\"pending\": 256")
      return panel
    },
  ]

  private static func connected(to broker: BrokerProcess) -> NetworkedPanel {
    broker.start()
    let panel = NetworkedPanel(isTold: true, broker: broker.address)
    panel.wait(for: "\"connected\": true")
    // Until the broker has all values.
    usleep(500_000)
    return panel
  }

  /// A script that runs a command where the name server hears and says nothing.
  private static var silentNames: String {
    makeFile(
      "silent-names",
      """
      ip link set lo up
      echo nameserver 127.0.0.1 >/tmp/resolv.$$
      mount --bind /tmp/resolv.$$ /etc/resolv.conf
      rm /tmp/resolv.$$
      python3 -c 'import os, socket
      silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      silent.bind(("127.0.0.1", 53))
      silent.settimeout(1)
      parent = os.getppid()
      while os.getppid() == parent:
          try: silent.recv(512)
          except TimeoutError: pass' &
      sleep 0.5
      exec "$@"
      """)
  }

  /// The times of one panel.
  private struct Times {
    private var sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    var median: Double { sorted[sorted.count / 2] }
    var late: Double { sorted[sorted.count * 99 / 100] }
  }

  /// - Parameter count: how often each panel is pressed in each state.
  static func print(count: Int) {
    Swift.print(
      "| network | median | without mqtt | ratio | p99 | without mqtt | processor time of the cycle's thread a press | without mqtt |"
    )
    Swift.print("|---|---|---|---|---|---|---|---|")
    for state in states {
      guard !state.needsRoot || geteuid() == 0 else {
        Swift.print("| \(state.name) | needs root |")
        continue
      }
      let broker = BrokerProcess()
      let (told, alone) = (state.begin(broker), NetworkedPanel(isTold: false))
      for _ in 0..<20 { _ = (told.press(), alone.press()) }
      let before = (told.processorTime, alone.processorTime)
      var times: (told: [Double], alone: [Double]) = ([], [])
      for number in 0..<count {
        // Who comes first finds other caches.
        if number % 2 == 0 {
          times.told.append(told.press())
          times.alone.append(alone.press())
        } else {
          times.alone.append(alone.press())
          times.told.append(told.press())
        }
        // 50 events a second are sent at most; faster ones would only be dropped.
        usleep(40_000)
      }
      let spent = ((told.processorTime - before.0) / Double(count), (alone.processorTime - before.1) / Double(count))
      let (ours, theirs) = (Times(times.told), Times(times.alone))
      Swift.print(
        "| \(state.name) | \(micro(ours.median)) | \(micro(theirs.median)) | \(ratio(ours.median / theirs.median)) "
          + "| \(micro(ours.late)) | \(micro(theirs.late)) | \(micro(spent.0)) | \(micro(spent.1)) |")
      // Each row is printed when it is known.
      fflush(nil)
      told.end()
      alone.end()
      broker.end()
    }
  }

  private static func micro(_ nanoseconds: Double) -> String { "\(Int((nanoseconds / 1e3).rounded())) µs" }
  private static func ratio(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}
