import BenchDrivers
import CycleCore
import Glibc
import HardwarePlatform
import HardwareSimulation
import StalledDisk

/// The costs of recordings: replaying them, and their size.
let recordingBenchmarks =
  costOfRecordingBenchmarks + [
    Benchmark("an hour of a busy panel, replayed", against: "lived in virtual time", timed: 1, counted: 1) {
      let path = try recordingFile("hour.recording", presses: BusyPanel.pressesInAnHour)
      return (
        { count in
          for _ in 0..<count {
            let report = try BusyPanel.replay(RecordingFileReader(path: path))
            precondition(report.events == 4 * BusyPanel.pressesInAnHour, "each event is replayed")
          }
        }, { for _ in 0..<$0 { try BusyPanel.run() } }
      )
    }.demanding(.ratioOfTimes, atMost: 1),
    Benchmark("a recording of 100000 events, replayed", in: "ms", against: "read by Python's json") {
      let path = try recordingFile("python.recording", presses: 25_000)
      let ours = try (0..<5).map { _ in try milliseconds { _ = try BusyPanel.replay(RecordingFileReader(path: path)) } }
        .min()!
      let script = """
        import json, time
        t = []
        for _ in range(5):
          b = time.perf_counter()
          for line in open("\(path)", "rb"): json.loads(line)
          t.append(time.perf_counter() - b)
        print(min(t) * 1000)
        """
      return (ours, Double(Measurement.output(of: "python3 -c '\(script)'").filter { $0 != "\n" }))
    }.demanding(.ratioOfAmounts, atMost: 0.5),
    Benchmark("the slowest of 100 jumps to one of a million frames", in: "ms") {
      // Each press makes two frames.
      let path = try recordingFile("million.recording", presses: 500_000)
      let recording = try RecordingReader(RecordingFileReader(path: path), name: path)
      let index = try RecordingIndex(of: recording)
      precondition(index.lastFrame == 1_000_000, "there are a million frames")
      let times = try (0..<100).map { number in
        // Frames all over the recording.
        let frame = 1 + number * 611_953 % index.lastFrame
        return try milliseconds {
          try recording.go(to: index.place(ofFrame: frame))
          let report = try BusyPanel.cycle(on: SimulatedChip(Bench())).replay(
            recording, ReplayOptions(untilFrame: frame))
          precondition(report.frame == frame, "the jump ends at its frame")
        }
      }
      return (times.max()!, nil)
    }.demanding(.amount, atMost: 50),
    Benchmark("an event of a busy panel in a recording", in: "B") {
      let recording = try BusyPanel.recording(presses: 1_000)
      return (Double(recording.count) / 4_000, nil)
    }.demanding(.amount, atMost: 60),
    Benchmark("an hour of ten events a second in a recording", in: "MB") {
      (Double(try BusyPanel.recording(presses: 9_000).count) / 1e6, nil)
    }.demanding(.amount, atMost: 2.2),
    Benchmark("an event of a panel file in a recording", in: "B") { (try bytesOfPanelEvent(), nil) },
    Benchmark(
      memoryOf: "an hour of ten events a second, recorded in a file", count: 9_000, against: "of a minute", fewer: 150
    ) {
      { count in
        let file = try BackgroundRecordingFile(path: "/dev/null")
        try BusyPanel.run(presses: count, recordedIn: [Paced(file)])
        precondition(file.finish() == nil && file.account.written == 4 * count, "all is written")
      }
    }.demanding(.excess, atMost: 1_024),
  ]

/// The costs of recording. Two rounds, which one count of allocations makes, fit into the buffer of the file: nothing
/// is lost if the file's thread is late.
private let costOfRecordingBenchmarks = [
  Benchmark("an event through 8 drivers, recorded in a file", against: "not recorded", timed: 5_000) {
    let registers = Registers()
    return (
      { count in try recorded { try runCycle(count, registers, recordedBy: $0) } }, { try runCycle($0, registers) }
    )
  },
  Benchmark("a press of a panel of 8 drivers, recorded in a file", against: "not recorded", timed: 2_500) {
    (
      { count in
        let file = try BackgroundRecordingFile(path: "/dev/null")
        try BusyPanel.run(presses: count, lamps: 5, recordedIn: [file])
        precondition(file.finish() == nil && file.account.written == 4 * count, "all is written")
      }, { try BusyPanel.run(presses: $0, lamps: 5) }
    )
  }.demanding(.ratioOfTimes, atMost: 1.5),
  Benchmark(
    "what 999 of 1000 recorded turns take at most while fdatasync takes 2 s", in: "us",
    against: "while the disk answers"
  ) {
    // Rounds in turn, so that both meet the same load of the machine. The least of each side was disturbed least.
    let rounds = try (0..<3).map { _ in (try slowTurn(stallingFor: 2_000), try slowTurn(stallingFor: 0)) }
    return (rounds.map(\.0).min()!, rounds.map(\.1).min()!)
  }.demanding(.excess, atMost: 20),
]

/// The time that 999 of 1000 turns of a recorded cycle of 8 drivers take at most, in µs. 5000 events come, 1000 in a
/// second. The recording is flushed with every hundredth.
///
/// - Parameter milliseconds: the time that the disk takes for each flush.
private func slowTurn(stallingFor milliseconds: UInt32) throws -> Double {
  let feed = Feed()
  let cycle = countingCycle(of: Fed(feed))
  let path = makeFile("stalled.recording", "")
  let file = try BackgroundRecordingFile(path: path)
  let recorder = Recorder(app: "bench", to: file)
  try cycle.record(with: recorder)
  try cycle.start(on: VirtualLoop())
  stall_fdatasync(milliseconds)
  var times: [Double] = []
  for number in 1...5_000 {
    usleep(1_000)
    feed.push()
    times.append(
      try ContinuousClock().measure {
        try cycle.step(until: nil)
        if number % 100 == 0 { file.flush(.request) }
      } / .microseconds(1))
  }
  stall_fdatasync(0)
  precondition(cycle.frame.count == 5_000, "each push counts")
  cycle.stop()
  precondition(file.finish() == nil && recorder.account(of: file).lost == 0, "all is written")
  return times.sorted()[times.count * 999 / 1_000]
}

/// Recordings what `body` runs in a file of which nothing is kept, and waits until all is written.
private func recorded(_ body: (Recorder) throws -> Void) throws {
  let file = try BackgroundRecordingFile(path: "/dev/null")
  let recorder = Recorder(app: "bench", to: file)
  try body(recorder)
  precondition(file.finish() == nil && recorder.account(of: file).lost == 0, "all is written")
}

/// A file that is written as often as it would be in real time: at 10 events a second about 50 come before it is.
private final class Paced: RecordingSink {
  private let file: BackgroundRecordingFile

  init(_ file: BackgroundRecordingFile) { self.file = file }

  func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    defer {
      if case .cause(let number) = part, number % 50 == 0 {
        file.flush(.request)
        while file.account.pending > 0 { usleep(100) }
      }
    }
    return file.take(lines, as: part)
  }

  func flush(_ occasion: RecordingFlush) { file.flush(occasion) }
  var account: RecordingAccount { file.account }
  var form: RecordingForm { file.form }
  var wantsNewRecording: Bool { file.wantsNewRecording }
}

/// Writes a recording of a busy panel into a file. Returns its path.
private func recordingFile(_ name: String, presses: Int) throws -> String {
  makeFile(name, try BusyPanel.recording(presses: presses))
}

/// How many bytes an event of a panel takes that goes through two states with each click, without the steps of the
/// simulation.
private func bytesOfPanelEvent() throws -> Double {
  let file = makeFile(
    "busy.panel.yaml",
    """
    panel: Busy
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO2 } }
    values: { rings: { initial: 0, min: 0, max: 100000 } }
    initial: idle
    states:
      idle: { on: { bell.pressed: { go: ringing, set: { rings: +1 } } } }
      ringing: { show: { lamp: { blink: 100ms } }, after: { 700ms: idle } }
    """)
  let recording = makeFile("busy.recording", "")
  unlink(recording)
  try panel(
    ["simulate", file, "--record", recording], steps: (0..<3_600).flatMap { _ in ["click bell", "wait 950ms"] })
  let count = Measurement.output(of: "grep -v '^\\[\"w\"' '\(recording)' | tail -n +2 | wc -c").filter { $0.isNumber }
  let events = Measurement.output(of: "grep -c '^\\[\"e\"' '\(recording)'").filter { $0.isNumber }
  return Double(count)! / Double(events)!
}

private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  try ContinuousClock().measure(body) / .milliseconds(1)
}
