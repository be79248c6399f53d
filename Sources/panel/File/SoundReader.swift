import Glibc

/// Reads the sounds, values and audio settings of a panel file.
struct SoundReader {
  let problems: ProblemList
  /// Put before relative paths; empty for the working directory.
  let folder: String
  /// Why the file at this path is no sound; nil where it is one.
  let checkSound: (_ path: String) -> String?

  func sound(_ entry: YAMLNode.Entry) -> PanelDefinition.Sound? {
    guard let (kind, fields) = problems.kind(of: entry, "sound", among: Grammar.sounds) else { return nil }
    let volume = problems.number(fields["volume"], in: 0...1) ?? 1
    let loop = problems.flag(fields["loop"]) ?? false
    guard let field = fields[kind], let text = problems.text(field) else { return nil }
    let source: PanelDefinition.SoundSource
    if kind == "file" {
      let path = text.hasPrefix("/") || folder.isEmpty ? text : folder + "/" + text
      if let fault = checkSound(path) { problems.add(field.node.position, "sound file \(quoted(text)): \(fault)") }
      source = .file(path)
    } else {
      guard let hertz = frequency(text, at: field.node.position) else { return nil }
      source = .tone(hertz)
    }
    return .init(name: entry.key, source: source, volume: volume, loop: loop)
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

  func value(_ entry: YAMLNode.Entry) -> PanelDefinition.Value? {
    guard let fields = problems.fields(entry.value, Grammar.value, at: entry.position) else { return nil }
    let all = -999_999_999...999_999_999
    let initial = problems.whole(fields["initial"], in: all)
    guard let min = problems.whole(fields["min"], in: all), let max = problems.whole(fields["max"], in: all) else {
      return nil
    }
    guard min <= max else {
      let position = fields["min"]?.node.position ?? entry.position
      problems.add(position, "min \(min) of \(quoted(entry.key)) is above max \(max); exchange them")
      return nil
    }
    guard let initial else { return nil }
    if !(min...max).contains(initial) {
      let position = fields["initial"]?.node.position ?? entry.position
      problems.add(position, "initial \(initial) of \(quoted(entry.key)) is out of its range; write \(min)...\(max)")
    }
    return .init(name: entry.key, initial: initial, min: min, max: max)
  }

  func audio(_ field: Field?, _ names: Names) -> PanelDefinition.Audio {
    var audio = PanelDefinition.Audio()
    guard let field, let fields = problems.fields(field.node, Grammar.audio, at: field.position) else { return audio }
    if let device = problems.text(fields["device"]) { audio.device = device }
    if let volume = fields["volume"], let text = problems.text(volume) {
      if let number = Quantity.number(text) {
        if (0...1).contains(number) { audio.volume = .fixed(number) } else { problems.tellWrong(volume) }
      } else if let value = names.value(text, at: volume.node.position, problems) {
        audio.volume = .value(value)
      }
    }
    return audio
  }

  /// Why the file at this path can't be a WAV file, judged by its first twelve bytes; nil where it can.
  /// Calls `open`, `fstat` and `read`.
  static func faultOfWAV(path: String) -> String? {
    guard !path.utf8.contains(0) else { return "no such file; write the path of a WAV file" }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return "no such file; check the path, it begins at this file's folder"
      case EACCES, EPERM: return "permission denied; let this user read it (chmod)"
      case let code: return "\(String(cString: strerror(code))); check the path"
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return "not a file; write the path of a WAV file"
    }
    var head = [UInt8](repeating: 0, count: 12)
    let count = head.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count == 12, head.starts(with: Array("RIFF".utf8)), head[8...].elementsEqual("WAVE".utf8) else {
      return "no WAV file; convert it to WAV"
    }
    return nil
  }
}
