/// The kind of an entry that waits in a lane to be reduced.
///
/// Only the cycle and its lenses use it. Applications and drivers do not.
public enum QueueEntryKind: Sendable {
  /// An event that occurred.
  case event
  /// A trouble of the driver.
  case trouble
  /// The state in which hardware was found, described by the event that leads to it. The event did not occur.
  case found

  /// - Parameter word: an entry of an ``EventScheduler``.
  @usableFromInline
  init(word: Int) {
    if word & EventScheduler.troubleMark != 0 {
      self = .trouble
    } else {
      self = word & EventScheduler.foundMark != 0 ? .found : .event
    }
  }

  /// The mark of such an entry in an ``EventScheduler``.
  var mark: Int {
    switch self {
    case .event: 0
    case .trouble: EventScheduler.troubleMark
    case .found: EventScheduler.foundMark
    }
  }
}
