/// A lane without the type of its events, for an event that a test or a person puts in.
protocol AnyLane: AnyObject {
  /// The number of readings of the driver's hardware that the first frame waits for.
  var awaitedReadings: Int { get set }
  /// The number of further events that fit.
  var room: Int { get }
  var eventType: Any.Type { get }
  /// Whether the lens has a filter for the events.
  var isHeard: Bool { get }
  /// Queues an event at the clock's moment. Returns false if it has a different type or does not fit.
  func put(_ event: Any) -> Bool
  /// Reads an event or a trouble from a recording, and stores it. The caller adds its entry to the schedule.
  func put(_ entry: LaneEntryKind, from recording: inout JSONReader) throws(RecordingFault)
}

extension Lane: AnyLane {
  var eventType: Any.Type { Event.self }

  func put(_ event: Any) -> Bool {
    guard let event = event as? Event, room > 0, !isClosed else { return false }
    // As for a driver that is woken: the event is ordered by its moment among those of the next turn.
    let moment = cycleContext.readClock()
    schedule.pointee.beginGathering(at: moment)
    emit(event, at: moment)
    schedule.pointee.endGathering()
    return true
  }
}

/// The interface of an application for a test store.
package protocol TestedApplication: AnyObject {
  /// The names of the lenses, in the order of wiring; empty before the start.
  var lensNames: [String] { get }
  /// The counts of each driver's events, as in ``Cycle/accounts``.
  var accounts: [LaneAccount] { get }
  /// The lenses that wait for a moment, each with its moment: their drivers' alarms, and retries.
  var waits: [(lens: Int, moment: Moment)] { get }

  /// Returns the type of a lens's events.
  func eventType(of lens: Int) -> Any.Type
  /// Whether a lens has a filter for events.
  func isHeard(_ lens: Int) -> Bool
  /// Puts an event into the lane of a lens, as if its driver emitted it now; the next step reduces it. Returns false if
  /// it has a different type, or if the lane is full or closed.
  func put(_ event: Any, into lens: Int) -> Bool
  /// Returns the model that was rendered last.
  func model(of lens: Int) -> Any
}

extension Cycle: TestedApplication where Lenses: ~Copyable {
  package var lensNames: [String] { cycleContext.names }
  package var waits: [(lens: Int, moment: Moment)] { schedule.pointee.waits }
  package func eventType(of lens: Int) -> Any.Type { cycleContext.lanes[lens].eventType }
  package func isHeard(_ lens: Int) -> Bool { cycleContext.lanes[lens].isHeard }
  package func put(_ event: Any, into lens: Int) -> Bool { cycleContext.lanes[lens].put(event) }
  package func model(of lens: Int) -> Any { lenses.model(of: lens) }
}
