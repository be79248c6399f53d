import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A lamp and a contact that break one law, written without the project's own parts. It can't be copied.
private struct Faulty: Driver, ~Copyable {
  enum Fault: Equatable {
    case none
    case writesTwice
    case leavesLampOn
    case keepsLine
    case stampsLater
    case namesNoLine
    case startsRegardless
    case swallowsFailure
    case showsFailedModel
    case neverTriesAgain
    case tellsAfterStop
    case tellsWhileStopping
    case alarmAfterStop
    case writesAfterStop
    case ignoresModel
    case startsLow
    case tellsNothing
    case givesUpWriting
    case floodsWrites
    case floodsTrouble
    case floodsEvents
    case swallowsWhileListening
    case ignoresLoss
    case neverComesBack
    case tellsLossTwice
    case losesEdges
    case holdsUp
    case neverRests
    case trustsFirstReading
    case tellsPosition
    case trustsFailedWrite
    case tellsLossAsFailure
  }

  typealias Model = Bool
  enum Event: Sendable {
    case changed
  }

  private let chip: SimulatedChip
  private let fault: Fault
  private var request: (any LineRequest)?
  private var context: DriverContext<Event>?
  private var shown = false
  private var wanted = false
  /// Whether a write has failed: the lamp may be on or off.
  private var isUncertain = false
  private var starts = 0
  private var failures = 0
  /// Until when an edge says only how the line is.
  private var settling = Moment.zero

  init(_ chip: SimulatedChip, _ fault: Fault) {
    self.chip = chip
    self.fault = fault
  }

  var safeModel: Bool { false }

  mutating func start(showing model: Bool, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    starts += 1
    failures = 0
    settling = fault == .trustsFirstReading ? .zero : context.now + .milliseconds(5)
    if fault == .neverComesBack, starts > 1 {
      request = nil
      return
    }
    shown = model && fault != .startsLow && fault != .ignoresModel
    let lines = [
      LineConfiguration("GPIO5", .output(LineValue(shown), .pushPull)), LineConfiguration("GPIO17", .input(.pullUp)),
      LineConfiguration("GPIO7", .output(.inactive, .pushPull)),
    ]
    do throws(DriverError) {
      request = try chip.request(lines, consumer: "faulty")
    } catch {
      if fault == .startsRegardless { return }
      if fault != .namesNoLine { throw error }
      throw DriverError(.failed, cannot: "begin", reason: "no luck", remedy: "Try again.")
    }
    try request?.watch(context.watcher)
    if fault == .tellsPosition, try request?.readValues()[1] == .inactive { context.emit(.changed) }
    if fault == .tellsAfterStop {
      chip.line("GPIO17").onChange { _, _ in context.emit(.changed) }
    }
    if fault == .writesAfterStop {
      let lamp = try? chip.request([LineConfiguration("GPIO6", .output(.inactive, .pushPull))], consumer: "faulty")
      chip.line("GPIO17").onChange { _, _ in try? lamp?.write([], mask: .first(1)) }
    }
  }

  mutating func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {
    if fault == .ignoresModel { return }
    if fault == .holdsUp { for _ in 0..<20 { context?.pause(for: .microseconds(100)) } }
    if fault == .givesUpWriting, failures > 2 { return }
    let isSame = model == shown
    if fault == .neverTriesAgain, model == wanted, previous != nil { return }
    wanted = model
    guard !isSame || isUncertain || fault == .writesTwice else { return }
    do throws(DriverError) {
      try request?.write(model ? .first(1) : [], mask: .first(1))
      shown = model
      isUncertain = false
    } catch {
      failures += 1
      isUncertain = fault != .trustsFailedWrite
      if fault == .tellsLossAsFailure { throw asFailure(error) }
      if [.floodsWrites, .floodsTrouble, .floodsEvents].contains(fault), let context {
        context.setAlarm(context.now + .milliseconds(10))
      }
      if fault == .ignoresLoss, error.kind == .lost { return }
      if fault == .showsFailedModel { try request?.write(model ? .first(1) : [], mask: .first(1)) }
      if fault == .swallowsFailure { return }
      throw error
    }
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    if wake == .alarm { return try flood() }
    if fault == .tellsNothing { return }
    let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 16)
    defer { edges.deallocate() }
    var count = 0
    do throws(DriverError) {
      count = try request?.readEdges(into: edges) ?? 0
    } catch {
      if fault == .tellsLossTwice {
        context?.report(.lost(DriverError(error.kind, cannot: "watch GPIO17", reason: "gone", remedy: "Wait.")))
      }
      if fault == .tellsLossAsFailure { throw asFailure(error) }
      if fault != .ignoresLoss { throw error }
    }
    guard count > 0, let context else { return }
    if fault == .swallowsWhileListening { try? request?.write([], mask: LineValues(rawValue: 4)) }
    for edge in edges[..<(fault == .losesEdges ? 1 : count)] where edge.moment >= settling {
      context.emit(.changed, at: edge.moment + (fault == .stampsLater ? .seconds(3600) : .zero))
    }
  }

  /// The error of a driver that doesn't see the difference: it is not started again when its hardware is back.
  private func asFailure(_ error: DriverError) -> DriverError {
    DriverError(.failed, of: "GPIO5", cannot: "write GPIO5", reason: error.reason, remedy: "Wait.")
  }

  /// A write has failed: what a driver must not do then.
  private mutating func flood() throws(DriverError) {
    guard let context else { return }
    context.setAlarm(context.now + .milliseconds(10))
    do throws(DriverError) {
      if fault == .floodsWrites { try request?.write([], mask: .first(1)) }
    } catch {}
    if fault == .floodsEvents { context.emit(.changed) }
    failures += 1
    guard fault == .floodsTrouble else { return }
    context.report(.failed(DriverError(.failed, cannot: "write GPIO5", reason: "try \(failures)", remedy: "Wait.")))
  }

  var isAtRest: Bool { fault != .neverRests }

  mutating func stop() {
    if fault == .leavesLampOn { try? request?.write(.first(1), mask: .first(1)) }
    if fault == .tellsWhileStopping { context?.emit(.changed) }
    if fault == .alarmAfterStop { context?.setAlarm(.zero + .seconds(3600)) }
    if fault != .keepsLine { request?.release() }
    request = nil
  }
}

@Suite("DriverLaws: broken drivers are found")
struct BrokenDriversTests {
  private func violations(_ fault: Faulty.Fault, models: [Bool] = [true, false, true]) -> [String] {
    DriverLaws.violations(
      models: models,
      setup: {
        ChipLawHarness(SimulatedChip($0), inputs: ["GPIO17"], outputs: ["GPIO5"])
      },
      driver: { Faulty($0.chip, fault) })
  }

  @Test("without a fault the driver keeps the laws")
  func none() {
    #expect(violations(.none) == [])
  }

  @Test(
    "each fault breaks its law",
    arguments: [
      (Faulty.Fault.writesTwice, "1: true, rendered twice, is written 1 times more"),
      (.leavesLampOn, "2: stopped after true it shows #, and _ is safe"),
      (.keepsLine, "2: 3 are still held after stop"),
      (
        .stampsLater,
        "3: an event is stamped later than the clock: one lies 3600.0 seconds ahead of the clock, at 3600.020000000s"
      ),
      (.namesNoLine, "4: no line is named in \"cannot begin: no luck. Try again.\""),
      (.startsRegardless, "4: the hardware could not be taken, and the driver started nevertheless"),
      (
        .trustsFailedWrite,
        "5: write 1 for false took effect and failed, it went back, and a minute later it shows _, not #"
      ),
      (.tellsLossAsFailure, "8: gone 0 ns after a model came, and back, it is not reported as restored"),
      (.swallowsFailure, "4: a write for false failed and the driver reported nothing"),
      (.showsFailedModel, "5: after a render that failed it shows _, not # as before"),
      (.neverTriesAgain, "5: a minute after a render that failed, it shows #, not _"),
      (.tellsAfterStop, "6: an event was emitted after stop"),
      (.tellsWhileStopping, "6: an event was emitted while it stopped"),
      (.alarmAfterStop, "6: an alarm is set to 3600.000000000s after stop"),
      (.writesAfterStop, "6: something was written after stop"),
      (.ignoresModel, "0: models 1 and 2 look alike: _"),
      (.ignoresModel, "0: nothing was ever written: the laws of rendering see nothing"),
      (.startsLow, "7: started with true it shows _, not #, until it is rendered"),
      (.tellsNothing, "0: the stimulus caused no event: the laws of events check nothing"),
      (.givesUpWriting, "5: a minute after writes work again, and without a frame, it shows #, not _"),
      (.floodsWrites, "5: a write that keeps failing is tried 60015 times in 10 minutes"),
      (.floodsTrouble, "5: a write that keeps failing is reported 60001 times in 10 minutes"),
      (.floodsEvents, "5: a write that keeps failing makes 60000 events in 10 minutes"),
      (.swallowsWhileListening, "4: a write failed while it listened, and the driver reported nothing"),
      (.ignoresLoss, "8: the hardware went away and the driver reported nothing"),
      (.neverComesBack, "8: the hardware came back, and the driver emits no event for it"),
      (.tellsLossTwice, "8: hardware that went away is reported as lost 2 times"),
      (.tellsLossTwice, "8: gone 15 ms after a model came, it is reported as lost 2 times"),
      (.losesEdges, "9: late by 30 ms it emits 16 events, and on time 24: as number 17 nothing, not changed"),
      (.holdsUp, "10: a render took 2 ms, and 1 ms is allowed"),
      (
        .trustsFirstReading,
        "13: inputs that come to rest 2 ms after the driver's start are reported as 1 events, the first one changed: nothing has happened"
      ),
      (
        .tellsPosition,
        "13: inputs that are operated when the driver starts, and stay so, are reported as 1 events, the first one changed: nothing has happened"
      ),
      (.neverRests, "2: it did not reach its safe state within a second, and was stopped"),
    ])
  fileprivate func found(fault: Faulty.Fault, sentence: String) {
    let found = violations(fault)
    #expect(found.contains(sentence), "\(found)")
  }

  /// A lamp that is started with the inputs.
  private struct HastyLamp: LineDevice {
    static var isInput: Bool { true }
    let chip: any GPIOChip
    private var isOn = false

    init(_ chip: any GPIOChip) { self.chip = chip }

    var safeModel: Bool { false }
    var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .output(outputs[0], .pushPull))] }
    var outputs: LineValues { isOn ? .first(1) : [] }
    mutating func render(_ model: Bool, at moment: Moment) { isOn = model }
  }

  @Test("an output that doesn't wait for the inputs breaks the law of the start")
  func hasty() {
    let found = DriverLaws.violations(
      models: [true, false, true], setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO5"]) },
      device: { HastyLamp($0.chip) })
    #expect(
      found == ["13: before the inputs of the application are known it has written 0 times, and shows #"], "\(found)")
  }

  @Test("models that look alike are told by their numbers")
  func alike() {
    let found = violations(.none, models: [true, true, false])
    #expect(found.contains("0: models 1 and 2 look alike: #"), "\(found)")
  }

  @Test("a port on which nothing is ever held is told")
  func nothingHeld() {
    let found = DriverLaws.violations(
      models: [.on, .off], setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO5"]) },
      device: { LED(SimulatedChip($0.bench), line: "GPIO5") })
    #expect(found.contains("0: nothing was ever held: the law of the end sees nothing"), "\(found)")
  }
}
