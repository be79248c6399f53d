import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import HardwarePlatform

@Suite("An application that is recorded from the command line")
struct RecordedApplicationTests {
  struct Counter: Equatable, Codable {
    var count = 0
  }

  /// Counts to 5 by itself, and ends.
  private final class Clock: Driver {
    enum Event: Equatable, Sendable, Codable { case tick }
    typealias Model = Int

    let safeModel = 0
    private var context: DriverContext<Event>?

    func start(showing model: Int, in context: DriverContext<Event>) throws(DriverError) { self.context = context }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
      if model < 5 { context?.emit(.tick) }
    }
    func stop() {}
  }

  private enum Counting: CycledApplication {
    static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Counter> {
      let cycle = Cycle(seed: Counter()) {
        Lens(Clock(), name: "clock", show: { $0.count }, on: { counter, _ in counter.count += 1 })
      }
      cycle.observe { [unowned cycle] counter, _ in if counter.count == 5 { cycle.requestStop() } }
      return cycle
    }
  }

  @Test("--record records it, and --replay plays the recording without devices")
  func recording() throws {
    try withFiles([:]) { folder in
      let path = "\(folder)/counting.recording"
      #expect(
        Counting.run(["--record", path, "--record-limit", "1MiB", "--flight-recorder", "\(folder)/last.recording"]) == 0
      )
      let text = String(decoding: try #require(bytes(of: path)), as: UTF8.self)
      #expect(text.split(separator: "\n").count == 8)
      #expect(Counting.run(["--replay", path]) == 0)
      #expect(Counting.run(["--replay", path, "--digest"]) == 0)
      save(Array(text.replacing("[\"e\",2,", with: "[\"e\",3,").utf8), at: path)
      #expect(Counting.run(["--replay", path]) == 65)
      #expect(names(in: folder) == ["counting.recording"])
    }
  }

  @Test("a file that is no recording is not overwritten")
  func place() {
    withFiles(["notes.txt": "buy milk"]) { folder in
      #expect(Counting.run(["--record", "\(folder)/notes.txt"]) == 74)
      #expect(bytes(of: "\(folder)/notes.txt") == Array("buy milk".utf8))
      #expect(Counting.run(["--record-limit", "1MiB"]) == 64)
    }
  }

  /// Counts to 5, and has a button.
  private enum Pressing: CycledApplication {
    static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Counter> {
      let cycle = Cycle(seed: Counter()) {
        Lens(Button(platform.chip, line: "GPIO17"), on: { _, _ in })
        Lens(Clock(), name: "clock", show: { $0.count }, on: { counter, _ in counter.count += 1 })
      }
      cycle.observe { [unowned cycle] counter, _ in if counter.count == 5 { cycle.requestStop() } }
      return cycle
    }
  }

  @Test("--record-edges records the edges of its lines; without it the recording has none")
  func edges() throws {
    try withFiles([:]) { folder in
      let path = "\(folder)/pressing.recording"
      #expect(Pressing.run(["--simulated", "--record", path, "--record-edges"]) == 0)
      let text = String(decoding: try #require(bytes(of: path)), as: UTF8.self)
      let edges = text.split(separator: "\n").filter { $0.hasPrefix("[\"g\",") }
      #expect(edges.count == 1 && edges[0].hasSuffix(",\"GPIO17\",1,0]"), "\(text)")
      #expect(Pressing.run(["--simulated", "--record", path]) == 0)
      #expect(!String(decoding: try #require(bytes(of: path)), as: UTF8.self).contains("[\"g\""))
      #expect(Pressing.run(["--simulated", "--record-edges"]) == 64)
    }
  }

  @Test("--monitor serves it, and other options of the monitor need it")
  func monitor() {
    withFiles([:]) { folder in
      #expect(
        Pressing.run([
          "--simulated", "--monitor", "--monitor-address", "unix:\(folder)/monitor.sock", "--monitor-control",
        ]) == 0)
      #expect(names(in: folder) == [])
      #expect(Pressing.run(["--simulated", "--monitor-control"]) == 64)
      #expect(Pressing.run(["--simulated", "--monitor", "--monitor-address", "here"]) == 64)
    }
  }
}
