import CycleCore
import Synchronization

/// A value that others watch. It is changed through a ``MutableStorage``, and read here, from any thread.
///
///     let subscription = storage.observe(\.volume) { print($0) }
///
/// Observers are called on the thread that changes the value, in the order of subscription, each change once and in order: what
/// an observer itself changes is told when all have been told of what there was before. They aren't called when they subscribe,
/// only at changes from then on.
///
/// **Threads.** One thread at a time changes the storage and calls its observers, so that all see the changes in one order; other threads
/// that change it wait until the last observer has returned. Reading, subscribing and cancelling never wait for that. An observer does
/// little, and never waits for a lock that a thread may hold while it changes the storage: the two would wait for each other for
/// ever. What takes longer, or needs such a lock, is put into a queue and done on another thread.
public class Storage<Value: Sendable>: @unchecked Sendable {
  /// A change of the value: from which, to which, and the how manieth it is.
  public struct Change: Sendable {
    public let previous: Value
    public let current: Value
    /// Counts up by one with each change.
    public let version: Int
  }

  /// Somebody who watches.
  private final class Observer {
    /// The bytes of the value that he watches; nil for all of it, or a part that has no bytes of its own.
    let bytes: Range<Int>?
    let tell: (Change) -> Void
    let isGone = Atomic<Bool>(false)

    init(bytes: Range<Int>?, tell: @escaping (Change) -> Void) {
      self.bytes = bytes
      self.tell = tell
    }
  }

  /// Held by the thread that changes the value, until its observers have been told.
  final let writing = RecursiveLock()
  /// Held for as long as it takes to read or to set what follows.
  private let reading = RecursiveLock()
  private var current: Value
  private var changeCount = 0
  private var observers: [Observer] = []
  /// Who is concerned by a change at a key path, as far as somebody has asked.
  private var concerned: [AnyKeyPath: [Observer]] = [:]

  // The rest belongs to the thread that writes.

  /// What has not been told yet, with those whom it concerns.
  private var untold: [Telling] = []
  private var isTelling = false
  /// How many batches are open, and what they have made of the value.
  private var batchDepth = 0
  private var draft: Value?
  private var isBatchDirty = false
  /// Gets an entry for each change.
  var log: ((StoreLog.Kind) -> Void)?

  private enum Telling {
    case change(Change, [Observer])
    /// Something else that has its place among the changes.
    case other(() -> Void)
  }

  init(_ value: Value) {
    current = value
  }

  /// The value at this moment. Within a batch the thread that runs it reads what the batch has made of it so far; all others read what
  /// there was before the batch, until it ends.
  public final var value: Value {
    if writing.isHeldHere, let draft { return draft }
    return reading.locked { current }
  }

  /// How many changes there have been.
  public final var version: Int { reading.locked { changeCount } }

  // MARK: - Watching

  /// Calls the closure at each change, for as long as the subscription is held.
  public final func observe(_ tell: @escaping @Sendable (Change) -> Void) -> Subscription {
    subscribe(Observer(bytes: nil, tell: tell))
  }

  /// Calls the closure whenever a part of the value has become another one.
  ///
  /// A change made through a key path costs nothing to those who watch other stored properties.
  public final func observe<Part: Equatable & Sendable>(
    _ part: KeyPath<Value, Part>, _ tell: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    observe(part, by: { $0 == $1 }, tell)
  }

  /// As the other, with a comparison of its own: where it says that two parts are the same, nothing is told.
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

  /// Which bytes of the value a key path of stored properties names.
  private static func bytes<Part>(of part: KeyPath<Value, Part>) -> Range<Int>? {
    MemoryLayout<Value>.offset(of: part).map { $0..<$0 + max(1, MemoryLayout<Part>.size) }
  }

  /// Whom a change at the key path concerns: those who watch bytes of it, and those of whom nobody can tell.
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
    // Key paths with subscripts are without number.
    if concerned.count >= 4096 { concerned = [:] }
    concerned[part] = found
    return found
  }

  // MARK: - Changing

  /// Puts another value in place of the whole.
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

  /// Runs the closure, and tells of all its changes at once when it has ended, however it has.
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

  /// How many changes observers may make while one is told.
  private static var changeLimit: Int { 100_000 }

  /// Calls the closure when all that has happened before has been told. Called by the thread that writes.
  final func tellInOrder(_ body: @escaping () -> Void) { tell(.other(body)) }

  private func tell(_ telling: Telling) {
    untold.append(telling)
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    var next = 0
    while next < untold.count {
      if next > Self.changeLimit {
        programmerError("an observer of Storage<\(Value.self)> changes it each time that it is told of a change")
      }
      let telling = untold[next]
      next += 1
      switch telling {
      case .change(let change, let watching):
        for observer in watching where !observer.isGone.load(ordering: .acquiring) { observer.tell(change) }
      case .other(let body): body()
      }
    }
    untold.removeAll(keepingCapacity: true)
  }
}

/// Keeps an observer subscribed, for as long as it is held or until it is cancelled.
public final class Subscription {
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) {
    self.end = end
  }

  deinit {
    cancel()
  }

  /// From now on the observer isn't called any more; a call that has begun on another thread may still be under way. Cancelling twice is the
  /// same as once.
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

  /// Puts another value in place of the whole; told even if it is the same.
  public func replace(_ value: Value) {
    writing.locked { change(to: value) }
  }

  /// Sets a part; told to those who watch the whole even if it is the same.
  public func update<Part>(_ part: WritableKeyPath<Value, Part>, to value: Part) {
    writing.locked { change(part, to: value) }
  }

  /// Sets a part if that makes a difference. Otherwise nothing happens, and nothing is logged.
  public func updateIfChanged<Part: Equatable>(_ part: WritableKeyPath<Value, Part>, to value: Part) {
    updateIfChanged(part, to: value, by: ==)
  }

  /// As the other, with a comparison of its own: where it says that both are the same, nothing happens.
  public func updateIfChanged<Part>(
    _ part: WritableKeyPath<Value, Part>, to value: Part, by areSame: (Part, Part) -> Bool
  ) {
    writing.locked {
      if !areSame(self.value[keyPath: part], value) { change(part, to: value) }
    }
  }

  /// Several changes that are told as one, when the outermost batch has ended. A batch that throws tells what it has changed
  /// until then.
  public func batchUpdate<Result>(_ body: (MutableStorage) throws -> Result) rethrows -> Result {
    try writing.locked { try batch { try body(self) } }
  }
}
