import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import PanelLanguage

/// A sound of a panel file, loaded and ready to play.
package struct LoadedSound: Sendable {
  let name: String
  let source: AudioPlayer.Sound.Source
  let volume: Double
  package let isLooping: Bool

  /// Loads the sounds. A file that several sounds play is read once.
  ///
  /// - Parameters:
  ///   - sounds: the sounds of a panel file.
  ///   - others: the sounds of the panel that this one replaces. Sounds with the same name and the same samples share
  ///     them, so a playing sound continues.
  package static func load(
    _ sounds: [PanelDefinition.Sound], like others: [LoadedSound] = []
  ) throws(DriverError) -> [LoadedSound] {
    var clips: [String: Clip] = [:]
    var loaded: [LoadedSound] = []
    for sound in sounds {
      let sound = try LoadedSound(sound, &clips)
      let other = others.first { $0.name == sound.name }
      loaded.append(other.map { sound.sharing($0) } ?? sound)
    }
    return loaded
  }

  /// The names of the sounds that are the same in both lists.
  static func sameSounds(_ one: [LoadedSound], _ other: [LoadedSound]) -> Set<String> {
    Set(other.filter { sound in one.contains { $0.name == sound.name && $0.source == sound.source } }.map(\.name))
  }

  /// The sound with the samples of another one if both have the same samples.
  private func sharing(_ other: LoadedSound) -> LoadedSound {
    guard let clip, let known = other.clip, known.hasSameSamples(as: clip) else { return self }
    return LoadedSound(name: name, source: .clip(known), volume: volume, isLooping: isLooping)
  }

  /// The sounds with their samples converted to a device's sample rate in hertz. Convert them once if they are played
  /// often.
  ///
  /// - Throws: kind `unsupported` if a sound becomes too large.
  package static func converted(_ sounds: [LoadedSound], toHertz rate: Int) throws(DriverError) -> [LoadedSound] {
    var clips: [ObjectIdentifier: Clip] = [:]
    var converted: [LoadedSound] = []
    for sound in sounds {
      guard let clip = sound.clip else {
        converted.append(sound)
        continue
      }
      let known = clips[ObjectIdentifier(clip)]
      let result = if let known { known } else { try clip.resampled(to: rate) ?? clip }
      clips[ObjectIdentifier(clip)] = result
      converted.append(
        LoadedSound(name: sound.name, source: .clip(result), volume: sound.volume, isLooping: sound.isLooping))
    }
    return converted
  }

  /// The sounds without their files, for a replay, which plays nothing.
  static func silent(_ sounds: [PanelDefinition.Sound]) -> [LoadedSound] {
    sounds.map { LoadedSound(name: $0.name, source: .tone(hertz: 0), volume: 0, isLooping: false) }
  }

  private init(name: String, source: AudioPlayer.Sound.Source, volume: Double, isLooping: Bool) {
    self.name = name
    self.source = source
    self.volume = volume
    self.isLooping = isLooping
  }

  /// - Parameter clips: the clips that were already read, by path.
  private init(_ sound: PanelDefinition.Sound, _ clips: inout [String: Clip]) throws(DriverError) {
    name = sound.name
    volume = sound.volume
    isLooping = sound.loop
    switch sound.source {
    case .file(let path):
      if let clip = clips[path] {
        source = .clip(clip)
      } else {
        let clip = try Clip(contentsOf: path)
        clips[path] = clip
        source = .clip(clip)
      }
    case .tone(let hertz):
      source = sound.length.map { .clip(.tone(hertz: hertz, length: $0)) } ?? .tone(hertz: hertz)
    }
  }

  /// The clip; nil for a tone.
  package var clip: Clip? { if case .clip(let clip) = source { clip } else { nil } }

  func sound(restart: Int) -> AudioPlayer.Sound {
    AudioPlayer.Sound(source, key: name, gain: volume, isLooping: isLooping, restart: restart)
  }
}

extension Clip {
  /// A tone that ends by itself. It fades out in its last 5 ms, so that its end does not click.
  fileprivate static func tone(hertz: Double, length: Duration) -> Clip {
    let rate = 48_000
    let count = max(1, Int(length.wholeNanoseconds * Int64(rate) / 1_000_000_000))
    let fade = min(count, rate / 200)
    let samples = (0..<count).map { place in
      let gain = min(1, Double(count - place) / Double(fade))
      return Int16((sin(2 * Double.pi * hertz * Double(place) / Double(rate)) * gain * Double(Int16.max)).rounded())
    }
    return Clip(samples: samples, channelCount: 1, sampleRateHertz: rate)
  }
}
