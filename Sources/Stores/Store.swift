import CycleCore
import Synchronization

/// A state that several parts of an application share. Commits change it, actions group commits, and activities are
/// passed to listeners without being stored.
///
///     let store = Store<Counter, Event>(Counter())
///     store.dispatch("increment") { context in
///       context.commit { $0.update(\.count, to: $0.value.count + 1) }
///       if context.currentState!.count > 10 { context.emit(.overflow) }
///     }
///
/// A *commit* changes the state. An *action* is an operation of the application, which contains commits. An *activity*
/// is delivered to the current subscribers, and not stored. A logger gets an entry for each of these, with its name and
/// its place in the source. A store can be used from any thread; commits and actions run one at a time.
///
/// Changes and activities are delivered in the order in which they happened. If an observer or a listener commits or
/// emits, the result is delivered after everything that happened before.
///
/// **Threads.** One thread at a time runs commits and actions and calls observers and listeners. Other threads that
/// commit, dispatch or emit wait until it has finished. Reading, subscribing and cancelling never wait. Do slow work (a
/// network, a file) before the commit. The rules for observers of a ``Storage`` apply to all these closures. A cycle
/// that uses the store through a ``SharedStateDriver`` doesn't wait.
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

  /// The current state.
  public var state: State { mutable.value }

  /// Replaces the logger, which is called for each commit, action, change and activity; nil for none.
  public func setLogger(_ logger: (@Sendable (StoreLog) -> Void)?) {
    mutable.writing.locked { self.logger = logger }
  }

  /// Changes the state. Each change in the closure is delivered separately; ``MutableStorage/batchUpdate(_:)`` combines
  /// several.
  ///
  /// - Parameter name: the name of the commit in the log; default: the name of the calling function.
  /// - Parameter file: the source file, for the log.
  /// - Parameter body: the changes to the state.
  /// - Parameter description: a description, for the log.
  /// - Parameter line: the line of the source file, for the log.
  /// - Parameter function: the function, for the log.
  /// - Returns: the closure's result. If the closure throws, its error is rethrown, and the changes made before remain.
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

  /// Calls the closure with each later activity while the subscription is held.
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

/// The store for an action: a weak reference. Calls have no effect after the store was released.
public struct StoreContext<State: Sendable, Activity: Sendable>: Sendable {
  private weak var store: Store<State, Activity>?

  fileprivate init(_ store: Store<State, Activity>) {
    self.store = store
  }

  /// The state; nil if the store was released.
  public var currentState: State? { store?.state }

  /// Returns the store, which the result keeps alive; nil if it was released.
  public func retained() -> Store<State, Activity>? { store }

  /// Calls ``Store/commit(_:_:file:function:line:_:)``; returns nil if the store was released.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ description: String = "", file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, _ body: (MutableStorage<State>) throws -> Result
  ) rethrows -> Result? {
    try store?.commit(name, description, file: file, function: function, line: line, body)
  }

  /// Calls ``Store/emit(_:file:function:line:)``; does nothing if the store was released.
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
    /// The whole state was replaced, or a batch has ended.
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
  /// The source of the entry; nil for changes, which are logged between the beginning and the end of their commit.
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
