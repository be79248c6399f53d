internal import CLinux
import CycleCore
import Glibc

/// A thread for slow work for which the cycle must not wait: reading recordings, playing takes. Its results are
/// delivered on the cycle's thread.
final class MonitorJobQueue: @unchecked Sendable {
  /// Work on the worker's thread. Its result runs on the cycle's thread, with the number of the job.
  typealias Job = @Sendable () -> Completion
  typealias Completion = @Sendable (_ monitor: Monitor, _ number: Int) -> Void

  /// The maximum number of waiting jobs.
  private static let mostJobs = 8

  private struct State {
    var jobs: [(number: Int, job: Job)] = []
    var results: [(number: Int, completion: Completion)] = []
    /// The number of jobs so far.
    var count = 0
    var isWorking = false
    var isStopped = false
  }

  private let state = Locked(State())
  /// Readable when there are results.
  let doorbell: Int32

  /// - Throws: kind `failed` if no more descriptors can be opened. Calls `eventfd`.
  init() throws(DriverError) {
    doorbell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard doorbell >= 0 else {
      throw DriverError(
        .failed, cannot: "serve the monitor", reason: "the system refused an eventfd",
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
  }

  deinit { close(doorbell) }

  /// Adds a job after the waiting ones. The thread runs while there are jobs.
  ///
  /// - Returns: the job's number; nil if too many jobs wait.
  func add(_ job: @escaping Job) -> Int? {
    let (number, needsThread) = state.withLock { state -> (Int?, Bool) in
      guard !state.isStopped, state.jobs.count < Self.mostJobs else { return (nil, false) }
      state.count += 1
      state.jobs.append((state.count, job))
      defer { state.isWorking = true }
      return (state.count, !state.isWorking)
    }
    guard let number, needsThread else { return number }
    do throws(SystemThread.Refusal) {
      try SystemThread { [self] in work() }.detach()
      return number
    } catch {
      state.withLock { state in
        state.isWorking = false
        state.jobs.removeAll()
      }
      return nil
    }
  }

  private func work() {
    while let (number, job) = nextJob() {
      let completion = job()
      state.withLock { $0.results.append((number, completion)) }
      var one: UInt64 = 1
      _ = write(doorbell, &one, 8)
    }
  }

  private func nextJob() -> (number: Int, job: Job)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isWorking = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }

  /// Returns the results since the last call.
  func takeResults() -> [(number: Int, completion: Completion)] {
    var count: UInt64 = 0
    guard Glibc.read(doorbell, &count, 8) == 8 else { return [] }
    return state.withLock { state in
      let results = state.results
      state.results = []
      return results
    }
  }

  /// Drops the waiting jobs. The current job continues.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.jobs = []
      state.results = []
    }
  }
}
