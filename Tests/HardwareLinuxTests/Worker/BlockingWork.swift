import CycleCore
import Synchronization
import TestSupport

/// A work that blocks its thread as a test says.
final class BlockingWork: Work, @unchecked Sendable {
  typealias Command = Int
  typealias Report = Int

  private let onStep: @Sendable (WorkContext<BlockingWork>) -> WorkWait
  private(set) var state = 0
  var stateAfterStep = 0
  var descriptors: [PolledDescriptor] = []
  private let closed = Atomic<Bool>(false)
  /// Raised when nobody has the work any more.
  var freed: ThreadSignal?

  init(onStep: @escaping @Sendable (WorkContext<BlockingWork>) -> WorkWait) {
    self.onStep = onStep
  }

  deinit { freed?.raise() }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  func step(in context: WorkContext<BlockingWork>) -> WorkWait {
    let wait = onStep(context)
    state = stateAfterStep
    return wait
  }

  func close(in context: WorkContext<BlockingWork>) { closed.store(true, ordering: .releasing) }
}

/// A driver of such a work: eight reports may wait.
final class ThreadDriver: Driver {
  enum Event: Equatable, Sendable {
    case report(Int)
    case state(Int)
  }

  /// The worker has it from the start on.
  private var work: BlockingWork?
  private(set) var worker: Worker<BlockingWork>!
  private var context: DriverContext<Event>!
  private var state = 0

  init(_ work: BlockingWork) { self.work = work }

  func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    worker = try Worker(work!, for: "the part", onThread: true, reportCapacity: 8, in: context)
    work = nil
  }

  func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { report, _ in context.emit(.report(report)) }
    guard worker.state != state else { return }
    state = worker.state
    context.emit(.state(state))
  }

  func stop() {
    worker.stop()
    worker = nil
  }
}
