import CycleCore
import Signals
import Stores
import TestSupport
import Testing

@Suite("Stores: every case")
struct StoreSeeds {
  private struct Person: Equatable, Sendable {
    var name1 = ""
    var name2: String?
    var count = 0
    var nested = Nested()
  }

  private struct Nested: Equatable, Sendable {
    var a = 0
    var b = 0
  }

  /// The state as the log of a store, its key paths by their last names.
  private static func text(_ log: StoreLog) -> String {
    guard case .didChange(let part) = log.kind else { return "\(log)" }
    return switch part {
    case \Person.count: "didChange count"
    case \Person.name1: "didChange name1"
    default: "didChange ?"
    }
  }

  @Test("S1: subscribing is no call; after the subscription has ended there is none")
  func subscribing() {
    let storage = MutableStorage(1)
    let told = ValueTrace<Int>()
    let subscription = storage.observe { told.add($0.current) }
    #expect(told.values == [])
    storage.replace(2)
    subscription.cancel()
    storage.replace(3)
    #expect(told.values == [2])
    #expect(storage.value == 3)
  }

  @Test("S2: replace is told once and logged")
  func replace() {
    let log = ValueTrace<String>()
    let store = Store<Person, Never>(Person(), logger: { log.add(Self.text($0)) })
    let told = ValueTrace<Int>()
    let subscription = store.storage.observe { told.add($0.current.count) }
    store.commit("all") { $0.replace(Person(count: 7)) }
    #expect(told.values == [7])
    #expect(log.values == ["willMutate all", "didReplace", "didMutate all"])
    subscription.cancel()
  }

  @Test("S3: an update to the same value is one call")
  func sameValue() {
    let storage = MutableStorage(Person())
    let told = ValueTrace<Int>()
    let subscription = storage.observe { told.add($0.current.count) }
    storage.update(\.count, to: 0)
    #expect(told.values == [0])
    subscription.cancel()
  }

  @Test(
    "S4: updateIfChanged: name1 \"\" to \"mmm\" and name2 nil to \"hohi\" are told; \"\" to \"\" and nil to nil are not, nor logged"
  )
  func updateIfChanged() {
    let log = ValueTrace<String>()
    let store = Store<Person, Never>(Person(), logger: { log.add(Self.text($0)) })
    let told = ValueTrace<String>()
    let subscription = store.storage.observe { told.add("\($0.current.name1) \($0.current.name2 ?? "nil")") }
    store.commit("names") {
      $0.updateIfChanged(\.name1, to: "")
      $0.updateIfChanged(\.name2, to: nil)
      $0.updateIfChanged(\.name1, to: "mmm")
      $0.updateIfChanged(\.name2, to: "hohi")
      $0.updateIfChanged(\.count, to: 5) { _, _ in true }
    }
    #expect(told.values == ["mmm nil", "mmm hohi"])
    #expect(log.values == ["willMutate names", "didChange name1", "didChange ?", "didMutate names"])
    subscription.cancel()
  }

  private struct Mishap: Error {}

  @Test("S5: a batch of three updates is one call with the final value, nested or thrown from, too")
  func batch() throws {
    let log = ValueTrace<String>()
    let store = Store<Person, Never>(Person(), logger: { log.add(Self.text($0)) })
    let told = ValueTrace<Int>()
    let subscription = store.storage.observe { told.add($0.current.count) }
    store.commit("batch") { storage in
      storage.batchUpdate {
        $0.update(\.count, to: 1)
        $0.batchUpdate { $0.update(\.count, to: 2) }
        $0.update(\.count, to: 3)
      }
    }
    #expect(told.values == [3])
    #expect(
      log.values == [
        "willMutate batch", "didChange count", "didChange count", "didChange count", "didReplace", "didMutate batch",
      ])
    #expect(throws: Mishap.self) {
      try store.commit("mishap") {
        try $0.batchUpdate {
          $0.update(\.count, to: 4)
          throw Mishap()
        }
      }
    }
    #expect(told.values == [3, 4], "what was changed before is told")
    store.commit { $0.update(\.count, to: 5) }
    #expect(told.values == [3, 4, 5], "and the storage isn't mute")
    store.commit { $0.batchUpdate { _ in } }
    #expect(told.values == [3, 4, 5], "a batch without a change is nothing")
    subscription.cancel()
  }

  @Test("S6: a change of b is nothing to who watches a; of the whole, it is to who watches any part that changes")
  func keyedObservers() {
    let storage = MutableStorage(Person())
    let told = ValueTrace<String>()
    let subscriptions = [
      storage.observe(\.nested.a) { told.add("a \($0)") },
      storage.observe(\.nested) { told.add("nested \($0.a) \($0.b)") },
      storage.observe(\.name1.count) { told.add("length \($0)") }, storage.observe(\.count) { told.add("count \($0)") },
    ]
    storage.update(\.nested.b, to: 1)
    storage.update(\.nested.a, to: 2)
    storage.update(\.nested, to: Nested(a: 3, b: 1))
    storage.update(\.name1, to: "four")
    storage.update(\.name1, to: "five")
    storage.replace(Person(count: 9))
    #expect(
      told.values == [
        "nested 0 1", "a 2", "nested 2 1", "a 3", "nested 3 1", "length 4", "a 0", "nested 0 0", "length 0", "count 9",
      ])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("S7: a commnot a batch: two updates are two calls; the log has them between its beginning and its end")
  func commit() {
    let log = ValueTrace<String>()
    let store = Store<Person, Never>(Person(), logger: { log.add(Self.text($0)) })
    let told = ValueTrace<String>()
    let subscription = store.storage.observe { told.add("\($0.current.name1) \($0.current.count)") }
    let result = store.commit("two") {
      $0.update(\.name1, to: "x")
      $0.update(\.count, to: 1)
      return "done"
    }
    #expect(result == "done")
    #expect(told.values == ["x 0", "x 1"])
    #expect(log.values == ["willMutate two", "didChange name1", "didChange count", "didMutate two"])
    subscription.cancel()
  }

  @Test("S8: a commit that throws has its end in the log, and throws on")
  func throwingCommit() {
    let log = ValueTrace<String>()
    let store = Store<Person, Never>(Person(), logger: { log.add(Self.text($0)) })
    #expect(throws: Mishap.self) { try store.commit("mishap") { _ in throw Mishap() } }
    #expect(log.values == ["willMutate mishap", "didMutate mishap"])
  }

  @Test("S9: a store that is gone does nothing: no state, no commit, no activity")
  func weakContext() {
    var store: Store<Person, String>? = Store(Person())
    let context = store!.dispatch { $0 }
    #expect(context.currentState?.count == 0)
    #expect(context.commit { $0.update(\.count, to: 1) } != nil)
    #expect(context.retained()?.state.count == 1)
    store = nil
    #expect(context.currentState == nil)
    #expect(context.commit { $0.update(\.count, to: 2) } == nil)
    #expect(context.retained() == nil)
    context.emit("nothing")
  }

  @Test("S10: an activity is over when it has been told: who subscribes later hears nothing of it")
  func activities() {
    let log = ValueTrace<String>()
    let store = Store<Person, String>(Person(), logger: { log.add(Self.text($0)) })
    let (early, late) = (ValueTrace<String>(), ValueTrace<String>())
    let first = store.onActivity {
      early.add($0)
      log.add("told \($0)")
    }
    store.emit("overflow")
    let second = store.onActivity { late.add($0) }
    #expect(early.values == ["overflow"])
    #expect(late.values == [])
    #expect(log.values == ["told overflow", "didEmit overflow"])
    first.cancel()
    second.cancel()
  }

  @Test(
    "S11: the log of increment: willDispatch, willMutate, didChange, didMutate, and didEmit beyond 10, with their places"
  )
  func logOrder() {
    let log = ValueTrace<String>()
    let sources = ValueTrace<StoreLog.Source>()
    let store = Store<Person, String>(Person(count: 9))
    store.setLogger {
      log.add(Self.text($0))
      if let source = $0.source { sources.add(source) }
    }
    func increment() {
      store.dispatch("increment") { context in
        context.commit("add") { $0.update(\.count, to: $0.value.count + 1) }
        if context.currentState!.count > 10 { context.emit("overflow") }
      }
    }
    increment()
    #expect(log.values == ["willDispatch increment", "willMutate add", "didChange count", "didMutate add"])
    increment()
    #expect(
      log.values.suffix(5) == [
        "willDispatch increment", "willMutate add", "didChange count", "didMutate add", "didEmit overflow",
      ])
    #expect(
      sources.values.allSatisfy {
        $0.file == "SeedTests/StoreSeeds.swift" && $0.function == "increment()" && $0.line > 0
      }
    )
    #expect(sources.values.map(\.name).prefix(3) == ["increment", "add", "add"])
    store.setLogger(nil)
    increment()
    #expect(log.values.count == 9)
  }

  @Test("S12: what an observer changes is told when all have been told of what was before: each value once, in order")
  func changesByObservers() {
    let storage = MutableStorage(0)
    let told = ValueTrace<String>()
    let first = storage.observe { change in
      told.add("first \(change.current)")
      if change.current < 3 { storage.replace(change.current + 1) }
    }
    let second = storage.observe { told.add("second \($0.current)") }
    storage.replace(1)
    #expect(told.values == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    first.cancel()
    second.cancel()
  }

  @Test("S13: commits of several threads: the versions that an observer sees go up by one, and nothing is lost")
  func concurrentCommits() async {
    let store = Store<Person, Never>(Person())
    let versions = Locked<[Int]>([])
    let subscription = store.storage.observe { change in versions.withLock { $0.append(change.version) } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 { store.commit { $0.update(\.count, to: $0.value.count + 1) } }
        }
      }
    }
    #expect(store.state.count == 2000)
    #expect(versions.withLock { $0 } == Array(1...2000))
    subscription.cancel()
  }

  @Test("Subscription order: observers are called in the order of subscription, in every run")
  func subscriptionOrder() {
    let storage = MutableStorage(Person())
    let told = ValueTrace<Int>()
    let subscriptions = (0..<50).map { number in
      number.isMultiple(of: 2)
        ? storage.observe(\.count) { _ in told.add(number) } : storage.observe { _ in told.add(number) }
    }
    storage.update(\.count, to: 1)
    #expect(told.values == Array(0..<50))
    for subscription in subscriptions { subscription.cancel() }
  }
}
