import CycleCore
import HardwareDrivers
import Terminal

/// Reads the sounds and audio settings of a panel file.
struct SoundReader {
  let problems: ProblemList
  /// The prefix of relative paths; empty for the working directory.
  let folder: String
  /// Returns why a file can't be played, or what a user may not expect of it.
  let checkSound: (_ file: SoundFileUse) -> SoundFileFinding?
  /// The names of the tracks that the file declares.
  let trackNames: [String]

  /// The sounds of an entry of `sounds`: one, or the members of a group; nil for each that could not be read.
  func sounds(_ entry: YAMLNode.Entry, _ names: Names) -> (members: [PanelDefinition.Sound?], isGroup: Bool) {
    let read = self.read(entry, names)
    let (kind, count) = entry.kindMeant(among: Grammar.sounds.map { $0.keys[0].name })
    let isGroup = kind == "files" || kind == "tones"
    return (read ?? Array(repeating: nil, count: isGroup ? count : 1), isGroup)
  }

  private func read(_ entry: YAMLNode.Entry, _ names: Names) -> [PanelDefinition.Sound]? {
    guard let (kind, fields) = problems.kind(of: entry, "sound", among: Grammar.sounds) else { return nil }
    let volume = settings.loudness(fields["volume"], names) ?? .full
    let pan = settings.pan(fields["pan"], names) ?? .fixed(0)
    let (fadeIn, fadeOut) = (settings.fade(fields["fade-in"]), settings.fade(fields["fade-out"]))
    let track = track(fields["track"])
    let loop = problems.flag(fields["loop"]) ?? false
    let isStreamed = problems.flag(fields["stream"])
    let length = problems.duration(fields["for"], in: .milliseconds(1)...Self.longestTone)
    guard let field = fields[kind] else { return nil }
    func sound(_ name: String, _ text: String, at position: Position) -> PanelDefinition.Sound? {
      source(text, of: kind, isStreamed: isStreamed, isLooping: loop, at: position).map {
        .init(
          name: name, source: $0, volume: volume, pan: pan, track: track, fadeIn: fadeIn, fadeOut: fadeOut, loop: loop,
          isStreamed: isStreamed, length: length)
      }
    }
    if kind == "file" || kind == "tone" {
      guard let text = problems.text(field) else { return nil }
      return sound(entry.key, text, at: field.node.position).map { [$0] }
    }
    guard let items = problems.items(field) else { return nil }
    guard (2...32).contains(items.count) else {
      problems.add(field.node.position, "\(quoted(kind)) is a list of \(items.count); it takes \(field.key.takes)")
      return nil
    }
    let members = items.enumerated().compactMap { place, item in
      problems.text(item, in: field).flatMap {
        sound(Names.member(place + 1, of: entry.key), $0, at: item.position)
      }
    }
    return members.count == items.count ? members : nil
  }

  private static let longestTone = Duration.seconds(60)

  private func source(
    _ text: String, of kind: String, isStreamed: Bool?, isLooping: Bool, at position: Position
  ) -> PanelDefinition.SoundSource? {
    guard kind == "file" || kind == "files" else { return frequency(text, at: position).map { .tone(hertz: $0) } }
    let path = text.hasPrefix("/") || folder.isEmpty ? text : folder + "/" + text
    switch checkSound(SoundFileUse(path, isStreamed: isStreamed)) {
    case .note(let note): problems.note(position, "sound file \(quoted(text)): \(note)")
    case .fault(let fault): problems.add(position, "sound file \(quoted(text)): \(fault)")
    case .noteOnEnd(let note) where !isLooping: problems.note(position, "sound file \(quoted(text)): \(note)")
    case .noteOnEnd, nil: break
    }
    return .file(path)
  }

  private func frequency(_ text: String, at position: Position) -> Double? {
    do throws(Quantity.Fault) {
      let hertz = try Quantity.frequency(text)
      if (20...20_000).contains(hertz) { return hertz }
      problems.add(position, "\"tone\" is \(text); it takes 20Hz...20kHz")
    } catch {
      problems.add(position, error.text)
    }
    return nil
  }

  func audio(_ field: Field?, _ names: Names) -> PanelDefinition.Audio {
    var audio = PanelDefinition.Audio()
    guard let field, let fields = problems.fields(field.node, Grammar.audio, at: field.position) else { return audio }
    if let device = fields["device"], let name = problems.text(device) {
      if let fault = PCMAllowlist.fault(of: name) { problems.add(device.node.position, fault) }
      audio.device = name
    }
    audio.volume = settings.loudness(fields["volume"], names) ?? .full
    return audio
  }

  private var settings: SoundSettingsReader { SoundSettingsReader(problems: problems) }

  // MARK: - Tracks

  private func track(_ field: Field?) -> String? {
    guard let field, let text = problems.text(field) else { return nil }
    guard !trackNames.contains(text) else { return text }
    problems.add(field.node.position, Self.unknownTrack(text, trackNames))
    return nil
  }

  private static func unknownTrack(_ name: String, _ known: [String]) -> String {
    known.isEmpty
      ? "there is no track \(quoted(name)); declare it: tracks: { \(name): }"
      : "unknown track \(quoted(name)); write \(alternatives(known))"
  }

  /// The tracks of a panel.
  func tracks(_ field: Field?, _ names: Names) -> [PanelDefinition.Track] {
    var tracks: [PanelDefinition.Track] = []
    var ducks: [(duck: Position, from: String, to: String)] = []
    let entries = problems.entries(field)
    if let field, entries.count > Self.mostTracks {
      problems.add(field.position, "\"tracks\" has \(entries.count) tracks; the limit is \(Self.mostTracks)")
      return []
    }
    for entry in entries {
      guard Names.isGood(entry.key, at: entry.position, problems) else { continue }
      var track = PanelDefinition.Track(name: entry.key)
      if case .nothing = entry.value.content {
        tracks.append(track)
        continue
      }
      guard let fields = problems.fields(entry.value, Grammar.track, at: entry.position) else { continue }
      track.volume = settings.loudness(fields["volume"], names) ?? .full
      track.fade = settings.fade(fields["fade"])
      let limit = Duration.zero ... .seconds(10)
      track.attack = problems.duration(fields["attack"], in: limit) ?? track.attack
      track.hold = problems.duration(fields["hold"], in: limit) ?? track.hold
      track.release = problems.duration(fields["release"], in: limit) ?? track.release
      for duck in problems.entries(fields["ducks"]) {
        guard trackNames.contains(duck.key) else {
          problems.add(duck.position, Self.unknownTrack(duck.key, trackNames))
          continue
        }
        guard case .scalar(let text) = duck.value.content, let level = Quantity.decibels(text),
          Self.duckLevels.contains(level)
        else {
          problems.add(duck.value.position, "\(quoted(duck.key)) is to be lowered by -60dB...-1dB, as -12dB")
          continue
        }
        ducks.append((fields["ducks"]?.position ?? duck.position, entry.key, duck.key))
        track.ducks.append(.init(track: duck.key, gain: Loudness.gain(ofDecibels: level)))
      }
      tracks.append(track)
    }
    checkCircle(ducks)
    return tracks
  }

  private static let mostTracks = 16
  private static let duckLevels = -60.0 ... -1.0

  /// Tracks that lower each other would both be low.
  private func checkCircle(_ ducks: [(duck: Position, from: String, to: String)]) {
    for (position, from, to) in ducks {
      var (reached, next) = ([to], [to])
      while let track = next.popLast() {
        for duck in ducks where duck.from == track && !reached.contains(duck.to) {
          reached.append(duck.to)
          next.append(duck.to)
        }
      }
      guard reached.contains(from) else { continue }
      problems.add(
        position,
        from == to
          ? "\"ducks\": \(quoted(from)) ducks itself; name another track"
          : "\"ducks\": \(quoted(from)) ducks \(quoted(to)), which ducks \(quoted(from)); one of them has to give way")
      return
    }
  }
}
