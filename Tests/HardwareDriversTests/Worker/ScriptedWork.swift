@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

/// A simulated sensor: 20 degrees, a degree warmer with each reading.
final class SlowSensor: TemperatureSensor {
  var duration = Duration.milliseconds(750)
  var error: DriverError?
  /// When it was read, in milliseconds.
  private(set) var calls: [Int64] = []
  private var celsius = 19.0

  func read(on clock: WorkClock) throws(DriverError) -> Double {
    calls.append(clock.now.nanoseconds / 1_000_000)
    clock.sleep(for: duration)
    if let error { throw error }
    celsius += 1
    return celsius
  }
}

/// A work that does as a test says.
final class ScriptedWork: Work {
  typealias Command = Int
  typealias Report = Int

  private(set) var shown = "new"
  /// What the state is from the first step on.
  var state: String {
    get { shown }
    set { wanted = newValue }
  }
  private var wanted = "new"
  var stepDuration = Duration.zero
  var onStep: (WorkContext<ScriptedWork>) -> WorkWait = { _ in .forCommand }
  /// Each takes 100 ms.
  var stepsToRest = 0
  /// When it was asked to come to rest, in milliseconds.
  private(set) var rests: [Int64] = []
  private(set) var isClosed = false

  func step(in context: WorkContext<ScriptedWork>) -> WorkWait {
    context.clock.sleep(for: stepDuration)
    shown = wanted
    return onStep(context)
  }

  func finish(in context: WorkContext<ScriptedWork>) -> Moment? {
    rests.append(context.now.nanoseconds / 1_000_000)
    return rests.count < stepsToRest ? context.now + .milliseconds(100) : nil
  }

  func close(in context: WorkContext<ScriptedWork>) { isClosed = true }
}

/// A driver whose worker a test uses directly: eight commands and eight reports may wait.
final class ScriptedDriver: Driver {
  let bench = Bench()
  private let work: ScriptedWork
  private let waits: Bool
  private(set) var worker: Worker<ScriptedWork>!
  private(set) var hadOutcome = false
  /// Reports, states, and losses.
  private(set) var log: [String] = []
  private var told = "new"

  init(_ work: ScriptedWork, waits: Bool = false) {
    self.work = work
    self.waits = waits
  }

  /// Runs the driver in a cycle.
  func run() throws {
    try bench.run(
      Cycle(seed: 0) {
        Lens(
          self,
          on: { _, _ in },
          trouble: { [unowned self] _, trouble in
            if case .eventsLost(let count) = trouble { log.append("\(count) lost") }
          })
      })
  }

  func end() { bench.stop() }

  func start(showing model: NoModel, in context: DriverContext<Never>) throws(DriverError) {
    worker = try Worker(work, for: "the part", onThread: false, commandCapacity: 8, reportCapacity: 8, in: context)
    if waits { hadOutcome = worker.waitForFirstStep() }
  }

  func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { report, _ in log.append("\(report)") }
    guard worker.state != told else { return }
    told = worker.state
    log.append("state \(told)")
  }

  func stop() { worker.stop() }
}
