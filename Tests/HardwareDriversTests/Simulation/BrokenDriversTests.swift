import CycleCore
import Testing

@testable import HardwareDrivers

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

  init(_ chip: SimulatedChip, _ fault: Fault) {
    self.chip = chip
    self.fault = fault
  }

  var safeModel: Bool { false }

  mutating func start(showing model: Bool, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    shown = model
    let lines = [
      LineConfiguration("GPIO5", .output(LineValue(model), .pushPull)), LineConfiguration("GPIO17", .input(.pullUp)),
    ]
    do throws(DriverError) {
      request = try chip.request(lines, consumer: "faulty")
    } catch {
      if fault == .startsRegardless { return }
      if fault != .namesNoLine { throw error }
      throw DriverError(.failed, cannot: "begin", reason: "no luck", remedy: "Try again.")
    }
    try request?.watch(context.watcher)
    if fault == .tellsAfterStop {
      chip.line("GPIO17").onChange { _, _ in context.emit(.changed) }
    }
    if fault == .writesAfterStop {
      let lamp = try? chip.request([LineConfiguration("GPIO6", .output(.inactive, .pushPull))], consumer: "faulty")
      chip.line("GPIO17").onChange { _, _ in try? lamp?.write([], mask: .first(1)) }
    }
  }

  mutating func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {
    let isSame = model == shown
    if fault == .neverTriesAgain, model == wanted, previous != nil { return }
    wanted = model
    guard !isSame || fault == .writesTwice else { return }
    do throws(DriverError) {
      try request?.write(model ? .first(1) : [], mask: .first(1))
      shown = model
    } catch {
      if fault == .showsFailedModel { try request?.write(model ? .first(1) : [], mask: .first(1)) }
      if fault == .swallowsFailure { return }
      throw error
    }
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 16)
    defer { edges.deallocate() }
    guard let count = try? request?.readEdges(into: edges), count > 0, let context else { return }
    if fault == .stampsLater {
      context.emit(.changed, at: edges[0].moment + .seconds(3600))
    } else {
      context.emit(.changed, at: edges[0].moment)
    }
  }

  mutating func stop() {
    if fault == .leavesLampOn { try? request?.write(.first(1), mask: .first(1)) }
    if fault == .tellsWhileStopping { context?.emit(.changed) }
    if fault == .alarmAfterStop { context?.setAlarm(.zero + .seconds(3600)) }
    if fault != .keepsLine { request?.release() }
  }
}

@Suite("DriverLaws: broken drivers are found")
struct BrokenDriversTests {
  private func violations(_ fault: Faulty.Fault) -> [String] {
    DriverLaws.violations(
      models: [true, false, true], port: { ChipPort(SimulatedChip($0), inputs: ["GPIO17"], outputs: ["GPIO5"]) },
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
      (.keepsLine, "2: 2 are still held after stop"),
      (
        .stampsLater,
        "3: an event is stamped later than the clock: one lies 3600.0 seconds ahead of the clock, at 3600.000000000s"
      ),
      (.namesNoLine, "4: no line is named in \"cannot begin: no luck. Try again.\""),
      (.startsRegardless, "4: the hardware could not be taken, and the driver started nevertheless"),
      (.swallowsFailure, "4: a write for false failed and the driver said nothing"),
      (.showsFailedModel, "5: after a render that failed it shows _, not # as before"),
      (.neverTriesAgain, "5: a minute after a render that failed, it shows #, not _"),
      (.tellsAfterStop, "6: an event was emitted after stop"),
      (.tellsWhileStopping, "6: an event was emitted while it stopped"),
      (.alarmAfterStop, "6: an alarm is set to 3600.000000000s after stop"),
      (.writesAfterStop, "6: something was written after stop"),
    ])
  fileprivate func found(fault: Faulty.Fault, sentence: String) {
    let found = violations(fault)
    #expect(found.contains(sentence), "\(found)")
  }
}
