/// A lane, whatever its events are: the way in for an event that a test or a person puts in.
protocol Inlet: AnyObject {
  /// How many readings of the driver's hardware the first frame waits for.
  var awaitedReadings: Int { get set }
  /// How many more events fit.
  var room: Int { get }
  var eventType: Any.Type { get }
  /// Whether the lens has a filter for the events.
  var isHeard: Bool { get }
  /// Queues an event at the clock's moment. False if it has a different type, or if there is no room for it.
  func put(_ event: Any) -> Bool
  /// Reads an event or a trouble from a film, and keeps it; its place in the schedule is the caller's.
  func put(_ entry: QueuedEntry, from film: inout FilmReader) throws(FilmFault)
}

extension Lane: Inlet {
  var eventType: Any.Type { Event.self }

  func put(_ event: Any) -> Bool {
    guard let event = event as? Event, room > 0, !isClosed else { return false }
    // As a driver that is woken: the event is ordered by its moment among those of the next turn.
    let moment = cycleContext.readClock()
    schedule.pointee.beginGathering(at: moment)
    emit(event, at: moment)
    schedule.pointee.endGathering()
    return true
  }
}

/// An application as a test store sees it.
package protocol TestedApplication: AnyObject {
  /// The names of the lenses, in the order of wiring; empty before the start.
  var lensNames: [String] { get }
  /// As ``Cycle/accounts``.
  var accounts: [LaneAccount] { get }
  /// The lenses that wait for a moment, each with it: their drivers' alarms, and what is tried again.
  var waits: [(lens: Int, moment: Moment)] { get }

  /// The type of a lens's events.
  func eventType(of lens: Int) -> Any.Type
  /// Whether a lens has a filter for events.
  func isHeard(_ lens: Int) -> Bool
  /// Puts an event into the lane of a lens, as if its driver emitted it now; the next step reduces it. False if it has
  /// a different type, or if the lane is full or closed.
  func put(_ event: Any, into lens: Int) -> Bool
  /// The model that was rendered last.
  func model(of lens: Int) -> Any
}

extension Cycle: TestedApplication where Lenses: ~Copyable {
  package var lensNames: [String] { cycleContext.names }
  package var waits: [(lens: Int, moment: Moment)] { schedule.pointee.waits }
  package func eventType(of lens: Int) -> Any.Type { cycleContext.inlets[lens].eventType }
  package func isHeard(_ lens: Int) -> Bool { cycleContext.inlets[lens].isHeard }
  package func put(_ event: Any, into lens: Int) -> Bool { cycleContext.inlets[lens].put(event) }
  package func model(of lens: Int) -> Any { lenses.model(of: lens) }
}
