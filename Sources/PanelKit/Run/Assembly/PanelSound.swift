import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// A sound of a panel file, ready to play.
package struct PanelSound: Sendable {
  let name: String
  let source: AudioPlayer.Sound.Source
  /// The settings of the panel file.
  private let settings: PanelDefinition.Sound
  package var isLooping: Bool { settings.loop }

  /// The sounds of a panel. Files are not read here: the player does that.
  ///
  /// - Parameters:
  ///   - sounds: the sounds of a panel file.
  ///   - others: the sounds of the panel that this one replaces. Sounds with the same name and the same samples share
  ///     them, so a playing sound continues.
  package static func all(_ sounds: [PanelDefinition.Sound], like others: [PanelSound] = []) -> [PanelSound] {
    sounds.map { sound in
      let sound = PanelSound(sound)
      return others.first { $0.name == sound.name }.map { sound.sharing($0) } ?? sound
    }
  }

  /// The names of the sounds that are the same in both lists.
  static func sameSounds(_ one: [PanelSound], _ other: [PanelSound]) -> Set<String> {
    Set(other.filter { sound in one.contains { $0.name == sound.name && $0.source == sound.source } }.map(\.name))
  }

  /// The sound with the samples of another one if both have the same samples.
  private func sharing(_ other: PanelSound) -> PanelSound {
    guard let clip, let known = other.clip, known.hasSameSamples(as: clip) else { return self }
    return with(.clip(known))
  }

  /// The sounds with their samples in memory, at a device's sample rate in hertz. Read them once if they are played
  /// often.
  ///
  /// - Throws: the error of a file that can't be read, or kind `unsupported` if a sound becomes too large.
  package static func loaded(_ sounds: [PanelSound], atHertz rate: Int) throws(DriverError) -> [PanelSound] {
    var known: [(source: AudioPlayer.Sound.Source, clip: Clip)] = []
    var loaded: [PanelSound] = []
    for sound in sounds {
      let same = known.first { $0.source == sound.source }?.clip
      let clip = if let same { same } else { try sound.readClip(atHertz: rate) }
      guard let clip else {
        loaded.append(sound)
        continue
      }
      known.append((sound.source, clip))
      loaded.append(
        sound.with(.clip(clip)))
    }
    return loaded
  }

  private func readClip(atHertz rate: Int) throws(DriverError) -> Clip? {
    switch source {
    case .clip(let clip): try clip.resampled(to: rate)
    case .file(let file): try Clip(contentsOf: file.path).resampled(to: rate)
    case .tone: nil
    }
  }

  /// The sounds without their files, for a replay, which plays nothing.
  static func silent(_ sounds: [PanelDefinition.Sound]) -> [PanelSound] {
    sounds.map { PanelSound(name: $0.name, source: .tone(hertz: 0), settings: $0) }
  }

  private init(name: String, source: AudioPlayer.Sound.Source, settings: PanelDefinition.Sound) {
    (self.name, self.source, self.settings) = (name, source, settings)
  }

  private func with(_ source: AudioPlayer.Sound.Source) -> PanelSound {
    PanelSound(name: name, source: source, settings: settings)
  }

  private init(_ sound: PanelDefinition.Sound) {
    name = sound.name
    settings = sound
    switch sound.source {
    case .file(let path): source = .file(SoundFile(path, isStreamed: sound.isStreamed))
    case .tone(let hertz):
      source = sound.length.map { .clip(.tone(hertz: hertz, length: $0)) } ?? .tone(hertz: hertz)
    }
  }

  /// The clip; nil for a file and a tone.
  package var clip: Clip? { if case .clip(let clip) = source { clip } else { nil } }

  /// How long the sound is, as its file declares; nil for a tone without an end, and for a file that can't be read.
  package var length: Duration? {
    switch source {
    case .clip(let clip): clip.duration
    case .file(let file): try? file.duration()
    case .tone: nil
    }
  }

  /// The sound at a moment.
  ///
  /// - Parameters:
  ///   - number: its place in the panel.
  ///   - show: makes its loudness and its side from the values and the states of the frame.
  func sound(_ number: Int, _ show: PanelRendering, in frame: PanelFrame) -> AudioPlayer.Sound {
    let here = show.playSettings(of: number, in: frame)
    let fade = settings.track.flatMap { name in show.panel.tracks.first { $0.name == name }?.fade }
    return AudioPlayer.Sound(
      source, key: name, gain: show.gain(of: here?.volume ?? settings.volume, in: frame),
      pan: show.number(of: here?.pan ?? settings.pan, in: frame),
      track: settings.track, isLooping: isLooping,
      restart: frame[start: number], fadeIn: here?.fadeIn ?? settings.fadeIn ?? fade ?? .zero,
      fadeOut: here?.fadeOut ?? settings.fadeOut ?? fade ?? .milliseconds(5))
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
