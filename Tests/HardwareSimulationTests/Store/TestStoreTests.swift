import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// A key that beeps for two seconds and counts, and what a test store says of tests that overlook something.
@Suite("The test store")
struct TestStoreTests {
  struct Tap: Equatable, Codable {
    var count = 0
    var isBeeping = false
  }

  /// What a timer of the application is about.
  enum Alarm: String, Equatable, Codable, Sendable { case quiet }

  private typealias Due = Timer<Alarm>.Event

  private static func cycle(_ chip: SimulatedChip) -> any Application<Tap> {
    Cycle(seed: Tap()) {
      Lens(
        Button(chip, line: "GPIO17"), name: "key",
        on: { tap, event in
          switch event {
          case .pressed: tap = Tap(count: tap.count + 1, isBeeping: true)
          case .held: tap.count = 0
          default: break
          }
        })
      Lens(
        Timer<Alarm>(), name: "timer",
        show: { $0.isBeeping ? [.after(.seconds(2), .quiet, restart: $0.count)] : [] },
        on: { tap, _ in tap.isBeeping = false })
      Lens(LED(chip, line: "GPIO23"), name: "lamp", show: { $0.isBeeping ? .on : .off })
    }
  }

  /// What a test store says of a test; nil if nothing.
  private static func difference(
    _ body: (TestStore<Tap>, Bench, Contact) throws -> Void
  ) throws -> String? {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let key = chip.contact(at: "GPIO17")
    do {
      try TestStore.run(cycle(chip), on: bench, file: "Tests.swift", line: 1) { try body($0, bench, key) }
      return nil
    } catch let difference as TestFailure {
      #expect(chip.heldLines == 0)
      return "\(difference)"
    }
  }

  private static func press(_ store: TestStore<Tap>) throws {
    try store.send(Button.Event.pressed, to: "key") {
      $0 = Tap(count: $0.count + 1, isBeeping: true)
    }
  }

  @Test("a test that asserts all there is passes")
  func passes() throws {
    let difference = try Self.difference { store, bench, key in
      try Self.press(store)
      try store.expectModel("lamp", LED.Model.on)
      try store.advance(by: .seconds(1))
      try key.press()
      try bench.advance(by: .milliseconds(5))
      try store.receive(Button.Event.pressed, from: "key") { $0.count = 2 }
      try store.advance(by: .seconds(2)) { $0.isBeeping = false }
      try store.expectModel("lamp", LED.Model.off)
      try key.release()
      try store.advance(by: .milliseconds(5))
      try store.receive(Button.Event.released, from: "key")
      try store.receive(from: "key", matching: { (event: Button.Event) in event == .clicked })
    }
    #expect(difference == nil)
  }

  @Test("T1: another value than expected")
  func wrongCount() throws {
    let difference = try Self.difference { store, _, _ in
      try store.send(Button.Event.pressed, to: "key", file: "Tests.swift", line: 7) {
        $0.count = 2
        $0.isBeeping = true
      }
    }
    #expect(
      difference == """
        Tests.swift:7: frame 1 differs from the expected one after pressed of key at 0.005000000s
          count  expected 2  is 1
        """)
  }

  @Test("T2: a frame that nothing asserts")
  func unassertedFrame() throws {
    let difference = try Self.difference { _, bench, key in
      try key.press()
      try bench.advance(by: .milliseconds(5))
    }
    #expect(
      difference == """
        Tests.swift:1: the test ends, and an event was not received
          pressed of key at 0.010000000s made frame 1
            count  0 -> 1
            isBeeping  false -> true
        """)
  }

  @Test("T3: no closure, and yet the frame changes")
  func noClosure() throws {
    let difference = try Self.difference { store, _, _ in
      try store.send(Button.Event.pressed, to: "key", file: "Tests.swift", line: 7)
    }
    #expect(
      difference == """
        Tests.swift:7: pressed of key at 0.005000000s makes frame 1, and no closure expects that
          count  0 -> 1
          isBeeping  false -> true
        """)
  }

  @Test("T4: a timer that is not received")
  func unreceivedTimer() throws {
    let difference = try Self.difference { store, _, _ in
      try Self.press(store)
      try store.advance(by: .seconds(2))
      try store.send(Button.Event.released, to: "key", file: "Tests.swift", line: 8)
    }
    #expect(
      difference == """
        Tests.swift:8: before released is sent to key, an event has to be received
          due(HardwareSimulationTests.TestStoreTests.Alarm.quiet) of timer at 2.005000000s made frame 2
            isBeeping  true -> false
        """)
  }

  @Test("T5: an alarm that is still to come at the end")
  func pendingAlarm() throws {
    let difference = try Self.difference { store, _, _ in
      try Self.press(store)
      try store.advance(by: .seconds(1))
    }
    #expect(
      difference == """
        Tests.swift:1: the test ends at 1.005000000s, and an alarm is due later
          timer waits for 2.005000000s; advance to it, or allowsAlarms(of: "timer")
        """)
    let allowed = try Self.difference { store, _, _ in
      try Self.press(store)
      store.allowsAlarms(of: "timer")
    }
    #expect(allowed == nil)
  }

  @Test("T6: two events in the other order")
  func order() throws {
    let difference = try Self.difference { store, bench, key in
      try key.press()
      try bench.advance(by: .milliseconds(100))
      try key.release()
      try bench.advance(by: .milliseconds(5))
      try store.receive(Button.Event.pressed, from: "key") { $0 = Tap(count: 1, isBeeping: true) }
      try store.receive(Button.Event.clicked, from: "key", file: "Tests.swift", line: 9)
    }
    #expect(
      difference == """
        Tests.swift:9: expected clicked of key; the next event is another one
          released of key at 0.110000000s
          clicked of key at 0.110000000s
        """)
  }

  @Test("a closure that changes nothing, an event that does not come, another model, a lens that is not there")
  func others() throws {
    #expect(
      try Self.difference { store, _, _ in
        try store.send(Button.Event.released, to: "key", file: "Tests.swift", line: 7) { $0.count = 0 }
      }
        == "Tests.swift:7: released of key at 0.005000000s changes nothing, and neither does its closure; leave the closure out"
    )
    #expect(
      try Self.difference { store, _, _ in
        try store.send(Button.Event.released, to: "key", file: "Tests.swift", line: 7) { $0.count = 1 }
      } == """
        Tests.swift:7: released of key at 0.005000000s makes no new frame
          count  expected 1  is 0
        """)
    #expect(
      try Self.difference { store, _, _ in
        try store.advance(by: .seconds(1), file: "Tests.swift", line: 7) { $0.count = 1 }
      } == "Tests.swift:7: no event came within 1.0 seconds")
    #expect(
      try Self.difference { store, _, _ in
        try store.receive(Button.Event.pressed, from: "key", file: "Tests.swift", line: 7)
      } == "Tests.swift:7: expected pressed of key; no event has come")
    #expect(
      try Self.difference { store, _, _ in
        try store.expectModel("lamp", LED.Model.on, file: "Tests.swift", line: 7)
      } == """
        Tests.swift:7: lamp shows another model than expected, at 0.005000000s
          value  expected 1.0  is 0.0
        """)
    #expect(
      try Self.difference { store, _, _ in try store.send(1, to: "bell", file: "Tests.swift", line: 7) }
        == "Tests.swift:7: there is no lens \"bell\"; lenses: key, timer, lamp")
    #expect(
      try Self.difference { store, _, _ in try store.send(1, to: "key", file: "Tests.swift", line: 7) }
        == "Tests.swift:7: key has events of the type HardwareDrivers.Button.Event, not Swift.Int")
  }

  @Test("a difference that the body catches fails the test all the same")
  func caught() throws {
    let difference = try Self.difference { store, _, _ in
      try? store.send(Button.Event.held, to: "bell", file: "Tests.swift", line: 7)
    }
    #expect(difference?.hasPrefix("Tests.swift:7: there is no lens") == true)
  }

  @Test("a test that looks at one value asserts that alone, and says what it skipped")
  func looks() throws {
    var skipped: [String] = []
    let difference = try Self.difference { store, _, _ in
      store.looks(only: \.count)
      try store.send(Button.Event.pressed, to: "key") { $0.count = 1 }
      skipped = store.skipped
      try store.advance(by: .seconds(2))
      try store.receive(Due.due(.quiet), from: "timer")
      try store.send(Button.Event.held, to: "key", file: "Tests.swift", line: 7) { $0.count = 2 }
    }
    #expect(skipped == ["isBeeping"])
    #expect(
      difference == """
        Tests.swift:7: frame 3 differs from the expected one after held of key at 2.005000000s
          count  expected 2  is 0
        """)
  }

  @Test("its recording replays to the same frames")
  func recording() throws {
    var recording: String?
    let difference = try Self.difference { store, _, _ in
      try Self.press(store)
      try store.advance(by: .seconds(2)) { $0.isBeeping = false }
      recording = store.recording
    }
    #expect(difference == nil)
    let report = try Self.cycle(SimulatedChip(Bench()))
      .replay(RecordingReader(RecordingBytes(Array(#require(recording).utf8)), name: "test.recording"), ReplayOptions())
    #expect(report.frame == 2)
  }

  /// A frame and events that no recording can hold.
  struct Opaque: Equatable {
    struct Part: Equatable { var levels = [1, 2] }
    var part = Part()
    var name: String?
  }

  @Test("frames that no recording can hold are compared by reflection, and have no recording")
  func opaque() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let cycle = Cycle(seed: Opaque()) {
      Lens(Button(chip, line: "GPIO17"), name: "key", on: { frame, _ in frame.part.levels[1] = 5 })
    }
    var difference: String?
    do {
      try TestStore.run(cycle, on: bench) { store in
        #expect(store.recording == nil)
        try store.send(Button.Event.pressed, to: "key", file: "Tests.swift", line: 7) { $0.name = "a" }
      }
    } catch let found as TestFailure {
      difference = "\(found)"
    }
    #expect(
      difference == """
        Tests.swift:7: frame 1 differs from the expected one after pressed of key at 0.005000000s
          part.levels[1]  expected 2  is 5
          name  expected Optional("a")  is nil
        """)
  }
}
