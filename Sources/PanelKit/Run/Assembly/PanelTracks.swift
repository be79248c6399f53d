import HardwareDrivers
import PanelEngine
import PanelLanguage

extension PanelRendering {
  /// The tracks of the panel at a moment.
  func tracks(in frame: PanelFrame) -> [AudioPlayer.Track] {
    panel.tracks.map { track in
      AudioPlayer.Track(
        track.name, gain: gain(of: track.volume, in: frame),
        ducks: track.ducks.map {
          .init($0.track, gain: $0.gain, attack: track.attack, hold: track.hold, release: track.release)
        })
    }
  }
}
