import CycleCore

/// A store as a driver: changes of its state, on any thread, are emitted as events, and the driver's model is
/// committed.
///
///     Lens(
///       SharedStateDriver(settings, show: \.volume), show: { $0.volume },
///       on: { frame, event in if case .changed(let volume) = event { frame.volume = volume } })
///
/// A change that the cycle itself has committed is not emitted, because it may already be out of date. If, at the
/// start, the part differs from the seed's model, it is emitted as ``Event/changed(_:)``. The seed's model is not
/// committed.
///
/// **Timing.** Commits run on a thread of the driver, because other threads can hold the store for a long time. Of
/// several waiting models, only the newest is committed. In virtual time, commits run at the moment of the frame.
public final class SharedStateDriver<State: Sendable, Part: Equatable & Sendable, Activity: Sendable>: Driver {
  /// The value to set in the store's part; nil doesn't change it.
  public typealias Model = Part?

  public enum Event: Sendable {
    /// The part has changed to this value.
    case changed(Part)
    /// The store has emitted an activity.
    case emitted(Activity)
  }

  private let store: Store<State, Activity>
  private let part: WritableKeyPath<State, Part> & Sendable
  private var postbox: Postbox<Event>?
  private var worker: Worker<StoreWork<State, Part, Activity>>?
  private var context: DriverContext<Event>?
  private var subscriptions: [Subscription] = []
  private let committed = Committed<Part>()

  /// - Parameter part: the part of the state that the cycle observes and sets.
  /// - Parameter store: the store.
  public init(_ store: Store<State, Activity>, show part: WritableKeyPath<State, Part> & Sendable) {
    self.store = store
    self.part = part
  }

  public var safeModel: Model { nil }

  public func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    let postbox = context.makePostbox(of: Event.self, capacity: 1024)
    self.postbox = postbox
    worker = try Worker(
      StoreWork(store: store, part: part, committed: committed), for: "the store", onThread: !context.isVirtual,
      in: context)
    // Called on any thread that commits or emits, one at a time.
    subscriptions = [
      store.storage.observe(part) { [committed] in if committed.part != $0 { postbox.postLocked(.changed($0)) } },
      store.onActivity { postbox.postLocked(.emitted($0)) },
    ]
    let first = store.state[keyPath: part]
    if let model, model != first { context.emit(.changed(first)) }
  }

  public func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    guard let model, previous != nil else { return }
    try worker?.send(model)
  }

  public func wake(_ wake: Wake) throws(DriverError) {
    guard let context, let postbox else { return }
    worker?.wake(wake) { _, _ in }
    while context.room > 0, let event = postbox.receive() { context.emit(event) }
  }

  public func stop() {
    subscriptions = []
    worker?.stop()
    worker = nil
  }
}

/// The part that the driver is committing. This change is not emitted, but a different value set by an observer during
/// the commit is. Used by the thread that commits.
private final class Committed<Part>: @unchecked Sendable {
  var part: Part?
}

/// Commits the newest model.
private struct StoreWork<State: Sendable, Part: Equatable & Sendable, Activity: Sendable>: Work {
  typealias Command = Part
  let store: Store<State, Activity>
  let part: WritableKeyPath<State, Part> & Sendable
  let committed: Committed<Part>
  let state = 0

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    commitNewest(in: context)
    return .forCommand
  }

  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    commitNewest(in: context)
    return nil
  }

  private func commitNewest(in context: WorkContext<Self>) {
    var newest: Part?
    while let next = context.receive() { newest = next }
    guard let newest else { return }
    store.commit("cycle") { [part, committed] in
      committed.part = newest
      defer { committed.part = nil }
      $0.updateIfChanged(part, to: newest)
    }
  }
}

extension SharedStateDriver.Event: Equatable where Activity: Equatable {}
