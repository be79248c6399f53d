/// The order in which drivers start: first those whose readings make the first frame, then all others, which show it.
///
/// Only the cycle and its lenses use it. Applications and drivers do not.
public enum StartPhase: Sendable {
  /// Drivers with ``Driver/isInput``.
  case inputs
  /// All other drivers.
  case outputs
}
