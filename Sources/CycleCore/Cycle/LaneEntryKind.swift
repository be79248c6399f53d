/// The kind of an entry that waits in a lane to be reduced.
///
/// Only the cycle and its lenses use it. Applications and drivers do not.
public enum LaneEntryKind: Sendable {
  /// An event that occurred.
  case event
  /// A trouble of the driver.
  case trouble
  /// The state in which hardware was found, described by the event that leads to it. The event did not occur.
  case found

  /// - Parameter word: an entry of an ``CycleSchedule``.
  @usableFromInline
  init(word: Int) {
    if word & CycleSchedule.troubleMark != 0 {
      self = .trouble
    } else {
      self = word & CycleSchedule.foundMark != 0 ? .found : .event
    }
  }

  /// The mark of such an entry in an ``CycleSchedule``.
  var mark: Int {
    switch self {
    case .event: 0
    case .trouble: CycleSchedule.troubleMark
    case .found: CycleSchedule.foundMark
    }
  }
}

/// The order in which drivers start: first those whose readings make the first frame, then all others, which show it.
///
/// Only the cycle and its lenses use it. Applications and drivers do not.
public enum StartPhase: Sendable {
  /// Drivers with ``Driver/isInput``.
  case inputs
  /// All other drivers.
  case outputs
}
