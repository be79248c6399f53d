import CycleCore
import Glibc
import Stores
import TestSupport
import Testing

@Suite("Stores in a cycle")
struct SharedStateDriverTests {
  private struct Settings: Equatable, Sendable {
    var volume = 5
    var name = "kitchen"
  }

  private struct Frame: Equatable, Sendable {
    var volume = 0
    var heard: [String] = []
  }

  @Test("what others commit is an event, what the frame says is committed, and does not come back")
  func storeAsDriver() throws {
    let store = Store<Settings, String>(Settings())
    let button = Probe("button")
    let cycle = Cycle(seed: Frame(volume: 5)) {
      Lens(
        SharedStateDriver(store, show: \.volume), show: { $0.volume },
        on: { frame, event in
          switch event {
          case .changed(let volume): frame.volume = volume
          case .emitted(let activity): frame.heard.append(activity)
          }
        })
      Lens(button, show: { _ in "" }, on: { frame, _ in frame.volume += 1 })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    store.commit { $0.update(\.volume, to: 8) }
    store.commit { $0.update(\.name, to: "hall") }
    store.emit("rang")
    try cycle.step(until: loop.now)
    #expect(cycle.frame == Frame(volume: 8, heard: ["rang"]))
    button.context?.emit(.value("+"))
    try cycle.step(until: loop.now)
    #expect(store.state.volume == 9)
    let number = cycle.frameNumber
    try cycle.step(until: loop.now)
    #expect(cycle.frameNumber == number)
    #expect(cycle.accounts[0].offered == 2, "its own change doesn't come back")
    let limit = store.storage.observe(\.volume) { if $0 > 9 { store.commit { $0.update(\.volume, to: 9) } } }
    button.context?.emit(.value("+"))
    try cycle.step(until: loop.now)
    try cycle.step(until: loop.now)
    #expect(store.state.volume == 9 && cycle.frame.volume == 9, "what another one makes of it is an event")
    limit.cancel()
    cycle.stop()
    store.commit { $0.update(\.volume, to: 1) }
    #expect(cycle.frame.volume == 9)
  }

  @Test("at the start the store's part counts, not the seed's")
  func storeAtStart() throws {
    let store = Store<Settings, String>(Settings(volume: 7))
    let cycle = Cycle(seed: Frame(volume: 0)) {
      Lens(
        SharedStateDriver(store, show: \.volume), show: { $0.volume },
        on: { frame, event in if case .changed(let volume) = event { frame.volume = volume } })
    }
    try cycle.start(on: VirtualLoop())
    #expect(store.state.volume == 7)
    #expect(cycle.frame.volume == 7)
    cycle.stop()
  }

  @Test("a thread that holds the store holds no cycle up")
  func heldStore() throws {
    let store = Store<Settings, String>(Settings())
    let button = Probe("button")
    let cycle = Cycle(seed: Frame(volume: 5)) {
      Lens(SharedStateDriver(store, show: \.volume), show: { $0.volume }, on: { _, _ in })
      Lens(button, show: { _ in "" }, on: { frame, _ in frame.volume += 1 })
    }
    try cycle.start(on: StandingLoop())
    // This thread has the store, and the commit of the cycle, on its own thread, waits for it.
    store.dispatch { _ in
      button.context?.emit(.value("+"))
      try? cycle.step(until: .zero)
      #expect(store.state.volume == 5, "the cycle's thread has not committed by itself")
    }
    #expect(cycle.frame.volume == 6)
    cycle.stop()
    #expect(store.state.volume == 6)
  }

  @Test("several threads commit, and the cycle hears of each commit")
  func severalThreads() throws {
    let store = Store<Settings, String>(Settings())
    let cycle = Cycle(seed: Frame(volume: 5)) {
      Lens(
        SharedStateDriver(store, show: \.volume), show: { _ in nil },
        on: { frame, event in if case .emitted(let activity) = event { frame.heard.append(activity) } })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    store.emit("here")
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { store in
        Unmanaged<Store<Settings, String>>.fromOpaque(store!).takeUnretainedValue().emit("there")
        return nil
      }, Unmanaged.passUnretained(store).toOpaque())
    try #require(code == 0)
    pthread_join(thread, nil)
    try cycle.step(until: loop.now)
    #expect(cycle.frame.heard == ["here", "there"])
    cycle.stop()
  }

  @Test("a cycle publishes its frames as a storage: who watches a part hears of that part")
  func published() throws {
    let button = Probe("button")
    button.onStart = { context in for _ in 0..<2 { context.emit(.value("+")) } }
    let cycle = Cycle(seed: Frame()) {
      Lens(button, show: { _ in "" }, on: { frame, _ in frame.volume += 1 })
    }
    let storage = cycle.published()
    let told = ValueTrace<String>()
    let subscriptions = [
      storage.observe(\.volume) { told.add("volume \($0)") }, storage.observe(\.heard) { told.add("heard \($0)") },
    ]
    try cycle.start(on: VirtualLoop())
    #expect(told.values == ["volume 1", "volume 2"])
    #expect(storage.value == cycle.frame && storage.version == 2)
    for subscription in subscriptions { subscription.cancel() }
  }

  #if compiler(>=6.2)
    @Test("an observer that changes the storage each time that it is told, without an end, is a fault that names it")
    func endlessObserver() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let storage = MutableStorage(0)
        let subscription = storage.observe { storage.replace($0.current &+ 1) }
        storage.replace(1)
        withExtendedLifetime(subscription) {}
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("an observer of Storage<Int> changes it at each change that it is notified of"))
    }
  #endif
}

/// Real time as far as workers are concerned: they have threads. The clock stands still.
private final class StandingLoop: EventLoop {
  let now = Moment.zero
  func watch(_ descriptor: Int32, for lens: Int) {}
  func unwatch(_ descriptor: Int32) {}
  func makeDoorbell() -> any Doorbell { Silent() }
  func pause(for span: Duration) {}
  func wait(until deadline: Moment?, ready: inout ReadyList) {}

  private final class Silent: Doorbell {
    func ring() {}
  }
}
