import CycleCore

/// Sets a player's alarm to the earlier of the alarms of its two workers.
final class PlaybackAlarms {
  private var context: DriverContext<AudioPlayer.Event>
  private var playback: Moment?
  private var conversion: Moment?

  init(_ context: DriverContext<AudioPlayer.Event>) { self.context = context }

  func move(to context: DriverContext<AudioPlayer.Event>) {
    self.context = context
    set()
  }

  func setPlayback(_ moment: Moment?) {
    playback = moment
    set()
  }

  func setConversion(_ moment: Moment?) {
    conversion = moment
    set()
  }

  private func set() { context.setAlarm([playback, conversion].compactMap(\.self).min()) }
}
