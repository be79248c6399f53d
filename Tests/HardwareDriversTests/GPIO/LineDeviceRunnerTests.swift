import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// What a group does for its devices, with devices that do nothing else.
@Suite("Lines of some devices at work")
struct LineDeviceRunnerTests {
  /// Asks its chip a question with each model: a pulse, and whether the line that answers is high.
  private struct Asker: LineDevice, StepReader {
    typealias Event = Never

    let chip: any GPIOChip
    private var isAsking = false
    private(set) var fault: DriverError?

    static let silent = DriverError(.failed, cannot: "ask", reason: "nobody answers", remedy: "Plug it in.")

    init(_ chip: any GPIOChip) { self.chip = chip }

    var safeModel: Int { 0 }
    var lines: [LineConfiguration] {
      [
        LineConfiguration("GPIO5", .output(.inactive, .pushPull)),
        LineConfiguration("GPIO6", .input(.pullDown), edges: .none),
      ]
    }

    mutating func render(_ model: Int, at moment: Moment) { isAsking = model > 0 }
    var outputs: LineValues { [] }
    mutating func loseLines() {}
    mutating func abandonSteps() {}

    mutating func addSteps(to steps: inout LineSteps) {
      guard isAsking else { return }
      steps.write(.first(1), hold: .microseconds(10))
      steps.write([])
      steps.read()
    }

    mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
      fault = values[1].isActive ? nil : Self.silent
    }

    mutating func finishSteps(at clock: Moment, emit: Emit) { isAsking = false }
  }

  @Test(
    "a fault that steps find within a render is told then, and so is its end",
    arguments: SimulatedChip.Generation.allCases)
  func faultInARender(generation: SimulatedChip.Generation) throws {
    let rig = Rig(generation, showing: 0) { Asker($0) }
    try rig.run()
    try rig.show(1)
    #expect(rig.trial.troubles == [.failed(Asker.silent)])
    try rig.show(2)
    #expect(rig.trial.troubles == [.failed(Asker.silent)], "told once")
    rig.chip.line("GPIO6").drive(.high)
    try rig.show(3)
    #expect(rig.trial.troubles == [.failed(Asker.silent), .restored])
    rig.stop()
  }

  #if compiler(>=6.2)
    /// Has an input that reports edges, but no method that receives them.
    private struct Deaf: LineDevice {
      let chip: any GPIOChip
      var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .input(.pullUp))] }
    }

    @Test("inputs that report edges to a device which receives none are a mistake that names the device")
    func deaf() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let bench = Bench()
        try DriverBench(Deaf(chip: SimulatedChip(bench)), on: bench).start()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          "Deaf has inputs that report edges and is no EdgeReceiver: conform to it, or request edges: .none"))
    }
  #endif

  /// A device on each of two chips.
  private struct TwoChips<Device: LineDevice>: Driver where Device.Model == Int {
    let devices: [Device]
    private var groups: [LineDeviceRunner<Device, Device.Event>] = []

    init(_ devices: [Device]) { self.devices = devices }

    var safeModel: Int { 0 }

    mutating func start(showing model: Int, in context: DriverContext<Device.Event>) throws(DriverError) {
      groups = devices.map { LineDeviceRunner([$0], in: context, event: { $1 }) }
      for group in groups { try group.start(showing: [model]) }
    }

    mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
      for group in groups {
        group.render(model, at: 0)
        try group.write()
      }
    }

    mutating func wake(_ wake: Wake) throws(DriverError) {
      for group in groups { try group.wake(wake) }
    }

    mutating func stop() { for group in groups { group.stop() } }
  }

  @Test("where devices are on two chips, all of them have to be well before anything is restored")
  func faultsOfTwoGroups() throws {
    let bench = Bench()
    let chips = [SimulatedChip(bench), SimulatedChip(bench)]
    let trial = DriverBench(TwoChips(chips.map { Asker($0) }), showing: 0, on: bench)
    try trial.start()
    try trial.show(1)
    #expect(trial.troubles == [.failed(Asker.silent)])
    chips[0].line("GPIO6").drive(.high)
    try trial.show(2)
    #expect(trial.troubles == [.failed(Asker.silent)], "the other one is silent still")
    chips[1].line("GPIO6").drive(.high)
    try trial.show(3)
    #expect(trial.troubles == [.failed(Asker.silent), .restored])
    bench.stop()
  }

  @Test("a fault of a group that the driver drops as another one can't start is forgotten with it")
  func faultOfADroppedGroup() throws {
    let bench = Bench()
    let chips = [SimulatedChip(bench), SimulatedChip(bench)]
    chips[1].unplug()
    let trial = DriverBench(TwoChips(chips.map { Asker($0) }), showing: 1, on: bench)
    try trial.start()
    #expect(trial.troubles.contains(.failed(Asker.silent)))
    chips[1].plug()
    try bench.advance(by: .seconds(120))
    #expect(trial.troubles.last == .failed(Asker.silent))
    for chip in chips { chip.line("GPIO6").drive(.high) }
    try trial.show(2)
    #expect(trial.troubles.last == .restored)
    bench.stop()
  }

  @Test("a fault that is there at the start is told")
  func faultAtTheStart() throws {
    let rig = Rig(showing: 1) { Asker($0) }
    try rig.run()
    #expect(rig.trial.troubles == [.failed(Asker.silent)])
    rig.stop()
  }

  /// A lamp on its first line; its second one is turned around with each model.
  private struct Turner: LineDevice, StepTaker {
    typealias Event = Never

    let chip: any GPIOChip
    let names: [LineName]
    private var isLit = false
    private var isOutput = false
    private var mustTurn = false

    init(_ chip: any GPIOChip, _ names: [LineName]) {
      self.chip = chip
      self.names = names
    }

    var safeModel: Int { 0 }
    var lines: [LineConfiguration] {
      [
        LineConfiguration(names[0], .output(LineValue(isLit), .pushPull)),
        LineConfiguration(names[1], isOutput ? .output(.inactive, .pushPull) : .input(.asIs), edges: .none),
      ]
    }

    /// Bit 0 is the lamp, bit 1 the direction.
    mutating func render(_ model: Int, at moment: Moment) {
      isLit = model & 1 != 0
      mustTurn = isOutput != (model & 2 != 0)
      isOutput = model & 2 != 0
    }

    mutating func addSteps(to steps: inout LineSteps) {
      guard mustTurn else { return }
      steps.turn(lines)
    }

    mutating func finishSteps(at clock: Moment, emit: Emit) { mustTurn = false }
    mutating func abandonSteps() {}
    mutating func loseLines() {}

    var outputs: LineValues { isLit ? .first(1) : [] }
  }

  @Test(
    "a device that turns its lines around leaves those of its neighbours as they are",
    arguments: SimulatedChip.Generation.allCases)
  func turningBesideOthers(generation: SimulatedChip.Generation) throws {
    let rig = Rig(generation, showing: [0, 0]) {
      LineDriverArray([Turner($0, ["GPIO5", "GPIO6"]), Turner($0, ["GPIO13", "GPIO19"])])
    }
    try rig.run()
    try rig.show([1, 0])
    try rig.show([1, 2])
    #expect(rig.chip.line("GPIO5").level == .high)
    #expect(rig.chip.line("GPIO5").changes.count == 2, "it was switched on once, and never off")
    rig.stop()
  }
}
