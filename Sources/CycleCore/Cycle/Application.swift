import Synchronization

/// A cycle without the types of its lenses: what whoever runs it, tests it or looks at it has to know.
///
/// `any Application<Counter>` is one whose frames are counters, `any Application` one with any frames: a bench runs both.
public protocol Application<Frame>: AnyObject {
  associatedtype Frame: Equatable

  /// The current frame.
  var frame: Frame { get }
  /// The number of the current frame; the seed is 0.
  var frameNumber: Int { get }
  /// Calls `observer` with each new frame and its moment after all drivers have rendered it, in the order of adding, until the
  /// observation is ended.
  @discardableResult
  func observe(_ observer: @escaping (_ frame: Frame, _ moment: Moment) -> Void) -> Observation
  /// Hands each event and each trouble to `tap` before it is reduced, until the observation is ended.
  @discardableResult
  func tap(_ tap: any EventTap) -> Observation
  /// Calls `observer` whenever a driver has taken longer than it may; one observer.
  func onOverrun(_ observer: @escaping (Overrun) -> Void)

  /// Starts every driver and renders the seed.
  func start(on loop: any EventLoop) throws(DriverError)
  /// Waits for the next thing to happen, until `deadline` at the latest, and handles it.
  func step(until deadline: Moment?) throws(DriverError)
  /// Shows the safe models. Drivers go on being woken until ``isAtRest``; events are not reduced any more.
  func beginStop()
  /// Whether the hardware of every driver has come to where its model wants it.
  var isAtRest: Bool { get }
  /// Stops every driver, after ``beginStop()`` and after all are at rest or so much time has passed.
  func stop(within restingTime: Duration)
  /// The name of a lens, by its number; "lens 3" for one that isn't known, as none is before the start.
  func name(of lens: Int) -> String
  /// Asks the cycle to end, from any thread.
  func requestStop()
  var isStopRequested: Bool { get }
  /// The earliest alarm that a driver has set; nil if there is none.
  var nextAlarm: Moment? { get }
  /// Whether no simulated device has anything for its driver.
  var isIdle: Bool { get }
  /// Whether there is something to do at `moment`: a simulated device has something, or an alarm is due. Never when it has been asked to stop.
  func isDue(at moment: Moment) -> Bool
}

extension Application {
  /// Shows the safe models, lets the hardware come to rest, for a second at most, and stops every driver, in reverse order.
  public func stop() { stop(within: .seconds(1)) }
}

/// Sees what drivers tell, with its type: a journal, a recorder. It belongs to nobody's frames, and changes nothing.
public protocol EventTap: AnyObject {
  /// An event of a lens, before it is reduced.
  ///
  /// - Parameters:
  ///   - lens: the lens's number, in the order of wiring; ``Application/name(of:)`` has its name.
  ///   - moment: when it happened.
  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment)
  /// A trouble of a lens, before it is reduced.
  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment)
}

/// Somebody who is told of frames or events, until ``end()``. Nobody has to keep it.
public final class Observation {
  private var remove: (() -> Void)?

  fileprivate init(_ remove: @escaping () -> Void) {
    self.remove = remove
  }

  /// Whoever observes is told of nothing from now on, of what is being told neither.
  public func end() {
    remove?()
    remove = nil
  }
}

/// Those who observe, in the order of adding. An object, because an ``Observation`` has to find it: a weak reference to a cycle would make each
/// retain of the cycle slower from then on.
@usableFromInline
final class Observers<Observer> {
  @usableFromInline
  struct Entry {
    @usableFromInline let number: Int
    @usableFromInline let observer: Observer
  }

  @usableFromInline @exclusivity(unchecked) var entries: [Entry] = []
  private var additions = 0

  init() {}

  var isEmpty: Bool { entries.isEmpty }

  func add(_ observer: Observer) -> Observation {
    additions += 1
    let number = additions
    entries.append(Entry(number: number, observer: observer))
    return Observation { [self] in entries.removeAll { $0.number == number } }
  }

  // Inlinable, so that it is compiled for the observer's type: once for all types it would look that type up at each step.
  /// The observer that was added next after `number`; nil behind the last one. Whoever is told may add and remove others.
  @inlinable
  func next(after number: Int) -> Entry? {
    for index in 0..<entries.count where entries[index].number > number { return entries[index] }
    return nil
  }
}

/// "Please stop", from any thread.
final class StopRequest: Sendable {
  private let raised = Atomic<Bool>(false)
  private let bell = Mutex<(any Doorbell)?>(nil)

  var doorbell: (any Doorbell)? {
    get { bell.withLock { $0 } }
    set { bell.withLock { $0 = newValue } }
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    raised.store(true, ordering: .releasing)
    doorbell?.ring()
  }
}
