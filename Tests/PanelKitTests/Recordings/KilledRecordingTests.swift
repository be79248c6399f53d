import CycleCore
import Glibc
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

/// FILM_KILLS says how many panels are killed, FILM_SEED when, and FILM_PANELS how many of them run at once: no more
/// than the machine can run without falling behind.
@Suite("Recordings of panels that were killed")
struct KilledRecordingTests {
  private static let kills = getenv("FILM_KILLS").flatMap { Int(String(cString: $0)) } ?? 10
  private static let seed = getenv("FILM_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
  private static let batch = getenv("FILM_PANELS").flatMap { Int(String(cString: $0)) } ?? 10
  /// How late a thread may be woken on a machine that is busy.
  private static let delay = Duration.seconds(1)

  private static let panel = """
    panel: Blinker
    outputs:
      lamp: { led: GPIO23 }
    values:
      blinks: { initial: 0, min: 0, max: 999999 }
    initial: dark
    states:
      dark:
        after: { 4ms: { go: lit, set: { blinks: +1 } } }
      lit:
        show: { lamp: on }
        after: { 4ms: dark }

    """

  /// `CLOCK_MONOTONIC`, the clock of the recordings.
  private static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  @Test("can be read up to a moment at most 5 s before, and lead to the same frames")
  func kill() throws {
    var random = SeededGenerator(seed: Self.seed)
    try withFiles(["blinker.panel.yaml": Self.panel]) { folder in
      for first in stride(from: 0, to: Self.kills, by: Self.batch) {
        let numbers = first..<min(first + Self.batch, Self.kills)
        let panels = numbers.map { number in
          PanelProcess(
            [
              "run", "--simulated", "\(folder)/blinker.panel.yaml", "--record", "\(folder)/\(number).recording",
              "--log-level",
              "info",
            ])
        }
        for (number, panel) in zip(numbers, panels) {
          _ = panel.readErrors(until: "running: ")
          // More of them reach the 5 s after which a recording is written, and the 64 KiB.
          let lines = Int.random(in: 0..<(Self.kills > 10 ? 1_500 : 100), using: &random)
          for _ in 0..<lines { _ = panel.readErrorLine() }
          panel.send(SIGKILL)
          let killed = Self.now
          #expect(panel.finish().status == -SIGKILL)
          try check("\(folder)/\(number).recording", killed, "seed \(Self.seed), recording \(number)")
        }
      }
    }
  }

  private func check(_ path: String, _ killed: Moment, _ what: String) throws {
    let recording = try RecordingReader(RecordingFileReader(path: path), name: path)
    var last = Int64(0)
    while let line = try recording.next() { last = max(last, line.time) }
    let missing = killed - Moment(nanoseconds: recording.header.start.nanoseconds + last)
    #expect(missing <= .seconds(5) + Self.delay, "\(what)")
    let replay = PanelProcess.run(["recording", "replay", path])
    #expect(replay.status == 0, "\(what): \(replay)")
  }
}
