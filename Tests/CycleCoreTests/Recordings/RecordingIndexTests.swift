import CycleCore
import TestSupport
import Testing

@Suite("The index of a recording")
struct RecordingIndexTests {
  private static func cycle(_ probe: Probe) -> any Application<Int> {
    Cycle(seed: 0) { Lens(probe, name: "key", show: { "\($0)" }, on: { count, _ in count += 3 }) }
  }

  private static func recording(events: Int) throws -> [UInt8] {
    let (probe, memory, loop) = (Probe("key"), RecordingBuffer(), VirtualLoop())
    let cycle = cycle(probe)
    try cycle.record(with: Recorder(app: "counter", to: memory))
    try cycle.start(on: loop)
    for _ in 0..<events {
      loop.advance(to: loop.now + .milliseconds(1))
      probe.emit("pressed", at: loop.now)
      try cycle.step(until: .zero)
    }
    cycle.stop()
    return memory.bytes
  }

  @Test("leads to any frame, in any order, from a whole frame near it")
  func jump() throws {
    let recording = try RecordingReader(RecordingBytes(Self.recording(events: 5_000)), name: "counter.recording")
    let index = try RecordingIndex(of: recording)
    #expect(index.places.count > 2 && index.lastFrame == 5_000)
    for frame in [4_999, 1, 0, 2_500, 5_000, index.places[1].frame] {
      let place = index.place(ofFrame: frame)
      #expect(place.frame <= frame)
      try recording.go(to: place)
      let cycle = Self.cycle(Probe("key"))
      let report = try cycle.replay(recording, ReplayOptions(untilFrame: frame))
      #expect(cycle.frame == 3 * frame && report.frame == frame)
      #expect(report.events == frame - place.frame)
    }
  }

  @Test("leads to the whole frame before a moment")
  func moment() throws {
    let recording = try RecordingReader(RecordingBytes(Self.recording(events: 3_000)), name: "counter.recording")
    let index = try RecordingIndex(of: recording)
    #expect(index.place(at: .zero).frame == 0)
    #expect(index.place(at: .seconds(100)) == index.places.last)
    let place = index.places[1]
    #expect(index.place(at: .nanoseconds(place.time)) == place)
    #expect(index.place(at: .nanoseconds(place.time - 1)) == index.places[0])
  }

  @Test("a recording without a whole frame has none, and a source that is read in order is not moved")
  func none() throws {
    let header = #"{"film":1,"app":"a","clock":"virtual","start":0,"lenses":[]}"# + "\n"
    #expect(throws: RecordingError.self) {
      try RecordingIndex(of: RecordingReader(RecordingBytes(Array(header.utf8)), name: "a.recording"))
    }
    final class Pipe: RecordingSource {
      let bytes: RecordingBytes
      init(_ bytes: [UInt8]) { self.bytes = RecordingBytes(bytes) }
      func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { bytes.read(into: buffer) }
    }
    let recording = try RecordingReader(Pipe(Self.recording(events: 3)), name: "a.recording")
    let index = try RecordingIndex(of: recording)
    #expect(throws: DriverError.self) { try recording.go(to: index.places[0]) }
  }
}
