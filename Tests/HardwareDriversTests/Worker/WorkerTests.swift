import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// In virtual time a driver's alarm steps the work, and slow calls take virtual time.
@Suite("Slow work in virtual time")
struct WorkerTests {
  let sensor = SlowSensor()

  private func rig(_ milliseconds: Int) throws -> Rig<Thermometer> {
    let sensor = sensor
    let rig = Rig(showing: 1, isRequired: false) { (_: SimulatedChip) in Thermometer(sensor) }
    try rig.run()
    try rig.advance(milliseconds)
    return rig
  }

  @Test("a reading of 750 ms is there 750 ms after it was asked for, and the next one a second after that is due")
  func slowReading() throws {
    let rig = try rig(749)
    #expect(rig.events == [])
    try rig.advance(2000)
    #expect(rig.events == ["measured(20.0)@750", "measured(21.0)@2500"])
    rig.stop()
  }

  @Test("a sensor that fails and works again is lost once, and restored once")
  func trouble() throws {
    sensor.duration = .milliseconds(100)
    let rig = try rig(500)
    sensor.error = ScriptedSink.busy
    try rig.advance(4500)
    sensor.error = nil
    try rig.advance(1000)
    #expect(
      rig.events == [
        "measured(20.0)@100", "lost@1200", "measured(21.0)@5600", "restored@5600",
      ])
    rig.stop()
  }

  @Test("one loss is told once, whatever the words of its errors, and again when the kind of error is another")
  func oneLoss() throws {
    sensor.duration = .milliseconds(100)
    let rig = try rig(500)
    for operation in ["read it", "write to it", "read it"] {
      sensor.error = DriverError(.busy, cannot: operation, reason: "busy", remedy: "Wait.")
      try rig.advance(1100)
    }
    #expect(rig.events == ["measured(20.0)@100", "lost@1200"])
    sensor.error = ScriptedSink.gone
    try rig.advance(1100)
    sensor.error = nil
    try rig.advance(1100)
    #expect(rig.events.withoutMoments.dropFirst(2) == ["lost", "measured(21.0)", "restored"])
    // The next loss is told, though its error is of the first one's kind.
    sensor.error = ScriptedSink.busy
    try rig.advance(1100)
    #expect(rig.events.last?.hasPrefix("lost") == true)
    rig.stop()
  }

  @Test(
    "hardware that is required and doesn't answer for 5 s at the start, or fails, ends the start",
    arguments: [false, true])
  func required(hangs: Bool) throws {
    if hangs { sensor.duration = .seconds(6) } else { sensor.error = ScriptedSink.busy }
    let bench = Bench()
    let cycle = Cycle(seed: 1) {
      Lens(Thermometer(sensor), show: { $0 }, on: { _, _ in }, isRequired: true)
    }
    let silence =
      "cannot start the thermometer: it has not answered for 5 s. "
      + "Check whether its bus, its server or its driver in the kernel hangs."
    #expect {
      try bench.run(cycle)
    } throws: {
      "\($0)" == (hangs ? silence : "\(ScriptedSink.busy)")
    }
    #expect(sensor.calls == [0])
  }

  @Test("a command is received at once, and one that comes during a slow call when that is over")
  func commands() throws {
    sensor.duration = .milliseconds(100)
    let rig = try rig(200)
    try rig.show(10)
    try rig.advance(50)
    try rig.show(5)
    try rig.advance(100)
    #expect(sensor.calls == [0, 200, 300])
    try rig.advance(10_000)
    #expect(sensor.calls == [0, 200, 300, 5400])
    rig.stop()
  }

  @Test("a sensor that hangs for good wakes nobody and holds nobody up, at the end neither")
  func hangs() throws {
    sensor.duration = .seconds(Int64.max)
    let rig = try rig(100_000)
    #expect(rig.events == [])
    #expect(rig.cycle.nextAlarm == nil)
    try rig.show(10)
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
    #expect(sensor.calls == [0])
  }

  @Test("when it hangs, as many commands wait as fit; one more is an error")
  func fullRing() throws {
    let scripted = ScriptedWork()
    scripted.onStep = { _ in .forCommand }
    scripted.stepDuration = .seconds(Int64.max)
    let driver = ScriptedDriver(scripted)
    try driver.run()
    for number in 1...8 { try driver.worker.send(number) }
    #expect {
      try driver.worker.send(9)
    } throws: {
      "\($0)"
        == "cannot send a command to the part: it has not received the last 8. It hangs or is too slow; the command is retried."
    }
    #expect(driver.worker.stop() == false)
    driver.end()
  }

  @Test("a full box drops reports and says how many; the state comes all the same")
  func fullBox() throws {
    let scripted = ScriptedWork()
    scripted.onStep = { context in
      for number in 1...13 { context.report(number) }
      return .forCommand
    }
    scripted.state = "lost"
    let driver = ScriptedDriver(scripted)
    try driver.run()
    try driver.bench.advance(by: .milliseconds(1))
    #expect(driver.log == ["1", "2", "3", "4", "5", "6", "7", "8", "state lost", "5 lost"])
    driver.end()
  }

  @Test("reports before a slow call come before it, those after it afterwards, the state when the step is over")
  func moments() throws {
    let scripted = ScriptedWork()
    scripted.onStep = { context in
      context.report(1)
      context.clock.sleep(for: .milliseconds(20))
      context.report(2)
      context.clock.sleep(for: .milliseconds(10))
      return .forCommand
    }
    scripted.state = "ready"
    let driver = ScriptedDriver(scripted)
    try driver.run()
    #expect(driver.log == ["1"])
    try driver.bench.advance(by: .milliseconds(20))
    #expect(driver.log == ["1", "2"])
    try driver.bench.advance(by: .milliseconds(10))
    #expect(driver.log == ["1", "2", "state ready"])
    driver.end()
  }

  @Test("the first outcome can be waited for at the start, as long as the start may take", arguments: [4, 6])
  func firstStep(_ seconds: Int) throws {
    let scripted = ScriptedWork()
    scripted.stepDuration = .seconds(seconds)
    scripted.state = "open"
    let driver = ScriptedDriver(scripted, waits: true)
    try driver.run()
    #expect(driver.hadOutcome == (seconds == 4))
    #expect(driver.worker.state == (seconds == 4 ? "open" : "new"))
    driver.end()
  }

  @Test("what comes to rest in steps gets them, for half a second, and is closed", arguments: [3, 1000])
  func rest(_ steps: Int) throws {
    let scripted = ScriptedWork()
    scripted.stepsToRest = steps
    let driver = ScriptedDriver(scripted)
    try driver.run()
    #expect(driver.worker.stop())
    #expect(scripted.rests == (steps == 3 ? [0, 100, 200] : [0, 100, 200, 300, 400]))
    #expect(scripted.isClosed)
    driver.end()
  }

  @Test("a call that is under way at the end is waited for, for a second", arguments: [900, 1100])
  func endDuringCall(_ milliseconds: Int) throws {
    let scripted = ScriptedWork()
    scripted.stepDuration = .milliseconds(milliseconds)
    let driver = ScriptedDriver(scripted)
    try driver.run()
    #expect(driver.worker.stop() == (milliseconds == 900))
    #expect(scripted.isClosed == (milliseconds == 900))
    driver.end()
  }

  @Test("a work can be tested without a cycle, with a clock of its own")
  func alone() {
    var moments: [Moment] = []
    let context = WorkContext<ThermometerWork>(clock: WorkClock(at: .zero)) { _, moment in
      moments.append(moment)
      return true
    }
    var work = ThermometerWork(sensor)
    #expect(work.step(in: context) == .until(.zero + .milliseconds(1750)))
    #expect(moments == [.zero + .milliseconds(750)])
  }
}
