import Synchronization

/// The objects of a worker's thread. The thread retains it while it runs, so that nothing is freed while a work hangs.
final class WorkerCore<W: Work>: @unchecked Sendable {
  @exclusivity(unchecked) private var work: W
  let context: WorkContext<W>
  let states: TripleBuffer<W.State>
  let hasStepped = Latch()
  private let published = ConditionVariable()
  /// Wakes the driver for a new state.
  private let raise: () -> Void
  @exclusivity(unchecked) private var lastState: W.State
  private let isGivenUp = Atomic<Bool>(false)
  private var kept: [AnyObject] = []

  init(_ work: W, _ context: WorkContext<W>, raise: @escaping () -> Void) {
    self.work = work
    self.context = context
    self.raise = raise
    lastState = work.state
    states = TripleBuffer(work.state)
  }

  func step() -> WorkWait { work.step(in: context) }

  /// Passes the work's state to the driver if it has changed.
  func publish() {
    let state = work.state
    guard state != lastState else { return }
    lastState = state
    published.locked {
      states.store(state)
      published.broadcast()
    }
    raise()
  }

  /// Waits until the thread has published a state for which `isSo` returns true. Returns false if there is none until
  /// `end`.
  func wait(until end: Moment, _ isSo: (W.State) -> Bool) -> Bool {
    published.locked {
      while !isSo(states.load()) {
        guard published.wait(until: end) else { return isSo(states.load()) }
      }
      return true
    }
  }

  /// Brings the work to rest and closes it, in virtual time. Advances the work's clock by the time that this takes.
  ///
  /// - Returns: false if it takes longer than a stop may take.
  func finish(from moment: Moment, began: Moment) -> Bool {
    let end = began + Worker<W>.longestStop
    guard moment <= end else { return false }
    context.clock.begin(at: moment)
    finish { self.context.clock.begin(at: $0) }
    return context.clock.now <= end
  }

  private func finish(_ wait: (Moment) -> Void) {
    let end = context.now + Worker<W>.longestFinish
    while context.now < end, let next = work.finish(in: context) {
      wait(min(end, max(next, context.now + .milliseconds(1))))
    }
    work.close(in: context)
  }

  /// Abandons a thread that hangs: it ends when its call returns, and keeps `memory` alive until then.
  func giveUp(keeping memory: [AnyObject]) {
    kept = memory
    isGivenUp.store(true, ordering: .releasing)
  }

  // MARK: - The thread

  func run(on thread: WorkerThread.Inside) {
    while !context.mustEnd {
      let wait = work.step(in: context)
      publish()
      hasStepped.open()
      thread.setPriority(isRealTime: work.wantsRealTime)
      thread.wait(until: wait.deadline, polling: wait.pollsDescriptors ? work.descriptors : [])
    }
    if !isGivenUp.load(ordering: .acquiring) { finish { thread.wait(until: $0, polling: []) } }
  }
}
