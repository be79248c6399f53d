import CycleCore
import HardwareLinux
import TestSupport
import Testing

@testable import HardwareDrivers

/// The player on a thread of its own, on a device whose calls block. Nobody sleeps.
@Suite("Playing on a device that blocks", .serialized)
struct PlayerThreadTests {
  /// What a device blocks on, and what tells that it does.
  private final class Block: Sendable {
    let entered = ThreadSignal()
    let goOn = ThreadSignal()
    let freed = ThreadSignal()
  }

  private enum Call { case opening, writing, none }

  private final class BlockingCard: SoundCard {
    let call: Call
    let block: Block
    var needsThread: Bool { true }

    init(_ call: Call, _ block: Block) {
      self.call = call
      self.block = block
    }

    func makeSink() -> any PCMSink { BlockingSink(call, block) }
    func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
  }

  /// A device at 44 100 Hz that swallows everything, and whose first call of one kind blocks.
  private final class BlockingSink: PCMSink {
    private var call: Call
    private let block: Block
    private var written = 0

    init(_ call: Call, _ block: Block) {
      self.call = call
      self.block = block
    }

    deinit { block.freed.raise() }

    private func enter(_ call: Call) {
      guard self.call == call else { return }
      self.call = .none
      block.entered.raise()
      block.goOn.wait()
    }

    func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
      enter(.opening)
      return PCMConfiguration(sampleRateHertz: 44_100, channelCount: 1, periodSize: 441, bufferSize: 1323)
    }

    func status(at now: Moment) -> PCMStatus { .ready(available: 1323, delay: 0) }

    func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
      enter(.writing)
      return count
    }

    func prepare(at now: Moment) -> Bool { true }
    var descriptors: [PolledDescriptor] { [] }
    func drain(at now: Moment) {}
    func close() {}
  }

  private func clip(rate: Int, length: Int = 4410) -> Clip {
    Clip(samples: [Int16](repeating: 300, count: length), channelCount: 1, sampleRateHertz: rate)
  }

  /// A cycle that plays one clip and collects the events.
  private func cycle(_ clip: Clip, on card: any SoundCard) -> any Collecting {
    Cycle(seed: [AudioPlayer.Event]()) {
      Lens(AudioPlayer(card), show: { _ in [.clip(clip, key: "a")] }, on: { frame, event in frame.append(event) })
    }
  }

  @Test("the start does not wait for a device that does not answer")
  func opening() throws {
    let block = Block()
    let cycle = cycle(clip(rate: 44_100), on: BlockingCard(.opening, block))
    try cycle.start(on: LinuxLoop())
    block.entered.wait()
    #expect(cycle.events == [])
    block.goOn.raise()
    while cycle.events.count < 2 { try cycle.step(until: nil) }
    #expect(cycle.events == [.started("a"), .finished("a", .ended)])
    cycle.stop()
  }

  @Test("a clip is converted beside the cycle's thread")
  func conversion() throws {
    let cycle = cycle(clip(rate: 48_000, length: 48_000), on: BlockingCard(.none, Block()))
    try cycle.start(on: LinuxLoop())
    // The device says that it is open, and the clip is asked for. It is not there at the end of this step, and this
    // thread has nothing to do for it.
    try cycle.step(until: nil)
    #expect(cycle.events == [])
    #expect(cycle.nextAlarm == nil)
    while cycle.events.count < 2 { try cycle.step(until: nil) }
    #expect(cycle.events == [.started("a"), .finished("a", .ended)])
    cycle.stop()
  }

  @Test("samples live as long as a thread that hangs may read them")
  func hanging() throws {
    let block = Block()
    weak var samples: Clip?
    do {
      let clip = clip(rate: 44_100)
      samples = clip
      let cycle = cycle(clip, on: BlockingCard(.writing, block))
      try cycle.start(on: LinuxLoop())
      while cycle.events.isEmpty { try cycle.step(until: nil) }
      block.entered.wait()
      cycle.stop()
    }
    #expect(samples != nil)
    #expect(!block.freed.isRaised)
    block.goOn.raise()
    block.freed.wait()
  }
}

/// A cycle that has collected events.
private protocol Collecting: Application {
  var events: [AudioPlayer.Event] { get }
}

extension Cycle: Collecting where Frame == [AudioPlayer.Event], Lenses: ~Copyable {
  fileprivate var events: [AudioPlayer.Event] { frame }
}
