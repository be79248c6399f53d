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
  func put(_ entry: QueueEntryKind, from recording: inout JSONReader) throws(RecordingTextFault)
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
