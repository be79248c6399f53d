import CycleCore
import Foundation
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A client while everything that can happen to a network and a broker happens at random.
@Suite("A client on a random network")
struct RandomNetworkTests {
  /// How many schedules are tried: 60, or as many as NETWORKS says.
  static let count = ProcessInfo.processInfo.environment["NETWORKS"].flatMap { Int($0) } ?? 60

  @Test(
    "nothing is unaccounted for after any step, and at the end the broker has every value and every event that isn't lost"
  )
  func balances() throws {
    for seed in 1...UInt64(Self.count) { try run(seed) }
  }

  private func run(_ seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let rig = try NetworkRig(seed: seed, collects: seed % 2 == 0) {
      $0.network = chance.next() % 2 == 0 ? .up : .refusing
    }
    var told = 0
    for step in 0..<60 {
      act(&chance, on: rig, &told)
      try rig.advance(by: .milliseconds(Int64(chance.next() % 1500)))
      let account = rig.account
      try #require(account.isBalanced, "seed \(seed), step \(step): \(account)")
      try #require(account.pending <= 256 + 16 + 4, "seed \(seed), step \(step): \(account)")
    }
    rig.broker.network = .up
    rig.broker.refusesCredentials = false
    rig.broker.isStalled = false
    rig.broker.delay = .zero
    // A connection that is dead is noticed after 90 s, and what it was stalled by ends with it.
    rig.broker.restart()
    try rig.advance(by: .seconds(200))
    try #require(rig.account.isBalanced && rig.account.pending == 0, "seed \(seed): \(rig.account)")
    for (value, topic) in ["v/a", "v/b"].enumerated() {
      try #require(rig.broker.retained[topic] == "\(rig.number(of: value))", "seed \(seed)")
    }
    try #require(rig.broker.retained["online"] == "online", "seed \(seed)")
    try checkEvents(of: rig, told, seed)
  }

  /// Each event has arrived, or a later one says that it is missing.
  private func checkEvents(of rig: NetworkRig, _ told: Int, _ seed: UInt64) throws {
    var seen: Set<Int> = []
    var missed: [Int: Int] = [:]
    for message in rig.broker.messages where message.topic == "e" {
      let words = message.payload.split(separator: " ")
      let number = try #require(Int(words[0]))
      seen.insert(number)
      if words.count == 3 { missed[number] = Int(words[2]) ?? 0 }
    }
    try #require(told - seen.count <= rig.account.lost, "seed \(seed)")
    guard told > 0 else { return }
    for number in 1...told where !seen.contains(number) {
      let next = try #require((number...told).first { seen.contains($0) }, "seed \(seed): \(number) is missing")
      try #require((missed[next] ?? 0) >= next - number, "seed \(seed): \(next) doesn't say that \(number) is missing")
    }
  }

  private func act(_ chance: inout SeededGenerator, on rig: NetworkRig, _ told: inout Int) {
    let broker = rig.broker
    switch chance.next() % 16 {
    case 0: broker.network = .unplugged
    case 1: broker.network = .refusing
    case 2: broker.network = .swallowing
    case 3: broker.network = .nameless(after: .seconds(10))
    case 4, 5, 6: broker.network = .up
    case 7: broker.restart()
    case 8: broker.isStalled.toggle()
    case 9: broker.duplicates.toggle()
    case 10: broker.refusesCredentials.toggle()
    case 11: broker.delay = .milliseconds(Int64(chance.next() % 3000))
    case 12:
      for _ in 0..<(chance.next() % 400) {
        told += 1
        rig.tell(told)
      }
    case 13: rig.broker.publish("9", to: "set/a", isRetained: chance.next() % 2 == 0)
    case 14: rig.publisher.tellAll()
    default: rig.set(Int(chance.next() % 2), to: Int(chance.next() % 100))
    }
  }
}
