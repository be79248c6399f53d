import Synchronization

/// Receives the events and troubles of all drivers, each with its type, for a journal or a recorder. A tap has no
/// effect on frames.
public protocol EventTap: AnyObject {
  /// Receives an event of a lens, before it is reduced.
  ///
  /// - Parameters:
  ///   - lens: the lens's number, in the order of wiring; ``Application/name(of:)`` returns its name.
  ///   - moment: the moment of the event.
  ///   - event: the event.
  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment)
  /// Receives a trouble of a lens, before it is reduced.
  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment)
  /// Receives the state in which a lens's hardware was found, before it is reduced. `event` is the event that leads to
  /// this state, although it did not occur. Does nothing by default.
  func receive<Event: Sendable>(found event: Event, of lens: Int, at moment: Moment)
}

extension EventTap {
  public func receive<Event: Sendable>(found event: Event, of lens: Int, at moment: Moment) {}
}
