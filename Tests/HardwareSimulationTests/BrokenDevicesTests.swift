import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A relay that breaks one law.
private struct FaultyRelay: EdgeReceiver, AlarmReceiver, StepTaker {
  enum Fault {
    case none
    /// It is at the other level for 50 µs when its line has been requested.
    case clicks
    /// It wakes every 10 ms, for nothing.
    case neverSleeps
  }

  let chip: any GPIOChip
  let fault: Fault
  private var isOn = false
  private var mustClick = false
  private(set) var alarm: Moment?

  init(_ chip: any GPIOChip, _ fault: Fault) {
    self.chip = chip
    self.fault = fault
  }

  typealias Event = Never
  var safeModel: Bool { false }
  var lines: [LineConfiguration] { [LineConfiguration("GPIO23", .output(outputs[0], .pushPull))] }
  var outputs: LineValues { isOn ? .first(1) : [] }

  mutating func render(_ isOn: Bool, at moment: Moment) {
    self.isOn = isOn
    if fault == .neverSleeps { alarm = moment + .milliseconds(10) }
  }

  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    mustClick = fault == .clicks
  }

  mutating func addSteps(to steps: inout LineSteps) {
    guard mustClick else { return }
    mustClick = false
    steps.write(isOn ? [] : .first(1), hold: .microseconds(50))
  }

  mutating func receive(_ edge: LineEdge, emit: Emit) {}
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  mutating func loseLines() {}
  mutating func finishSteps(at clock: Moment, emit: Emit) {}
  mutating func abandonSteps() {}

  mutating func ring(at moment: Moment, emit: Emit) { alarm = moment + .milliseconds(10) }
}

/// A counter of pulses that breaks one law.
private struct FaultyCounter: EdgeReceiver, AlarmReceiver, StepReader {
  enum Fault {
    case none
    /// Its events have the time of the cycle, not that of the edge.
    case stampsLate
    /// What the kernel has dropped is not counted.
    case forgetsLostEdges
    /// What the kernel has dropped is counted twice.
    case countsGapsTwice
    /// Its event comes again every second.
    case repeatsItself
    /// After a loss of its line it says nothing until it has seen three edges.
    case isSlowToReturn
  }

  enum Event: Equatable, Sendable { case counted(Int) }

  let chip: any GPIOChip
  let fault: Fault
  private var count = 0
  private var untold = false
  private var begins = Moment.zero
  private var silence = 0
  private(set) var alarm: Moment?

  init(_ chip: any GPIOChip, _ fault: Fault) {
    self.chip = chip
    self.fault = fault
  }

  var lines: [LineConfiguration] { [LineConfiguration("GPIO17", .input(.pullUp))] }

  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    begins = moment + .milliseconds(5)
  }

  mutating func receive(_ edge: LineEdge, emit: Emit) {
    guard edge.moment >= begins else { return }
    if silence > 0 {
      silence -= 1
      return
    }
    count += 1
    if fault == .stampsLate { untold = true } else { emit(.counted(count), edge.moment) }
    if fault == .repeatsItself { alarm = edge.moment + .seconds(1) }
  }

  mutating func loseEdges(_ lost: Int?, at moment: Moment, emit: Emit) {
    switch fault {
    case .forgetsLostEdges: break
    case .countsGapsTwice: count += 2 * (lost ?? 0)
    default: count += lost ?? 0
    }
  }

  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}

  mutating func loseLines() { silence = fault == .isSlowToReturn ? 3 : 0 }

  mutating func addSteps(to steps: inout LineSteps) { if untold { steps.read() } }
  mutating func finishSteps(at clock: Moment, emit: Emit) {}
  mutating func abandonSteps() {}

  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
    untold = false
    emit(.counted(count), clock)
  }

  mutating func ring(at moment: Moment, emit: Emit) {
    alarm = moment + .seconds(1)
    emit(.counted(count), moment)
  }
}

/// A rotor that moves at each edge of its step line, and that can't follow a fast step when it stands still.
private final class Rotor {
  private(set) var position = 0
  private(set) var faults: [String] = []
  private var last: Moment?
  private var isTurning = false

  init(_ chip: SimulatedChip) {
    let direction = chip.line("GPIO24")
    chip.line("GPIO23").onChange { [unowned self] _, moment in
      guard chip.isPlugged else { return }
      let pause = last.map { moment - $0 } ?? .seconds(1)
      if !isTurning, pause < .milliseconds(2) { faults.append("a fast step of a rotor that stands still") }
      isTurning = pause < .milliseconds(6)
      last = moment
      position += direction.level == .high ? 1 : -1
    }
  }
}

/// Turns a rotor: five slow steps, then fast ones.
private struct Motor: StepTaker {
  let chip: any GPIOChip
  /// Whether it begins slowly again when it was late.
  let knowsPauses: Bool
  private var goal = 0
  private var position = 0
  private var isForward = true
  private var speed = 0
  private var last = Moment.zero

  init(_ chip: any GPIOChip, knowsPauses: Bool) {
    self.chip = chip
    self.knowsPauses = knowsPauses
  }

  typealias Event = Never
  var safeModel: Int { 0 }
  var lines: [LineConfiguration] {
    ["GPIO24", "GPIO23"].enumerated().map { LineConfiguration($1, .output(outputs[$0], .pushPull)) }
  }
  var outputs: LineValues {
    LineValues(rawValue: (isForward ? 1 : 0) | (position.isMultiple(of: 2) ? 0 : 2))
  }
  mutating func render(_ goal: Int, at moment: Moment) { self.goal = goal }

  mutating func addSteps(to steps: inout LineSteps) {
    guard position != goal else {
      speed = 0
      return
    }
    isForward = position < goal
    position += isForward ? 1 : -1
    steps.write(outputs, hold: speed < 5 ? .milliseconds(5) : .milliseconds(1))
    speed += 1
  }

  mutating func finishSteps(at clock: Moment, emit: Emit) {
    if knowsPauses, clock - last > .milliseconds(6) { speed = 0 }
    last = clock
  }

  mutating func abandonSteps() { speed = 0 }
  mutating func loseLines() {}
}

@Suite("DriverLaws: broken devices are found")
struct BrokenDevicesTests {
  private func violations(_ fault: FaultyRelay.Fault) -> [String] {
    DriverLaws.violations(
      models: [true, false], setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO23"]) },
      device: { FaultyRelay($0.chip, fault) })
  }

  private func violations(_ fault: FaultyCounter.Fault, _ generation: SimulatedChip.Generation) -> [String] {
    DriverLaws.violations(
      models: [NoModel()],
      setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO17"]) },
      device: { FaultyCounter($0.chip, fault) })
  }

  @Test("without a fault they keep the laws", arguments: SimulatedChip.Generation.allCases)
  func none(generation: SimulatedChip.Generation) {
    #expect(violations(FaultyRelay.Fault.none) == [])
    #expect(violations(FaultyCounter.Fault.none, generation) == [])
  }

  @Test(
    "each fault of a relay breaks its law",
    arguments: [
      (FaultyRelay.Fault.clicks, "7: started with false, GPIO23 changes its level 2 times"),
      (.neverSleeps, "14: with true it wakes 1000 times in 10 s in which nothing happens"),
    ])
  fileprivate func relay(fault: FaultyRelay.Fault, sentence: String) {
    let found = violations(fault)
    #expect(found.contains(sentence), "\(found)")
  }

  @Test(
    "each fault of a counter breaks its law",
    arguments: [
      (
        FaultyCounter.Fault.stampsLate,
        "9: late by 100 µs event 1, counted(1), is stamped 0.290100000s, and on time 0.290000000s"
      ),
      (
        .forgetsLostEdges,
        "15: after lost events, a stimulus causes 6 events, and 6 without trouble: as number 1 counted(9), not counted(13)"
      ),
      (
        .countsGapsTwice,
        "15: after lost events, a stimulus causes 6 events, and 6 without trouble: as number 1 counted(17), not counted(13)"
      ),
      (.repeatsItself, "14: with NoModel() it emits 10 events in 10 s in which nothing happens"),
      (
        .isSlowToReturn,
        "8: the hardware came back, a stimulus causes 3 events, and 6 without trouble: as number 4 nothing, not counted(10)"
      ),
    ])
  fileprivate func counter(fault: FaultyCounter.Fault, sentence: String) {
    let found = violations(fault, .second)
    #expect(found.contains(sentence), "\(found)")
  }

  /// What the laws find of a motor that runs late; it has no end switch, so after a failure it is lost.
  private func violations(knowsPauses: Bool) -> [String] {
    DriverLaws.violations(
      models: [40, 8, 100],
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench)
        let rotor = Rotor(chip)
        return ChipLawHarness(
          chip, outputs: ["GPIO24", "GPIO23"], picture: { "\(rotor.position)" }, settlingTime: .seconds(1),
          faults: { rotor.faults })
      }, device: { Motor($0.chip, knowsPauses: knowsPauses) }
    ).filter { $0.contains("late by") }
  }

  @Test("a motor whose way takes seconds while it is late comes to its place, and is found if it begins fast")
  func motor() {
    #expect(violations(knowsPauses: true) == [])
    #expect(
      violations(knowsPauses: false) == [
        "11: late by 30 ms at turns 1, 3, 5 …: a fast step of a rotor that stands still",
        "11: late by 30 ms at turns 2, 4, 6 …: a fast step of a rotor that stands still",
      ])
  }

  /// A lamp whose models are long. It clicks, or it is dead.
  private struct Lamp: EdgeReceiver, StepTaker {
    typealias Event = Never
    struct Model: Equatable, Sendable {
      var isOn: Bool
      var pixels = [UInt8](repeating: 0, count: 1024)
    }

    let chip: any GPIOChip
    let isDead: Bool
    private var isOn = false
    private var mustClick = false

    init(_ chip: any GPIOChip, isDead: Bool) {
      self.chip = chip
      self.isDead = isDead
    }

    var safeModel: Model { Model(isOn: false) }
    var lines: [LineConfiguration] { [LineConfiguration("GPIO23", .output(outputs[0], .pushPull))] }
    var outputs: LineValues { isOn ? .first(1) : [] }
    mutating func render(_ model: Model, at moment: Moment) { isOn = model.isOn && !isDead }

    mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
      mustClick = !isDead
    }

    mutating func addSteps(to steps: inout LineSteps) {
      guard mustClick else { return }
      mustClick = false
      steps.write(.first(1), hold: .microseconds(50))
    }

    mutating func receive(_ edge: LineEdge, emit: Emit) {}
    mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
    mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
    mutating func loseLines() {}
    mutating func finishSteps(at clock: Moment, emit: Emit) {}
    mutating func abandonSteps() {}
  }

  @Test("a long model, and a long picture, are named by their number")
  func long() {
    func violations(isDead: Bool) -> [String] {
      DriverLaws.violations(
        models: [true, false].map { Lamp.Model(isOn: $0) },
        setup: { (bench: Bench) -> ChipLawHarness in
          let chip = SimulatedChip(bench)
          return ChipLawHarness(
            chip, outputs: ["GPIO23"],
            picture: { String(repeating: chip.line("GPIO23").level == .high ? "#" : "_", count: 1000) })
        }, device: { Lamp($0.chip, isDead: isDead) })
    }
    let clicking = violations(isDead: false)
    #expect(clicking.contains("7: started with model 2 of 3, it shows something else first"), "\(clicking)")
    let dead = violations(isDead: true)
    #expect(dead.contains("0: models 1 and 2 look alike: the picture of model 1 of 3"), "\(dead)")
    #expect((clicking + dead).allSatisfy { $0.count < 300 })
  }
}
