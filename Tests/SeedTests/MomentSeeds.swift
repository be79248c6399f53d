import CycleCore
import TestSupport
import Testing

/// What CycleMonitor, the companion of the cycle, has saved and shown.
@Suite("Recordings: every case")
struct MomentSeeds {
  private typealias List = BinaryPropertyList

  /// The frame of the application whose moments these are.
  struct Frame: Equatable, Codable {
    struct Screen: Equatable, Codable {
      var total = "0"
    }

    var screen = Screen()
    var list: [String] = []
  }

  /// An application whose toggler counts.
  static func application(total: String = "0") -> any Application<Frame> {
    func act(_ frame: inout Frame, _ action: String) {
      let step = ["incrementing": 1, "decrementing": -1][action] ?? 0
      frame.screen.total = "\((Int(frame.screen.total) ?? 0) + step)"
    }
    return Cycle(seed: Frame(screen: .init(total: total))) {
      Lens(Named("shakes"), name: "shakes", on: { _, _ in })
      Lens(Named("toggler"), name: "toggler", on: act)
      Lens(Named("session"), name: "session", on: { _, _ in })
    }
  }

  /// A driver whose events are names.
  private struct Named: Driver {
    typealias Model = NoModel
    typealias Event = String
    private let name: String

    init(_ name: String) { self.name = name }
    mutating func start(showing model: NoModel, in context: DriverContext<String>) throws(DriverError) {}
    mutating func stop() {}
  }

  /// Imports files, and returns the status, what is told, and the recordings.
  private func imported(_ lists: [List.Value]) -> (status: Int32, errors: String, recordings: [[UInt8]]) {
    withFiles([:]) { folder in
      let paths = lists.indices.map { "\(folder)/\($0).moment" }
      for (path, list) in zip(paths, lists) { save(List.bytes(list), at: path) }
      let result = PanelProcess.run(["recording", "import"] + paths + ["--output", folder])
      let recordings = lists.indices.compactMap { bytes(of: "\(folder)/\($0).recording") }
      let errors = result.errors.split(separator: "\n").map { $0.dropFirst(folder.utf8.count + 1) }
      return (result.status, errors.joined(separator: "\n"), recordings)
    }
  }

  private func replay(_ recording: [UInt8]) throws -> (report: ReplayReport, total: String) {
    let application = Self.application()
    let report = try application.replay(RecordingReader(RecordingBytes(recording), name: "moment"), ReplayOptions())
    return (report, application.frame.screen.total)
  }

  private func lines(_ recording: [UInt8]) -> [String] {
    String(decoding: recording, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("M1: a moment without drivers is refused, with its file and key")
  func noDrivers() {
    let (status, errors, recordings) = imported([List.moment(total: (1, 2), drivers: [])])
    #expect(status == 65 && recordings.isEmpty)
    #expect(errors == "0.moment: drivers: the list is empty; a moment has the drivers of its application")
  }

  @Test("M2: a moment that says nothing of an approval is not approved")
  func notApproved() {
    let recordings = imported([List.moment(total: (1, 2)), List.moment(total: (1, 2), isApproved: true)]).recordings
    #expect(recordings.map { lines($0).contains("[\"a\",1,true]") } == [false, true])
  }

  @Test("M3: five moments in binary property lists are read: toggler has incremented from 10 to 11 in the second")
  func five() throws {
    let totals = [(9, 10), (10, 11), (11, 12), (12, 11), (11, 10)]
    let recordings = imported(
      totals.map { List.moment(total: $0, action: $0.0 < $0.1 ? "incrementing" : "decrementing") }
    ).recordings
    #expect(recordings.count == 5)
    #expect(lines(recordings[1])[1].hasPrefix(#"["f",1,0,{"screen":{"total":"10"},"list":[]},"#))
    #expect(lines(recordings[1])[2].hasPrefix(#"["e",1,0,1,"incrementing",2,"#))
    #expect(lines(recordings[1])[3].hasPrefix(#"["f",2,0,{"screen":{"total":"11"},"list":[]},"#))
  }

  /// Recordings two events of an application.
  private func recorded(to sinks: [any RecordingSink], events: Int) throws {
    let (probe, loop) = (Probe("key"), VirtualLoop())
    let cycle = Cycle(seed: 0) { Lens(probe, name: "key", show: { _ in "" }, on: { count, _ in count += 1 }) }
    try cycle.record(with: Recorder(app: "counter", to: sinks))
    try cycle.start(on: loop)
    for _ in 0..<events {
      probe.emit("pressed")
      try cycle.step(until: .zero)
    }
    cycle.stop()
  }

  @Test("F10: the first of five moments has the total 9, the second leads from 10 to 11")
  func totals() throws {
    let totals = [(9, 10), (10, 11), (11, 12), (12, 11), (11, 10)]
    let (status, errors, recordings) = imported(
      totals.map { List.moment(total: $0, action: $0.0 < $0.1 ? "incrementing" : "decrementing") })
    #expect(status == 0 && errors == "" && recordings.count == 5)
    let contexts = recordings.map { recording in lines(recording)[1].split(separator: "\"").first { Int($0) != nil } }
    #expect(contexts.map { $0.map(String.init) } == ["9", "10", "11", "12", "11"])
    #expect(try recordings.map { try replay($0).total } == ["10", "11", "12", "11", "10"])
    let refused = imported([List.moment(total: (1, 2), drivers: [])])
    #expect(refused.errors.hasPrefix("0.moment: drivers: the list is empty"))
    let live = imported([List.timeline([List.moment(total: (1, 2), isApproved: true)], selected: .string(""))])
      .recordings
    #expect(!lines(live[0]).contains { $0.hasPrefix("[\"n\"") })
    #expect(lines(live[0]).contains("[\"a\",1,true]"))
    let memory = RecordingBuffer()
    _ = try RecordingCut(RecordingRange()).copy(to: memory) {
      try RecordingReader(RecordingBytes(live[0]), name: "timeline")
    }
    #expect(lines(memory.bytes).contains("[\"a\",1,true]"))
  }

  @Test("M4: the first event has the seed as its context")
  func context() throws {
    let memory = RecordingBuffer()
    try recorded(to: [memory], events: 1)
    let lines = memory.text.split(separator: "\n")
    #expect(lines[1].hasPrefix(#"["f",0,0,0,"#))
    #expect(lines[2].hasPrefix(#"["e",1,0,0,{"value":{"_0":"pressed"}},1,"#))
  }

  @Test("M5: a timeline is a recording, with what was approved and selected; one without a selection was live")
  func timeline() throws {
    let moments = [
      List.moment(total: (1, 2), isApproved: true), List.moment(total: (2, 3)), List.moment(total: (7, 8)),
    ]
    let recordings = imported([
      List.timeline(moments, selected: .integer(1)), List.timeline(moments, selected: .string("")),
    ]).recordings
    #expect(recordings.count == 2)
    // The third moment's context is not the frame before it.
    let kinds = lines(recordings[0]).dropFirst().map { $0.prefix(7) }
    #expect(
      kinds == [
        "[\"f\",1,", "[\"e\",1,", "[\"f\",2,", "[\"a\",1,", "[\"e\",2,", "[\"f\",3,", "[\"n\",0,", "[\"s\",3,",
        "[\"f\",4,", "[\"e\",4,", "[\"f\",5,", "[\"z\",13",
      ])
    #expect(lines(recordings[0]).contains("[\"n\",0,2,\"selected\"]"))
    #expect(!lines(recordings[1]).contains { $0.hasPrefix("[\"n\"") })
    // It survives another saving.
    let memory = RecordingBuffer()
    _ = try RecordingCut(RecordingRange()).copy(to: memory) {
      try RecordingReader(RecordingBytes(recordings[0]), name: "timeline")
    }
    #expect(lines(memory.bytes) == lines(recordings[0]))
  }

  @Test("M6: a recording of a single event is a test of it")
  func single() throws {
    let recording = try #require(imported([List.moment(total: (4, 5))]).recordings.first)
    let (report, total) = try replay(recording)
    #expect(report.events == 1 && total == "5")
  }

  @Test("M7: who connects after 3 events gets all 3 in their order; what doesn't fit is counted")
  func offline() throws {
    let (ring, small) = (RecordingRing(), RecordingRing(capacity: 200))
    try recorded(to: [ring, small], events: 3)
    var place = ring.place(ofCause: 1)
    var bytes: [UInt8] = []
    #expect(ring.read(from: &place, to: &bytes).records == 3)
    #expect(lines(bytes).filter { $0.hasPrefix("[\"e\"") }.map { $0.prefix(7) } == (1...3).map { "[\"e\",\($0)," })
    let account = small.account
    #expect(account.lost > 0 && account.offered == account.written + account.lost + account.pending)
  }

  @Test("M12: of 30 events a flight recorder has the last 25")
  func flight() throws {
    let ring = RecordingRing(causesOfKeyframe: 5)
    try recorded(to: [ring], events: 30)
    let memory = RecordingBuffer()
    let recording = try #require(ring.recording(last: 25))
    _ = try RecordingCut(RecordingRange(causes: 6...30)).copy(to: memory) {
      try RecordingReader(RecordingBytes(recording), name: "flight")
    }
    #expect(lines(memory.bytes).filter { $0.hasPrefix("[\"e\"") }.count == 25)
  }

  @Test("M13: every event that was saved, played on its context, has to make its effect")
  func tests() throws {
    for (total, action) in [((9, 10), "incrementing"), ((12, 11), "decrementing")] {
      let recording = try #require(imported([List.moment(total: total, action: action)]).recordings.first)
      #expect(try replay(recording).total == "\(total.1)")
    }
    let wrong = try #require(imported([List.moment(total: (9, 11))]).recordings.first)
    do {
      _ = try replay(wrong)
      Issue.record("9 and 1 are 11")
    } catch {
      #expect("\(error)".contains("frame 2 differs") && "\(error)".contains("screen.total"))
    }
  }

  @Test("M17: each moment that can't be read is told, with its number")
  func malformed() {
    let moments = [
      List.moment(total: (1, 2)), .dictionary([("drivers", .string("none"))]), List.moment(total: (2, 3), drivers: []),
    ]
    let (status, errors, recordings) = imported([List.timeline(moments, selected: .string(""))])
    #expect(status == 65 && recordings.isEmpty)
    #expect(
      errors == """
        0.moment: events[1].drivers: a list is missing
        0.moment: events[2].drivers: the list is empty; a moment has the drivers of its application
        """)
  }

  @Test("M20: what is written of an event is read as the same event")
  func codec() throws {
    let memory = RecordingBuffer()
    try recorded(to: [memory], events: 4)
    let again = Cycle(seed: 0) { Lens(Probe("key"), name: "key", show: { _ in "" }, on: { count, _ in count += 1 }) }
    _ = try again.replay(RecordingReader(RecordingBytes(memory.bytes), name: "film"), ReplayOptions())
    #expect(again.frame == 4)
  }

  @Test("M25: lines that any other program writes are a recording")
  func other() throws {
    let text = """
      {"film": 1, "app": "radio", "clock": "monotonic", "start": 0, "lenses": [{"name": "toggler", "driver": "Knob"}]}
      ["f", 7, 0, {"screen": {"total": "41"}, "list": []}, "\(Self.digest(#"{"screen":{"total":"41"},"list":[]}"#))"]
      ["e", 1, 5000000, 0, "incrementing", 8, "\(Self.digest(#"{"screen":{"total":"42"},"list":[]}"#))"]

      """
    let application = Self.application()
    _ = try application.replay(RecordingReader(RecordingBytes(Array(text.utf8)), name: "radio"), ReplayOptions())
    #expect(application.frame.screen.total == "42")
  }

  /// FNV-1a, as another program computes it.
  private static func digest(_ text: String) -> String {
    let sum = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
