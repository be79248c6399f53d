import CycleCore
import HardwareDrivers

/// What a panel goes on with that takes the place of another one.
struct PanelContinuation {
  /// The first frame.
  var frame: PanelFrame
  /// For each output since when it has shown what it shows; nil for one that begins to.
  var since: [Moment?]
  /// The deadlines of states that were current before, with the moments at which they are due.
  var running: [(deadline: Timer<PanelDeadline>.Deadline, due: Moment)]
  /// What is known of the relays of each interlock.
  var interlocks: [Interlock.Beginning]
}
