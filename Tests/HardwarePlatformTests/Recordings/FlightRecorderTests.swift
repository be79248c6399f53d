import CycleCore
import Glibc
import HardwarePlatform
import TestSupport
import Testing

@Suite("A flight recorder, and a recording with a limit")
struct FlightRecorderTests {
  /// A frame that is a row, as those of panels.
  struct Row: RowFrame {
    var numbers = [0, 0]

    var recordingNumbers: [Int] {
      get { numbers }
      set { numbers = newValue }
    }
  }

  private static func cycle(_ probe: Probe) -> any Application<Row> {
    Cycle(seed: Row()) {
      Lens(
        probe, name: "key", show: { _ in "" },
        on: { row, event in
          row.numbers[0] += 1
          if event == .value("third") { row.numbers[1] = row.numbers[0] }
        }, trouble: { row, _ in row.numbers[1] = -1 })
    }
  }

  /// Recordings an application while events happen to it.
  private func recording(to sink: any RecordingSink, _ body: (_ press: (String) throws -> Void, Probe) throws -> Void)
    throws
  {
    let (probe, loop) = (Probe("key"), VirtualLoop())
    let cycle = Self.cycle(probe)
    try cycle.record(with: Recorder(app: "row", columns: ["presses", "third"], to: sink))
    try cycle.start(on: loop)
    try body(
      { value in
        loop.advance(to: loop.now + .milliseconds(1))
        probe.emit(value)
        try cycle.step(until: .zero)
      }, probe)
    cycle.stop()
  }

  private func replay(_ path: String) throws -> (report: ReplayReport, frame: Row, numbers: [Int]) {
    let cycle = Self.cycle(Probe("key"))
    let report = try cycle.replay(RecordingReader(RecordingFileReader(path: path), name: path), ReplayOptions())
    let recording = try RecordingReader(RecordingFileReader(path: path), name: path)
    var numbers: [Int] = []
    while let line = try recording.next() { if line.kind == .event { numbers.append(line.number) } }
    return (report, cycle.frame, numbers)
  }

  private func withRecorder(
    events: Int, _ body: (FlightRecorder, _ folder: String, _ outcomes: () -> [String]) throws -> Void
  ) throws {
    try withFiles([:]) { folder in
      let told = Told()
      let flight = try FlightRecorder(path: "\(folder)/row.recording", events: events) { outcome in
        switch outcome {
        case .success(let path): told.add(String(path.dropFirst(folder.count + 1)))
        case .failure(let error): told.add("\(error)")
        }
      }
      try body(flight, folder) { told.values }
    }
  }

  private final class Told: Sendable {
    private let lines = Locked<[String]>([])

    var values: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test("of 30 events it writes the last 25, with a whole frame before them")
  func last() throws {
    try withRecorder(events: 25) { flight, folder, outcomes in
      try recording(to: flight) { press, _ in
        for number in 1...30 { try press(number % 3 == 0 ? "third" : "press") }
        flight.flush(.request)
      }
      #expect(flight.finish())
      #expect(outcomes() == ["row.1.recording"])
      let recording = try replay("\(folder)/row.1.recording")
      #expect(recording.numbers == Array(6...30))
      #expect(recording.report.events == 25 && recording.report.truncation == nil)
      #expect(recording.frame == Row(numbers: [30, 30]))
    }
  }

  @Test("writes a recording of what led to trouble and of what came of it, a single one of several troubles at once")
  func trouble() throws {
    try withRecorder(events: 4) { flight, folder, outcomes in
      try recording(to: flight) { press, probe in
        for _ in 1...10 { try press("press") }
        probe.wakeError = .broken
        probe.context?.setAlarm(.zero + .milliseconds(10))
        try press("press")
        for _ in 1...5 { try press("press") }
      }
      flight.finish()
      #expect(outcomes() == ["row.1.recording"])
      let recording = try replay("\(folder)/row.1.recording")
      #expect(recording.numbers.last == recording.report.frame)
    }
  }

  @Test("overwrites no recording, and writes no more than 20")
  func bounded() throws {
    try withRecorder(events: 1) { flight, folder, outcomes in
      try recording(to: flight) { press, _ in try press("press") }
      for number in 1...FlightRecorder.mostRecordings where number != 3 {
        fclose(fopen("\(folder)/row.\(number).recording", "w"))
      }
      flight.flush(.request)
      flight.finish()
      #expect(outcomes() == ["row.3.recording"])
      #expect(bytes(of: "\(folder)/row.1.recording") == [])

      let told = Told()
      let full = try FlightRecorder(path: "\(folder)/row.recording", events: 1) { told.add("\($0)") }
      try recording(to: full) { press, _ in
        try press("press")
        full.flush(.request)
      }
      full.finish()
      #expect(
        told.values.count == 1 && told.values[0].contains("row.1.recording to \(folder)/row.20.recording are there"))
    }
  }

  @Test("a recording with a limit goes on in a new file, and the half before it stays")
  func rotation() throws {
    try withFiles([:]) { folder in
      let path = "\(folder)/row.recording"
      let file = try BackgroundRecordingFile(path: path, limit: BackgroundRecordingFile.leastLimit)
      let text = String(repeating: "x", count: 500)
      // Less than what may wait for a disk that stands still: nothing can be lost.
      try recording(to: file) { press, _ in for _ in 1...1700 { try press(text) } }
      #expect(file.finish() == nil)
      #expect(file.account == RecordingAccount(offered: 1700, written: 1700))
      let (earlier, later) = (try replay("\(path).1"), try replay(path))
      #expect(later.numbers.last == 1700 && later.report.truncation == nil)
      #expect(earlier.numbers.last! + 1 == later.numbers[0])
      #expect(later.frame == Row(numbers: [1700, 0]))
      for name in ["row.recording", "row.recording.1"] {
        #expect(try #require(bytes(of: "\(folder)/\(name)")).count <= BackgroundRecordingFile.leastLimit / 2)
      }
    }
  }
}
