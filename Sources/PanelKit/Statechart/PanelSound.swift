import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A sound of a panel file, loaded and ready to play.
struct PanelSound: Sendable {
  let name: String
  let source: AudioPlayer.Sound.Source
  let volume: Double
  let isLooping: Bool

  /// Loads the sounds. A file that several sounds play is read once.
  static func load(_ sounds: [PanelDefinition.Sound]) throws(DriverError) -> [PanelSound] {
    var clips: [String: Clip] = [:]
    var loaded: [PanelSound] = []
    for sound in sounds { loaded.append(try PanelSound(sound, &clips)) }
    return loaded
  }

  /// - Parameter clips: those that have been read, by path.
  private init(_ sound: PanelDefinition.Sound, _ clips: inout [String: Clip]) throws(DriverError) {
    name = sound.name
    volume = sound.volume
    isLooping = sound.loop
    switch sound.source {
    case .file(let path):
      if let clip = clips[path] {
        source = .clip(clip)
      } else {
        let clip = try Clip(contentsOfWAV: path)
        clips[path] = clip
        source = .clip(clip)
      }
    case .tone(let hertz): source = .tone(hertz: hertz)
    }
  }

  /// Nil for a tone.
  var clip: Clip? { if case .clip(let clip) = source { clip } else { nil } }

  func sound(restart: Int) -> AudioPlayer.Sound {
    AudioPlayer.Sound(source, key: name, gain: volume, isLooping: isLooping, restart: restart)
  }
}
