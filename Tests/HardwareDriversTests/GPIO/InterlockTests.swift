import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Interlock")
struct InterlockTests {
  private static let lines: [LineName] = ["GPIO24", "GPIO25", "GPIO8"]
  private let up = LineValues(rawValue: 1)
  private let down = LineValues(rawValue: 2)
  private let lamp = LineValues(rawValue: 4)

  private func rig(
    showing model: LineValues = [], pause: Duration = .milliseconds(50), prepare: (SimulatedChip) -> Void = { _ in }
  ) -> Rig<LineDriver<Interlock>> {
    Rig(
      showing: model, prepare: { prepare($1) },
      driver: { chip in
        Interlock(Self.lines.map { Relay(chip, line: $0) }, settings: .init(pause: pause))
      })
  }

  /// The levels of the first two relays, a character for each 10 ms from the start.
  private func waves(_ rig: Rig<LineDriver<Interlock>>, _ steps: Int) -> [String] {
    Self.lines.prefix(2).map { rig.wave($0, steps: steps, step: .milliseconds(10)) }
  }

  @Test("another relay closes a pause after the one before it has opened")
  func pause() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(100)
    try rig.show(up)
    try rig.advance(40)
    try rig.show(down)
    try rig.advance(60)
    #expect(
      waves(rig, 20) == [
        "__________####______",
        "___________________#",
      ])
    rig.stop()
  }

  @Test("the relay that is asked for at the start closes at once: no relay of this program was closed before")
  func start() throws {
    let rig = rig(showing: down)
    try rig.run()
    try rig.advance(100)
    #expect(waves(rig, 10) == ["__________", "##########"])
    rig.stop()
  }

  @Test(
    "after a loss a relay closes a pause after the lines are there again, as another may have been closed meanwhile")
  func loss() throws {
    let rig = rig(showing: up)
    try rig.run()
    try rig.advance(10)
    rig.chip.unplug()
    try rig.advance(50)
    try rig.show(down)
    rig.chip.plug()
    try rig.advance(3000)
    let requested = try #require(rig.trial.entries.last { if case .trouble(.restored) = $0.1 { true } else { false } })
      .0
    let closed = try #require(rig.chip.line("GPIO25").changes.last)
    #expect(closed.level == .high && closed.moment - requested >= .milliseconds(50))
    #expect(rig.chip.line("GPIO24").level == .low)
    rig.stop()
  }

  @Test("after the pause any relay closes at once; the one that was open last closes again without a pause")
  func withoutPause() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(60)
    try rig.show(down)
    try rig.advance(20)
    try rig.show([])
    try rig.advance(10)
    try rig.show(down)
    try rig.advance(10)
    #expect(waves(rig, 10) == ["__________", "______##_#"])
    rig.stop()
  }

  @Test("the newest wish wins, also one for nothing")
  func newestWish() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(100)
    try rig.show(up)
    try rig.show(down)
    try rig.advance(20)
    try rig.show(lamp)
    try rig.advance(100)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.low, .low, .high])
    try rig.show(down)
    try rig.advance(20)
    try rig.show([])
    #expect(rig.cycle.nextAlarm == nil)
    try rig.advance(100)
    #expect(Self.lines.allSatisfy { rig.chip.line($0).level == .low })
    #expect(rig.chip.line("GPIO25").changes.count == 1)
    rig.stop()
  }

  @Test("of two that are asked for together the closed one stays, else the first closes, and it is told once")
  func together() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(100)
    try rig.show(down)
    try rig.show([up, down])
    try rig.show([up, down])
    try rig.advance(100)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.low, .high, .low])
    #expect(rig.events == ["\(Interlock.Event.askedTogether([up, down], kept: 1))@100"])
    try rig.show([])
    try rig.advance(100)
    try rig.show([up, down])
    try rig.advance(1)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.high, .low, .low])
    #expect(rig.events.count == 2)
    #expect(rig.events.last == "\(Interlock.Event.askedTogether([up, down], kept: 0))@300")
    rig.stop()
  }

  @Test("a write that opens and fails leaves the relay closed, and no other one closes before it is open")
  func failedOpening() throws {
    let rig = rig(showing: up)
    try rig.run()
    try rig.advance(100)
    rig.chip.nextWriteError = Self.failure
    try rig.show(down)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.high, .low, .low])
    try rig.advance(2000)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.low, .high, .low])
    let opened = try #require(rig.chip.line("GPIO24").changes.last?.moment)
    let closed = try #require(rig.chip.line("GPIO25").changes.last?.moment)
    #expect(closed - opened >= .milliseconds(50))
    rig.stop()
  }

  @Test("after a write that should close one relay and failed, another one closes a pause after all are open")
  func failedClosing() throws {
    let rig = rig()
    try rig.run()
    try rig.advance(100)
    rig.chip.nextWriteError = Self.failure
    try rig.show(up)
    try rig.show(down)
    try rig.advance(10)
    #expect(rig.chip.line("GPIO25").level == .low)
    try rig.advance(3000)
    #expect(Self.lines.map { rig.chip.line($0).level } == [.low, .high, .low])
    #expect(rig.chip.line("GPIO24").changes.count == 1)
    rig.stop()
  }

  @Test("while the cycle is late the pause is counted from the write")
  func late() throws {
    let rig = rig()
    rig.bench.latenesses = [.milliseconds(30), .zero]
    try rig.run()
    try rig.advance(200)
    for model in [up, down, up, lamp, down] {
      try rig.show(model)
      try rig.advance(200)
    }
    rig.bench.latenesses = [.zero]
    let changes = Self.lines.flatMap { line in
      rig.chip.line(line).changes.map { (moment: $0.moment, line: line, isClosed: $0.level == .high) }
    }.sorted { $0.moment < $1.moment }
    #expect(changes.count { $0.isClosed } == 5)
    var pauses: [Duration] = []
    for closing in changes where closing.isClosed {
      // Each line has one first change to low, at the beginning, which is no relay that opens.
      let opened = changes.last {
        !$0.isClosed && $0.moment > .zero && $0.moment <= closing.moment && $0.line != closing.line
      }
      if let opened { pauses.append(closing.moment - opened.moment) }
    }
    #expect(pauses.count == 4 && pauses.allSatisfy { $0 >= .milliseconds(50) }, "\(pauses)")
    rig.stop()
  }

  @Test("whatever is asked for, fails and goes away, at most one relay is closed, and another one only after the pause")
  func chance() throws {
    var closings = 0
    for seed in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let pause = Duration.milliseconds(Int.random(in: 1...60, using: &random))
      let rig = rig(showing: LineValues(rawValue: UInt64.random(in: 0...7, using: &random)), pause: pause)
      if Bool.random(using: &random) { rig.bench.latenesses = [.milliseconds(7), .zero, .milliseconds(31)] }
      try rig.run()
      for _ in 0..<60 {
        switch Int.random(in: 0...9, using: &random) {
        case 0: rig.chip.nextWriteError = Self.failure
        case 1: rig.chip.unplug()
        case 2, 3: rig.chip.plug()
        default: try rig.show(LineValues(rawValue: UInt64.random(in: 0...7, using: &random)))
        }
        try rig.advance(Int.random(in: 0...90, using: &random))
      }
      rig.bench.latenesses = [.zero]
      rig.chip.plug()
      rig.stop()
      let changes = Self.lines.enumerated().flatMap { relay, line in
        rig.chip.line(line).changes.map { (moment: $0.moment, relay: relay, isClosed: $0.level == .high) }
      }
      for closing in changes where closing.isClosed {
        for (relay, line) in Self.lines.enumerated() where relay != closing.relay {
          let before = rig.chip.line(line).changes.last { $0.moment <= closing.moment }
          let isGood = before.map { $0.level == .low && ($0.moment == .zero || closing.moment - $0.moment >= pause) }
          #expect(isGood ?? true, "seed \(seed): relay \(closing.relay) closes at \(closing.moment)")
        }
      }
      closings += changes.count { $0.isClosed }
    }
    #expect(closings > 1000)
  }

  @Test("without a pause another relay closes after the one before it has opened, never together with it")
  func zeroPause() throws {
    let rig = rig(showing: up, pause: .zero)
    try rig.run()
    try rig.advance(10)
    #expect(rig.chip.line("GPIO24").level == .high)
    let writes = rig.chip.writeCount
    try rig.show(down)
    #expect(rig.chip.line("GPIO24").level == .low)
    #expect(rig.chip.line("GPIO25").level == .high)
    #expect(rig.chip.writeCount == writes + 2)
    rig.stop()
  }

  private static let failure = DriverError(
    .failed, cannot: "write line GPIO24", reason: "input/output error", remedy: "Look at dmesg.")

  @Test("each change of the contacts is emitted where the settings ask for it, at the moment of the write")
  func contacts() throws {
    let rig = Rig<LineDriver<Interlock>>(
      showing: [], prepare: { _, _ in },
      driver: { chip in
        Interlock(
          Self.lines.map { Relay(chip, line: $0) }, settings: .init(pause: .milliseconds(50), emitsContacts: true))
      })
    func event(_ closed: Int?, at milliseconds: Int) -> String {
      "\(Interlock.Event.contacts(closed: closed))@\(milliseconds)"
    }
    try rig.run()
    try rig.advance(10)
    #expect(rig.events == [event(nil, at: 0)])
    try rig.show(up)
    try rig.advance(10)
    try rig.show(down)
    try rig.advance(60)
    #expect(rig.events.dropFirst() == [event(0, at: 10), event(nil, at: 20), event(1, at: 70)])
    // What is asked for in the pause, and is over before its end, closes nothing.
    try rig.show(up)
    try rig.advance(10)
    try rig.show([])
    try rig.advance(100)
    #expect(rig.events.dropFirst(4) == [event(nil, at: 80)])
    rig.stop()
  }
}
