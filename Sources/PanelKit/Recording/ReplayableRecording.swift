import CycleCore
import HardwareDrivers
import HardwarePlatform
import PanelEngine
import PanelLanguage
import PanelRun

/// A recording of a panel, with the panel file for its replay: the one in the recording, or another one. Each replay
/// creates its own panel, on any thread.
package struct ReplayableRecording {
  /// The name of the recording for messages.
  let name: String
  let header: RecordingHeader
  /// The panel file, to which relative paths of its sounds refer.
  let file: String
  let text: [UInt8]
  /// The initial seed of the random numbers.
  let chance: UInt64
  /// The initial kept numbers, by name.
  let kept: [String: Int]
  private let folder: String
  private let kinds: KindList
  private let open: () throws -> any RecordingSource

  /// - Parameters:
  ///   - name: the name of the recording for messages.
  ///   - panelFile: the panel file for the replay; nil for the one in the recording.
  ///   - open: opens the recording at its start, at each call.
  init(name: String, panelFile: String? = nil, kinds: KindList, open: @escaping () throws -> any RecordingSource) throws
  {
    (self.name, self.kinds, self.open) = (name, kinds, open)
    // The first whole frame contains the initial seed.
    let recording = try RecordingReader(open(), name: name)
    header = recording.header
    guard let first = try recording.next(), first.kind == .keyframe else {
      throw recording.error(RecordingTextFault("the second line of a recording must be a whole frame"))
    }
    var value = JSONReader(recording.text, from: first.value.lowerBound)
    let row: [Int]
    do throws(RecordingTextFault) { row = try [Int](from: &value) } catch { throw recording.error(error) }
    if let panelFile {
      (file, text) = (panelFile, try TextFile.read(path: panelFile, what: "a panel file"))
    } else {
      guard let source = header.source else {
        throw RecordingError(
          recording: name, line: 1,
          fault: RecordingTextFault("the recording contains no panel file; name one with --panel FILE"))
      }
      (file, text) = (source.file, Array(source.text.utf8))
    }
    folder = PanelFile.folder(of: file)
    let panel = try Self.silent(text, file, kinds)
    let layout = FrameLayout(FrameSizes(of: panel), valueCount: panel.values.count)
    let place = Int(layout.stream)
    chance = row.indices.contains(place) ? UInt64(bitPattern: Int64(row[place])) : 0
    kept = Self.kept(panel, row, header)
  }

  /// The kept numbers in the first whole frame.
  private static func kept(_ panel: PanelDefinition, _ row: [Int], _ header: RecordingHeader) -> [String: Int] {
    var kept: [String: Int] = [:]
    for item in panel.keptItems {
      let place = header.columns.firstIndex(of: FrameColumns.name(ofKept: item))
      if let place, row.indices.contains(place) { kept[item.name] = row[place] }
    }
    return kept
  }

  /// A recording in memory.
  init(_ bytes: [UInt8], name: String, panelFile: String? = nil, kinds: KindList) throws {
    try self.init(name: name, panelFile: panelFile, kinds: kinds) { RecordingBytes(bytes) }
  }

  /// A recording in a file.
  package init(path: String, panelFile: String? = nil, kinds: KindList) throws {
    try self.init(name: path, panelFile: panelFile, kinds: kinds) { try RecordingFileReader(path: path) }
  }

  /// The panel without its sound files, which a replay doesn't play.
  private static func silent(_ text: [UInt8], _ file: String, _ kinds: KindList) throws(Problems) -> PanelDefinition {
    try PanelFile.read(text, file: file, kinds: kinds.withoutSheets) { _ in nil }
  }

  /// Another recording of the same panel, in memory.
  func another(_ recording: [UInt8]) throws -> ReplayableRecording {
    try ReplayableRecording(recording, name: name, kinds: kinds)
  }

  /// The recording from its start.
  func recording() throws -> RecordingReader { try RecordingReader(open(), name: name) }

  /// The panel as an application whose drivers are never started.
  func application() throws -> PanelApplication {
    try .undriven(Self.silent(text, file, kinds), chance: chance, kept: kept)
  }

  /// The panel on simulated devices, in virtual time. Its first frame is due when the recording's was.
  ///
  /// A recording contains no sounds. A missing sound file is replaced by a tone of the sound's length in the recording.
  ///
  /// - Parameters:
  ///   - waitsForLines: whether lines that can't be requested yet are retried.
  ///   - lengths: the lengths of sounds in the recording, by name.
  /// - Returns: the session, and a note for each sound of unknown length, which plays without an end.
  func session(waitsForLines: Bool, lengths: [String: Duration]) throws -> (session: PanelSession, notes: [String]) {
    var panel = try PanelFile.read(text, file: file, folder: folder, kinds: kinds) { _ in nil }
    var notes: [String] = []
    for (number, sound) in panel.sounds.enumerated() {
      guard case .file(let path) = sound.source, isUnreadable(SoundFileUse(path, isStreamed: sound.isStreamed)) else {
        continue
      }
      let length = sound.loop ? nil : lengths[sound.name]
      panel.sounds[number].source = .tone(hertz: 440)
      panel.sounds[number].length = length
      guard length == nil, !sound.loop else { continue }
      notes.append(
        "\(path) is not here, and the recording does not contain how long \(sound.name) is: it sounds without an end")
    }
    let session = try PanelSession(
      panel, on: Platform(.simulated, beginning: header.due ?? header.start), chance: chance,
      waitsForLines: waitsForLines, keeping: .simulated(kept))
    return (session, notes)
  }

  private func isUnreadable(_ file: SoundFileUse) -> Bool {
    switch SoundFileCheck.finding(file) {
    case .fault, .note: true
    case .noteOnEnd, nil: false
    }
  }

  /// The panel file in the header of a new recording.
  var source: RecordingHeader.Source { RecordingHeader.Source(file: file, text: String(decoding: text, as: UTF8.self)) }
}
