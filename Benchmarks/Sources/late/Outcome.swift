import Glibc
import Synchronization

/// What became of one device.
struct Outcome {
  var device: String
  /// How many of what.
  var count: Int
  var what: String
  /// A sentence for each thing that was wrong.
  var wrong: [String]
  /// What else is worth knowing.
  var note = ""
}

/// Threads that compute all the time, so that the system takes the processor from whom is measured.
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
