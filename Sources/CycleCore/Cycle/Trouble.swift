/// Trouble that every driver can have. The application hears of it by the `trouble` filter of the driver's lens, in one order with
/// the driver's events.
///
/// An error is told once for as long as it stays the same. ``restored`` follows when everything that was told is good again.
public enum Trouble: Equatable, Sendable {
  /// The hardware is not there: it was absent, busy or not permitted when the application started, or it went away. It is looked
  /// for, and its model is shown as soon as it is back.
  case lost(DriverError)
  /// The driver could not do what its model says, or could not read its hardware. It is tried again after 1 s, 2 s, 4 s … 60 s.
  case failed(DriverError)
  /// What was lost is back, what failed works again, and the hardware shows the model.
  case restored
  /// So many of the driver's events, of messages from its thread or of its troubles did not fit into their queue and are gone.
  case eventsLost(Int)
}

/// The troubles of one driver that wait to be told, and what has been told last.
struct TroubleQueue {
  /// How many troubles of one driver may wait.
  static let capacity = 16

  private var waiting: [Trouble] = []
  /// The errors that are told and not restored yet.
  private var lost: DriverError?
  private var failed: DriverError?
  /// Troubles and events that found no room and have not been told of.
  var untold = 0

  /// Whether the application believes that something is wrong.
  var isOpen: Bool { lost != nil || failed != nil }

  /// Queues the trouble unless it says what has been told already. True if it was queued: then it needs an entry in the mailbox.
  mutating func add(_ trouble: Trouble) -> Bool {
    switch trouble {
    case .lost(let error):
      guard lost != error else { return false }
      lost = error
    case .failed(let error):
      // What the hardware was lost by is told already.
      guard failed != error, lost != error else { return false }
      failed = error
    case .restored:
      guard isOpen else { return false }
      lost = nil
      failed = nil
    case .eventsLost: break
    }
    guard waiting.count < Self.capacity else {
      // The newest says how the hardware is now, so it takes the place of the one before it.
      waiting[waiting.count - 1] = trouble
      untold += 1
      return false
    }
    waiting.append(trouble)
    return true
  }

  /// The oldest trouble, taken out. One waits for each entry in the mailbox.
  mutating func next() -> Trouble { waiting.removeFirst() }
}
