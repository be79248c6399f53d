import CycleCore
import Signals
import TestSupport
import Testing

@Suite("Signals in a cycle")
struct SignalDriverTests {
  private struct Frame: Equatable, Sendable {
    var volume = 0
    var sent: [Int] = []
    var name = "a"
  }

  /// Emits numbers at moments.
  private struct Knob: Driver {
    let turns: [(milliseconds: Int, volume: Int)]
    private var next = 0
    private var context: DriverContext<Int>?

    init(_ turns: [(Int, Int)]) { self.turns = turns }

    var safeModel: NoModel { NoModel() }
    mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
      self.context = context
      setAlarm()
    }
    mutating func wake(_ wake: Wake) {
      context?.emit(turns[next].volume)
      next += 1
      setAlarm()
    }
    private func setAlarm() {
      context?.setAlarm(next < turns.count ? .zero + .milliseconds(turns[next].milliseconds) : nil)
    }
    mutating func stop() {}
  }

  @Test("a volume that is turned fast is sent on at most every 200 ms, the last one in any case, on the cycle's clock")
  func throttled() throws {
    let log = Log()
    let cycle = Cycle(seed: Frame()) {
      Lens(
        Knob([(10, 1), (20, 2), (30, 3), (500, 4)]), on: { frame, volume in frame.volume = volume })
      Lens(
        SignalDriver { volume, clock in volume.throttle(.milliseconds(200), on: clock) }, show: { $0.volume },
        on: { frame, event, past in
          if case .value(let volume) = event {
            frame.sent.append(volume)
            log.write("\(volume)@\(past.moment)")
          }
        })
    }
    try cycle.start(on: VirtualLoop())
    while cycle.nextAlarm != nil { try cycle.step(until: .zero + .seconds(10)) }
    #expect(log.lines == ["1@0.010000000s", "3@0.210000000s", "4@0.500000000s"])
    #expect(cycle.frame.sent == [1, 3, 4])
    cycle.stop()
  }

  @Test("a network as a frame filter computes again only what depends on what has changed")
  func frameFilter() throws {
    var computed: [String] = []
    let label = Probe("label")
    let cycle = Cycle(seed: Frame()) {
      Lens(
        label,
        show: Signals.frameFilter { (frames: Signal<Frame>) in
          let volume = frames.map(\.volume).onChange().map { volume -> Int in
            computed.append("volume \(volume)")
            return volume * 2
          }
          let name = frames.map(\.name).onChange().map { name -> String in
            computed.append("name \(name)")
            return name + "!"
          }
          return combine(volume, name, rule: .onAnyValue) { "\($0) \($1)" }
        }, on: { frame, event in if case .value(let name) = event { frame.name = name } })
      Lens(Knob([(10, 1), (20, 1), (30, 3)]), on: { frame, volume in frame.volume = volume })
    }
    label.onStart = { $0.emit(.value("b")) }
    try cycle.start(on: VirtualLoop())
    while cycle.nextAlarm != nil { try cycle.step(until: .zero + .seconds(10)) }
    #expect(
      label.log.lines == [
        "label start 0 a!", "label nil→0 a!", "label 0 a!→0 b!", "label 0 b!→2 b!", "label 2 b!→6 b!",
      ])
    #expect(computed == ["volume 0", "name a", "name b", "volume 1", "volume 3"])
  }
}
