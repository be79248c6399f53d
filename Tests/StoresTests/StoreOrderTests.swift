import CycleCore
import Glibc
import Stores
import TestSupport
import Testing

@Suite("The order of a store, and its threads")
struct StoreOrderTests {
  private enum Activity: Sendable { case x, y }

  @Test("an activity that a listener emits comes after the one that it answers, for every listener")
  func activities() {
    let store = Store<Int, Activity>(0)
    let told = ValueTrace<String>()
    let subscriptions = [
      store.onActivity {
        told.add("A \($0)")
        if $0 == .x { store.emit(.y) }
      },
      store.onActivity { told.add("B \($0)") },
    ]
    withExtendedLifetime(subscriptions) { store.emit(.x) }
    #expect(told.values == ["A x", "B x", "A y", "B y"])
  }

  @Test("activities and changes are told in the order in which they happened")
  func together() {
    let store = Store<Int, Activity>(0)
    let told = ValueTrace<String>()
    let subscriptions = [
      store.onActivity {
        told.add("A \($0)")
        guard $0 == .x else { return }
        store.commit { $0.replace(1) }
        store.emit(.y)
        store.commit { $0.replace(2) }
      },
      store.onActivity { told.add("B \($0)") },
      store.storage.observe { told.add("state \($0.current)") },
    ]
    withExtendedLifetime(subscriptions) { store.emit(.x) }
    #expect(told.values == ["A x", "B x", "state 1", "A y", "B y", "state 2"])
  }

  @Test("within a batch its own thread reads what it has written, all others what there was before")
  func batch() throws {
    let store = Store<[Int], Activity>([0, 0])
    let told = ValueTrace<[Int]>()
    let read = Locked<[Int]>([])
    let subscription = store.storage.observe { told.add($0.current) }
    store.commit { storage in
      storage.batchUpdate {
        $0.update(\.[0], to: 1)
        #expect(store.state == [1, 0])
        onThread { read.withLock { $0 = store.state } }
        $0.update(\.[1], to: $0.value[0] + 1)
      }
    }
    subscription.cancel()
    #expect(read.withLock { $0 } == [0, 0])
    #expect(told.values == [[1, 2]])
    #expect(store.storage.version == 1)
  }

  @Test("an observer that waits holds up nobody who reads, subscribes or cancels")
  func readers() {
    let store = Store<Int, Activity>(0)
    let read = Locked<[Int]>([])
    let subscription = store.storage.observe { _ in
      // Each of these waited for the observer before, and the observer waits for them here.
      onThread { read.withLock { $0.append(store.state) } }
      onThread { store.storage.observe { _ in }.cancel() }
      onThread { store.onActivity { _ in }.cancel() }
    }
    store.commit { $0.replace(7) }
    subscription.cancel()
    #expect(read.withLock { $0 } == [7])
  }

  @Test("writers of several threads: each change is told once, in one order, with no step between two versions")
  func writers() {
    let store = Store<Int, Activity>(0)
    let told = ValueTrace<Int>()
    let broken = Locked(0)
    let subscription = store.storage.observe { change in
      if change.current != change.previous + 1 { broken.withLock { $0 += 1 } }
      told.add(change.version)
    }
    let threads = (0..<4).map { _ in
      start {
        for _ in 0..<500 {
          store.commit { $0.replace($0.value + 1) }
          if store.state < 1 { broken.withLock { $0 += 1 } }
        }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    subscription.cancel()
    #expect(store.state == 2000)
    #expect(told.values == Array(1...2000))
    #expect(broken.withLock { $0 } == 0)
  }
}

/// Runs the closure on a thread of its own, and waits for its end.
private func onThread(_ body: @escaping @Sendable () -> Void) { pthread_join(start(body), nil) }

private func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Body {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Body(body)).toOpaque())
  precondition(code == 0, "the system gives no thread: \(code)")
  return thread
}
