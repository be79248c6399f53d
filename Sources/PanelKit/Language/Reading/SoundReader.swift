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

  /// The sounds of an entry of `sounds`: one, or the members of a group; nil for each that could not be read.
  func sounds(_ entry: YAMLNode.Entry) -> (members: [PanelDefinition.Sound?], isGroup: Bool) {
    let read = self.read(entry)
    let (kind, count) = entry.kindMeant(among: Grammar.sounds.map { $0.keys[0].name })
    let isGroup = kind == "files" || kind == "tones"
    return (read ?? Array(repeating: nil, count: isGroup ? count : 1), isGroup)
  }

  private func read(_ entry: YAMLNode.Entry) -> [PanelDefinition.Sound]? {
    guard let (kind, fields) = problems.kind(of: entry, "sound", among: Grammar.sounds) else { return nil }
    let volume = problems.number(fields["volume"], in: 0...1) ?? 1
    let loop = problems.flag(fields["loop"]) ?? false
    let isStreamed = problems.flag(fields["stream"])
    let length = problems.duration(fields["for"], in: .milliseconds(1)...Self.longestTone)
    guard let field = fields[kind] else { return nil }
    func sound(_ name: String, _ text: String, at position: Position) -> PanelDefinition.Sound? {
      source(text, of: kind, isStreamed: isStreamed, isLooping: loop, at: position).map {
        .init(name: name, source: $0, volume: volume, loop: loop, isStreamed: isStreamed, length: length)
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
    if let volume = fields["volume"], let text = problems.text(volume) {
      if let number = Quantity.number(text) {
        if (0...1).contains(number) { audio.volume = .fixed(number) } else { problems.addWrong(volume) }
      } else if let value = names.value(text, at: volume.node.position, problems) {
        audio.volume = .value(value)
      }
    }
    return audio
  }
}
