import CycleCore
import Glibc

/// Runs the body on a thread that has a descriptor table of its own, so that what it leaves open can be counted while
/// other tests run beside it.
package func withOwnDescriptors<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> (value: Value, leftOpen: Int) {
  let outcome = Outcome<Value>()
  onThread {
    ownDescriptors()
    let before = openDescriptors()
    let result = Result { try body() }
    outcome.store(result, leftOpen: openDescriptors() - before)
  } while: {
  }
  return try outcome.get()
}

/// Runs `other` on a thread of its own beside `body`, and waits for both.
package func onThread(_ other: @escaping @Sendable () -> Void, while body: () -> Void) {
  let work = ThreadWork(other)
  var thread = pthread_t()
  let error = pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<ThreadWork>.fromOpaque(argument!).takeUnretainedValue().run()
      return nil
    }, Unmanaged.passUnretained(work).toOpaque())
  precondition(error == 0, "a thread can be started")
  body()
  pthread_join(thread, nil)
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private final class Outcome<Value: Sendable>: Sendable {
  private let content = Locked<(result: Result<Value, any Error>, leftOpen: Int)?>(nil)

  func store(_ result: Result<Value, any Error>, leftOpen: Int) {
    content.withLock { $0 = (result, leftOpen) }
  }

  func get() throws -> (value: Value, leftOpen: Int) {
    let content = content.withLock { $0 }!
    return (try content.result.get(), content.leftOpen)
  }
}

/// Calls `unshare`, which the module of the C library doesn't have.
private func ownDescriptors() {
  typealias Unshare = @convention(c) (Int32) -> Int32
  let unshare = unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)
  let cloneFiles: Int32 = 0x400
  precondition(unshare(cloneFiles) == 0, "a thread may have descriptors of its own")
}

private func openDescriptors() -> Int {
  let folder = opendir("/proc/thread-self/fd")!
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
