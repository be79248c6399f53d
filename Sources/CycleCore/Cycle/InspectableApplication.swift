/// The interface of an application for a test store.
package protocol InspectableApplication: AnyObject {
  /// The names of the lenses, in the order of wiring; empty before the start.
  var lensNames: [String] { get }
  /// The counts of each driver's events, as in ``Cycle/accounts``.
  var accounts: [LaneEventCounts] { get }
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

extension Cycle: InspectableApplication where Lenses: ~Copyable {
  package var lensNames: [String] { cycleContext.names }
  package var waits: [(lens: Int, moment: Moment)] { schedule.pointee.waits }
  package func eventType(of lens: Int) -> Any.Type { cycleContext.lanes[lens].eventType }
  package func isHeard(_ lens: Int) -> Bool { cycleContext.lanes[lens].isHeard }
  package func put(_ event: Any, into lens: Int) -> Bool { cycleContext.lanes[lens].put(event) }
  package func model(of lens: Int) -> Any { lenses.model(of: lens) }
}
