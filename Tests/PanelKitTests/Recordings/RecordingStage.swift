import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRecording
@testable import PanelRun

/// A panel that is recorded while steps are typed to it.
enum RecordingStage {
  /// The recording of a panel of this text, in virtual time.
  ///
  /// - Parameter withEdges: whether it has edges, and no steps, as one of real hardware.
  static func recording(
    _ text: String, _ steps: [String], name: String = "test", withEdges: Bool = false, beginning: Moment = .zero,
    start: String? = nil, kinds: KindList = .standard
  ) throws -> [UInt8] {
    let panel = try PanelFile.read(Array(text.utf8), file: name, kinds: kinds)
    let session = try PanelSession(
      panel, on: Platform(.simulated, beginning: beginning), waitsForLines: start != nil)
    let memory = RecordingBuffer()
    try session.record(to: [memory], source: .init(file: name, text: text), withEdges: withEdges)
    if withEdges { session.bench.recorder = nil }
    if let start {
      let scenario = "scenario: S\nstart: \(start)\nsteps: [ show ]\n"
      try session.world.prepare(ScenarioFile.read(Array(scenario.utf8), file: "s", for: panel).cases[0].start)
    }
    try session.start()
    let names = Names(panel)
    for step in steps {
      if let placed = try StepLineReader.read(step, line: 1, file: name, names: names) {
        _ = try session.perform(placed.step)
      }
    }
    session.stop()
    return memory.bytes
  }

  static func take(_ recording: [UInt8], _ edits: String..., kinds: KindList = .standard) throws
    -> EditedRecordingReplay
  {
    try EditedRecordingReplay(
      of: ReplayableRecording(recording, name: "test.recording", kinds: kinds),
      edits: edits.map { try RecordingEdit($0) })
  }

  /// The recording of a take's resimulation.
  static func resimulated(_ take: EditedRecordingReplay) throws -> [UInt8] {
    let memory = RecordingBuffer()
    _ = try take.resimulate(to: memory)
    return memory.bytes
  }

  /// The digests of the frames that a recording's events made, in their order.
  static func digests(of recording: [UInt8]) throws -> [FNV1aHash] {
    let recording = try RecordingReader(RecordingBytes(recording), name: "test.recording")
    var digests: [FNV1aHash] = []
    while let line = try recording.next() {
      if line.kind.isCause, let digest = line.digest { digests.append(digest) }
    }
    return digests
  }

  /// The lines of events and troubles.
  static func causes(of recording: [UInt8]) -> [Substring] {
    String(decoding: recording, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("[\"e\"") || $0.hasPrefix("[\"t\"")
    }
  }

  static func lines(of recording: [UInt8]) -> [Substring] {
    String(decoding: recording, as: UTF8.self).split(separator: "\n")
  }
}
