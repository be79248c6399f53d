/// Trouble that every driver can have. The application hears of it by the `trouble` filter of the driver's lens, in one order with
/// the driver's events.
///
/// An error is told once for as long as it stays the same. ``restored`` follows when everything that was told is good again.
public enum Trouble: Equatable, Sendable, Codable {
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

  /// What has found the trouble, and finds that it is over: what the one restores says nothing of what another has found.
  enum Source {
    /// The cycle, which stopped the driver because its hardware is not there.
    case hardware
    /// A render that threw.
    case rendering
    /// A wake that threw.
    case waking
    /// The driver, which recovers by itself.
    case driver
  }

  /// The errors of one source that are not restored yet.
  private struct Errors {
    var lost: DriverError?
    var failed: DriverError?
  }

  private var waiting: [Trouble] = []
  private var open: [Source: Errors] = [:]
  /// Troubles and events that found no room and have not been told of.
  var untold = 0

  /// Queues the trouble unless it says what has been told already. True if it was queued: then it needs an entry in the mailbox.
  ///
  /// - Parameter source: nil for what is never restored.
  mutating func add(_ trouble: Trouble, from source: Source?) -> Bool {
    switch trouble {
    case .lost(let error):
      let isTold = open.values.contains { $0.lost == error }
      if let source { open[source, default: Errors()].lost = error }
      if isTold { return false }
    case .failed(let error):
      // What the hardware was lost by is told already.
      let isTold = open.values.contains { $0.failed == error || $0.lost == error }
      if let source { open[source, default: Errors()].failed = error }
      if isTold { return false }
    case .restored:
      guard let source, open.removeValue(forKey: source) != nil, open.isEmpty else { return false }
    case .eventsLost(let count):
      // It says nothing of the hardware, and can wait until there is room.
      guard waiting.count < Self.capacity else {
        untold += count
        return false
      }
    }
    guard waiting.count < Self.capacity else {
      replaceLast(by: trouble)
      return false
    }
    waiting.append(trouble)
    return true
  }

  /// The newest says how the hardware is now, so it takes the place of the one before it.
  private mutating func replaceLast(by trouble: Trouble) {
    if case .eventsLost(let count) = waiting[waiting.count - 1] { untold += count } else { untold += 1 }
    waiting[waiting.count - 1] = trouble
  }

  /// The driver is stopped: started again, it fails and tells anew.
  mutating func forgetAllButHardware() {
    for source in open.keys where source != .hardware { open[source] = nil }
  }

  /// The oldest trouble, taken out. One waits for each entry in the mailbox.
  mutating func next() -> Trouble { waiting.removeFirst() }
}
