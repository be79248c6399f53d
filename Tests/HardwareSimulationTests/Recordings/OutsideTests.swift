import CycleCore
import HardwareSimulation
import Testing

@Suite("Events and frames from outside")
struct OutsideTests {
  struct Tally: Equatable, Codable {
    var visits = [0, 0, 0]
    var last = 0
  }

  /// Emits the number of a card that was read.
  struct CardReader: Driver {
    struct Event: Sendable, Codable, Equatable { var card: Int }
    var cards = 3
    mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {}
    mutating func stop() {}

    func refusal(of event: Event) -> String? {
      (0..<cards).contains(event.card) ? nil : "there is no card \(event.card); cards are 0 to \(cards - 1)"
    }
  }

  private static func count(_ tally: inout Tally, _ event: CardReader.Event) {
    tally.visits[event.card] += 1
    tally.last = event.card
  }

  private static func lens(_ cards: Int = 3) -> Lens<Tally, CardReader> {
    Lens(
      CardReader(cards: cards), name: "reader", on: { count(&$0, $1) },
      trouble: { tally, trouble in
        if case .eventsLost(let count) = trouble { tally.last = count }
      })
  }

  private static let header =
    #"{"film":1,"app":"tally","clock":"virtual","start":0,"lenses":[{"name":"reader","driver":"CardReader"}]}"# + "\n"

  private static func recording(_ event: String, _ kind: String = "e")
    throws -> RecordingReader
  {
    try RecordingReader(
      RecordingBytes(
        Array(
          """
          {"film":1,"app":"tally","clock":"virtual","start":0,"lenses":[{"name":"reader","driver":"CardReader"}]}
          ["f",0,0,{"visits":[0,0,0],"last":0},"447c29bd9f4867b7"]
          ["\(kind)",1,5,0,\(event),1,"0000000000000000"]

          """.utf8)), name: "tally.recording")
  }

  private func fault(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test("a driver refuses an event that it can't have emitted, wherever its lens is, and nothing is applied")
  func places() throws {
    struct House: Equatable, Codable {
      var hall = Tally()
      var rooms = [Tally(), Tally()]
    }
    let cycle = Cycle(seed: House()) {
      Part(\.hall) { Self.lens() }
      Parts(\.rooms, count: 2) { _ in Self.lens() }
      LensGroups([
        AnyLensGroup {
          Lens(
            CardReader(), name: "other",
            on: { (house: inout House, event: CardReader.Event) in Self.count(&house.hall, event) })
        },
        AnyLensGroup {
          LensList(count: 2) { _ in
            Lens(
              CardReader(cards: 2), name: "two",
              on: { (house: inout House, event: CardReader.Event) in Self.count(&house.hall, event) })
          }
        },
      ])
    }
    let bench = Bench()
    try cycle.record(with: Recorder(app: "house", to: RecordingBuffer()))
    try bench.run(cycle)
    defer { bench.stop() }
    for lens in 0..<6 {
      let most = lens < 4 ? 2 : 1
      for card in [-1, most + 1, 1 << 40] {
        #expect(
          fault { try cycle.put(event: #"{"card":\#(card)}"#, into: lens) }.contains(
            "there is no card \(card); cards are 0 to \(most)"),
          "lens \(lens)")
      }
      try cycle.put(event: #"{"card":\#(most)}"#, into: lens)
      try bench.step(until: bench.now)
    }
    #expect(cycle.frame.hall.visits == [0, 2, 2] && cycle.frame.rooms.map(\.visits) == [[0, 0, 1], [0, 0, 1]])
    #expect(cycle.accounts.allSatisfy { $0.pending == 0 && $0.delivered == 1 })
  }

  @Test("a lens refuses what the application alone knows, behind its driver")
  func lenses() throws {
    let cycle = Cycle(seed: Tally()) {
      Self.lens(100).refusingEvents { $0.card < 3 ? nil : "there are 3 places, and this is card \($0.card)" }
      LensList(count: 1) { _ in Self.lens(100) }.refusingEvents { _ in "none" }
    }
    let bench = Bench()
    try cycle.record(with: Recorder(app: "tally", to: RecordingBuffer()))
    try bench.run(cycle)
    defer { bench.stop() }
    #expect(fault { try cycle.put(event: #"{"card":3}"#, into: 0) } == "reader: there are 3 places, and this is card 3")
    #expect(
      fault { try cycle.put(event: #"{"card":100}"#, into: 0) } == "reader: there is no card 100; cards are 0 to 99")
    #expect(fault { try cycle.put(event: #"{"card":1}"#, into: 1) } == "reader: none")
    #expect(cycle.frame == Tally())
  }

  @Test("an application refuses frames: those that are set, edited, recorded, and those that a recording begins with")
  func frames() throws {
    func make() -> Cycle<Tally, Lens<Tally, CardReader>> {
      let cycle = Cycle(seed: Tally()) { Self.lens() }
      cycle.refuseFrames { $0.visits.count == 3 ? nil : "it has \($0.visits.count) visits, and 3 are right" }
      return cycle
    }
    let memory = RecordingBuffer()
    let cycle = make()
    let bench = Bench()
    try cycle.record(with: Recorder(app: "tally", to: memory))
    try bench.run(cycle)
    let sentence = "not a frame of the application: it has 1 visits, and 3 are right"
    #expect(fault { try cycle.set(frame: #"{"visits":[7],"last":0}"#) } == sentence)
    #expect(cycle.frame == Tally())
    try cycle.set(frame: #"{"visits":[7,0,0],"last":0}"#)
    try cycle.put(event: #"{"card":0}"#, into: 0)
    try bench.step(until: bench.now)
    #expect(cycle.frame.visits == [8, 0, 0])
    bench.stop()
    // The same in recordings: a frame that was set, and one that the recording begins with.
    let recording = memory.text
    let set = recording.replacing(#"["s",1,0,{"visits":[7,0,0]"#, with: #"["s",1,0,{"visits":[7]"#)
    #expect(
      fault {
        _ = try make().replay(RecordingReader(RecordingBytes(Array(set.utf8)), name: "set.recording"), ReplayOptions())
      }
      .contains(
        sentence))
    let first = Self.header + #"["f",7,0,{"visits":[7],"last":0},"447c29bd9f4867b7"]"# + "\n"
    func begin() throws -> RecordingReader {
      try RecordingReader(RecordingBytes(Array(first.utf8)), name: "first.recording")
    }
    #expect(fault { _ = try make().replay(begin(), ReplayOptions()) }.contains(sentence))
    #expect(fault { _ = try make().play(EditedRecording(of: begin()), to: nil) }.contains(sentence))
  }

  @Test("a replay and a take refuse an event that the driver can't have emitted, by its line")
  func recordings() throws {
    let cycle = Cycle(seed: Tally()) { Self.lens() }
    #expect(
      fault { _ = try cycle.replay(Self.recording(#"{"card":3}"#), ReplayOptions()) }
        == "tally.recording:3: reader: there is no card 3; cards are 0 to 2")
    let other = Cycle(seed: Tally()) { Self.lens() }
    var take = try EditedRecording(of: Self.recording(#"{"card":2}"#))
    try take.apply(RecordingEdit(#"edit 1 {"card":-1}"#))
    #expect(fault { _ = try other.play(take, to: nil) }.contains("reader: there is no card -1; cards are 0 to 2"))
    let third = Cycle(seed: Tally()) { Self.lens() }
    #expect(
      fault { _ = try third.replay(Self.recording(#"{"eventsLost":{"_0":-1}}"#, "t"), ReplayOptions()) }.contains(
        "-1 is not a number of lost events"))
  }

  @Test("a number that a person writes is so far from overflow that another one can be added to it")
  func written() throws {
    struct Sum: Equatable, Codable { var sum = 0 }
    let cycle = Cycle(seed: Sum()) {
      Lens(
        CardReader(cards: .max), name: "reader",
        on: { (sum: inout Sum, event: CardReader.Event) in sum.sum += event.card })
    }
    let bench = Bench()
    try cycle.record(with: Recorder(app: "sum", to: RecordingBuffer()))
    try bench.run(cycle)
    defer { bench.stop() }
    for number in ["9223372036854775807", "-9223372036854775808", "4611686018427387905", "99999999999999999999999"] {
      let sentence = "\(number) is too far from 0"
      #expect(fault { try cycle.put(event: #"{"card":\#(number)}"#, into: 0) }.contains(sentence))
      #expect(fault { _ = try cycle.frameText(setting: [("sum", number)]) }.contains(sentence))
    }
    try cycle.set(frame: cycle.frameText(setting: [("sum", "4611686018427387904")]))
    try cycle.put(event: #"{"card":4611686018427387902}"#, into: 0)
    try bench.step(until: bench.now)
    #expect(cycle.frame.sum == 9_223_372_036_854_775_806)
  }

  @Test("moments and counts of a recording are so far from overflow that they can be added")
  func limits() throws {
    for (line, reason) in [
      (#"["e",1,2305843009213693953,0,{"card":1},1,"0000000000000000"]"#, "the moment is too large"),
      (#"["e",9223372036854775807,5,0,{"card":1},1,"0000000000000000"]"#, "the event's number is too large"),
      (#"["l",5,2305843009213693952]"#, "nothing"),
    ] {
      var bytes = Array(line.utf8)
      let result = bytes.withUnsafeMutableBytes { bytes in
        fault { _ = try ParsedRecordingLine(UnsafeRawBufferPointer(bytes)) }
      }
      #expect(result.hasPrefix(reason), "\(result)")
    }
    let holes =
      #"["l",5,2305843009213693952]"# + "\n" + #"["f",0,5,{"visits":[0,0,0],"last":0},"447c29bd9f4867b7"]"# + "\n"
    let text =
      #"{"film":1,"app":"t","clock":"virtual","start":0,"lenses":[]}"# + "\n"
      + #"["f",0,0,{"visits":[0,0,0],"last":0},"447c29bd9f4867b7"]"# + "\n" + holes + holes
    let recording = try RecordingReader(RecordingBytes(Array(text.utf8)), name: "holes.recording")
    #expect(
      fault { while try recording.next() != nil {} }
        == "holes.recording:5: the recording lacks more records than it can have had"
    )
    let late = #"{"film":1,"app":"t","clock":"virtual","start":9223372036854775807,"lenses":[]}"# + "\n"
    #expect(
      fault { _ = try RecordingReader(RecordingBytes(Array(late.utf8)), name: "late.recording") }.contains(
        "\"start\" is not a moment of a clock"))
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    guard let place = firstRange(of: text) else { return self }
    return String(self[..<place.lowerBound]) + other + String(self[place.upperBound...])
  }

  private func firstRange(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
