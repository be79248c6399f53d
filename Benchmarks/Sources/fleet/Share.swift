import CycleCore
import Foundation
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The network side of a panel: a value, events, and whether it is there.
private final class FleetPanel {
  let publisher: MessagePublisher

  init(_ id: String) {
    publisher = MessagePublisher(
      .init(
        topics: [
          PublishedTopic("panel/\(id)/availability", isRetained: true),
          PublishedTopic("panel/\(id)/value/level", isRetained: true),
          PublishedTopic("panel/\(id)/event/bell", isRetained: false),
        ], availability: .init(topic: 0)),
      writeValue: { _, writer in writer.write(7) }, finishEvent: { _, _, _, _ in })
  }

  /// Tells an event whose payload is the time now, in nanoseconds.
  func tell(at moment: Moment) {
    publisher.tell(event: 2) { $0.write(Int((moment - .zero).wholeNanoseconds)) }
  }
}

/// Some of the panels on one loop, each with a client of its own as in `panel run`.
///
/// Reads a command a line, and answers each with a ``Sum`` in JSON.
final class Share {
  private let panels: [FleetPanel]
  private let bench: Bench
  private let cycle: Cycle<Int, LensGroups<Int>>
  private let residentBefore: Int

  init(first: Int, count: Int, at address: BrokerConnectionSettings) throws {
    let numbers = first..<(first + count)
    let panels = numbers.map { FleetPanel("fleet-\($0)") }
    self.panels = panels
    bench = Bench(loop: try LinuxLoop())
    residentBefore = try resident(of: getpid())
    // The limit is meant for the drivers of one panel; here are those of thousands, and all may have news at one
    // moment.
    cycle = Cycle(seed: 0, selfEmissionLimit: 1000 * count) {
      LensGroups(
        zip(numbers, panels).map { number, panel in
          let id = "fleet-\(number)"
          return AnyLensGroup(
            Lens(
              MessagingDriver<ReceivedMessage>(
                MosquittoBroker(address),
                greeting: BrokerGreeting(
                  client: "panel-\(id)", will: .init(topic: "panel/\(id)/availability", payload: "offline"),
                  subscriptions: ["panel/\(id)/set/+"]),
                publisher: panel.publisher, chance: SeededGenerator(seed: UInt64(number))
              ) { $0 }, on: { _, _ in }))
        })
    }
  }

  func obey() throws {
    while let line = readLine() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch words.first {
      case "start":
        try bench.run(cycle)
        try run(atMost: .seconds(120)) { panels.allSatisfy { $0.publisher.account.delivered >= 2 } && isDelivered }
      case "load", "offline":
        guard numbers.count == 3 else { exit(64) }
        try load(panels: numbers[0], rate: numbers[1], for: .seconds(numbers[2]))
        if words.first == "load" { try run(atMost: .seconds(30)) { isDelivered } }
      case "return":
        try run(atMost: .seconds(120)) { panels.allSatisfy { $0.publisher.isConnected } && isDelivered }
      case "end":
        bench.stop()
      default: exit(64)
      }
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(sum()))
    }
  }

  private var isDelivered: Bool { panels.allSatisfy { $0.publisher.account.pending == 0 } }

  /// Runs until something is so, which is looked at each 20 ms, or until the time is over.
  private func run(atMost span: Duration, until isOver: () -> Bool) throws {
    let end = bench.now + span
    while !isOver(), bench.now < end {
      let next = bench.now + .milliseconds(20)
      while bench.now < next { try bench.step(until: next) }
    }
  }

  /// Has the first `panels` tell `rate` events a second each, spread evenly.
  private func load(panels count: Int, rate: Int, for span: Duration) throws {
    let total = count * rate * Int(span / .seconds(1))
    let begun = bench.now
    for number in 0..<total {
      let due = begun + span * number / total
      while bench.now < due { try bench.step(until: due) }
      panels[number % count].tell(at: bench.now)
    }
    while bench.now < begun + span { try bench.step(until: begun + span) }
  }

  private func sum() throws -> Sum {
    var sum = Sum()
    for panel in panels {
      let account = panel.publisher.account
      sum.add(
        Sum(
          arrived: account.delivered >= 2 ? 1 : 0, connected: panel.publisher.isConnected ? 1 : 0,
          unbalanced: account.isBalanced ? 0 : 1, offered: account.offered, delivered: account.delivered,
          superseded: account.superseded, lost: account.lost, pending: account.pending))
    }
    sum.kilobytes = try resident(of: getpid()) - residentBefore
    return sum
  }
}

/// The fate of the messages of several panels: delivered, lost, late.
struct Sum: Codable {
  /// Panels whose first messages were acknowledged, that are connected, and whose account isn't balanced.
  var arrived = 0
  var connected = 0
  var unbalanced = 0
  var offered = 0
  var delivered = 0
  var superseded = 0
  var lost = 0
  var pending = 0
  /// The memory that has been taken for the panels.
  var kilobytes = 0

  var isBalanced: Bool { unbalanced == 0 }
  var account: String { "\(offered) = \(delivered) + \(superseded) + \(lost) + \(pending)" }

  mutating func add(_ other: Sum) {
    arrived += other.arrived
    connected += other.connected
    unbalanced += other.unbalanced
    offered += other.offered
    delivered += other.delivered
    superseded += other.superseded
    lost += other.lost
    pending += other.pending
    kilobytes += other.kilobytes
  }
}
