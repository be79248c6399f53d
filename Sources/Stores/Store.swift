import CycleCore
import Synchronization

/// A state, what is done to it by name, and what happens beside it.
///
///     let store = Store<Counter, Event>(Counter())
///     store.dispatch("increment") { context in
///       context.commit { $0.update(\.count, to: $0.value.count + 1) }
///       if context.currentState!.count > 10 { context.emit(.overflow) }
///     }
///
/// A *commit* changes the state. An *action* is what the application does, with commits in it. An *activity* happens and is
/// gone: who subscribes later doesn't hear of it. Each of these can be logged, with its name and its place in the source. A
/// store can be used from any thread; commits and actions run one at a time.
///
/// Changes and activities are told in the order in which they happened: what an observer or a listener commits or emits is told when all have
/// been told of what there was before.
///
/// **Threads.** One thread at a time runs commits and actions and calls observers and listeners; other threads that commit, dispatch or
/// emit wait until then. Reading, subscribing and cancelling never wait. What is slow (a network, a file) is done before the commit,
/// and what is true of observers of a ``Storage`` is true of all these closures. A cycle that shows the store by a ``StoreDriver`` doesn't wait.
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

  /// The state, to be watched.
  public var storage: Storage<State> { mutable }

  /// The state at this moment.
  public var state: State { mutable.value }

  /// Gets an entry for everything that is done from now on, in place of the logger before; nil for none.
  public func setLogger(_ logger: (@Sendable (StoreLog) -> Void)?) {
    mutable.writing.locked { self.logger = logger }
  }

  /// Changes the state. Each change in it is told by itself; ``MutableStorage/batchUpdate(_:)`` makes one of several.
  ///
  /// - Parameter name: what is done; the name of the function unless given.
  /// - Returns: what the closure returns. What it throws is thrown on, and what it has changed before stays.
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
  /// - Returns: what the closure returns.
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

  /// Tells those who listen of an activity.
  public func emit(
    _ activity: Activity, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    mutable.writing.locked {
      let observers = listening.locked { activityObservers }
      mutable.tellInOrder { [logger] in
        for observer in observers where !observer.isGone.load(ordering: .acquiring) { observer.tell(activity) }
        logger?(StoreLog(.didEmit(activity), StoreLog.Source(nil, "", file, function, line)))
      }
    }
  }

  /// Calls the closure with each activity from now on, for as long as the subscription is held.
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

/// A store as an action has it: without keeping it alive. What is asked of a store that is gone is not done.
public struct StoreContext<State: Sendable, Activity: Sendable>: Sendable {
  private weak var store: Store<State, Activity>?

  fileprivate init(_ store: Store<State, Activity>) {
    self.store = store
  }

  /// The state; nil when the store is gone.
  public var currentState: State? { store?.state }

  /// The store, kept alive for as long as the result is held; nil when it is gone.
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

  /// What it is called, and where in the source it stands.
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
  /// Nil for changes: they stand between the beginning and the end of their commit.
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
