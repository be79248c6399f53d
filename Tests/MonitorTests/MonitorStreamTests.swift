import CycleCore
import TestSupport
import Testing

@testable import Monitor

@Suite("watching")
struct MonitorStreamTests {
  @Test("who comes late gets the events from the first on, and then the new ones (F11)")
  func late() throws {
    try withRig { rig in
      try rig.tap()
      let client = rig.watcher()
      #expect(rig.run([client]) { client.ids == [1, 2, 3] })
      #expect(
        Array(client.data(of: "message").prefix(2)) == [
          #"["f",0,0,{"count":0,"isBeeping":false},"9b524d38f788ec47"]"#,
          #"["e",1,5000000,0,"pressed",1,"69bf961f3e39b827"]"#,
        ])
      try rig.tap()
      #expect(rig.run([client]) { client.ids == [1, 2, 3, 4, 5, 6] })
      #expect(client.data(of: "skipped").isEmpty)
    }
  }

  @Test("who comes back with the last number misses nothing and gets nothing twice")
  func again() throws {
    try withRig { rig in
      try rig.tap(2)
      for client in [rig.watcher(from: 5), rig.watcher(headers: ["Last-Event-ID: 4"])] {
        #expect(rig.run([client]) { client.ids == [5, 6] })
        #expect(client.data(of: "message").count == 2)
      }
      try rig.tap()
      let newest = rig.watcher(from: 10)
      #expect(rig.run([newest]) { !newest.data(of: "run").isEmpty })
      try rig.tap()
      #expect(rig.run([newest]) { newest.ids == [10, 11, 12] })
    }
  }

  @Test("a number of another run gets all that is kept")
  func otherRun() throws {
    try withRig { rig in
      try rig.tap()
      let client = rig.watcher(from: 5_000)
      #expect(rig.run([client]) { client.ids == [1, 2, 3] })
      #expect(client.data(of: "run").first?.contains(#""from":1,"newest":3"#) == true)
    }
  }

  @Test("what the ring has dropped is told, and a whole frame follows")
  func dropped() throws {
    try withRig(ring: RecordingRing(capacity: 4_096, causesOfKeyframe: 8)) { rig in
      try rig.tap(200)
      let client = rig.watcher(from: 1)
      #expect(rig.run([client]) { client.ids.last == 600 })
      let first = try #require(client.ids.first)
      #expect(client.data(of: "skipped") == [#"{"from":1,"count":\#(first - 1)}"#])
      #expect(client.ids == Array(first...600))
      #expect(client.data(of: "message").first?.hasPrefix(#"["f","#) == true)
    }
  }

  @Test("eight watch, one is dead: the others miss nothing, and the account holds")
  func dead() throws {
    try withRig { rig in
      let clients = (0..<8).map { _ in rig.watcher() }
      clients[0].reads = false
      let taps = 400
      for _ in 0..<taps / 20 {
        try rig.tap(20)
        rig.turn(within: 50)
        for client in clients { client.pump() }
      }
      #expect(rig.run(clients) { clients.dropFirst().allSatisfy { $0.ids.last == 3 * taps } })
      for client in clients.dropFirst() {
        #expect(client.ids == Array(1...3 * taps))
        #expect(client.data(of: "skipped").isEmpty)
      }
      let account = rig.ring.account
      #expect(account.offered == 3 * taps)
      #expect(account.offered == account.written + account.lost + account.pending)
      clients[0].reads = true
      #expect(rig.run([clients[0]]) { clients[0].ids.last == 3 * taps })
    }
  }

  @Test("watchers are served in turn: none waits for the others where a turn has time for one only")
  func fair() throws {
    try withRig { rig in
      rig.monitor.turnLimit = .zero
      let clients = (0..<8).map { _ in rig.watcher() }
      try rig.tap(20)
      #expect(rig.run(clients) { clients.allSatisfy { $0.ids == Array(1...60) } })
      for client in clients { #expect(client.data(of: "skipped").isEmpty) }
    }
  }

  @Test("the account comes while something changes, and says what is pending where nobody reads")
  func account() throws {
    try withRig { rig in
      try rig.tap()
      #expect(rig.ring.account == RecordingAccount(offered: 3, written: 0, lost: 0, pending: 3))
      let client = rig.watcher()
      try rig.tap()
      // On a busy machine one comes before all has been written, and then another.
      #expect(rig.run([client]) { client.data(of: "account").last?.contains(#""written":6"#) == true })
      let account = try #require(client.data(of: "account").last)
      #expect(account.contains(#""lenses":[[6,6,0,0]]"#))
      #expect(account.contains(#""offered":6,"written":6,"lost":0,"pending":0"#))
      #expect(account.contains(#""watchers":1"#))
    }
  }

  @Test("while nobody watches, the monitor has nothing to do, and hardly anything while somebody does")
  func idle() throws {
    try withRig { rig in
      try rig.tap()
      #expect(!rig.turn(within: 200))
      let client = rig.watcher()
      #expect(rig.run([client]) { client.ids == [1, 2, 3] })
      // The account comes a second after the last line; behind it there is nothing until the comment.
      #expect(rig.run([client]) { !client.data(of: "account").isEmpty })
      while rig.turn(within: 100) {}
      #expect(!rig.turn(within: 200))
    }
  }

  @Test("the end is told")
  func end() throws {
    try withRig { rig in
      let client = rig.watcher()
      try rig.tap()
      rig.end()
      #expect(rig.run([client]) { client.isClosed })
      #expect(client.ids == [1, 2, 3])
      #expect(client.data(of: "end") == ["{}"])
    }
  }

  @Test("a stream gets 64 KiB at once, and then 256 KiB in a second")
  func rate() throws {
    let ring = RecordingRing(capacity: 8 << 20)
    let recorder = try Self.filled(ring, events: 20_000)
    var now = Moment(nanoseconds: 1_000_000_000)
    var stream = EventStream(of: ring, from: nil, run: "0", at: now)
    var total = 0
    func drain() {
      for _ in 0..<1_000 {
        stream.gather(from: ring, at: now)
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 20) { stream.read(into: $0) }
        total += count
        if count == 0 { return }
      }
    }
    drain()
    #expect((64 << 10...96 << 10).contains(total))
    total = 0
    for _ in 0..<1_000 {
      now = now + .milliseconds(1)
      drain()
    }
    #expect((240 << 10...290 << 10).contains(total))
    withExtendedLifetime(recorder) {}
  }

  @Test("a stream that is far behind goes on at the last whole frame, and counts what it has left out")
  func thinned() throws {
    let ring = RecordingRing(capacity: 8 << 20)
    var stream = EventStream(of: ring, from: nil, run: "0", at: .zero)
    _ = try Self.filled(ring, events: 20_000)
    var output = ""
    for second in 1...100 {
      stream.gather(from: ring, at: Moment(nanoseconds: Int64(second) * 1_000_000_000))
      output += withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 20) { bytes in
        String(decoding: bytes[..<stream.read(into: bytes)], as: UTF8.self)
      }
    }
    let ids = output.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
    let first = try #require(ids.first)
    #expect(first > 1)
    #expect(ids == Array(first...20_000))
    #expect(output.contains("event: skipped\ndata: {\"from\":1,\"count\":\(first - 1)}\n\ndata: [\"f\","))
  }

  /// A ring with so many events of a key.
  private static func filled(_ ring: RecordingRing, events: Int) throws -> Recorder {
    let recorder = Recorder(app: "many", to: ring)
    let bench = try ManyTaps(recorder, events: events)
    withExtendedLifetime(bench) {}
    return recorder
  }
}
