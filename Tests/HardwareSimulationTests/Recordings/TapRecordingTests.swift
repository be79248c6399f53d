import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// A key that is tapped: the recording of it, byte for byte.
@Suite("a recording of a key that is tapped")
struct TapRecordingTests {
  struct Tap: Equatable, Codable {
    var count = 0
    var isBeeping = false
  }

  static func cycle(_ chip: any GPIOChip, step: Int = 1) -> any Application<Tap> {
    Cycle(seed: Tap()) {
      Lens(
        Button(chip, line: "GPIO17"), name: "key",
        on: { tap, event in
          switch event {
          case .pressed:
            tap.count += step
            tap.isBeeping = true
          case .released: tap.isBeeping = false
          case .held: tap.count = 0
          default: break
          }
        })
    }
  }

  static let recording = """
    {"film":1,"app":"tap","by":"test","clock":"virtual","start":5000000,"lenses":[{"name":"key","driver":"Button"}]}
    ["f",0,0,{"count":0,"isBeeping":false},"9b524d38f788ec47"]
    ["e",1,5000000,0,"pressed",1,"69bf961f3e39b827"]
    ["e",2,105000000,0,"released",2,"c30a099d7a20a712"]
    ["e",3,105000000,0,"clicked",2]
    ["e",4,205000000,0,"pressed",3,"94ead5cb9c911552"]
    ["e",5,305000000,0,"released",4,"8c4079e1ddb2e321"]
    ["e",6,305000000,0,"clicked",4]
    ["z",9,400000000,"stopped",6,4,"1b70d415df1e9aef"]

    """

  static func recorded() throws -> String {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let contact = chip.contact(at: "GPIO17")
    let memory = RecordingBuffer()
    let cycle = cycle(chip)
    try cycle.record(with: Recorder(app: "tap", by: "test", to: memory))
    try bench.run(cycle)
    for _ in 0..<2 {
      try contact.press()
      try bench.advance(by: .milliseconds(100))
      try contact.release()
      try bench.advance(by: .milliseconds(100))
    }
    bench.stop()
    return memory.text
  }

  @Test("is this, byte for byte")
  func bytes() throws {
    let recorded = try Self.recorded()
    #expect(recorded == Self.recording)
  }

  private func replay(_ recording: String, step: Int = 1) throws -> ReplayReport {
    try Self.cycle(SimulatedChip(Bench()), step: step)
      .replay(RecordingReader(RecordingBytes(Array(recording.utf8)), name: "tap.recording"), ReplayOptions())
  }

  @Test("leads to the same frames again")
  func replays() throws {
    let report = try replay(Self.recording)
    #expect(report.digest.description == "9d1cf9afc22b22a7")
    #expect(report.events == 6)
    #expect(report.frame == 4)
    #expect(report.truncation == nil)
  }

  @Test("names the first frame that another application makes otherwise")
  func difference() throws {
    do {
      _ = try replay(Self.recording, step: 2)
      Issue.record("nothing differs")
    } catch {
      #expect(
        "\(error)" == """
          tap.recording:3: frame 1 differs, at 0.005000000s, by event 1 of key: "pressed"
            count  recorded 1  now 2
          """)
    }
  }

  @Test("cut anywhere is read up to its last whole line")
  func cut() throws {
    let bytes = Array(Self.recording.utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for length in 0...bytes.count {
      let text = String(decoding: bytes[..<length], as: UTF8.self)
      let whole = ends.filter { $0 < length }
      guard !whole.isEmpty else {
        #expect(throws: RecordingError.self, "\(length) bytes") { try replay(text) }
        continue
      }
      let left = length - whole.last! - 1
      let report = try replay(text)
      #expect(
        report.truncation
          == (left == 0
            ? nil
            : "tap.recording:\(whole.count + 1): the recording ends in the middle of a line; \(left == 1 ? "1 byte is" : "\(left) bytes are") left out"),
        "\(length) bytes")
      #expect(report.events == max(0, min(6, whole.count - 2)), "\(length) bytes")
    }
  }

  @Test("tells each changed bit, but for those of the moment of its end")
  func flipped() throws {
    let recording = Array(Self.recording.utf8)
    let end = recording.count - 44
    #expect(String(decoding: recording[end..<end + 9], as: UTF8.self) == "400000000")
    // Without the end of its last line, a recording is one that was cut off.
    for place in recording.indices.dropLast() where !(end..<end + 9).contains(place) {
      for bit in 0..<8 {
        var bytes = recording
        bytes[place] ^= 1 << bit
        let recording = RecordingBytes(bytes)
        #expect(throws: (any Error).self, "byte \(place), bit \(bit)") {
          try Self.cycle(SimulatedChip(Bench())).replay(
            RecordingReader(recording, name: "tap.recording"), ReplayOptions())
        }
      }
    }
  }

  // MARK: - Takes

  private func play(_ edits: String...) throws -> (report: ReplayReport, text: String) {
    var take = try EditedRecording(
      of: RecordingReader(RecordingBytes(Array(Self.recording.utf8)), name: "tap.recording"))
    for edit in edits { try take.apply(RecordingEdit(edit)) }
    let memory = RecordingBuffer()
    return (try Self.cycle(SimulatedChip(Bench())).play(take, to: memory), memory.text)
  }

  @Test("without edits a take is the recording")
  func sameTake() throws {
    #expect(try play().report.digest.description == "9d1cf9afc22b22a7")
  }

  @Test("without its first event it has other frames")
  func off() throws {
    let (report, text) = try play("off 1")
    #expect(report.digest.description == "9e1e0be36fd47a44")
    #expect(report.frame == 2)
    #expect(text.contains(#"["e",3,205000000,0,"pressed",1,"69bf961f3e39b827"]"#))
    #expect(text.contains(#"["e",4,305000000,0,"released",2,"c30a099d7a20a712"]"#))
    #expect(try play("off 1", "on 1").report.digest.description == "9d1cf9afc22b22a7")
  }

  @Test("an event that changes its place gets the moment of the place")
  func moved() throws {
    let (report, text) = try play("move 1 before 3")
    #expect(report.digest.description == "5a2b36a2ce480d6d")
    #expect(report.frame == 3)
    #expect(text.contains(#"["e",1,5000000,0,"released",0]"#))
    #expect(text.contains(#"["e",2,105000000,0,"pressed",1,"#))
    #expect(text.contains("8c4079e1ddb2e321"))
  }

  @Test("an event that is put in makes a frame")
  func inserted() throws {
    let (report, text) = try play(#"insert after 3 at 150ms key "held""#)
    #expect(report.digest.description == "1c0e1cbb480af433", "\(text)")
    #expect(text.contains(#"3,"9b524d38f788ec47"]"#))
    #expect(text.contains("c30a099d7a20a712"))
  }

  @Test("what can't be done is refused with the reason")
  func refused() throws {
    func fault(_ edit: String) -> String? {
      do { _ = try play(edit) } catch { return "\(error)" }
      return nil
    }
    #expect(fault(#"insert after 3 at 400ms key "held""#) == "0.400s is not between 0.105s and 0.205s")
    #expect(fault("off 7") == "there is no event 7; the recording has 6")
    #expect(fault(#"insert after 3 at 150ms door "held""#) == "there is no lens \"door\"; lenses: key")
    #expect(fault(#"edit 1 "pushed""#) == "event 1: Event has no case \"pushed\", at byte 1")
    #expect(fault("move 1 after 3") == "write move 1 before 3")
    #expect(fault("edit 1 pressed") == "a value is missing, at byte 1")
    #expect(fault("frame 1 counter 7") == "event 1: the frame has no \"counter\"; it has: count, isBeeping")
  }

  @Test("a value of a frame can be another one from an event on")
  func frameEdit() throws {
    let (report, text) = try play("frame 1 count 10")
    #expect(report.frame == 5)
    #expect(text.contains(#"["s",2,5000000,{"count":10,"isBeeping":true},2,"#))
    #expect(text.contains(#"["e",5,205000000,0,"pressed",4,"#))
  }
}
