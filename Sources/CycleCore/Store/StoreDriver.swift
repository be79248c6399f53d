/// A store as a driver: what others do to its state, on whatever thread, are events of the cycle; what the frame says is committed.
///
///     Lens(
///       StoreDriver(settings, show: \.volume), show: { $0.volume },
///       on: { frame, event, _, _ in if case .changed(let volume) = event { frame.volume = volume } })
///
/// A change that the cycle itself has committed does not come back: it may be old by then.
public final class StoreDriver<State: Sendable, Part: Equatable & Sendable, Activity: Sendable>: Driver {
  /// What the store's part shall be; nil leaves it alone.
  public typealias Model = Part?

  public enum Event: Sendable {
    /// The part has become another one.
    case changed(Part)
    /// Something has happened.
    case emitted(Activity)
  }

  private let store: Store<State, Activity>
  private let part: WritableKeyPath<State, Part> & Sendable
  private var postbox: Postbox<Event>?
  private var context: DriverContext<Event>?
  private var subscriptions: [Subscription] = []
  private let committed = Committed()

  /// What is being committed. What others make of it while they are told is theirs. Read and written with the store locked.
  private final class Committed: @unchecked Sendable {
    var part: Part?
  }

  /// - Parameter part: of the state, what the cycle sees and sets.
  public init(_ store: Store<State, Activity>, show part: WritableKeyPath<State, Part> & Sendable) {
    self.store = store
    self.part = part
  }

  public var safeModel: Model { nil }

  public func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    let postbox = context.makePostbox(of: Event.self, capacity: 1024)
    self.postbox = postbox
    subscriptions = [
      store.storage.observe(part) { [committed] in if committed.part != $0 { postbox.post(.changed($0)) } },
      store.onActivity { postbox.post(.emitted($0)) },
    ]
  }

  public func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    guard let model else { return }
    store.commit("cycle") { [part, committed] in
      committed.part = model
      defer { committed.part = nil }
      $0.updateIfChanged(part, to: model)
    }
  }

  public func wake(_ wake: Wake) throws(DriverError) {
    guard let context, let postbox else { return }
    while context.room > 0, let event = postbox.receive() { context.emit(event) }
  }

  public func stop() {
    subscriptions = []
  }
}

extension StoreDriver.Event: Equatable where Activity: Equatable {}
