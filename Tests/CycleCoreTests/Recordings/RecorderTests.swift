import CycleCore
import TestSupport
import Testing

@Suite("A recorder")
struct RecorderTests {
  struct House: Equatable, Codable {
    var door = ["shut"]
    var lamps = [0, 0, 0]
    var count = 0
  }

  /// An application with parts, a list and a plain lens; each probe tells what it is given.
  private struct Application {
    let door = Probe("door")
    let lamps = (0..<3).map { Probe("lamp\($0)") }
    let counter = Probe("counter")
    let loop = VirtualLoop()

    func cycle() -> any CycleCore.Application<House> {
      let (door, lamps, counter) = (door, lamps, counter)
      return Cycle(seed: House(), history: 2) {
        Part(\.door) {
          Lens(
            door, name: "door", show: { "\($0)" },
            on: { door, event, past in
              if case .value(let value) = event { door = [value] + (past[1].map { [$0[0]] } ?? []) }
            })
        }
        Parts(\.lamps, count: 3) { index in
          Lens(
            lamps[index], name: "lamp\(index)", show: { "\($0)" },
            on: { level, event in if case .value(let value) = event { level = Int(value) ?? 0 } })
        }
        Lens(
          counter, name: "counter", show: { "\($0.count) \($0.door)" },
          on: { house, event in
            house.count += 1
            if event == .value("reset") { house = House() }
          },
          trouble: { house, _ in house.count = -1 })
      }
    }

    /// Lets so many events happen, which depend on a seed.
    func run(_ recorder: Recorder?, events: Int, seed: UInt64 = 1) throws -> House {
      let cycle = cycle()
      if let recorder { try cycle.record(with: recorder) }
      try cycle.start(on: loop)
      var state = seed
      for _ in 0..<events {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choice = Int(state >> 33)
        loop.advance(to: loop.now + .milliseconds(choice % 50))
        switch choice % 7 {
        case 0: door.emit(choice % 2 == 0 ? "open" : "shut")
        case 1, 2, 3: lamps[choice % 3].emit("\(choice % 5)")
        case 4: counter.emit("reset")
        default: counter.emit("count")
        }
        try cycle.step(until: .zero)
      }
      cycle.stop()
      return cycle.frame
    }
  }

  private func replay(_ bytes: [UInt8]) throws -> (report: ReplayReport, frame: House, log: [String]) {
    let application = Application()
    let cycle = application.cycle()
    let report = try cycle.replay(RecordingReader(RecordingBytes(bytes), name: "house.recording"), ReplayOptions())
    let probes = [application.door, application.counter] + application.lamps
    return (report, cycle.frame, probes.flatMap(\.log.lines))
  }

  @Test(
    "records parts, lists and histories so that they come about again, and a replay calls no driver",
    arguments: 1...5 as ClosedRange<UInt64>)
  func parts(seed: UInt64) throws {
    let memory = RecordingBuffer()
    let recorder = Recorder(app: "house", to: memory)
    let frame = try Application().run(recorder, events: 300, seed: seed)
    #expect(recorder.account(of: memory) == RecordingAccount(offered: 300, written: 300))
    let again = try replay(memory.bytes)
    #expect(again.frame == frame)
    #expect(again.report.events == 300)
    #expect(again.log == [])
  }

  @Test("changes nothing of what happens")
  func unchanged() throws {
    let recorded = try Application().run(Recorder(app: "house", to: RecordingBuffer()), events: 200)
    #expect(try Application().run(nil, events: 200) == recorded)
  }

  @Test("writes a whole frame after 4096 events, and a check after 255 lines")
  func keyframes() throws {
    let memory = RecordingBuffer()
    _ = try Application().run(Recorder(app: "house", to: memory), events: 9000)
    let lines = memory.text.split(separator: "\n")
    let keyframes = lines.filter { $0.hasPrefix("[\"f\"") }
    #expect((3...20).contains(keyframes.count))
    var sinceCheck = 0
    for line in lines {
      sinceCheck = line.hasPrefix("[\"c\"") ? 0 : sinceCheck + 1
      #expect(sinceCheck <= 255)
    }
    #expect(try replay(memory.bytes).report.events == 9000)
  }

  /// A disk that stands still: it takes nothing from one line to another.
  private final class StandingStill: RecordingSink {
    let memory = RecordingBuffer()
    private let span: Range<Int>
    private var count = 0

    init(_ span: Range<Int>) { self.span = span }

    func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
      count += 1
      return !span.contains(count) && memory.take(lines, as: part)
    }

    func flush(_ occasion: RecordingFlush) {}
    var account: RecordingAccount { memory.account }
  }

  @Test("counts what does not fit, says it, and goes on with a whole frame", arguments: [4..<29, 2..<3, 289..<301])
  func hole(span: Range<Int>) throws {
    let sink = StandingStill(span)
    let recorder = Recorder(app: "house", to: sink)
    let frame = try Application().run(recorder, events: 300)
    let account = recorder.account(of: sink)
    #expect(account.offered == 300 && account.lost > 0)
    #expect(account.written + account.lost == 300)
    let text = sink.memory.text
    #expect(text.contains("\n[\"l\","))
    let (report, again, _) = try replay(sink.memory.bytes)
    #expect(again == frame)
    #expect(report.lost == account.lost)
    #expect(report.events == account.written)
  }

  @Test("tells at the start what can't be recorded, and what to do")
  func unrecorded() throws {
    struct Plain: Equatable {}
    let plain = Cycle(seed: Plain()) { Lens(Probe("p"), name: "p", show: { _ in "" }) }
    #expect(throws: DriverError.self) { try plain.record(with: Recorder(app: "a", to: RecordingBuffer())) }

    let cycle = Cycle(seed: 0) { Lens(Mute(), name: "mute", on: { _, _ in }) }
    try cycle.record(with: Recorder(app: "a", to: RecordingBuffer()))
    do {
      try cycle.start(on: VirtualLoop())
      Issue.record("it has started")
    } catch {
      #expect(error.description.hasPrefix("cannot record the events of mute: "))
      #expect(error.description.hasSuffix("Mute.Event is not Codable. Make it Codable, or Recordable."))
    }
  }

  private struct Mute: Driver {
    struct Event: Sendable {}
    typealias Model = NoModel

    mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {}
    mutating func stop() {}
  }

  @Test("a replay without a digest plays the same frames, and finds the frame that differs")
  func undigested() throws {
    let memory = RecordingBuffer()
    let frame = try Application().run(Recorder(app: "house", to: memory), events: 200)
    let cycle = Application().cycle()
    let recording = { (bytes: [UInt8]) in try RecordingReader(RecordingBytes(bytes), name: "house.recording") }
    let report = try cycle.replay(try recording(memory.bytes), ReplayOptions(hasDigest: false))
    #expect(report.digest == FNV1aHash() && cycle.frame == frame)
    var lines = memory.text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("[\"c") }
    let place = try #require(lines.lastIndex { $0.hasPrefix("[\"e") && $0.hasSuffix("\"]") })
    let digit = lines[place].index(lines[place].endIndex, offsetBy: -3)
    lines[place].replaceSubrange(digit...digit, with: lines[place][digit] == "0" ? "1" : "0")
    let damaged = Array(lines.joined(separator: "\n").utf8) + [0x0a]
    #expect(throws: ReplayDifference.self) {
      _ = try Application().cycle().replay(try recording(damaged), ReplayOptions(hasDigest: false))
    }
  }

  @Test("a recording of another application is refused with what is missing")
  func otherApplication() throws {
    let memory = RecordingBuffer()
    _ = try Application().run(Recorder(app: "house", to: memory), events: 50)
    let other = Cycle(seed: House()) { Lens(Probe("p"), name: "p", show: { _ in "" }) }
    do {
      _ = try other.replay(RecordingReader(RecordingBytes(memory.bytes), name: "house.recording"), ReplayOptions())
      Issue.record("it has been replayed")
    } catch {
      #expect("\(error)".contains("the application has no lens \""))
    }
  }
}
