import CycleCore
import TestSupport
import Testing

/// Laws 5, 9 and 10: when trouble is told, when it is restored, and when what has failed is tried again.
@Suite("Recording trouble")
struct ToldTroubleTests {
  typealias Frame = TroubleLawsTests.Frame

  /// A running cycle around one probe.
  private struct Stand {
    let probe = Probe("a")
    let loop = VirtualLoop()
    let cycle: Cycle<Frame, Lens<Frame, Probe>>

    init() throws {
      let probe = probe
      cycle = Cycle(seed: Frame()) { TroubleLawsTests.lens(probe) }
      try cycle.start(on: loop)
    }

    var troubles: [Trouble] { cycle.frame.troubles }

    /// The driver tells of trouble that it has found, or mended, by itself.
    func report(_ troubles: Trouble...) throws {
      for trouble in troubles { probe.context?.report(trouble) }
      try cycle.settle()
    }

    /// A render fails.
    func failRender() throws {
      probe.renderError = .broken
      probe.emit("x")
      try cycle.settle()
      probe.renderError = nil
    }

    /// The driver's alarm rings at the moment, and the wake fails.
    func failWake(_ error: DriverError, after span: Duration = .zero) throws {
      probe.wakeError = error
      probe.context?.setAlarm(loop.now + span)
      try cycle.step(until: nil)
      probe.wakeError = nil
    }
  }

  private static func error(_ kind: DriverError.Kind, _ reason: String) -> DriverError {
    DriverError(kind, cannot: "use it", reason: reason, remedy: "Wait.")
  }

  private static let silent = error(.failed, "it is silent")
  private static let gone = error(.lost, "it is gone")

  @Test("Law 10: a render that works again does not restore what the driver has told of its hardware")
  func renderWorksAgain() throws {
    for trouble in [Trouble.failed(Self.silent), .lost(Self.gone)] {
      let stand = try Stand()
      try stand.report(trouble)
      try stand.failRender()
      try stand.cycle.step(until: nil)
      #expect(stand.probe.log.lines.last == "a 1→1x")
      #expect(stand.troubles == [trouble, .failed(.broken)])
      try stand.report(.restored)
      #expect(stand.troubles == [trouble, .failed(.broken), .restored])
    }
  }

  @Test("Law 10: hardware that a driver tells of as restored does not restore a render that still fails")
  func driverWorksAgain() throws {
    let stand = try Stand()
    try stand.failRender()
    try stand.report(.lost(Self.gone), .restored)
    #expect(stand.troubles == [.failed(.broken), .lost(Self.gone)])
    try stand.cycle.step(until: nil)
    #expect(stand.troubles == [.failed(.broken), .lost(Self.gone), .restored])
  }

  @Test("Law 10: an error that the driver and the cycle both find is told once, and restored when neither has it")
  func foundTwice() throws {
    let stand = try Stand()
    try stand.report(.failed(.broken))
    try stand.failRender()
    try stand.report(.restored)
    #expect(stand.troubles == [.failed(.broken)])
    try stand.cycle.step(until: nil)
    #expect(stand.troubles == [.failed(.broken), .restored])
  }

  @Test("Law 10: a driver that is started again tells anew what is wrong, and is restored without what it told before")
  func startedAgain() throws {
    let stand = try Stand()
    try stand.report(.failed(Self.silent))
    try stand.failWake(Self.gone)
    try stand.cycle.step(until: nil)
    #expect(stand.troubles == [.failed(Self.silent), .lost(Self.gone), .restored])
    try stand.report(.failed(Self.silent), .restored)
    #expect(stand.troubles.suffix(2) == [.failed(Self.silent), .restored])
  }

  @Test("Law 10: time stamps from the future are told, and keep nothing from being restored")
  func stampsFromTheFuture() throws {
    let stand = try Stand()
    stand.probe.emit("", at: .zero + .seconds(1000))
    try stand.failRender()
    try stand.cycle.step(until: nil)
    #expect(stand.troubles.count == 3)
    #expect(stand.troubles.suffix(2) == [.failed(.broken), .restored])
  }

  @Test("Law 5: a render is tried again when its retry is due, though the wake goes on failing")
  func renderWhileWakesFail() throws {
    let stand = try Stand()
    try stand.failRender()
    stand.probe.wakeError = Self.silent
    stand.probe.context?.setAlarm(stand.loop.now)
    try stand.cycle.settle()
    stand.probe.renderError = .broken
    try stand.cycle.step(until: nil)
    #expect(stand.loop.now == .zero + .seconds(1))
    #expect(stand.probe.log.lines.suffix(2) == ["a fail 1x", "a retry"])
    stand.probe.renderError = nil
    try stand.cycle.step(until: nil)
    #expect(stand.loop.now == .zero + .seconds(3))
    #expect(stand.probe.log.lines.suffix(2) == ["a 1→1x", "a retry"])
    #expect(stand.troubles == [.failed(.broken), .failed(Self.silent)])
    stand.probe.wakeError = nil
    try stand.cycle.step(until: nil)
    #expect(stand.loop.now == .zero + .seconds(7))
    #expect(stand.troubles == [.failed(.broken), .failed(Self.silent), .restored])
    #expect(stand.cycle.nextAlarm == nil)
  }

  @Test("Law 5: after an absence, however long, the first retries come after 1 s, 2 s, 4 s again", arguments: [1, 100])
  func retriesAfterAbsence(secondsThere: Int) throws {
    let stand = try Stand()
    stand.probe.startError = Self.gone
    try stand.failWake(Self.gone)
    while stand.loop.now < .zero + .seconds(600) { try stand.cycle.step(until: nil) }
    stand.probe.startError = nil
    while stand.troubles.last != .restored { try stand.cycle.step(until: nil) }
    #expect(stand.cycle.nextAlarm == nil)
    stand.loop.advance(to: stand.loop.now + .seconds(secondsThere))
    try stand.cycle.settle()
    try stand.failWake(.broken)
    #expect(stand.cycle.nextAlarm == stand.loop.now + .seconds(1))
    try stand.cycle.step(until: nil)
    #expect(stand.troubles.suffix(2) == [.failed(.broken), .restored])
    // What has been there for long is looked for soon; what comes and goes is not.
    try stand.failWake(Self.gone)
    let pause = try #require(stand.cycle.nextAlarm) - stand.loop.now
    #expect(secondsThere == 100 ? pause == .seconds(1) : pause == .seconds(60))
  }

  @Test("Law 9: troubles that found no room are told by a lens that has no events")
  func droppedTroubles() throws {
    let stand = try Stand()
    let troubles = (1...20).map { Trouble.failed(Self.error(.failed, "lamp \($0)")) }
    stand.probe.onWake = { _ in for trouble in troubles { stand.probe.context?.report(trouble) } }
    stand.probe.context?.setAlarm(.zero)
    try stand.cycle.settle()
    #expect(stand.troubles == troubles.prefix(15) + [troubles[19], .eventsLost(4)])
  }

  @Test("Law 9: the number of lost events takes no other trouble's place, and is told when there is room")
  func lossesBehindTroubles() throws {
    let probe = Probe("a")
    let cycle = Cycle(seed: Frame()) {
      Lens(
        probe, show: { _ in "" }, on: { _, _ in },
        trouble: { frame, trouble in frame.troubles.append(trouble) }, laneCapacity: 2)
    }
    try cycle.start(on: VirtualLoop())
    let troubles = (1...15).map { Trouble.failed(Self.error(.failed, "lamp \($0)")) } + [.restored]
    probe.onWake = { _ in
      for _ in 1...5 { probe.emit("x") }
      for trouble in troubles { probe.context?.report(trouble) }
    }
    probe.context?.setAlarm(.zero)
    try cycle.settle()
    #expect(cycle.frame.troubles == troubles + [.eventsLost(3)])
  }

  @Test("Law 9: of lost events that were to be told, none is forgotten when a trouble takes their place")
  func replacedLosses() throws {
    let stand = try Stand()
    let troubles = (1...16).map { Trouble.failed(Self.error(.failed, "lamp \($0)")) }
    stand.probe.onWake = { _ in
      for trouble in troubles.dropLast() { stand.probe.context?.report(trouble) }
      stand.probe.context?.report(.eventsLost(7))
      stand.probe.context?.report(troubles[15])
    }
    stand.probe.context?.setAlarm(.zero)
    try stand.cycle.settle()
    #expect(stand.troubles == troubles + [.eventsLost(7)])
  }

  @Test("Law 9: a loss is told even if 16 other troubles come behind it before any is told")
  func lossStays() throws {
    let stand = try Stand()
    let lost = Trouble.lost(Self.gone)
    let failures = (1...20).map { Trouble.failed(Self.error(.failed, "lamp \($0)")) }
    stand.probe.onWake = { _ in
      for trouble in failures.prefix(15) + [lost] + failures.suffix(5) { stand.probe.context?.report(trouble) }
    }
    stand.probe.context?.setAlarm(.zero)
    try stand.cycle.settle()
    #expect(stand.troubles == failures.prefix(14) + [lost, failures[19], .eventsLost(5)])
  }

  @Test("Law 9: of 17 losses the newest is told, and the last return")
  func manyLosses() throws {
    let stand = try Stand()
    let losses = (1...17).map { Trouble.lost(Self.error(.lost, "card \($0)")) }
    stand.probe.onWake = { _ in for trouble in losses + [.restored] { stand.probe.context?.report(trouble) } }
    stand.probe.context?.setAlarm(.zero)
    try stand.cycle.settle()
    #expect(stand.troubles == losses.prefix(15) + [.restored, .eventsLost(2)])
  }

  /// The driver's alarm rings now.
  private func wake(_ stand: Stand, isFailing: Bool) throws {
    stand.probe.wakeError = isFailing ? .broken : nil
    stand.probe.context?.setAlarm(stand.loop.now)
    try stand.cycle.settle()
  }

  @Test("Law 10: a driver whose wakes fail eight times in a row is lost; after seven and one that works it is not")
  func eightInARow() throws {
    let stand = try Stand()
    for _ in 0..<3 {
      for _ in 0..<7 { try wake(stand, isFailing: true) }
      try wake(stand, isFailing: false)
    }
    #expect(!stand.probe.log.lines.contains("a stop"))
    for _ in 0..<7 { try wake(stand, isFailing: true) }
    #expect(!stand.probe.log.lines.contains("a stop"))
    try wake(stand, isFailing: true)
    #expect(stand.probe.log.lines.last == "a stop")
  }

  @Test("Law 10: wakes of two kinds that fail by turns, and work again, are no eight in a row")
  func byTurns() throws {
    let stand = try Stand()
    let waker = try #require(stand.probe.context?.watcher.makeWaker())
    func ready(isFailing: Bool) throws {
      stand.probe.wakeError = isFailing ? .broken : nil
      waker.wake()
      try stand.cycle.settle()
    }
    for _ in 0..<20 {
      try ready(isFailing: true)
      try wake(stand, isFailing: true)
      try ready(isFailing: false)
      try wake(stand, isFailing: false)
    }
    #expect(!stand.probe.log.lines.contains("a stop"))
    #expect(stand.troubles == Array(repeating: [.failed(.broken), .restored], count: 20).flatMap { $0 })
    // One that works in between does not save another one that never does.
    for _ in 0..<7 {
      try ready(isFailing: true)
      try wake(stand, isFailing: false)
    }
    #expect(!stand.probe.log.lines.contains("a stop"))
    try ready(isFailing: true)
    #expect(stand.probe.log.lines.last == "a stop")
  }

  @Test(
    "Law 5: hardware that is lost within a minute after its return is looked for after growing pauses, later at once again",
    arguments: [(7, 8), (59, 8), (61, 1)])
  func unstable(secondsThere: Int, pause: Int) throws {
    let stand = try Stand()
    stand.probe.startError = Self.gone
    try stand.failWake(Self.gone)
    // Tried after 1, 2 and 4 s.
    for _ in 0..<2 { try stand.cycle.step(until: nil) }
    stand.probe.startError = nil
    try stand.cycle.step(until: nil)
    #expect(stand.troubles.last == .restored && stand.loop.now == .zero + .seconds(7))
    stand.loop.advance(to: stand.loop.now + .seconds(secondsThere))
    try stand.cycle.settle()
    stand.probe.startError = Self.gone
    try stand.failWake(Self.gone)
    #expect(stand.cycle.nextAlarm == stand.loop.now + .seconds(pause))
  }

  @Test("stale alarm: an alarm of a driver that was lost does not come after its return")
  func staleAlarm() throws {
    let stand = try Stand()
    stand.probe.context?.setAlarm(stand.loop.now + .seconds(10))
    stand.probe.renderError = Self.gone
    stand.probe.emit("x")
    try stand.cycle.settle()
    stand.probe.renderError = nil
    for _ in 0..<5 where stand.cycle.nextAlarm != nil { try stand.cycle.step(until: nil) }
    #expect(stand.troubles == [.lost(Self.gone), .restored])
    #expect(stand.loop.now < .zero + .seconds(10) && !stand.probe.log.lines.contains("a alarm"))
  }
}
