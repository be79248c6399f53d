import CycleCore
import HardwareSimulation
import Testing

/// Hardware that takes its time for each call, and what it has shown.
private final class SlowHardware {
  var callTime = Duration.milliseconds(100)
  var error: DriverError?
  /// The time that the hardware needs after a call.
  var rest = Duration.zero
  private(set) var shown: [Int] = []
  private(set) var calls: [Moment] = []
  private(set) var isClosed = false
  let watches = ReturnWatchers()

  func show(_ number: Int, on clock: WorkClock) throws(DriverError) {
    calls.append(clock.now)
    clock.sleep(for: callTime)
    if let error { throw error }
    shown.append(number)
  }

  func close() { isClosed = true }
}

private struct SlowOutput: OutputWorkerDriver {
  var worker: OutputWorker<Int>
  var safeModel: Int { 0 }

  init(_ hardware: SlowHardware) {
    worker = OutputWorker(for: "the slow output", onThread: false, watch: hardware.watches.add) { SlowWork(hardware) }
  }
}

private struct SlowWork: OutputWork {
  let hardware: SlowHardware
  private var wanted = -1
  private var written: Int?

  init(_ hardware: SlowHardware) { self.hardware = hardware }

  mutating func show(_ model: Int) { wanted = model }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    if written != wanted { try hardware.show(wanted, on: clock) }
    written = wanted
    return OutputProgress(isShown: true, busyUntil: clock.now + hardware.rest)
  }

  mutating func forget() { written = nil }
  mutating func close() { hardware.close() }
}

@Suite("Outputs with a worker")
struct OutputWorkerTests {
  private static let failure = DriverError(.lost, cannot: "write", reason: "it is gone", remedy: "None.")

  @Test("a hundred models during one call are no trouble: the newest is shown next")
  func newest() throws {
    let (bench, hardware) = (Bench(), SlowHardware())
    let trial = DriverBench(SlowOutput(hardware), showing: 0, on: bench)
    try trial.start()
    for model in 1...100 {
      try trial.show(model)
      try bench.advance(by: .microseconds(500))
    }
    try bench.advance(by: .seconds(1))
    #expect(hardware.shown == [0, 1, 100])
    #expect(trial.troubles == [])
    trial.stop()
    #expect(hardware.shown.last == 0)
    #expect(hardware.isClosed)
    #expect(trial.cycle.nextAlarm == nil)
  }

  @Test("the hardware gets no call while it needs its time, whatever the application shows")
  func rest() throws {
    let (bench, hardware) = (Bench(), SlowHardware())
    hardware.callTime = .milliseconds(1)
    hardware.rest = .milliseconds(50)
    let trial = DriverBench(SlowOutput(hardware), showing: 0, on: bench)
    try trial.start()
    for model in 1...400 {
      try trial.show(model)
      try bench.advance(by: .milliseconds(1))
    }
    trial.stop()
    #expect(hardware.shown.count < 12)
    for (call, next) in zip(hardware.calls, hardware.calls.dropFirst()) { #expect(next - call >= .milliseconds(51)) }
    #expect(hardware.shown.last == 0)
  }

  @Test("lost hardware is reported once, tried again, and shows the newest model as soon as its return is announced")
  func loss() throws {
    let (bench, hardware) = (Bench(), SlowHardware())
    hardware.callTime = .milliseconds(1)
    let trial = DriverBench(SlowOutput(hardware), showing: 0, on: bench)
    try trial.start()
    hardware.error = Self.failure
    for model in 1...50 {
      try trial.show(model)
      try bench.advance(by: .seconds(5))
    }
    #expect(trial.troubles == [.lost(Self.failure)])
    #expect(hardware.calls.count < 15)
    hardware.error = nil
    for _ in 0..<20 { hardware.watches.wake() }
    try bench.advance(by: .milliseconds(10))
    #expect(hardware.shown == [0, 50])
    #expect(trial.troubles == [.lost(Self.failure), .restored])
    trial.stop()
    #expect(hardware.shown.last == 0)
  }

  @Test("announcements of a return while a call hangs don't displace the safe model")
  func announcements() throws {
    let (bench, hardware) = (Bench(), SlowHardware())
    let trial = DriverBench(SlowOutput(hardware), showing: 1, on: bench)
    try trial.start()
    try bench.advance(by: .seconds(1))
    hardware.error = Self.failure
    try trial.show(2)
    try bench.advance(by: .milliseconds(150))
    hardware.error = nil
    for model in 3...20 {
      hardware.watches.wake()
      try trial.show(model)
    }
    trial.stop()
    #expect(hardware.shown.last == 0)
  }

  @Test("required hardware that is missing ends the start with its error", arguments: [true, false])
  func required(isMissing: Bool) throws {
    let (bench, hardware) = (Bench(), SlowHardware())
    if isMissing { hardware.error = Self.failure } else { hardware.callTime = .seconds(6) }
    let trial = DriverBench(SlowOutput(hardware), showing: 0, on: bench, isRequired: true)
    do throws(DriverError) {
      try trial.start()
      Issue.record("it has started")
    } catch {
      #expect(error.kind == (isMissing ? .lost : .busy))
    }
    trial.stop()
  }
}
