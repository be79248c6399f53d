import CycleCore
import Signals
import Stores
import TestSupport
import Testing

@Suite("The cycle: every case")
struct CycleSeeds {
  /// Replaces the frame by what the event says.
  private static func take(
    _ frame: inout String, _ event: Probe.Event
  ) {
    if case .value(let value) = event { frame = value }
  }

  /// The frames of a cycled lens over its drivers' answers: for each driver what it emits at a frame.
  private func recording(seed: String, _ answers: ((String) -> [String])...) -> [String] {
    let recording = ValueTrace<String>()
    let cycled = CycledLens(seed: seed) { frames in
      let receivers = [frames.observe { recording.add($0) }]
      return MutatingLens(
        value: frames, get: { _ in receivers },
        set: { _, frames in
          answers.map { answer in frames.map(answer).flattened() }
        })
    }
    return withExtendedLifetime(cycled) { recording.values }
  }

  // MARK: - Age 1 and 2: the loop

  @Test(
    "C1: the seed is rendered once to each driver, in the order of declaration, before any event; a quiet application renders just that"
  )
  func seedOnce() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    let cycle = Cycle(seed: "seed") {
      Lens(a, show: { $0 }, on: Self.take)
      Lens(b, show: { $0 }, on: Self.take)
    }
    try cycle.start(on: VirtualLoop())
    try cycle.step(until: .zero + .seconds(1))
    #expect(log.lines == ["a start seed", "b start seed", "a nil→seed", "b nil→seed"])
  }

  /// A whole application in one type.
  private struct Router: ApplicationDefinition {
    static var seed: String { "seed" }
    let log: Log

    func drivers(from seed: String) -> (Probe, Probe) {
      log.write("drivers from \(seed)")
      return (Probe("a", log), Probe("b", log))
    }

    func cycle(of drivers: (Probe, Probe), seed: String) -> any Application<String> {
      Cycle(seed: seed) {
        Lens(drivers.0, show: { $0 }, on: take)
        Lens(drivers.1, show: { $0 }, on: take)
      }
    }
  }

  @Test("C2: a whole application in one type: its drivers are created from the seed")
  func driversFromTheSeed() throws {
    let log = Log()
    let cycle = try Router(log: log).makeCycle()
    try cycle.start(on: VirtualLoop())
    #expect(log.lines == ["drivers from seed", "a start seed", "b start seed", "a nil→seed", "b nil→seed"])
  }

  @Test("C3: a frame equal to the current one is suppressed")
  func equalFrame() throws {
    let driver = Probe("a")
    driver.onStart = { $0.emit(.value("seed")) }
    var count = 0
    let cycle = Cycle(seed: "seed") { Lens(driver, show: { $0 }, on: Self.take) }
    cycle.observe { _, _ in count += 1 }
    try cycle.start(on: VirtualLoop())
    #expect(count == 0 && cycle.frameNumber == 0)
  }

  // MARK: - Age 3: lenses

  @Test("C4: value \"4\", get a number, set a text: 4 and [\"4\"]; what is got and set runs once")
  func lens() {
    var calls: [String] = []
    let lens = MutatingLens(
      value: "4",
      get: { text -> Int in
        calls.append("get")
        return Int(text)!
      },
      set: { number, _ -> String in
        calls.append("set")
        return String(number)
      })
    #expect(lens.value == "4" && lens.get == 4 && lens.set == ["4"])
    #expect(calls == ["get", "set"])
    let several = MutatingLens(value: "4", get: { Int($0)! }, set: { number, text in [text, String(number + 1)] })
    #expect(several.set == ["4", "5"])
    let silent: MutatingLens<String, Int, String> = MutatingLens(value: "4", get: { Int($0)! })
    #expect(silent.set == [])
  }

  private static var single: MutatingLens<String, Int, String> {
    MutatingLens(value: "4", get: { Int($0)! }, set: { number, _ in String(number) })
  }

  private static var double: MutatingLens<String, Int, String> {
    MutatingLens(value: "5", get: { Int($0)! * 2 }, set: { number, _ in String(number * 2) })
  }

  @Test("C5: map changes what is got, 40, and leaves what is set, [\"4\"]")
  func mappedLens() {
    let lens = Self.single.map { _, number in number * 10 }
    #expect(lens.get == 40 && lens.set == ["4"])
  }

  @Test("C6: a lens with 3 and 4 prefixed with 1 sets 1, 3, 4; a cycle's seed can't be forgotten")
  func prefixed() {
    let lens = MutatingLens<Signal<Int>, Void, Int>.never(set: 3, 4).prefixed(with: 1)
    #expect(lens.set == [1, 3, 4])
  }

  @Test("C7: lenses side by side: (4, 10) and [\"4\", \"20\"], of two to ten")
  func zipped() {
    let two = MutatingLens.zip(Self.single, Self.double)
    #expect(two.get == (4, 10))
    #expect(two.set == ["4", "20"])
    #expect(two.value == "4")
    let s = Self.single
    let ten = MutatingLens.zip(s, s, s, s, s, s, s, s, s, Self.double)
    #expect(ten.set == Array(repeating: "4", count: 9) + ["20"])
    #expect(ten.get.9 == 10)
  }

  private struct Tablet: Equatable {
    var screen = "home"
    var secret = 42
  }

  @Test("C8: a driver gets what its frame filter lifts, and knows nothing of the application's frame")
  func lifter() throws {
    let driver = Probe("screen")
    driver.onStart = { $0.emit(.value("settings")) }
    let cycle = Cycle(seed: Tablet()) {
      Lens(
        driver, show: \.screen,
        on: { frame, event in if case .value(let screen) = event { frame.screen = screen } })
    }
    try cycle.start(on: VirtualLoop())
    #expect(driver.log.lines == ["screen start home", "screen nil→home", "screen home→settings"])
  }

  @Test("C9: a lens that gives the frame there is: 1, and nothing more")
  func recursiveUnique() {
    #expect(recording(seed: "1", { _ in ["1"] }) == ["1"])
  }

  @Test("C10: a lens that gives \"4\" to \"1\": 1, 4")
  func recursive() {
    #expect(recording(seed: "1", { $0 == "1" ? ["4"] : [] }) == ["1", "4"])
  }

  @Test("C11: two at once come in their order: 4, 5")
  func twoAtOnce() {
    #expect(recording(seed: "1", { $0 == "1" ? ["4", "5"] : [] }) == ["1", "4", "5"])
  }

  @Test("C12: first in, first out on re-entry: 1, 12, 13, 122, 123, 132, 133, by signals and by drivers")
  func orderOnReentry() throws {
    let expected = ["1", "12", "13", "122", "123", "132", "133"]
    #expect(recording(seed: "1", { $0.count > 2 ? [] : [$0 + "2"] }, { $0.count > 2 ? [] : [$0 + "3"] }) == expected)
    let (a, b) = (Probe("a"), Probe("b"))
    a.answer = { $0.count > 2 ? [] : [$0 + "2"] }
    b.answer = { $0.count > 2 ? [] : [$0 + "3"] }
    let cycle = CycleSeeds.pairTaking(seed: "1", a, b)
    var frames = [cycle.frame]
    cycle.observe { frame, _ in frames.append(frame) }
    try cycle.start(on: VirtualLoop())
    #expect(frames == expected)
  }

  @Test("C13: an event during a render is reduced when all have the current frame; a million of them need no stack")
  func eventsDuringRender() {
    var count = 0
    let cycled = CycledLens(seed: 0) { frames in
      MutatingLens(
        value: frames, get: { $0 --> { _ in count += 1 } },
        set: { _, frames in frames.filter { $0 < 1_000_000 }.map { $0 + 1 } })
    }
    #expect(cycled.frame == 1_000_000)
    #expect(count == 1_000_001)
  }

  @Test("C14: several models before any event: 2, 3 leaves 3")
  func severalModels() throws {
    let label = Probe("label")
    let stream = Probe("stream")
    stream.onStart = {
      $0.emit(.value("2"))
      $0.emit(.value("3"))
    }
    let cycle = Cycle(seed: "1") {
      Lens(label, show: { $0 }, on: Self.take)
      Lens(stream, show: { _ in "" }, on: Self.take)
    }
    try cycle.start(on: VirtualLoop())
    #expect(label.log.lines.last == "label 2→3")
  }

  @Test("C15: no update is lost: 0, two increments at once: 2")
  func lostUpdate() throws {
    let driver = Probe("button")
    driver.onStart = {
      $0.emit(.value("+"))
      $0.emit(.value("+"))
    }
    let cycle = Cycle(seed: 0) { Lens(driver, show: { "\($0)" }, on: { total, _ in total += 1 }) }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == 2)
  }

  @Test("C15: an event and the latest value beside it; events before the first of those are dropped")
  func withLatest() {
    let (events, latest) = (Input<String>(), Input<Int>())
    let told = ValueTrace<String>()
    let output = events.map(with: latest) { "\($0)\($1)" } --> { told.add($0) }
    events <-- "a"
    latest <-- 1
    latest <-- 2
    events <-- "b"
    #expect(told.values == ["b2"])
    withExtendedLifetime(output) {}
  }

  private struct Animation: Equatable {
    var reel: AnimationQueue<Int>
  }

  @Test("C16: a reel 1, 2, 3 at every 16 ms: 2 3 at 16, 3 at 32, then nothing, not even a deadline")
  func animator() throws {
    let cycle = Cycle(seed: Animation(reel: AnimationQueue(1, [2, 3]))) {
      Lens(
        Timer<String>(), show: { $0.reel.deadlines(every: .milliseconds(16), as: "tick") },
        on: { frame, event in if case .due = event { frame.reel.tick() } })
    }
    let recording = ValueTrace<String>()
    cycle.observe { recording.add("\($0.reel.frames.map(String.init).joined(separator: " "))@\($1)") }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    while cycle.nextAlarm != nil { try cycle.step(until: .zero + .seconds(10)) }
    #expect(recording.values == ["2 3@0.016000000s", "3@0.032000000s"])
    #expect(loop.now == .zero + .milliseconds(32))
  }

  @Test("C17: one driver wired twice is an error that names it")
  func wiredTwice() throws {
    let driver = Probe("one")
    let cycle = CycleSeeds.pairTaking(seed: "1", driver, driver)
    #expect {
      try cycle.start(on: VirtualLoop())
    } throws: { error in
      "\(error)"
        == "cannot wire Probe: the same one is wired twice. "
        + "Make a driver for each lens; one lens can show all that a driver shows."
    }
    #expect(driver.log.lines == [])
  }

  private struct Mutation: Equatable {
    var total = 0
    var plus = "enabled"
    var minus = "enabled"
  }

  @Test(
    "C18: Integer Mutation: 0, plus, plus, minus: 1, 2, 1; the buttons are enabled in the same frame, the text is the filter's"
  )
  func integerMutation() throws {
    let log = Log()
    let (label, buttons) = (Probe("label", log), Probe("buttons", Log()))
    buttons.onStart = { context in for event in ["+", "+", "-"] { context.emit(.value(event)) } }
    let cycle = Cycle(seed: Mutation()) {
      Lens(label, show: { String($0.total) })
      Lens(
        buttons, show: { "\($0.plus) \($0.minus)" },
        on: { frame, event in
          frame.total += event == .value("+") ? 1 : -1
          frame.plus = "enabled"
          frame.minus = "enabled"
        })
    }
    try cycle.start(on: VirtualLoop())
    #expect(log.lines == ["label start 0", "label nil→0", "label 0→1", "label 1→2", "label 2→1"])
    #expect(buttons.log.lines == ["buttons start enabled enabled", "buttons nil→enabled enabled"])
  }

  @Test("History: of +1, +1, +1 from 0 the third meets 2, 1, 0, nil, the first 0, nil; ticks are frames, too")
  func historyWindow() throws {
    let driver = Probe("driver")
    driver.onStart = { context in for _ in 0..<3 { context.emit(.value("+")) } }
    var windows: [[Int?]] = []
    let cycle = Cycle(seed: 0, history: 4) {
      Lens(
        driver, show: { "\($0)" },
        on: { frame, _, past in
          windows.append((0..<4).map { past[$0] })
          frame += 1
        })
    }
    try cycle.start(on: VirtualLoop())
    #expect(windows == [[0, nil, nil, nil], [1, 0, nil, nil], [2, 1, 0, nil]])
  }
}

extension CycleSeeds {
  /// Two probes that show the frame and replace it by what they emit.
  static func pairTaking(
    seed: String, _ a: Probe, _ b: Probe
  ) -> Cycle<String, Zip<Lens<String, Probe>, Lens<String, Probe>>> {
    func take(_ frame: inout String, _ event: Probe.Event) {
      if case .value(let value) = event { frame = value }
    }
    return Cycle(seed: seed) {
      Lens(a, show: { $0 }, on: take)
      Lens(b, show: { $0 }, on: take)
    }
  }
}
