import CycleCore
import TestSupport
import Testing

@Suite("A ring of recording lines")
struct RecordingRingTests {
  struct Counter: Equatable, Codable {
    var count = 0
  }

  /// Recordings so many events of a counter, one a millisecond.
  private struct Stand {
    let probe = Probe("key")
    let cycle: any Application<Counter>
    let loop = VirtualLoop()

    init(_ sinks: any RecordingSink...) throws {
      cycle = Cycle(seed: Counter()) { [probe] in
        Lens(probe, name: "key", show: { _ in "" }, on: { counter, _ in counter.count += 1 })
      }
      try cycle.record(with: Recorder(app: "counter", to: sinks))
      try cycle.start(on: loop)
    }

    func press(_ count: Int) throws {
      for _ in 0..<count {
        loop.advance(to: loop.now + .milliseconds(1))
        probe.emit("pressed")
        try cycle.step(until: .zero)
      }
    }
  }

  /// The numbers of the causes in lines.
  private func causes(_ lines: [UInt8]) throws -> [Int] {
    try lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first == UInt8(ascii: "[") else { return nil }
      let line = try Array(line).withUnsafeBytes { try ParsedRecordingLine($0) }
      return line.kind == .event ? line.number : nil
    }
  }

  private func replay(_ recording: [UInt8]) throws -> (report: ReplayReport, frame: Counter) {
    let cycle = Cycle(seed: Counter()) {
      Lens(Probe("key"), name: "key", show: { _ in "" }, on: { counter, _ in counter.count += 1 })
    }
    let report = try cycle.replay(RecordingReader(RecordingBytes(recording), name: "ring"), ReplayOptions())
    return (report, cycle.frame)
  }

  @Test("who comes late reads the events so far in their order, and then each as it happens")
  func late() throws {
    let ring = RecordingRing()
    let stand = try Stand(ring)
    try stand.press(3)
    var place = ring.place(ofCause: 1)
    var lines: [UInt8] = []
    let first = ring.read(from: &place, to: &lines)
    #expect(first.records == 3 && first.lost == 0)
    #expect(try causes(lines) == [1, 2, 3])
    #expect(ring.account == RecordingAccount(offered: 3, written: 3))
    #expect(ring.read(from: &place, to: &lines).records == 0)
    try stand.press(1)
    lines = []
    #expect(ring.read(from: &place, to: &lines).records == 1)
    #expect(try causes(lines) == [4])
    #expect(place == ring.end && ring.newestCause == 4)
  }

  @Test("reading begins at any event, and gives whole lines, at least one", arguments: [1, 60, 100, 1000])
  func portions(limit: Int) throws {
    let ring = RecordingRing()
    let stand = try Stand(ring)
    try stand.press(50)
    for first in [1, 17, 50] {
      var place = ring.place(ofCause: first)
      var read: [Int] = []
      while place != ring.end {
        var lines: [UInt8] = []
        _ = ring.read(from: &place, to: &lines, atMost: limit)
        #expect(lines.last == UInt8(ascii: "\n"))
        #expect(lines.count <= max(limit, 120))
        read += try causes(lines)
      }
      #expect(read == Array(first...50))
    }
    #expect(ring.place(ofCause: 51) == ring.end)
  }

  @Test("drops its oldest segments, counts what nobody has read, and what is left is a recording")
  func full() throws {
    let ring = RecordingRing(capacity: 4096)
    let stand = try Stand(ring)
    var place = ring.place(ofCause: 1)
    for presses in [10, 100, 400, 1000] {
      try stand.press(presses)
      let account = ring.account
      #expect(account.offered == account.written + account.lost + account.pending)
      let recording = try #require(ring.recording())
      #expect(recording.count <= 4096 + 120)
      let replayed = try replay(recording)
      #expect(replayed.frame == stand.cycle.frame)
      let numbers = try causes(recording)
      #expect(numbers.last == stand.cycle.frameNumber)
      #expect(numbers == Array((numbers.last! - numbers.count + 1)...numbers.last!))
    }
    #expect(ring.account.offered == 1510)
    #expect(ring.account.lost > 1000)
    // A reader that comes back after that is told what it has missed.
    var lines: [UInt8] = []
    let reading = ring.read(from: &place, to: &lines, atMost: .max)
    #expect(reading.lost > 1000 && reading.lost + reading.records == 1510)
    #expect(try causes(lines).first == reading.lost + 1)
    #expect(lines.starts(with: Array("[\"f\",".utf8)))
  }

  @Test("the last events are a recording that begins with a whole frame", arguments: [0, 1, 25, 30, 100])
  func last(count: Int) throws {
    let ring = RecordingRing(causesOfKeyframe: 5)
    let stand = try Stand(ring)
    try stand.press(30)
    let recording = try #require(ring.recording(last: count))
    let numbers = try causes(recording)
    #expect(numbers.last == 30 || count == 0)
    #expect((min(count, 30)...min(count + 5, 30)).contains(numbers.count))
    #expect(try replay(recording).frame.count == 30)
  }

  @Test("a recorder feeds several sinks, and what one of them loses the others have")
  func several() throws {
    let (ring, small, memory) = (RecordingRing(), RecordingBuffer(limit: 1000), RecordingBuffer())
    let stand = try Stand(ring, small, memory)
    try stand.press(100)
    stand.cycle.stop()
    #expect(try replay(memory.bytes).report.events == 100)
    #expect(try causes(#require(ring.recording())) == Array(1...100))
    #expect(small.account.offered < 100 && small.account.offered > 5)
    #expect(memory.text.hasSuffix("]\n") && memory.text.contains("[\"z\","))
    #expect(memory.account == RecordingAccount(offered: 100, written: 100))
  }

  /// A frame that can't be written while its count is odd.
  struct Fickle: Equatable, Codable {
    var count = 0

    func encode(to encoder: any Encoder) throws {
      if count % 2 == 1 { throw RecordingTextFault("an odd count") }
      var container = encoder.singleValueContainer()
      try container.encode(count)
    }
  }

  @Test("a frame that can't be written is a hole, and the next record is whole again")
  func fickle() throws {
    let probe = Probe("key")
    let memory = RecordingBuffer()
    let cycle = Cycle(seed: Fickle()) {
      Lens(
        probe, name: "key", show: { _ in "" },
        on: { fickle, event in fickle.count += event == .value("two") ? 2 : 1 })
    }
    let recorder = Recorder(app: "fickle", to: memory)
    try cycle.record(with: recorder)
    try cycle.start(on: VirtualLoop())
    for event in ["two", "one", "one", "two"] {
      probe.emit(event)
      try cycle.step(until: .zero)
    }
    cycle.stop()
    #expect(recorder.account(of: memory) == RecordingAccount(offered: 4, written: 2, lost: 2))
    #expect(recorder.fault?.reason == "an odd count")
    let lines = memory.text.split(separator: "\n").map { String($0.prefix(6)) }
    #expect(lines == ["{\"film", "[\"f\",0", "[\"e\",1", "[\"l\",0", "[\"f\",3", "[\"e\",4", "[\"z\",7"])
  }
}
