import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// Reads the sounds, values and audio settings of a panel file.
struct SoundReader {
  let problems: ProblemList
  /// Put before relative paths; empty for the working directory.
  let folder: String
  /// Returns why the file at this path can't be played; nil if it can.
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
      source = .tone(hertz: hertz)
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
    let isDuration = ["initial", "min", "max"].contains { self.isDuration(fields[$0]) }
    let read = { (key: String) in isDuration ? milliseconds(fields[key]) : problems.whole(fields[key], in: Self.numbers)
    }
    let text = { (number: Int) in isDuration ? Quantity.text(.milliseconds(number)) : "\(number)" }
    let initial = read("initial")
    guard let min = read("min"), let max = read("max") else { return nil }
    guard min <= max else {
      let position = fields["min"]?.node.position ?? entry.position
      problems.add(position, "min \(text(min)) of \(quoted(entry.key)) is above max \(text(max)); exchange them")
      return nil
    }
    guard let initial else { return nil }
    if !(min...max).contains(initial) {
      let position = fields["initial"]?.node.position ?? entry.position
      problems.add(
        position,
        "initial \(text(initial)) of \(quoted(entry.key)) is out of its range; write \(text(min))...\(text(max))")
    }
    return .init(name: entry.key, isDuration: isDuration, initial: initial, min: min, max: max)
  }

  private static let numbers = -999_999_999...999_999_999
  private static let longestValue = Duration.seconds(1_000_000 * 60)

  /// Whether the field's text is a duration: a number and a unit, whose last character is a letter.
  private func isDuration(_ field: Field?) -> Bool {
    guard case .scalar(let text) = field?.node.content, let last = text.utf8.last, last >= 0x41 else { return false }
    return (try? Quantity.duration(text)) != nil
  }

  /// A duration in whole milliseconds.
  private func milliseconds(_ field: Field?) -> Int? {
    guard let field, let duration = problems.duration(field, in: .zero...Self.longestValue) else { return nil }
    if let milliseconds = duration.wholeMilliseconds { return milliseconds }
    problems.add(
      field.node.position, "\(Quantity.text(duration)) is no whole number of milliseconds; write 1ms or more")
    return nil
  }

  func audio(_ field: Field?, _ names: Names) -> PanelDefinition.Audio {
    var audio = PanelDefinition.Audio()
    guard let field, let fields = problems.fields(field.node, Grammar.audio, at: field.position) else { return audio }
    if let device = fields["device"], let name = problems.text(device) {
      if let fault = SoundDevice.fault(of: name) { problems.add(device.node.position, fault) }
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

  /// Why the file at this path can't be played as WAV; nil if it can. Makes the same checks as
  /// loading it.
  static func faultOfWAV(path: String) -> String? {
    guard !path.utf8.contains(0) else { return "no such file; write the path of a WAV file" }
    do throws(DriverError) {
      try Clip.check(wav: path)
      return nil
    } catch {
      switch error.kind {
      case .absent: return "no such file; check the path, it begins at this file's folder"
      case .notPermitted: return "permission denied; let this user read it (chmod)"
      default: return "\(error.reason); \(error.remedy.prefix(1).lowercased())\(error.remedy.dropFirst())"
      }
    }
  }
}
