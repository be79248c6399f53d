import CycleCore
import HardwareDrivers

/// A sound of a panel file, loaded and ready to play.
struct PanelSound: Sendable {
  let name: String
  let source: AudioPlayer.Sound.Source
  let volume: Double
  let isLooping: Bool

  /// Loads the sound: a file is read whole.
  init(_ sound: PanelDefinition.Sound) throws(DriverError) {
    name = sound.name
    volume = sound.volume
    isLooping = sound.loop
    switch sound.source {
    case .file(let path): source = .clip(try Clip(contentsOfWAV: path))
    case .tone(let hertz): source = .tone(hertz)
    }
  }

  /// Nil for a tone.
  var clip: Clip? { if case .clip(let clip) = source { clip } else { nil } }

  func sound(restart: Int) -> AudioPlayer.Sound {
    AudioPlayer.Sound(source, key: name, gain: volume, isLooping: isLooping, restart: restart)
  }
}
