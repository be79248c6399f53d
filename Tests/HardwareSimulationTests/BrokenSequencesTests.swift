import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A lamp behind a latch: it shows what the data line has when the clock falls, and the clock has to be high for 40 µs.
private final class Latch {
  static let shortest = Duration.microseconds(40)
  private(set) var isLit = false
  private(set) var faults: [String] = []
  private var risen = Moment.zero

  init(_ chip: SimulatedChip) {
    let data = chip.line("GPIO5")
    chip.line("GPIO6").onChange { [unowned self] level, moment in
      if level == .high {
        risen = moment
        return
      }
      // A chip that goes away lets its lines fall.
      guard chip.isPlugged else { return }
      if moment - risen < Self.shortest {
        faults.append("a pulse of \((moment - risen).brief), and 40 µs is the shortest")
      }
      isLit = data.level == .high
    }
  }
}

/// Clocks a latch: the pulse is a wake-up long.
private struct LatchDriver: Driver {
  enum Fault {
    case none
    /// The pulse ends 40 µs after the render should have been, not after the write.
    case countsFromNow
    /// The safe model isn't waited for.
    case saysAtRest
    /// A clock that could not be written is not written again.
    case givesUp
  }

  let chip: SimulatedChip
  let fault: Fault
  private var request: (any LineRequest)?
  private var context: DriverContext<Never>?
  private var isClocking = false

  init(_ chip: SimulatedChip, _ fault: Fault) {
    self.chip = chip
    self.fault = fault
  }

  var safeModel: Bool { false }
  var isAtRest: Bool { !isClocking || fault == .saysAtRest }

  mutating func start(showing model: Bool, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    let lines = [
      LineConfiguration("GPIO5", .output(LineValue(model), .pushPull)),
      LineConfiguration("GPIO6", .output(.active, .pushPull)),
    ]
    request = try chip.request(lines)
    try request?.watch(context.watcher)
    wait(from: context.clock)
  }

  private mutating func wait(from moment: Moment) {
    isClocking = true
    context?.setAlarm(moment + Latch.shortest)
  }

  mutating func render(_ model: Bool, replacing previous: Bool?) throws(DriverError) {
    guard let context, let previous, model != previous else { return }
    try request?.write(model ? .first(2) : LineValues(rawValue: 2), mask: .first(2))
    wait(from: fault == .countsFromNow ? context.now : context.clock)
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    guard isClocking, wake == .alarm || wake == .retry else {
      _ = try request?.readValues()
      return
    }
    do throws(DriverError) {
      try request?.write([], mask: LineValues(rawValue: 2))
    } catch  where fault == .givesUp {}
    isClocking = false
  }

  mutating func stop() {
    request?.release()
    request = nil
    isClocking = false
  }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { try chip.watchForReturn(watcher) }
}

/// Two lamps that come on after 3 ms and 10 ms, each with an alarm of its own: there is one, and the last to set it
/// wins.
private struct TwoAlarms: Driver {
  let chip: SimulatedChip
  /// Whether the lamps know of each other.
  let isFaulty: Bool
  private var request: (any LineRequest)?
  private var context: DriverContext<Never>?
  private var due: [Moment?] = [nil, nil]

  init(_ chip: SimulatedChip, isFaulty: Bool) {
    self.chip = chip
    self.isFaulty = isFaulty
  }

  var safeModel: [Bool] { [false, false] }
  var isAtRest: Bool { due == [nil, nil] }

  mutating func start(showing model: [Bool], in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    let lines = ["GPIO5", "GPIO6"].map { LineConfiguration($0, .output(.inactive, .pushPull)) }
    request = try chip.request(lines)
    try request?.watch(context.watcher)
    show(model, instead: [false, false])
  }

  private mutating func show(_ model: [Bool], instead: [Bool]) {
    guard let context else { return }
    for (place, span) in [Duration.milliseconds(3), .milliseconds(10)].enumerated() {
      due[place] = model[place] ? context.now + span : nil
      if isFaulty { context.setAlarm(due[place]) }
    }
    if !isFaulty { context.setAlarm(due.compactMap(\.self).min()) }
  }

  mutating func render(_ model: [Bool], replacing previous: [Bool]?) throws(DriverError) {
    guard let previous else { return }
    try request?.write([], mask: .first(2))
    show(model, instead: previous)
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    var lit: LineValues = []
    for place in 0..<2 where due[place].map({ $0 <= context.now }) ?? false {
      lit[place] = .active
      due[place] = nil
    }
    if !lit.isEmpty { try request?.write(lit, mask: lit) } else { _ = try request?.readValues() }
    context.setAlarm(due.compactMap(\.self).min())
  }

  mutating func stop() {
    request?.release()
    request = nil
  }
}

@Suite("DriverLaws: broken sequences are found")
struct BrokenSequencesTests {
  private func violations(_ fault: LatchDriver.Fault) -> [String] {
    DriverLaws.violations(
      models: [true, false, true],
      setup: { bench in
        let chip = SimulatedChip(bench)
        let latch = Latch(chip)
        return ChipLawHarness(
          chip, outputs: ["GPIO5", "GPIO6"], picture: { latch.isLit ? "#" : "_" }, settlingTime: .milliseconds(1),
          faults: { latch.faults })
      },
      driver: { LatchDriver($0.chip, fault) })
  }

  @Test("without a fault a driver whose writes take wake-ups keeps the laws")
  func none() {
    #expect(violations(.none) == [])
  }

  @Test(
    "each fault breaks its law",
    arguments: [
      (
        LatchDriver.Fault.countsFromNow,
        "9: late by 30 ms at turns 1, 3, 5 … the pause after write 1 for false is 0 ns, and on time 40 µs"
      ),
      (.countsFromNow, "11: late by 30 ms at turns 1, 3, 5 …: a pulse of 0 ns, and 40 µs is the shortest"),
      (.saysAtRest, "2: stopped after true it shows #, and _ is safe"),
      (.givesUp, "5: write 2 for false failed, and a minute later it shows #, not _"),
      (.givesUp, "4: write 2 for false failed, and the driver reported nothing"),
    ])
  fileprivate func found(fault: LatchDriver.Fault, sentence: String) {
    let found = violations(fault)
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("what takes another's alarm away never shows its model")
  func alarms() {
    let found = DriverLaws.violations(
      models: [[true, false], [false, false], [false, true]],
      setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO5", "GPIO6"], settlingTime: .milliseconds(20)) },
      driver: { TwoAlarms($0.chip, isFaulty: true) })
    #expect(found.contains("0: models 1 and 2 look alike: __"), "\(found)")
  }
}
