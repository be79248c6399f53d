import CycleCore
import HardwareDrivers
import PanelEngine

/// The state from which a panel continues when it replaces another one.
struct PanelContinuation {
  /// The first frame.
  var frame: PanelFrame
  /// The moment since which each output has had its current appearance; nil for an output with a new appearance.
  var since: [Moment?]
  /// The deadlines of states that stay current, with the moments at which they are due.
  var running: [(deadline: Timer<PanelDeadline>.Deadline, due: Moment)]
  /// The known positions of the relays in each interlock.
  var interlocks: [Interlock.Beginning]
}
