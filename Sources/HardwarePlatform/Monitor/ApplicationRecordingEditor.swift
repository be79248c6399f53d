import CycleCore
import Monitor

/// Plays edited recordings of an application in Swift for the monitor. Each edited recording gets a new application, of
/// which nothing is started. It runs in a separate process: ``ReplaySubprocessMain``.
///
/// It calls ``make`` from nonisolated code. The compiler can't check that for a type that it knows only by a protocol,
/// so the type is `@unchecked`.
struct ApplicationRecordingEditor: MonitorRecordingEditor, @unchecked Sendable {
  /// Creates an application like the watched one, with simulated ports, only from static functions.
  let make: () throws -> any Application

  /// The largest edited recording, in bytes.
  private static let mostBytes = 8 << 20
  private static let name = "the recording in memory"

  func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording {
    guard !isResimulated else {
      throw MonitorRefusal(
        422, "only panels can be re-simulated; edits of this application's recordings are played as recorded")
    }
    return try refusing {
      var take = try EditedRecording(of: RecordingReader(RecordingBytes(recording), name: Self.name))
      for edit in edits { try take.apply(RecordingEdit(edit)) }
      let memory = RecordingBuffer(limit: Self.mostBytes)
      let report = try make().record(take, to: memory)
      let first = try RecordingReader.firstDifference(
        of: RecordingReader(RecordingBytes(recording), name: Self.name),
        RecordingReader(RecordingBytes(memory.bytes), name: Self.name))
      return PlayedRecording(
        recording: memory.bytes, digest: report.digest, events: report.events, frame: report.frame, first: first ?? 0)
    }
  }

  func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
    guard form != .scenario else {
      throw MonitorRefusal(
        422, "only panels have scenarios; save a recording or a test case, which is a recording of one event")
    }
    guard form != .test || events.count == 1 else {
      throw MonitorRefusal(422, "a test case is a recording of one event: \"from\" and \"to\" are the same")
    }
    return try refusing {
      var part = try EditedRecording(of: RecordingReader(RecordingBytes(recording), name: Self.name))
      part.written = events
      let memory = RecordingBuffer(limit: Self.mostBytes)
      try make().record(part, to: memory)
      return memory.text
    }
  }

  func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? {
    try refusing {
      let application = try make()
      let recording = try RecordingReader(RecordingBytes(recording), name: Self.name)
      let index = try RecordingIndex(of: recording)
      guard (index.places[0].frame...index.lastFrame).contains(number) else { return nil }
      try recording.go(to: index.place(ofFrame: number))
      let models = LastModels(recording.header.lenses.count)
      _ = try application.replay(recording, ReplayOptions(untilFrame: number, hasModels: true, sink: models))
      guard application.frameNumber == number else { return nil }
      return PlayedFrame(value: try application.frameText(setting: []), models: models.models)
    }
  }

  /// Converts an error of an edited recording or a recording to a refusal.
  private func refusing<Value>(_ body: () throws -> Value) throws(MonitorRefusal) -> Value {
    do { return try body() } catch { throw MonitorRefusal(422, "\(error)") }
  }
}

/// Keeps the last model of each lens that a replay writes.
private final class LastModels: RecordingSink {
  private(set) var models: [String?]
  var account: RecordingAccount { RecordingAccount() }

  init(_ count: Int) {
    models = Array(repeating: nil, count: count)
  }

  func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    guard part == .model, let line = try? ParsedRecordingLine(UnsafeRawBufferPointer(rebasing: lines.dropLast())),
      models.indices.contains(line.lens)
    else { return true }
    models[line.lens] = String(decoding: lines[line.value], as: UTF8.self)
    return true
  }

  func flush(_ occasion: RecordingFlush) {}
}
