/// Keeps the sounds of a player, with the device and its thread, while another application replaces the one that plays
/// them. The sound changes only where the models of the two applications differ.
///
///     handover.begin()
///     old.stop()                  // its player leaves the sounds here
///     handover.end()
///     try new.start(on: loop)     // its player continues the sounds
///     handover.stopUnused()
package final class PlaybackReloadHandover {
  /// Whether a player that is stopped leaves its sounds here.
  private(set) var isHandingOver = false
  private var kept: PlaybackController?

  package init() {}

  /// Starts the handover: the player ignores models from now on, and leaves its sounds here when it is stopped.
  package func begin() { isHandingOver = true }

  /// Ends the handover: the previous application has stopped.
  package func end() { isHandingOver = false }

  /// Ends the sounds that no player has taken over.
  package func stopUnused() { take()?.stop() }

  func keep(_ playback: PlaybackController) { kept = playback }

  func take() -> PlaybackController? {
    defer { kept = nil }
    return kept
  }
}
