import CycleCore
import Synchronization

/// A value that can be read and observed from any thread. It is changed through a ``MutableStorage``.
///
///     let subscription = storage.observe(\.volume) { print($0) }
///
/// Observers are called on the thread that changes the value, in the order of subscription. They are called once for
/// each change, in the order of the changes. A change by an observer is delivered after the current one was delivered
/// to all. Subscribing doesn't call an observer; the next change does.
///
/// **Threads.** One thread at a time changes the storage and calls its observers, so that all observers get the changes
/// in the same order. Other threads that change it wait until the last observer has returned. Reading, subscribing and
/// cancelling never wait for that. An observer must return soon. It must not wait for a lock that a thread may hold
/// while it changes the storage: the two threads would wait for each other forever. An observer passes slow work, and
/// work that needs such a lock, to a queue of another thread.
public class Storage<Value: Sendable>: @unchecked Sendable {
  /// A change of the value: the old value, the new value and the sequence number (1, 2, …).
  public struct Change: Sendable {
    public let previous: Value
    public let current: Value
    /// The number of the change: 1, 2, …
    public let version: Int
  }

  /// A registered observer.
  private final class Observer {
    /// The position of the observed part within the value; nil if the whole value is observed, or if the part is not a
    /// stored property.
    let bytes: Range<Int>?
    let tell: (Change) -> Void
    let isGone = Atomic<Bool>(false)

    init(bytes: Range<Int>?, tell: @escaping (Change) -> Void) {
      self.bytes = bytes
      self.tell = tell
    }
  }

  /// Held by the thread that changes the value, until it has called the observers.
  final let writing = RecursiveLock()
  /// Protects the properties down to `concerned`; held only while they are read or set.
  private let reading = RecursiveLock()
  private var current: Value
  private var changeCount = 0
  private var observers: [Observer] = []
  /// The observers of each key path that has changed before.
  private var concerned: [AnyKeyPath: [Observer]] = [:]

  // The other properties are used only by the thread that holds `writing`.

  /// Changes that have not been delivered yet, each with its observers.
  private var pendingDeliveries: [Delivery] = []
  private var isDelivering = false
  /// The number of nested open batches. `draft` is the value with their changes.
  private var batchDepth = 0
  private var draft: Value?
  private var isBatchDirty = false
  /// Called with a log entry for each change.
  var log: ((StoreLog.Kind) -> Void)?

  private enum Delivery {
    case change(Change, [Observer])
    /// A closure that is called in order with the changes.
    case other(() -> Void)
  }

  init(_ value: Value) {
    current = value
  }

  /// The current value. During a batch, the thread that runs it reads the batch's changes so far. Other threads read
  /// the value before the batch, until the batch ends.
  public final var value: Value {
    if writing.isHeldHere, let draft { return draft }
    return reading.locked { current }
  }

  /// The number of changes so far.
  public final var version: Int { reading.locked { changeCount } }

  // MARK: - Watching

  /// Calls the closure with each change while the subscription is held.
  public final func observe(_ tell: @escaping @Sendable (Change) -> Void) -> Subscription {
    subscribe(Observer(bytes: nil, tell: tell))
  }

  /// Calls the closure with a part of the value whenever that part has changed.
  ///
  /// A change made through a key path costs nothing for observers of other stored properties.
  public final func observe<Part: Equatable & Sendable>(
    _ part: KeyPath<Value, Part>, _ tell: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    observe(part, by: { $0 == $1 }, tell)
  }

  /// Observes a part with your own comparison: if it returns true, the closure is not called.
  public final func observe<Part: Sendable>(
    _ part: KeyPath<Value, Part>, by areSame: @escaping @Sendable (Part, Part) -> Bool,
    _ tell: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    subscribe(
      Observer(bytes: Self.bytes(of: part)) { change in
        let new = change.current[keyPath: part]
        if !areSame(change.previous[keyPath: part], new) { tell(new) }
      })
  }

  private func subscribe(_ observer: Observer) -> Subscription {
    reading.locked {
      observers.append(observer)
      concerned = [:]
    }
    return Subscription { [weak self] in
      observer.isGone.store(true, ordering: .releasing)
      guard let self else { return }
      reading.locked {
        self.observers.removeAll { $0 === observer }
        self.concerned = [:]
      }
    }
  }

  /// Returns the byte range of a stored property within the value; nil for other key paths.
  private static func bytes<Part>(of part: KeyPath<Value, Part>) -> Range<Int>? {
    MemoryLayout<Value>.offset(of: part).map { $0..<$0 + max(1, MemoryLayout<Part>.size) }
  }

  /// Returns the observers to call for a change at the key path: those of overlapping bytes, or all if the bytes of
  /// either are unknown.
  private func concerned<Part>(by part: KeyPath<Value, Part>) -> [Observer] {
    reading.locked { found(concernedBy: part) }
  }

  private func found<Part>(concernedBy part: KeyPath<Value, Part>) -> [Observer] {
    if let known = concerned[part] { return known }
    let changed = Self.bytes(of: part)
    let found = observers.filter { observer in
      guard let changed, let watched = observer.bytes else { return true }
      return changed.overlaps(watched)
    }
    // Limits the memory: there can be any number of key paths with subscripts.
    if concerned.count >= 4096 { concerned = [:] }
    concerned[part] = found
    return found
  }

  // MARK: - Changing

  /// Replaces the whole value.
  final func change(to value: Value) {
    change(.didReplace, concerning: reading.locked { observers }) { $0 = value }
  }

  final func change<Part>(_ part: WritableKeyPath<Value, Part>, to value: Part) {
    change(.didChange(part), concerning: concerned(by: part)) { $0[keyPath: part] = value }
  }

  private func change(_ kind: StoreLog.Kind, concerning watching: [Observer], _ body: (inout Value) -> Void) {
    if draft != nil {
      isBatchDirty = true
      body(&draft!)
      log?(kind)
      return
    }
    let change = reading.locked {
      let previous = current
      body(&current)
      changeCount += 1
      return Change(previous: previous, current: current, version: changeCount)
    }
    log?(kind)
    tell(.change(change, watching))
  }

  /// Runs the closure, and delivers all its changes as one when the outermost batch returns or throws.
  final func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
    if batchDepth == 0 { draft = reading.locked { current } }
    batchDepth += 1
    defer {
      batchDepth -= 1
      if batchDepth == 0, let end = draft {
        draft = nil
        if isBatchDirty {
          isBatchDirty = false
          change(to: end)
        }
      }
    }
    return try body()
  }

  /// The maximum number of changes delivered in a row because observers keep changing the value.
  private static var changeLimit: Int { 100_000 }

  /// Calls the closure after all earlier changes have been delivered. The calling thread must hold `writing`.
  final func deliverInOrder(_ body: @escaping () -> Void) { tell(.other(body)) }

  private func tell(_ telling: Delivery) {
    pendingDeliveries.append(telling)
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    var next = 0
    while next < pendingDeliveries.count {
      if next > Self.changeLimit {
        programmerError("an observer of Storage<\(Value.self)> changes it at each change that it is notified of")
      }
      let telling = pendingDeliveries[next]
      next += 1
      switch telling {
      case .change(let change, let watching):
        for observer in watching where !observer.isGone.load(ordering: .acquiring) { observer.tell(change) }
      case .other(let body): body()
      }
    }
    pendingDeliveries.removeAll(keepingCapacity: true)
  }
}

/// Keeps an observer subscribed while it is held, until it is cancelled.
public final class Subscription {
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) {
    self.end = end
  }

  deinit {
    cancel()
  }

  /// Ends the calls to the observer. A call that has begun on another thread may still be running. Cancelling again has
  /// no effect.
  public func cancel() {
    end?()
    end = nil
  }
}

/// A ``Storage`` that can be changed.
///
///     let storage = MutableStorage(Settings())
///     storage.update(\.volume, to: 7)
public final class MutableStorage<Value: Sendable>: Storage<Value>, @unchecked Sendable {
  public override init(_ value: Value) {
    super.init(value)
  }

  /// Replaces the whole value. Observers of the whole are called even if it is the same.
  public func replace(_ value: Value) {
    writing.locked { change(to: value) }
  }

  /// Sets a part. Observers of the whole are called even if the part is the same.
  public func update<Part>(_ part: WritableKeyPath<Value, Part>, to value: Part) {
    writing.locked { change(part, to: value) }
  }

  /// Sets a part if the value differs. If it doesn't differ, no observer is called and nothing is logged.
  public func updateIfChanged<Part: Equatable>(_ part: WritableKeyPath<Value, Part>, to value: Part) {
    updateIfChanged(part, to: value, by: ==)
  }

  /// Sets a part if the value differs by your own comparison: if it returns true, nothing is set.
  public func updateIfChanged<Part>(
    _ part: WritableKeyPath<Value, Part>, to value: Part, by areSame: (Part, Part) -> Bool
  ) {
    writing.locked {
      if !areSame(self.value[keyPath: part], value) { change(part, to: value) }
    }
  }

  /// Makes several changes that are delivered as one, when the outermost batch has ended. If a batch throws, the
  /// changes made before are delivered.
  public func batchUpdate<Result>(_ body: (MutableStorage) throws -> Result) rethrows -> Result {
    try writing.locked { try batch { try body(self) } }
  }
}
