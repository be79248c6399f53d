import CycleCore
import Synchronization

/// A state that several parts of an application share. Commits change it, actions group commits, and activities are
/// passed to listeners without being kept.
///
///     let store = Store<Counter, Event>(Counter())
///     store.dispatch("increment") { context in
///       context.commit { $0.update(\.count, to: $0.value.count + 1) }
///       if context.currentState!.count > 10 { context.emit(.overflow) }
///     }
///
/// A *commit* changes the state. An *action* is what the application does, with commits in it. An *activity* is
/// delivered to those who are subscribed when it happens, and not kept. A logger gets an entry for each of these, with
/// its name and its place in the source. A store can be used from any thread; commits and actions run one at a time.
///
/// Changes and activities are delivered in the order in which they happened: what an observer or a listener commits or
/// emits is delivered after everything that happened before.
///
/// **Threads.** One thread at a time runs commits and actions and calls observers and listeners; other threads that
/// commit, dispatch or emit wait until it has finished. Reading, subscribing and cancelling never wait. Do slow work (a
/// network, a file) before the commit; the rules for observers of a ``Storage`` apply to all these closures. A cycle
/// that uses the store by a ``StoreDriver`` doesn't wait.
public final class Store<State: Sendable, Activity: Sendable>: @unchecked Sendable {
  private let mutable: MutableStorage<State>
  private let listening = RecursiveLock()
  private var activityObservers: [ActivityObserver] = []
  private var logger: (@Sendable (StoreLog) -> Void)?

  private final class ActivityObserver {
    let tell: (Activity) -> Void
    let isGone = Atomic<Bool>(false)

    init(tell: @escaping (Activity) -> Void) {
      self.tell = tell
    }
  }

  public init(_ state: State, logger: (@Sendable (StoreLog) -> Void)? = nil) {
    mutable = MutableStorage(state)
    self.logger = logger
    mutable.log = { [unowned self] in self.logger?(StoreLog($0)) }
  }

  /// The state, for reading and observing.
  public var storage: Storage<State> { mutable }

  /// The state at this moment.
  public var state: State { mutable.value }

  /// Replaces the logger, which is called for each commit, action, change and activity; nil for none.
  public func setLogger(_ logger: (@Sendable (StoreLog) -> Void)?) {
    mutable.writing.locked { self.logger = logger }
  }

  /// Changes the state. Each change in the closure is delivered by itself; ``MutableStorage/batchUpdate(_:)`` makes one
  /// of several.
  ///
  /// - Parameter name: the name of the commit in the log; the name of the calling function unless given.
  /// - Parameter file: the source file, for the log.
  /// - Parameter body: the changes to the state.
  /// - Parameter description: a description, for the log.
  /// - Parameter line: the line of the source file, for the log.
  /// - Parameter function: the function, for the log.
  /// - Returns: the closure's result. If the closure throws, its error is rethrown, and its changes until then remain.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ description: String = "", file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, _ body: (MutableStorage<State>) throws -> Result
  ) rethrows -> Result {
    let source = StoreLog.Source(name, description, file, function, line)
    return try mutable.writing.locked {
      logger?(StoreLog(.willMutate, source))
      defer { logger?(StoreLog(.didMutate, source)) }
      return try body(mutable)
    }
  }

  /// Runs an action.
  ///
  /// - Returns: the result of the closure.
  @discardableResult
  public func dispatch<Result>(
    _ name: String? = nil, _ description: String = "", file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, _ body: (StoreContext<State, Activity>) throws -> Result
  ) rethrows -> Result {
    try mutable.writing.locked {
      logger?(StoreLog(.willDispatch, StoreLog.Source(name, description, file, function, line)))
      return try body(StoreContext(self))
    }
  }

  /// Delivers an activity to the subscribers of ``onActivity(_:)``.
  public func emit(
    _ activity: Activity, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    mutable.writing.locked {
      let observers = listening.locked { activityObservers }
      mutable.deliverInOrder { [logger] in
        for observer in observers where !observer.isGone.load(ordering: .acquiring) { observer.tell(activity) }
        logger?(StoreLog(.didEmit(activity), StoreLog.Source(nil, "", file, function, line)))
      }
    }
  }

  /// Calls the closure with each activity from now on while the subscription is held.
  public func onActivity(_ tell: @escaping @Sendable (Activity) -> Void) -> Subscription {
    let observer = ActivityObserver(tell: tell)
    listening.locked { activityObservers.append(observer) }
    return Subscription { [weak self] in
      observer.isGone.store(true, ordering: .releasing)
      guard let self else { return }
      listening.locked {
        self.activityObservers.removeAll { $0 === observer }
      }
    }
  }
}

/// The store as an action receives it: a weak reference. Calls do nothing once the store has been released.
public struct StoreContext<State: Sendable, Activity: Sendable>: Sendable {
  private weak var store: Store<State, Activity>?

  fileprivate init(_ store: Store<State, Activity>) {
    self.store = store
  }

  /// The state; nil when the store is gone.
  public var currentState: State? { store?.state }

  /// The store, kept alive while the result is held; nil when it was released.
  public func retained() -> Store<State, Activity>? { store }

  /// ``Store/commit(_:_:file:function:line:_:)``; nil when the store is gone.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ description: String = "", file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, _ body: (MutableStorage<State>) throws -> Result
  ) rethrows -> Result? {
    try store?.commit(name, description, file: file, function: function, line: line, body)
  }

  /// ``Store/emit(_:file:function:line:)``.
  public func emit(
    _ activity: Activity, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    store?.emit(activity, file: file, function: function, line: line)
  }
}

/// An entry of a store's log.
public struct StoreLog: CustomStringConvertible {
  public enum Kind {
    case willDispatch, willMutate, didMutate
    /// The part at the key path was set.
    case didChange(AnyKeyPath)
    /// The whole was replaced, or a batch has ended.
    case didReplace
    case didEmit(any Sendable)
  }

  /// The name of a logged commit, action or activity, and its place in the source.
  public struct Source: Equatable, Sendable {
    public let name: String
    public let description: String
    public let file: String
    public let function: String
    public let line: UInt

    init(_ name: String?, _ description: String, _ file: StaticString, _ function: StaticString, _ line: UInt) {
      self.name = name ?? "\(function)"
      self.description = description
      self.file = "\(file)"
      self.function = "\(function)"
      self.line = line
    }
  }

  public let kind: Kind
  /// Nil for changes, which are logged between the beginning and the end of their commit.
  public let source: Source?

  init(_ kind: Kind, _ source: Source? = nil) {
    self.kind = kind
    self.source = source
  }

  public var description: String {
    switch kind {
    case .willDispatch: "willDispatch \(source?.name ?? "")"
    case .willMutate: "willMutate \(source?.name ?? "")"
    case .didMutate: "didMutate \(source?.name ?? "")"
    case .didChange(let part): "didChange \(part)"
    case .didReplace: "didReplace"
    case .didEmit(let activity): "didEmit \(activity)"
    }
  }
}
