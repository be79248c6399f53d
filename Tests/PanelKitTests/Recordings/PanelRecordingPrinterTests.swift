import CycleCore
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelRecording

@Suite("The listing of a panel's recording")
struct PanelRecordingPrinterTests {
  private static func panel(tap: Int = 1) -> String {
    """
    panel: Lamp
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO23 } }
    values: { taps: { initial: 0, min: 0, max: 9 } }
    initial: dark
    states:
      dark: { on: { key.pressed: { set: { taps: +\(tap) }, go: lit } } }
      lit: { show: { lamp: on }, after: { 3s: dark } }
    """
  }

  private static let start = "0.000s  0  state=dark  lamp=off  taps=0"
  private static let pressed = "0.005s  1  key.pressed  dark -> lit  lamp=on  taps=1"
  private static let released = "0.105s  2  key.released"
  private static let timeout = "3.005s  3  after 3s in lit  lit -> dark  lamp=off"

  private func recording() throws -> [UInt8] {
    try RecordingStage.recording(Self.panel(), ["press key", "wait 100ms", "release key", "wait 4s"])
  }

  /// The part of a recording from an event on, without the header, the checks and the end.
  private func part(of recording: [UInt8], from cause: Int) throws -> [Substring] {
    let part = RecordingBuffer()
    _ = try RecordingCut(RecordingRange(causes: cause ... .max)).copy(to: part) {
      try RecordingReader(RecordingBytes(recording), name: "test")
    }
    return RecordingStage.lines(of: part.bytes).dropFirst().filter {
      !$0.hasPrefix("[\"c\"") && !$0.hasPrefix("[\"z\"")
    }
  }

  private func bytes(ofRecording lines: [Substring]) -> [UInt8] { Array(lines.map { "\($0)\n" }.joined().utf8) }

  /// The lines of a listing after its headline, and the error that ended it.
  private func listing(
    _ recording: [UInt8], _ range: RecordingRange = RecordingRange(), panelFile: String? = nil
  ) -> (lines: [String], error: String?) {
    var lines: [String] = []
    do {
      let panel = try ReplayableRecording(recording, name: "test.recording", panelFile: panelFile, kinds: .standard)
      try PanelRecordingPrinter(panel, panel.recording(), range) { lines.append($0) }.print()
      return (Array(lines.dropFirst()), nil)
    } catch {
      return (Array(lines.dropFirst()), "\(error)")
    }
  }

  @Test("a gap has a line, and the listing continues with the state at the next whole frame")
  func gap() throws {
    let recording = try recording()
    let lines = RecordingStage.lines(of: recording)
    let first = try #require(lines.firstIndex { $0.hasPrefix("[\"e\",1,") })
    let listed = try listing(
      bytes(ofRecording: Array(lines[...first]) + ["[\"l\",105000000,1]"] + part(of: recording, from: 3)))
    #expect(listed.error == nil)
    #expect(
      listed.lines == [
        Self.start, Self.pressed, "0.105s  1 event missing", "0.105s  2  state=lit  lamp=on  taps=1", Self.timeout,
      ])
  }

  @Test("a part of a recording begins at its own time, with the number of the event before it")
  func shortened() throws {
    let recording = try recording()
    let listed = try listing(
      bytes(ofRecording: [RecordingStage.lines(of: recording)[0]] + part(of: recording, from: 3)))
    #expect(listed.error == nil)
    #expect(listed.lines == ["0.105s  2  state=lit  lamp=on  taps=1", Self.timeout])
  }

  @Test("the events before a damaged line are listed, and then the error")
  func damaged() throws {
    let lines = RecordingStage.lines(of: try recording())
    let last = try #require(lines.firstIndex { $0.hasPrefix("[\"e\",3,") })
    let listed = listing(bytes(ofRecording: Array(lines[..<last]) + ["[\"e\",3,"]))
    #expect(listed.lines == [Self.start, Self.pressed, Self.released])
    #expect(listed.error?.hasPrefix("test.recording:\(last + 1): ") == true, "\(listed)")
    let none = listing(bytes(ofRecording: [lines[0], lines[1], "damaged"]))
    #expect(none.lines == [Self.start] && none.error?.hasPrefix("test.recording:3: ") == true, "\(none)")
  }

  @Test("nothing after the end of the range is read")
  func range() throws {
    let lines = RecordingStage.lines(of: try recording())
    let first = try #require(lines.firstIndex { $0.hasPrefix("[\"e\",1,") })
    let listed = listing(bytes(ofRecording: Array(lines[...first]) + ["damaged"]), RecordingRange(causes: .min...1))
    #expect(listed.lines == [Self.start, Self.pressed] && listed.error == nil, "\(listed)")
    let times = listing(try recording(), RecordingRange(times: 5_000_001...1_000_000_000))
    #expect(times.lines == [Self.released] && times.error == nil, "\(times)")
    let numbers = listing(try recording(), RecordingRange(causes: 3...9))
    #expect(numbers.lines == [Self.timeout] && numbers.error == nil, "\(numbers)")
  }

  @Test("the recorded state is listed where another panel file leads to a different one, and the line is marked")
  func different() throws {
    let recording = try recording()
    withFiles(["other.panel.yaml": Self.panel(tap: 2)]) { folder in
      let listed = listing(recording, panelFile: "\(folder)/other.panel.yaml")
      #expect(listed.error == nil)
      #expect(
        listed.lines == [Self.start, Self.pressed + "  (a replay differs)", Self.released, Self.timeout], "\(listed)")
    }
  }
}
