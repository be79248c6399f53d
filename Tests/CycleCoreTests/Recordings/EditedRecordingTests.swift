import TestSupport
import Testing

@testable import CycleCore
@testable import Recordings

@Suite("Takes in files and as recordings")
struct EditedRecordingTests {
  private static let edits: [RecordingEdit] = [
    .off(3), .on(3), .edit(3, value: "[0,\"released\"]"), .move(1, before: 3),
    .insert(after: 3, at: .milliseconds(150), lens: "key", value: "\"held\""),
    .insert(after: 3, at: .nanoseconds(1_234_567), lens: "keypad \"pad\" on chip", value: "{\"a\":[1,2]}"),
    .frame(3, path: "lamps[2].level", value: "7"), .note(3, text: "too \"late\",\nby 2 ms"), .approve(4, true),
    .approve(4, false),
  ]

  @Test("an edit reads back from its line as the same", arguments: edits)
  func lines(edit: RecordingEdit) throws {
    #expect(try RecordingEdit(edit.line) == edit)
  }

  @Test("a take reads back from its file as the same, with and without a cursor", arguments: [nil, 12])
  func file(cursor: Int?) throws {
    let take = RecordingEditsFile(
      of: "bell.recording", digest: FNV1aHash(0xab), cursor: cursor, edits: Self.edits)
    #expect(try RecordingEditsFile(take.text, name: "bell.edits") == take)
    let head = take.text.split(separator: "\n")[0]
    #expect(
      head
        == "{\"take\":1,\"of\":\"bell.recording\",\"digest\":\"00000000000000ab\"\(cursor.map { ",\"cursor\":\($0)" } ?? "")}"
    )
  }

  @Test(
    "what is wrong with a take is told with its line",
    arguments: [
      ("", "x.edits:1: an object is missing, at byte 1"),
      (
        "{\"take\":2,\"of\":\"a\",\"digest\":\"00000000000000ab\"}",
        "x.edits:1: this is version 2 of the format; this program reads version 1"
      ),
      ("{\"take\":1,\"of\":\"a\",\"digest\":\"ab\"}", "x.edits:1: a digest has 16 hexadecimal digits, at byte 29"),
      ("{\"take\":1,\"of\":\"a\",\"digest\":\"00000000000000ab\"}\n\"off 1\"\n\"off\"", "x.edits:3: write off 3"),
      ("{\"take\":1,\"of\":\"a\",\"digest\":\"00000000000000ab\"}\noff 1", "x.edits:2: a string is missing, at byte 1"),
    ])
  func wrong(text: String, message: String) {
    do throws(RecordingError) {
      _ = try RecordingEditsFile(text, name: "x.edits")
      Issue.record("it was read")
    } catch {
      #expect("\(error)" == message)
    }
  }

  // MARK: - Recordings

  /// A driver that must not be touched.
  private struct Trap: Driver {
    typealias Event = Probe.Event
    mutating func start(showing model: Int, in context: DriverContext<Probe.Event>) throws(DriverError) { fatalError() }
    mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) { fatalError() }
    mutating func wake(_ wake: Wake) throws(DriverError) { fatalError() }
    mutating func stop() { fatalError() }
    var safeModel: Int { 0 }
  }

  private static func counting(_ driver: Probe) -> any Application<Int> {
    Cycle(seed: 0) { Lens(driver, name: "key", show: { "\($0)" }, on: { count, _ in count += 1 }) }
  }

  private static func trapping() -> any Application<Int> {
    Cycle(seed: 0) { Lens(Trap(), name: "key", show: { $0 }, on: { count, _ in count += 1 }) }
  }

  /// A recording of so many events at one-millisecond steps, with steps of the world.
  private static func recording(events: Int) throws -> String {
    let (probe, loop, memory) = (Probe("key"), VirtualLoop(), RecordingBuffer())
    let cycle = counting(probe)
    let recorder = Recorder(app: "count", to: memory)
    try cycle.record(with: recorder)
    recorder.note(step: "switch on", at: loop.now)
    try cycle.start(on: loop)
    for number in 0..<events {
      loop.advance(to: loop.now + .milliseconds(1))
      if number % 100 == 0 { recorder.note(step: "press \(number)", at: loop.now) }
      probe.emit("\(number)")
      try cycle.step(until: .zero)
    }
    cycle.stop()
    return memory.text
  }

  private static func take(_ recording: String, _ edits: RecordingEdit...) throws -> EditedRecording {
    var take = try EditedRecording(of: RecordingReader(RecordingBytes(Array(recording.utf8)), name: "count.recording"))
    for edit in edits { try take.apply(edit) }
    return take
  }

  private static func recording(of take: EditedRecording) throws -> String {
    let memory = RecordingBuffer()
    try counting(Probe("key")).record(take, to: memory)
    return memory.text
  }

  @Test("a take without edits is the same recording, byte for byte, with its checks", arguments: [0, 1, 250, 253, 700])
  func same(events: Int) throws {
    let recording = try Self.recording(events: events)
    #expect(recording.contains("[\"w\",0,\"start: switch on\"]"))
    #expect(try Self.recording(of: Self.take(recording)) == recording)
  }

  @Test("steps of the world are read with their moments, those before the start without")
  func steps() throws {
    let take = try Self.take(Self.recording(events: 201))
    #expect(
      take.steps == [
        .init(time: nil, words: "switch on"), .init(time: 1_000_000, words: "press 0"),
        .init(time: 101_000_000, words: "press 100"), .init(time: 201_000_000, words: "press 200"),
      ])
  }

  @Test("a take has so many notes and approvals at most, also where all are of one event")
  func bounded() throws {
    let marked = try Self.recording(
      of: Self.take(
        Self.recording(events: 2), .note(1, text: "a"), .note(1, text: "b"), .note(1, text: "c"), .approve(1, true),
        .approve(2, true)))
    func take(atMost most: Int) throws -> EditedRecording {
      try EditedRecording(
        of: RecordingReader(RecordingBytes(Array(marked.utf8)), name: "count.recording"), atMost: most)
    }
    #expect(try take(atMost: 3).notes == [1: ["a", "b", "c"]])
    let error = thrown(RecordingError.self) { _ = try take(atMost: 2) }
    #expect(
      error?.description.contains("an edited recording has at most 2 of these") == true, "\(String(describing: error))")
  }

  @Test("notes and approvals survive a recording, and a take of that recording")
  func marks() throws {
    let recording = try Self.recording(events: 3)
    let marked = try Self.recording(
      of: Self.take(recording, .note(2, text: "look here"), .approve(1, true), .approve(3, true), .approve(3, false)))
    let again = try Self.take(marked)
    #expect(again.notes == [2: ["look here"]])
    #expect(again.approvals == [1])
    #expect(again.steps.count == 2)
    // Of an event that doesn't happen nothing is left, and the others have other numbers.
    let without = try Self.take(Self.recording(of: Self.take(marked, .off(1))))
    #expect(without.notes == [1: ["look here"]])
    #expect(without.approvals == [])
    #expect(without.steps == [])
  }

  @Test("a take is played, and made a recording, without a call of any driver")
  func noDriver() throws {
    let recording = try Self.recording(events: 20)
    let moment = Duration.nanoseconds(try Self.take(recording).times[4])
    let take = try Self.take(
      recording, .off(3), .insert(after: 5, at: moment, lens: "key", value: "{\"value\":{\"_0\":\"again\"}}"))
    #expect(try Self.trapping().play(take, to: nil).events == 20)
    let memory = RecordingBuffer()
    #expect(try Self.trapping().record(take, to: memory).frame == 20)
    let report = try Self.trapping().replay(
      RecordingReader(RecordingBytes(memory.bytes), name: "take.recording"), ReplayOptions())
    #expect(report.events == 20)
  }

  @Test("a part of a take begins with a whole frame, and replays by itself", arguments: [1...1, 5...5, 7...19])
  func part(written: ClosedRange<Int>) throws {
    var take = try Self.take(Self.recording(events: 20))
    take.written = written
    let recording = try Self.recording(of: take)
    #expect(recording.contains("\n[\"f\",\(written.lowerBound - 1),"))
    let report = try Self.trapping().replay(
      RecordingReader(RecordingBytes(Array(recording.utf8)), name: "part.recording"), ReplayOptions())
    #expect((report.events, report.frame) == (written.count, written.upperBound))
    // A take of the part goes on from its first frame.
    let again = try Self.take(recording)
    #expect(again.isFromStart == (written.lowerBound == 1))
    #expect(try Self.trapping().play(again, to: nil).frame == written.upperBound)
    #expect(try Self.recording(of: again) == recording)
  }

  /// Takes nothing that the world did from a line on.
  private final class FullOnce: RecordingSink {
    let memory = RecordingBuffer()
    var account: RecordingAccount { memory.account }
    func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
      if String(decoding: lines, as: UTF8.self).hasPrefix("[\"w\",101000000") { return false }
      return memory.take(lines, as: part)
    }
    func flush(_ occasion: RecordingFlush) {}
  }

  @Test("a step for which there was no room leaves a hole, which a take refuses")
  func lostStep() throws {
    let (probe, loop, sink) = (Probe("key"), VirtualLoop(), FullOnce())
    let cycle = Self.counting(probe)
    let recorder = Recorder(app: "count", to: sink)
    try cycle.record(with: recorder)
    try cycle.start(on: loop)
    for number in 0..<3 {
      loop.advance(to: loop.now + .milliseconds(number == 0 ? 101 : 1))
      recorder.note(step: "press", at: loop.now)
      probe.emit("\(number)")
      try cycle.step(until: .zero)
    }
    cycle.stop()
    #expect(recorder.account(of: sink).lost == 1)
    do {
      _ = try Self.take(sink.memory.text)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains("the recording has a gap here"))
    }
  }
}
