import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

private let (a, b, c) = (KeyCode("a")!, KeyCode("b")!, KeyCode("c")!)

/// The keys a and b of a simulated device.
private final class Stand {
  let bench = Bench()
  let keys: SimulatedKeys
  let trial: DriverBench<KeyButtons>

  init(
    gesture: Gesture? = nil, isGrabbed: Bool = true, pressed: [Int]? = nil,
    _ prepare: (SimulatedKeys) -> Void = { _ in }
  ) {
    let keys = SimulatedKeys(bench, KeysPort(.named("Pedal")))
    prepare(keys)
    self.keys = keys
    let gestures = gesture.map { [$0, $0] } ?? []
    trial = DriverBench(
      KeyButtons(keys, keys: [a, b], gestures: gestures, isGrabbed: isGrabbed, pressed: pressed), on: bench)
  }

  /// Makes the program late, and the device send more events than the kernel's queue holds. The key b is down then.
  func overrun() {
    bench.lateness = .milliseconds(100)
    for _ in 0..<40 {
      keys.press(a)
      keys.release(a)
    }
    keys.press(b)
  }

  func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// The events with their moments in milliseconds.
  var events: [String] { trial.events.map { "\($0.moment.nanoseconds / 1_000_000) \($0.event)" } }
}

@Suite("KeyButtons")
struct KeyButtonsTests {
  @Test("a key is a button, other keys and repetitions are none")
  func presses() throws {
    let stand = Stand()
    try stand.trial.start()
    #expect(stand.keys.isOpen && stand.keys.isGrabbed)
    try stand.pass(10)
    stand.keys.press(a)
    stand.keys.press(c)
    try stand.pass(300)
    stand.keys.repeat(a)
    try stand.pass(33)
    stand.keys.repeat(a)
    stand.keys.release(c)
    try stand.pass(7)
    stand.keys.release(a)
    stand.keys.press(b)
    try stand.pass(10)
    #expect(stand.events == ["10 pressed(0)", "350 released(0)", "350 pressed(1)"])
    stand.trial.stop()
    #expect(!stand.keys.isOpen && !stand.keys.isGrabbed && stand.trial.troubles == [])
  }

  @Test("holds, clicks and double clicks are those of a button")
  func gestures() throws {
    let stand = Stand(gesture: Gesture(hold: .seconds(1), doubleClick: .milliseconds(300)))
    try stand.trial.start()
    stand.keys.press(a)
    try stand.pass(1_500)
    stand.keys.release(a)
    try stand.pass(500)
    for _ in 0..<2 {
      stand.keys.press(b)
      try stand.pass(100)
      stand.keys.release(b)
      try stand.pass(100)
    }
    stand.keys.press(a)
    try stand.pass(100)
    stand.keys.release(a)
    try stand.pass(1_000)
    #expect(
      stand.events == [
        "0 pressed(0)", "1000 held(0)", "1500 released(0)", "2000 pressed(1)", "2100 released(1)", "2200 pressed(1)",
        "2300 released(1)", "2300 doubleClicked(1)", "2400 pressed(0)", "2500 released(0)", "2800 clicked(0)",
      ])
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
  }

  @Test("events of a cycle that is late have the moments at which the keys moved, in their order")
  func late() throws {
    let stand = Stand(gesture: Gesture(hold: .milliseconds(20), doubleClick: nil))
    try stand.trial.start()
    stand.bench.lateness = .milliseconds(100)
    stand.keys.press(a)
    stand.bench.plan(at: stand.bench.now + .milliseconds(30)) { stand.keys.press(b) }
    stand.bench.plan(at: stand.bench.now + .milliseconds(40)) { stand.keys.release(a) }
    try stand.pass(500)
    #expect(stand.events == ["0 pressed(0)", "20 held(0)", "30 pressed(1)", "40 released(0)", "50 held(1)"])
    stand.trial.stop()
  }

  @Test("keys that are down at the start are found as pressed, and give only a release")
  func start() throws {
    let stand = Stand(gesture: Gesture(hold: .seconds(1), doubleClick: nil)) { $0.press(b) }
    try stand.trial.start()
    #expect(stand.trial.found.map(\.event) == [.released(0), .pressed(1)])
    try stand.pass(2_000)
    stand.keys.release(b)
    try stand.pass(10)
    #expect(stand.events == ["2000 released(1)"])
    stand.trial.stop()
  }

  @Test("a state that the application knows from before is compared with the keys")
  func known() throws {
    let stand = Stand(pressed: [0]) { $0.press(b) }
    try stand.trial.start()
    #expect(stand.trial.found.isEmpty && stand.trial.events.map(\.event) == [.released(0), .pressed(1)])
    stand.trial.stop()
  }

  @Test("a key that is down when the device goes counts as released, and works again after the return")
  func unplugged() throws {
    let stand = Stand(gesture: Gesture(hold: .seconds(1), doubleClick: nil))
    try stand.trial.start()
    stand.keys.press(a)
    try stand.pass(500)
    stand.keys.unplug()
    try stand.pass(1_500)
    #expect(stand.events == ["0 pressed(0)", "500 released(0)"])
    guard case .lost(let error)? = stand.trial.troubles.first else { return #expect(Bool(false)) }
    #expect(error.kind == .lost && error.subject == "Pedal")
    stand.keys.plug()
    try stand.pass(60_000)
    #expect(stand.trial.troubles.last == .restored)
    stand.keys.press(a)
    try stand.pass(10)
    stand.keys.release(a)
    try stand.pass(10)
    #expect(stand.trial.events.map(\.event).suffix(3) == [.pressed(0), .released(0), .clicked(0)])
    stand.trial.stop()
  }

  @Test("dropped events are reported, and the keys that are down are known")
  func dropped() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.overrun()
    try stand.pass(200)
    #expect(stand.trial.events.map(\.event) == [.pressed(1)])
    guard case .failed(let error)? = stand.trial.troubles.first else { return #expect(Bool(false)) }
    #expect(
      error.description
        == "cannot read all keys of the input device \"Pedal\": the kernel's queue was full. Some presses are missing; the keys that are down now are known."
    )
    #expect(stand.trial.troubles.count == 1)
    stand.trial.stop()
  }

  @Test("dropped events are reported once the keys can be read, and no press counts twice")
  func droppedAndFailing() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.overrun()
    stand.keys.lastingError = KeyErrorFactory(.named("Pedal")).failed(
      "read", .failed, "input/output error", cause: .init(function: "read", name: "EIO", number: 5))
    try stand.pass(500)
    stand.keys.lastingError = nil
    try stand.pass(10_000)
    #expect(stand.trial.events.map(\.event) == [.pressed(1)] && stand.trial.troubles.count == 3)
    stand.trial.stop()
  }

  @Test("more events than one reading takes are read one after the other")
  func many() throws {
    let stand = Stand()
    stand.keys.queueDepth = 10_000
    try stand.trial.start()
    for _ in 0..<1_000 {
      stand.keys.press(a)
      stand.keys.release(a)
    }
    try stand.pass(10)
    #expect(stand.trial.events.count == 2_000 && stand.trial.troubles == [])
    stand.trial.stop()
  }

  @Test("a device of another program, without permission, or that fails is reported")
  func refused() throws {
    for (prepare, kind) in [
      ({ (keys: SimulatedKeys) in keys.isBusy = true }, DriverError.Kind.busy),
      ({ (keys: SimulatedKeys) in keys.isPermitted = false }, .notPermitted),
      ({ (keys: SimulatedKeys) in keys.unplug() }, .absent),
    ] {
      let stand = Stand(prepare)
      try stand.trial.start()
      try stand.pass(500)
      guard case .lost(let error)? = stand.trial.troubles.first else {
        #expect(Bool(false), "\(kind)")
        continue
      }
      #expect(error.kind == kind && stand.trial.troubles.count == 1)
      stand.keys.isBusy = false
      stand.keys.isPermitted = true
      stand.keys.plug()
      try stand.pass(60_000)
      #expect(stand.trial.troubles.last == .restored && stand.keys.isOpen)
      stand.trial.stop()
    }
  }

  @Test("a device that is not grabbed can be busy, and types into the console, too")
  func shared() throws {
    let stand = Stand(isGrabbed: false) { $0.isBusy = true }
    try stand.trial.start()
    #expect(stand.keys.isOpen && !stand.keys.isGrabbed)
    stand.trial.stop()
  }

  @Test("a failing reading is tried again, and loses no key")
  func failing() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.keys.lastingError = KeyErrorFactory(.named("Pedal")).failed(
      "read", .failed, "input/output error", cause: .init(function: "read", name: "EIO", number: 5))
    stand.keys.press(a)
    try stand.pass(5_000)
    stand.keys.lastingError = nil
    try stand.pass(10_000)
    #expect(stand.trial.events.map(\.event) == [.pressed(0)])
    #expect(stand.trial.troubles.count == 2 && stand.trial.troubles.last == .restored)
    stand.trial.stop()
  }

  @Test("events of keys that the driver does not have are refused")
  func refusal() {
    let driver = KeyButtons(SimulatedKeys(Bench(), KeysPort(.named("Pedal"))), keys: [a, b])
    #expect(driver.refusal(of: .held(1)) == nil)
    #expect(driver.refusal(of: .pressed(2)) == "there is no key 2; keys are 0 to 1")
    #expect(driver.refusal(of: .released(-1)) == "there is no key -1; keys are 0 to 1")
  }

  @Test("keys of an input device keep the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { bench in
        KeysLawHarness(SimulatedKeys(bench, KeysPort(.named("Pedal")))) { keys throws(DriverError) in
          for key in [a, b] {
            keys.press(key)
            try keys.bench.advance(by: .milliseconds(40))
            keys.release(key)
            try keys.bench.advance(by: .milliseconds(200))
          }
          keys.press(a)
          try keys.bench.advance(by: .milliseconds(100))
          keys.release(a)
          try keys.bench.advance(by: .milliseconds(500))
        }
      },
      driver: {
        KeyButtons(
          $0.keys, keys: [a, b],
          gestures: [
            Gesture(hold: .milliseconds(60), doubleClick: .milliseconds(100)), Gesture(hold: nil, doubleClick: nil),
          ])
      })
    #expect(violations == [])
  }
}

@Suite("KeyCode")
struct KeyCodeTests {
  @Test(
    "the names are those of the kernel",
    arguments: [
      ("esc", 1), ("1", 2), ("0", 11), ("enter", 28), ("a", 30), ("space", 57), ("kp0", 82), ("kp1", 79), ("left", 105),
      ("volumeup", 115), ("playpause", 164), ("btn_left", 272), ("south", 304), ("numeric_1", 513),
    ])
  func names(name: String, code: UInt16) {
    #expect(KeyCode(name)?.rawValue == code && KeyCode(rawValue: code).name == name)
  }

  @Test("each name has one code, and a code beyond the names has a number")
  func unknown() {
    #expect(KeyCode("screenlock") == KeyCode("coffee") && KeyCode("coffee")?.name == "coffee")
    #expect(KeyCode("btn_a") == KeyCode("south") && KeyCode("mouse") == KeyCode("btn_left"))
    #expect(KeyCode("KEY_A") == nil && KeyCode("") == nil && KeyCode(rawValue: 0x2FF).name == "key 767")
  }

  @Test("the nearest name", arguments: [("entr", "enter"), ("playpuase", "playpause"), ("volumup", "volumeup")])
  func nearest(wrong: String, right: String) {
    #expect(KeyCode.nearestName(to: wrong) == right)
    #expect(KeyCode.nearestName(to: "xxxxxxxxxxxxxxxx") == nil)
  }

  @Test("a choice is a name, a path or numbers")
  func choices() {
    #expect(KeyChoice("USB Keypad") == .named("USB Keypad"))
    #expect(KeyChoice("/dev/input/event3") == .path("/dev/input/event3"))
    #expect(KeyChoice("046d:C31c") == .usb(vendor: 0x046D, product: 0xC31C))
    #expect(KeyChoice("46d:c31c") == .named("46d:c31c") && KeyChoice("") == nil && KeyChoice("a\n") == nil)
    for text in ["USB Keypad", "/dev/input/event3", "046d:c31c", "0001:0002"] { #expect(KeyChoice(text)?.text == text) }
  }
}
