import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Keeping a device playing")
struct PlaybackLoopTests {
  /// 100 ms that show their place, and begin and end quietly.
  static let ramp = (0..<4800).map { Int16($0 < 4500 ? $0 + 1 : 4800 - $0) }

  @Test("what is played is what was asked for, and its end is told when it has been heard")
  func plays() {
    let rig = LoopRig()
    rig.start(Self.ramp)
    rig.run(until: 300)
    #expect(Array(rig.sink.samples[..<4800]) == Self.ramp)
    #expect(rig.sink.samples[4800...].allSatisfy { $0 == 0 })
    #expect(rig.reports == ["opened", "0 ended@100"])
  }

  @Test("a write that takes less keeps the rest", arguments: [1, 7, 479])
  func shortWrites(_ limit: Int) {
    let rig = LoopRig { $0.writeLimit = limit }
    rig.start(Self.ramp)
    rig.run(until: 300)
    #expect(Array(rig.sink.samples.prefix(4800)) == Self.ramp)
  }

  @Test("an underrun is told, and the block that was refused is not lost")
  func underrun() {
    let rig = LoopRig()
    rig.start(Self.ramp)
    rig.run(until: 50)
    rig.sink.faults = [.underrun]
    rig.run(until: 300)
    #expect(Array(rig.sink.samples[..<4800]) == Self.ramp)
    #expect(rig.reports.filter { $0 == "underrun" }.count == 1)
    #expect(rig.sink.calls.contains("prepare"))
    #expect(rig.reports.last?.hasPrefix("0 ended") == true)
  }

  @Test("nine underruns within a second are a device that is lost; eight are not")
  func manyUnderruns() {
    for count in [8, 9] {
      let rig = LoopRig()
      rig.start(Self.ramp, isLooping: true)
      for place in 0..<count {
        rig.run(until: 1_100 + 50 * (place + 1))
        rig.sink.faults = [.underrun]
      }
      rig.run(until: 1_700)
      #expect(rig.reports.contains { $0.hasPrefix("lost") } == (count == 9))
    }
  }

  @Test("a machine that slept is no underrun: the device is made ready and goes on")
  func suspended() {
    let rig = LoopRig()
    rig.start(Self.ramp)
    rig.run(until: 50)
    rig.sink.faults = [.suspended]
    rig.run(until: 300)
    #expect(rig.reports.first == "opened")
    #expect(!rig.reports.contains("underrun"))
    #expect(rig.sink.calls.filter { $0 == "prepare" }.count == 1)
    #expect(Array(rig.sink.samples[..<4800]) == Self.ramp)
  }

  @Test("a device that doesn't wake up for ten seconds is lost")
  func neverAwake() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.faults = [ScriptedSink.Fault](repeating: .suspended, count: 100_000)
    rig.run(until: 9900)
    #expect(rig.reports == ["opened"])
    rig.run(until: 10_200)
    #expect(rig.reports == ["opened", "lost: it stopped again and again"])
  }

  @Test("a device that can't be made ready again is lost")
  func unpreparable() {
    let rig = LoopRig { $0.preparesFail = true }
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 600)
    rig.sink.faults = [.underrun]
    rig.run(until: 700)
    #expect(rig.reports == ["opened", "lost: it stopped again and again"])
  }

  @Test("a device that fails directly after its opening is opened again once, and its sounds continue")
  func earlyFailure() {
    let rig = LoopRig { $0.preparesFail = true }
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.faults = [.underrun]
    rig.run(until: 400)
    #expect(rig.reports == ["opened"])
    #expect(rig.sink.calls == ["open@0", "prepare", "close", "open@50"])
    #expect(rig.sink.samples.suffix(480).contains { $0 != 0 })
    rig.sink.faults = [.underrun]
    rig.run(until: 500)
    #expect(rig.reports == ["opened", "lost: it stopped again and again"])
  }

  @Test("a lost device is tried again after 0.25, 0.5, 1, 2, 4 and 5 s, and told once")
  func backoff() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.openErrors = [DriverError](repeating: ScriptedSink.busy, count: 7)
    rig.sink.faults = [.lost]
    rig.run(until: 250_000)
    // Noticed with the first step after 50 ms.
    let openings = rig.sink.calls.filter { $0.hasPrefix("open") }.compactMap { Int($0.dropFirst(5)) }
    var pauses: [Int] = []
    for place in 2..<openings.count { pauses.append(openings[place] - openings[place - 1]) }
    #expect(pauses == [500, 1000, 2000, 4000, 5000, 5000, 5000])
    #expect(rig.reports == ["opened", "lost: the plug is out", "opened"])
  }

  @Test("a device that fails at each sound is opened again for each of them, after a short pause")
  func failsAtEachSound() {
    let rig = LoopRig()
    for round in 0..<4 {
      rig.run(until: 20_000 * round)
      rig.sink.faults = [.lost]
      rig.start(Self.ramp, epoch: UInt32(rig.losses))
    }
    rig.run(until: 79_000)
    let openings = rig.sink.calls.filter { $0.hasPrefix("open") }
    #expect(
      openings == [
        "open@0", "open@250", "open@20000", "open@20250", "open@40000", "open@40250", "open@60000", "open@60250",
      ])
  }

  @Test("a device that has played well and was closed is tried again soon when it is busy with the next sound")
  func backoffAfterSilence() {
    let rig = LoopRig { $0.openErrors = [DriverError](repeating: ScriptedSink.busy, count: 6) }
    rig.run(until: 13_000)
    rig.start(Self.ramp, epoch: 1)
    rig.run(until: 25_000)
    #expect(rig.sink.calls.suffix(2) == ["open@12750", "close"])
    rig.sink.openErrors = [ScriptedSink.busy]
    rig.start(Self.ramp, epoch: 1)
    rig.run(until: 27_000)
    #expect(rig.sink.calls.suffix(2) == ["open@25000", "open@25250"])
  }

  @Test(
    "a device that gives what the player can't render is closed, and told as that",
    arguments: [
      (48_000, 2, 9600, 28_800), (48_000, 2, 8193, 28_800), (48_000, 2, 0, 1440), (48_000, 9, 480, 1440),
      (48_000, 0, 480, 1440), (48_000, 2, 480, 479), (0, 2, 480, 1440),
    ])
  func impossible(rate: Int, channels: Int, period: Int, buffer: Int) {
    let rig = LoopRig {
      $0.configuration = PCMConfiguration(
        sampleRateHertz: rate, channelCount: channels, periodSize: period, bufferSize: buffer)
    }
    rig.run(until: 0)
    #expect(rig.sink.calls == ["open@0", "close"])
    #expect(
      rig.reports == [
        "lost: it gives \(rate) Hz, \(channels) channels, periods of \(period) and a buffer of \(buffer) sample frames"
      ])
    #expect(rig.loop.state.error?.kind == .unsupported)
  }

  @Test("the largest period that a device may give is played")
  func largestPeriod() {
    let rig = LoopRig {
      $0.configuration = PCMConfiguration(
        sampleRateHertz: 48_000, channelCount: 1, periodSize: 8192, bufferSize: 16_384)
      $0.swallows = true
    }
    rig.start(Self.ramp)
    rig.run(until: 300)
    #expect(Array(rig.sink.samples.prefix(4800)) == Self.ramp)
  }

  @Test("when somebody says that it may be back, it is tried at once")
  func plug() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.faults = [.lost]
    rig.run(until: 60)
    rig.send(VoiceCommand(.retry))
    rig.run(until: 61)
    #expect(rig.reports == ["opened", "lost: the plug is out", "opened"])
    #expect(rig.sink.calls.filter { $0.hasPrefix("open") } == ["open@0", "open@60"])
  }

  @Test("a device that needs time after its announcement is opened then, and not tried before")
  func settles() {
    let rig = LoopRig(settlingTime: .milliseconds(500))
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.faults = [.lost]
    rig.run(until: 60)
    // The next attempt is due 250 ms after the loss. Further announcements move the opening no further.
    for moment in [200, 350, 600] {
      rig.send(VoiceCommand(.retry))
      rig.run(until: moment)
    }
    #expect(rig.sink.calls.filter { $0.hasPrefix("open") } == ["open@0", "open@560"])
    rig.start(Self.ramp, slot: 1, epoch: 1)
    rig.run(until: 900)
    #expect(rig.reports.contains { $0.hasPrefix("1 ended") })
  }

  @Test("a device that has stood still is restored when it has played for a second, and a loss before is not told")
  func unproven() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 600)
    rig.sink.isStalled = true
    rig.run(until: 1700)
    #expect(rig.loop.state.losses == 1)
    rig.start(Self.ramp, epoch: 1, isLooping: true)
    rig.run(until: 2_500)
    #expect(!rig.loop.state.isAway && rig.loop.state.isUnproven)
    rig.sink.isStalled = false
    rig.run(until: 4_000)
    #expect(!rig.loop.state.isUnproven)
  }

  @Test("a device that accepts nothing after an underrun is lost, and no underrun is told")
  func endedServer() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 600)
    rig.sink.faults = [.underrun, .underrun, .underrun]
    rig.run(until: 620)
    #expect(rig.reports == ["opened", "lost: it does not play any more"])
  }

  @Test("what was started on a device that was gone already is not played when it is back")
  func staleStart() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.faults = [.lost]
    rig.run(until: 60)
    let before = rig.sink.samples.count
    // Asked for by somebody who has not heard of the loss yet.
    rig.start([Int16](repeating: 7777, count: 4800), slot: 1)
    rig.run(until: 1000)
    #expect(!rig.sink.samples[before...].contains(7777))
    rig.start([Int16](repeating: 8888, count: 4800), slot: 1, epoch: 1)
    rig.run(until: 2000)
    #expect(rig.sink.samples[before...].contains(8888))
  }

  @Test("a device that claims to run and doesn't move is lost within a second and a period")
  func stall() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.isStalled = true
    rig.run(until: 1100)
    #expect(rig.reports == ["opened", "lost: it has not played for a second"])
  }

  @Test(
    "a device that has nothing to play and takes nothing is lost within 3 s of its opening, after three hundred looks",
    arguments: [true, false])
  func takesNothing(saysSo: Bool) {
    let rig = LoopRig {
      $0.isFull = saysSo
      if !saysSo { $0.writeLimit = 0 }
    }
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 3_100)
    #expect(rig.reports == ["opened", "lost: it has not played for 3 seconds"])
    #expect(rig.steps <= 310)
  }

  @Test("a device that stands still a sample before the end of a sound is not looked at for each sample")
  func standstillAtEnd() {
    let rig = LoopRig()
    rig.start(Array(Self.ramp.prefix(481)))
    rig.run(until: 10)
    rig.sink.isStalled = true
    rig.run(until: 1100)
    #expect(rig.reports == ["opened", "lost: it has not played for a second"])
    #expect(rig.steps <= 120)
  }

  @Test("a device that takes everything at once gets a buffer ahead of the clock, and no thousand steps")
  func swallower() {
    let rig = LoopRig {
      $0.swallows = true
      $0.polled = [PolledDescriptor(descriptor: 0, events: 4)]
    }
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 1000)
    #expect((48_000...48_000 + 1440).contains(rig.sink.samples.count))
    #expect(rig.steps <= 110)
  }

  @Test("a sound that goes on for ten years is no overflow")
  func tenYears() {
    let rig = LoopRig {
      $0.swallows = true
      $0.isStalled = true
    }
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 1000)
    rig.clock.begin(at: .zero + .seconds(10 * 365 * 86_400))
    rig.run(until: 10 * 365 * 86_400 * 1000 + 10)
    #expect(rig.reports == ["opened"])
  }

  @Test("after five seconds of silence the device is closed, and opened again for the next sound")
  func silence() {
    let rig = LoopRig()
    rig.start(Self.ramp)
    rig.run(until: 5050)
    #expect(!rig.sink.calls.contains("close"))
    rig.run(until: 5200)
    #expect(rig.sink.calls == ["open@0", "close"])
    let steps = rig.steps
    rig.run(until: 100_000)
    #expect(rig.steps == steps + 1)
    rig.start(Self.ramp)
    rig.run(until: 100_300)
    #expect(rig.sink.calls == ["open@0", "close", "open@100000"])
    #expect(rig.reports.filter { $0.contains("ended") } == ["0 ended@100", "0 ended@100100"])
  }

  @Test("at the end a fade is written to its last sample and heard, and there is an end to that")
  func finish() {
    let rig = LoopRig()
    rig.start([Int16](repeating: 10_000, count: 48_000))
    rig.run(until: 100)
    var stop = VoiceCommand(.stop, slot: 0, generation: 1)
    stop.ramp = 240
    rig.send(stop)
    var steps = 0
    while let next = rig.loop.finish(in: rig.context), steps < 200 {
      rig.clock.begin(at: next)
      steps += 1
    }
    #expect(steps < 10)
    #expect(rig.sink.samples.last == 0)
    #expect(rig.reports.last?.hasPrefix("0 ended") == true)
    // The longest step down is that of the fade.
    let falls = zip(rig.sink.samples, rig.sink.samples.dropFirst()).map { Int($0) - Int($1) }
    #expect(falls.max()! <= 10_000 / 240 + 1)
    #expect(rig.sink.calls.last == "drain")
  }

  @Test("at the end a device that doesn't move is left alone")
  func finishOnStall() {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    rig.sink.isStalled = true
    for _ in 0..<1000 {
      guard let next = rig.loop.finish(in: rig.context) else { break }
      #expect(next > rig.now)
      rig.clock.begin(at: next)
    }
    rig.loop.close(in: rig.context)
    #expect(rig.sink.calls.last == "close")
  }

  @Test("a device that opens and fails at once is tried less and less often")
  func flapping() throws {
    let rig = LoopRig()
    rig.start(Self.ramp, isLooping: true)
    rig.run(until: 50)
    for _ in 0..<100 {
      rig.sink.faults = [.lost]
      rig.run(until: Int(rig.now.nanoseconds / 1_000_000) + 1000)
      rig.start(Self.ramp, epoch: UInt32(rig.losses), isLooping: true)
    }
    #expect(rig.losses <= 26)
  }
}
