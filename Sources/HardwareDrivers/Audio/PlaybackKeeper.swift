/// Keeps the sounds of a player, with the device and its thread, while another application takes the place of the one that plays
/// them: nothing is to be heard of that but what the two show differently.
///
///     keeper.beginHandover()
///     old.stop()                  // its player leaves the sounds here
///     keeper.endHandover()
///     try new.start(on: loop)     // its player goes on with them
///     keeper.stopUnused()
package final class PlaybackKeeper {
  /// Whether a player that is stopped leaves its sounds here.
  private(set) var isHandingOver = false
  private var kept: Playback?

  package init() {}

  /// From now on the player shows nothing any more, and leaves its sounds here when it is stopped.
  package func beginHandover() { isHandingOver = true }

  /// The application before has stopped.
  package func endHandover() { isHandingOver = false }

  /// Ends the sounds that no player has gone on with.
  package func stopUnused() { take()?.stop() }

  func keep(_ playback: Playback) { kept = playback }

  func take() -> Playback? {
    defer { kept = nil }
    return kept
  }
}
