import Glibc
import Synchronization

/// The outcome of one device.
struct Outcome {
  var device: String
  /// How many things were done; `what` names them.
  var count: Int
  var what: String
  /// A sentence for each thing that was wrong.
  var wrong: [String]
  /// Measured times and counts, as text.
  var note = ""
}

/// A span as a figure with one digit behind the point.
func microseconds(_ span: Duration) -> Double { (span / .microseconds(1) * 10).rounded() / 10 }
func milliseconds(_ span: Duration) -> Double { (span / .milliseconds(1) * 10).rounded() / 10 }

/// Threads that compute all the time, so that the scheduler preempts the thread that is measured.
final class BusyThreads: Sendable {
  private let isOver = Atomic<Bool>(false)

  init(count: Int) {
    for _ in 0..<count {
      var thread = pthread_t()
      let own = Unmanaged.passRetained(self)
      pthread_create(
        &thread, nil,
        { argument in
          let threads = Unmanaged<BusyThreads>.fromOpaque(argument!).takeRetainedValue()
          while !threads.isOver.load(ordering: .relaxed) {}
          return nil
        }, own.toOpaque())
      pthread_detach(thread)
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}
