/// A trouble that any driver can have. The `trouble` filter of the driver's lens receives it, in order with the
/// driver's events.
///
/// The same error is reported once. ``restored`` follows when all reported errors are over.
public enum Trouble: Equatable, Sendable, Codable {
  /// The hardware is missing: it was absent, busy or not permitted when the application started, or it was removed
  /// later. The driver's start is retried, and the model is rendered as soon as the hardware is back.
  case lost(DriverError)
  /// The driver could not render its model, or could not read its hardware. The call is retried after 1 s, 2 s, 4 s …
  /// 60 s.
  case failed(DriverError)
  /// Lost hardware is back, failed calls work again, and the hardware is in the state of the model.
  case restored
  /// This number of the driver's events, messages from its thread or troubles did not fit into their queue and were
  /// dropped.
  case eventsLost(Int)
}

/// The queued troubles of one driver, and its reported errors that are not restored yet.
struct TroubleQueue {
  /// The number of troubles of one driver that can wait.
  static let capacity = 16

  /// The detector of a trouble and of its end. Each source restores only its own errors.
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
  /// The number of troubles and events that were dropped and not yet reported as `eventsLost`.
  var untold = 0

  /// Queues the trouble unless it repeats a reported error. Returns true if it was queued: the caller then adds an
  /// entry to the schedule.
  ///
  /// - Parameter source: the detector of the trouble; nil for a trouble that no `restored` follows.
  mutating func add(_ trouble: Trouble, from source: Source?) -> Bool {
    switch trouble {
    case .lost(let error):
      let isTold = open.values.contains { $0.lost == error }
      if let source { open[source, default: Errors()].lost = error }
      if isTold { return false }
    case .failed(let error):
      // An error that was reported as a loss is not reported as a failure as well.
      let isTold = open.values.contains { $0.failed == error || $0.lost == error }
      if let source { open[source, default: Errors()].failed = error }
      if isTold { return false }
    case .restored:
      guard let source, open.removeValue(forKey: source) != nil, open.isEmpty else { return false }
    case .eventsLost(let count):
      // A loss of events is not a state of the hardware. It can be reported later, when there is room.
      guard waiting.count < Self.capacity else {
        untold += count
        return false
      }
    }
    let isFull = waiting.count >= Self.capacity
    if isFull { dropOne() }
    waiting.append(trouble)
    return !isFull
  }

  /// Drops the newest queued trouble, to make room for a newer one that describes the current state of the hardware.
  /// Drops a loss only if all queued troubles are losses: the application must learn that the hardware was missing.
  private mutating func dropOne() {
    let place = waiting.lastIndex { if case .lost = $0 { false } else { true } } ?? waiting.count - 1
    if case .eventsLost(let count) = waiting.remove(at: place) { untold += count } else { untold += 1 }
  }

  /// Clears the errors of a driver that is stopped, except that its hardware is missing. The others are reported again
  /// after a restart.
  mutating func forgetAllButHardware() {
    for source in open.keys where source != .hardware { open[source] = nil }
  }

  /// Queues a trouble of a recording, even if it was reported before.
  mutating func put(_ trouble: Trouble) { waiting.append(trouble) }

  /// Removes and returns the oldest trouble. The queue has one for each entry in the schedule.
  mutating func next() -> Trouble { waiting.removeFirst() }
}
