import CycleCore
import HardwareSimulation
import Testing

/// Time travel touches no hardware.
@Suite("Drivers that must not be touched")
struct UntouchedDriverTests {
  /// Traps as soon as it is used.
  private struct Mine: Driver {
    typealias Event = Int

    var safeModel: Int { 0 }
    var isAtRest: Bool { fatalError("asked whether it is at rest") }

    mutating func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
      fatalError("started")
    }
    mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) { fatalError("rendered") }
    mutating func wake(_ wake: Wake) throws(DriverError) { fatalError("woken") }
    mutating func stop() { fatalError("stopped") }
  }

  /// A driver of the same events that the test gives.
  private final class Given: Driver {
    typealias Event = Int

    let safeModel = 0
    private(set) var context: DriverContext<Int>?

    func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) { self.context = context }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}
    func stop() {}
  }

  private static func cycle<D: Driver>(_ driver: D) -> any Application<Int> where D.Event == Int, D.Model == Int {
    Cycle(seed: 0, history: 2) { Lens(driver, name: "mine", show: { $0 }, on: { sum, number in sum += number }) }
  }

  private static func recording() throws -> [UInt8] {
    let (driver, memory, loop) = (Given(), RecordingBuffer(), VirtualLoop())
    let cycle = cycle(driver)
    try cycle.record(with: Recorder(app: "mine", to: memory))
    try cycle.start(on: loop)
    for number in 1...20 {
      loop.advance(to: loop.now + .milliseconds(10))
      driver.context?.emit(number, at: loop.now)
      try cycle.step(until: .zero)
    }
    cycle.stop()
    return memory.bytes
  }

  private static func open(_ bytes: [UInt8]) throws -> RecordingReader {
    try RecordingReader(RecordingBytes(bytes), name: "mine.recording")
  }

  @Test("a replay runs to its end, with its models, and to any moment")
  func replay() throws {
    let recording = try Self.recording()
    let whole = Self.cycle(Mine())
    #expect(try whole.replay(Self.open(recording), ReplayOptions(hasModels: true)).events == 20)
    #expect(whole.frame == 210)
    let part = Self.cycle(Mine())
    _ = try part.replay(Self.open(recording), ReplayOptions(until: .milliseconds(100)))
    #expect(part.frame == 55)
  }

  @Test("a jump to an event goes on from a whole frame")
  func jump() throws {
    let cut = RecordingBuffer()
    let recording = try Self.recording()
    _ = try RecordingCut(RecordingRange(causes: 12...15)).copy(to: cut) { try Self.open(recording) }
    let cycle = Self.cycle(Mine())
    _ = try cycle.replay(Self.open(cut.bytes), ReplayOptions())
    #expect(cycle.frame == 120)
  }

  @Test("a take runs to its end")
  func take() throws {
    var take = try EditedRecording(of: Self.open(Self.recording()))
    try take.apply(RecordingEdit("off 20"))
    try take.apply(RecordingEdit("edit 1 100"))
    let cycle = Self.cycle(Mine())
    #expect(try cycle.play(take, to: nil).events == 19)
    #expect(cycle.frame == 289)
  }
}
