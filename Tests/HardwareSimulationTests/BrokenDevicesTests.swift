import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A relay that breaks one law.
private struct FaultyRelay: LineDevice {
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

  mutating func ring(at moment: Moment, emit: Emit) { alarm = moment + .milliseconds(10) }
}

/// A counter of pulses that breaks one law.
private struct FaultyCounter: LineDevice {
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
    /// After a loss of its line it says nothing until it has seen ten edges.
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

  mutating func loseLines() { silence = fault == .isSlowToReturn ? 10 : 0 }

  mutating func addSteps(to steps: inout LineSteps) { if untold { steps.read() } }

  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
    untold = false
    emit(.counted(count), clock)
  }

  mutating func ring(at moment: Moment, emit: Emit) {
    alarm = moment + .seconds(1)
    emit(.counted(count), moment)
  }
}

/// A motor that steps at each edge of its line, and its rotor, which falls behind when a fast step follows a pause.
private final class Rotor {
  private(set) var position = 0
  private(set) var faults: [String] = []
  private var last = Moment.zero
  private var isTurning = false

  init(_ chip: SimulatedChip) {
    chip.line("GPIO23").onChange { [unowned self] _, moment in
      guard chip.isPlugged else { return }
      let pause = moment - last
      if !isTurning, pause < .milliseconds(2) { faults.append("a fast step of a rotor that stood still") }
      isTurning = pause < .milliseconds(6)
      last = moment
      position += 1
    }
  }
}

private struct Motor: LineDevice {
  let chip: any GPIOChip
  /// Whether it begins slowly again when it was late.
  let knowsPauses: Bool
  private var goal = 0
  private var position = 0
  private var speed = 0
  private var last = Moment.zero

  init(_ chip: any GPIOChip, knowsPauses: Bool) {
    self.chip = chip
    self.knowsPauses = knowsPauses
  }

  var safeModel: Int { 0 }
  var lines: [LineConfiguration] { [LineConfiguration("GPIO23", .output(outputs[0], .pushPull))] }
  var outputs: LineValues { position.isMultiple(of: 2) ? [] : .first(1) }
  mutating func render(_ goal: Int, at moment: Moment) { self.goal = goal }

  mutating func addSteps(to steps: inout LineSteps) {
    guard position != goal else { return speed = 0 }
    position += position < goal ? 1 : -1
    steps.write(outputs, hold: speed < 5 ? .milliseconds(5) : .milliseconds(1))
    speed += 1
  }

  mutating func finishSteps(at clock: Moment, emit: Emit) {
    if knowsPauses, clock - last > .milliseconds(6) { speed = 0 }
    last = clock
  }
}

@Suite("DriverLaws: broken devices are found")
struct BrokenDevicesTests {
  private func violations(_ fault: FaultyRelay.Fault) -> [String] {
    DriverLaws.violations(
      models: [true, false], setup: { ChipLawSetup(SimulatedChip($0), outputs: ["GPIO23"]) },
      device: { FaultyRelay($0.chip, fault) })
  }

  private func violations(_ fault: FaultyCounter.Fault, _ generation: SimulatedChip.Generation) -> [String] {
    DriverLaws.violations(
      models: [NoModel()],
      setup: { ChipLawSetup(SimulatedChip($0, generation: generation), inputs: ["GPIO17"]) },
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
        "9: late by 30 ms event 1, counted(1), is stamped 0.000000000s, and on time 0.000000000s"
      ),
      (.forgetsLostEdges, "15: after lost edges"),
      (.countsGapsTwice, "15: after lost edges"),
      (.repeatsItself, "14: with NoModel() it emits 10 events in 10 s in which nothing happens"),
      (.isSlowToReturn, "8: the hardware came back"),
    ])
  fileprivate func counter(fault: FaultyCounter.Fault, sentence: String) {
    let found = violations(fault, .second)
    #expect(found.contains(sentence), "\(found)")
  }

  private func violations(knowsPauses: Bool) -> [String] {
    DriverLaws.violations(
      models: [40, 7, 100],
      setup: { (bench: Bench) -> ChipLawSetup in
        let chip = SimulatedChip(bench)
        let rotor = Rotor(chip)
        return ChipLawSetup(
          chip, outputs: ["GPIO23"], picture: { "\(rotor.position)" }, settlingTime: .seconds(1),
          faults: { rotor.faults })
      }, device: { Motor($0.chip, knowsPauses: knowsPauses) })
  }

  @Test("a motor that takes long while it is late")
  func motor() {
    let found = violations(knowsPauses: false)
    #expect(found.contains("11: late"), "\(found)")
    #expect(violations(knowsPauses: true) == [])
  }

  /// A lamp whose models are long. It clicks, or it is dead.
  private struct Lamp: LineDevice {
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
  }

  @Test("a long model, and a long picture, are named by their number")
  func long() {
    func violations(isDead: Bool) -> [String] {
      DriverLaws.violations(
        models: [true, false].map { Lamp.Model(isOn: $0) },
        setup: { (bench: Bench) -> ChipLawSetup in
          let chip = SimulatedChip(bench)
          return ChipLawSetup(
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
