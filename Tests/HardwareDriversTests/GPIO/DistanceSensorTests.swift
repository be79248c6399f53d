import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("DistanceSensor")
struct DistanceSensorTests {
  private typealias Sensor = Rig<LineDriver<DistanceSensor>>

  private static func part(_ chip: SimulatedChip) -> SimulatedDistanceSensor {
    SimulatedDistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24")
  }

  private func rig(
    showing model: DistanceSensor.Model = .measuring, interval: Duration = .milliseconds(100),
    generation: SimulatedChip.Generation = .second, seed: UInt64 = 0
  ) -> (Sensor, SimulatedDistanceSensor) {
    var part: SimulatedDistanceSensor!
    let rig = Sensor(
      generation, seed: seed, showing: model, prepare: { _, chip in part = Self.part(chip) },
      driver: { DistanceSensor($0, trigger: "GPIO23", echo: "GPIO24", settings: .init(interval: interval)) })
    return (rig, part)
  }

  private func words(_ rig: Sensor) -> [String] { rig.events.withoutMoments }

  @Test(
    "a distance each interval while the model says so, and nothing otherwise",
    arguments: SimulatedChip.Generation.allCases)
  func distances(generation: SimulatedChip.Generation) throws {
    let (rig, part) = rig(showing: .off, generation: generation)
    try rig.run()
    try rig.advance(500)
    #expect(rig.events == [])
    #expect(rig.chip.writeCount == 0)
    try rig.show(.measuring)
    for distance in [1_000.0, 20, 4_000, 1_716] {
      part.distanceMillimetres = distance
      try rig.advance(100)
    }
    try rig.show(.off)
    try rig.advance(500)
    #expect(
      words(rig) == [
        "distance(millimetres: 1000)", "distance(millimetres: 20)", "distance(millimetres: 4000)",
        "distance(millimetres: 1716)",
      ])
    #expect(rig.cycle.nextAlarm == nil)
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("with a resolution a thing that stands still is told once, and again after the sensor was away")
  func resolution() throws {
    var part: SimulatedDistanceSensor!
    let rig = Sensor(
      .second, showing: .measuring, prepare: { _, chip in part = Self.part(chip) },
      driver: {
        DistanceSensor($0, trigger: "GPIO23", echo: "GPIO24", settings: .init(resolutionMillimetres: 5))
      })
    part.distanceMillimetres = 500
    try rig.run()
    for distance in [500.0, 504, 505, 501, nil, nil, 505] {
      try rig.advance(100)
      part.distanceMillimetres = distance
    }
    try rig.advance(190)
    part.isSilent = true
    try rig.advance(200)
    part.isSilent = false
    try rig.advance(200)
    rig.chip.unplug()
    try rig.advance(200)
    rig.chip.plug()
    try rig.advance(200)
    let near = "distance(millimetres: 505)"
    #expect(
      words(rig).filter { $0 != "restored" }
        == ["distance(millimetres: 500)", near, "noEcho", near, "failed", near, "lost", near])
    rig.stop()
  }

  @Test("an event has the moment at which the echo ends")
  func moments() throws {
    let (rig, part) = rig()
    // 1 716 mm are 10 ms.
    part.distanceMillimetres = 1_716
    try rig.run()
    try rig.advance(90)
    // The trigger takes 10 µs, and is over when the first frame is made; the echo comes 450 µs later.
    #expect(rig.events == ["distance(millimetres: 1716)@10+450000ns"])
    rig.stop()
  }

  @Test("nearer and farther than the sensor can tell is out of range, nothing in range is no echo")
  func ranges() throws {
    let (rig, part) = rig()
    part.distanceMillimetres = 19.4
    try rig.run()
    for distance in [19.6, 4_000.4, 4_000.6, nil] {
      try rig.advance(100)
      part.distanceMillimetres = distance
    }
    try rig.advance(90)
    #expect(
      words(rig) == [
        "outOfRange", "distance(millimetres: 20)", "distance(millimetres: 4000)", "outOfRange", "noEcho",
      ])
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("a sensor that holds the echo line for 200 ms is not triggered meanwhile")
  func longEcho() throws {
    let (rig, part) = rig()
    part.distanceMillimetres = nil
    part.emptyEcho = .milliseconds(200)
    try rig.run()
    try rig.advance(1_000)
    #expect(Set(words(rig)) == ["noEcho"])
    #expect(part.triggers.count == 5)
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("a sensor that does not answer is told once, and as restored when it does")
  func silent() throws {
    let (rig, part) = rig()
    part.isSilent = true
    try rig.run()
    try rig.advance(1_000)
    #expect(words(rig) == ["failed"])
    #expect(part.triggers.count > 9, "it is tried again all the time")
    let error = try #require(
      rig.trial.troubles.first.flatMap { if case .failed(let error) = $0 { error } else { nil } })
    #expect(
      error.description
        == "cannot measure with the sensor at GPIO23 and GPIO24: GPIO24 does not rise after a trigger. "
        + "Check its 5 V supply and the wires to TRIG and ECHO; it is retried every 0.1 seconds.")
    part.isSilent = false
    try rig.advance(200)
    #expect(Set(words(rig)) == ["failed", "restored", "distance(millimetres: 1000)"])
    rig.stop()
  }

  @Test("an echo line that stays high is told once, and as restored when it falls")
  func stuck() throws {
    let (rig, part) = rig()
    try rig.run()
    try rig.advance(90)
    part.isStuck = true
    try rig.advance(2_000)
    #expect(words(rig) == ["distance(millimetres: 1000)", "noEcho", "failed"])
    #expect(part.triggers.count == 2)
    part.isStuck = false
    try rig.advance(90)
    #expect(words(rig).dropFirst(3).first == "restored")
    #expect(words(rig).last == "distance(millimetres: 1000)")
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("an echo line that is high from the beginning is waited for")
  func highAtStart() throws {
    let (rig, part) = rig()
    rig.chip.line("GPIO24").drive(.high)
    try rig.run()
    try rig.advance(450)
    #expect(part.triggers == [])
    #expect(rig.events == [])
    try rig.advance(100)
    #expect(words(rig) == ["failed"])
    rig.chip.line("GPIO24").drive(.low)
    try rig.advance(50)
    #expect(words(rig) == ["failed", "restored", "distance(millimetres: 1000)"])
    rig.stop()
  }

  @Test("edges that are missing drop their measurement; the next one is right")
  func lostEdges() throws {
    let (rig, part) = rig(generation: .second)
    rig.chip.edgeQueueDepth = 1
    try rig.run()
    try rig.bench.stall(for: .milliseconds(50))
    try rig.advance(10)
    #expect(words(rig) == ["edgesLost(Optional(1))"])
    try rig.advance(90)
    #expect(words(rig).last == "distance(millimetres: 1000)")
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("however late the cycle is: the same distances, no trigger too short or too early", arguments: [60, 100, 150])
  func late(interval: Int) throws {
    for lateness in [Duration.microseconds(100), .milliseconds(1), .milliseconds(30), .milliseconds(130)] {
      let (rig, part) = rig(interval: .milliseconds(interval))
      try rig.run()
      rig.bench.lateness = lateness
      try rig.advance(2_000)
      #expect(part.faults == [])
      #expect(words(rig).count >= 7)
      #expect(Set(words(rig)) == ["distance(millimetres: 1000)"])
      rig.bench.lateness = .zero
      rig.stop()
    }
  }

  @Test("a chip that goes away amid a measurement and comes back", arguments: 0..<60)
  func loss(milliseconds: Int) throws {
    let (rig, part) = rig()
    try rig.run()
    try rig.advance(100 + milliseconds)
    rig.chip.unplug()
    try rig.advance(5)
    rig.chip.plug()
    try rig.advance(300)
    #expect(words(rig).contains("lost") && words(rig).contains("restored"))
    #expect(words(rig).last == "distance(millimetres: 1000)")
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("a trigger that can't be written is given when the next try is due")
  func failedWrite() throws {
    for number in 1...2 {
      let (rig, part) = rig(showing: .off, interval: .seconds(10))
      let failure = DriverError(
        .failed, cannot: "set line GPIO23", reason: "input/output error", remedy: "Look at dmesg.")
      if number == 1 { rig.chip.nextWriteError = failure }
      rig.chip.line("GPIO23").onChange { [unowned chip = rig.chip] level, _ in
        if number == 2, level == .high, chip.writeCount == 1 { chip.nextWriteError = failure }
      }
      try rig.run()
      try rig.show(.measuring)
      #expect(words(rig) == ["failed"])
      try rig.advance(1_100)
      #expect(words(rig) == ["failed", "restored", "distance(millimetres: 1000)"])
      #expect(part.faults == [])
      rig.stop()
    }
  }

  @Test("right whatever is late, lost or noisy", arguments: 0..<40 as Range<UInt64>)
  func random(seed: UInt64) throws {
    let (rig, part) = rig(interval: .milliseconds(60 + Int(seed % 50)), seed: seed)
    var chance = SeededGenerator(seed: seed)
    part.noiseMillimetres = 5
    var wasStuck = false
    try rig.run()
    for _ in 0..<30 {
      switch Int.random(in: 0..<9, using: &chance) {
      case 0: rig.chip.unplug()
      case 1: rig.chip.plug()
      case 2: rig.bench.lateness = .microseconds(Int.random(in: 0...40_000, using: &chance))
      case 3: try rig.bench.stall(for: .milliseconds(Int.random(in: 0...80, using: &chance)))
      case 4: part.isSilent.toggle()
      case 5:
        part.isStuck.toggle()
        wasStuck = true
      case 6: try rig.show(Bool.random(using: &chance) ? .measuring : .off)
      case 7: part.distanceMillimetres = Bool.random(using: &chance) ? 500 : nil
      default: break
      }
      try rig.bench.advance(by: .microseconds(Int.random(in: 0...200_000, using: &chance)))
    }
    rig.bench.lateness = .zero
    rig.chip.plug()
    part.isSilent = false
    part.isStuck = false
    part.distanceMillimetres = 2_000
    try rig.show(.measuring)
    try rig.advance(130_000)
    let told = rig.trial.events.map(\.event)
    // An echo that stuck for a moment is a wrong distance, which nobody can see.
    for case .distance(let millimetres) in told where !wasStuck {
      #expect([500, 1_000, 2_000].contains { abs($0 - millimetres) <= 6 }, "seed \(seed): \(millimetres)")
    }
    #expect(
      told.suffix(100).allSatisfy { if case .distance(1_994...2_006) = $0 { true } else { false } }, "seed \(seed)")
    #expect(part.faults == [], "seed \(seed)")
    rig.stop()
  }

  @Test(
    "a distance sensor keeps the laws", arguments: SimulatedChip.Generation.allCases,
    [[DistanceSensor.Model.measuring], [.off, .measuring]])
  func laws(generation: SimulatedChip.Generation, models: [DistanceSensor.Model]) {
    // The second measurement comes with each stimulus, and no third one, however much time is left for what is late.
    let violations = DriverLaws.violations(
      models: models,
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench, generation: generation)
        let part = Self.part(chip)
        return ChipLawHarness(
          chip, inputs: ["GPIO24"], outputs: ["GPIO23"], hasPicture: false, isPolled: true,
          faults: { part.faults },
          stimulate: { (bench: Bench) throws(DriverError) in try bench.advance(by: .milliseconds(1_100)) })
      },
      device: { DistanceSensor($0.chip, trigger: "GPIO23", echo: "GPIO24", settings: .init(interval: .seconds(1))) })
    #expect(violations == [])
  }
}
