import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

private final class Stand {
  let bench = Bench()
  let keys: SimulatedKeys
  let trial: DriverBench<CodeReader>

  init(settings: CodeReader.Settings = .init()) {
    keys = SimulatedKeys(bench, KeysPort(.named("Reader")))
    trial = DriverBench(CodeReader(keys, settings: settings), on: bench)
  }

  func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  var codes: [String] {
    trial.events.map { event in
      guard case .read(let code) = event.event else { return "" }
      return "\(event.moment.nanoseconds / 1_000_000) \(code)"
    }
  }

  /// The reasons of the dropped codes.
  var faults: [String] {
    trial.troubles.map { if case .failed(let error) = $0 { error.reason } else { "\($0)" } }
  }
}

@Suite("CodeReader")
struct CodeReaderTests {
  @Test("a code is read at Enter, with its leading zeros")
  func codes() throws {
    let stand = Stand()
    try stand.trial.start()
    #expect(stand.keys.isGrabbed)
    stand.keys.type("0008312345")
    try stand.pass(10)
    stand.keys.type("47", endsWithEnter: false)
    try stand.pass(900)
    stand.keys.type("11")
    try stand.pass(2_000)
    #expect(stand.codes == ["0 0008312345", "910 4711"] && stand.faults == [])
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
  }

  @Test("a code that is not known is an event, and in the log; without a list, codes are only events")
  func unknownCodes() throws {
    for known in [nil, ["4711"]] {
      let stand = Stand(settings: .init(known: known))
      try stand.trial.start()
      for code in ["4711", "0815", "0815"] { stand.keys.type(code) }
      try stand.pass(10)
      #expect(stand.codes == ["0 4711", "0 0815", "0 0815"])
      let texts = stand.trial.troubles.map { if case .failed(let error) = $0 { "\(error)" } else { "\($0)" } }
      #expect(texts.count == (known == nil ? 0 : 2))
      #expect(
        texts.allSatisfy {
          $0.hasPrefix("cannot name the code \"0815\": it is not in the list of known codes")
        }, "\(texts)")
      stand.trial.stop()
    }
  }

  @Test(
    "all characters of a US keyboard",
    arguments: ["ABC-abc/1", "12 34", "`~[]{}\\|", "!@#$%^&*()_+", ";:'\",<.>/?", "-=+zZ"])
  func characters(code: String) throws {
    let stand = Stand()
    stand.keys.queueDepth = 1_000
    try stand.trial.start()
    stand.keys.type(code)
    try stand.pass(10)
    #expect(stand.codes == ["0 \(code)"])
    stand.trial.stop()
  }

  @Test("the numeric keypad types digits, and its Enter ends a code")
  func numericKeypad() throws {
    let stand = Stand()
    try stand.trial.start()
    for name in ["kp0", "kp4", "kp2", "kpenter"] {
      stand.keys.press(KeyCode(name)!)
      stand.keys.release(KeyCode(name)!)
    }
    try stand.pass(10)
    #expect(stand.codes == ["0 042"])
    stand.trial.stop()
  }

  @Test("a code that is too long, stops before Enter, or has a key without a character is dropped and reported")
  func dropped() throws {
    let stand = Stand(settings: .init(longest: 5, gap: .milliseconds(100)))
    try stand.trial.start()
    stand.keys.type("123456")
    try stand.pass(10)
    #expect(stand.faults == ["it has more than 5 characters"])
    stand.keys.type("123", endsWithEnter: false)
    try stand.pass(99)
    #expect(stand.faults.count == 1)
    try stand.pass(1)
    #expect(stand.faults.dropFirst() == ["Enter is missing at its end"])
    stand.keys.type("12", endsWithEnter: false)
    stand.keys.press(KeyCode("f1")!)
    stand.keys.release(KeyCode("f1")!)
    stand.keys.type("3")
    try stand.pass(10)
    #expect(stand.faults.dropFirst(2) == ["it contains the key f1, which types no character"])
    stand.keys.type("12345")
    try stand.pass(10)
    #expect(stand.codes == ["120 12345"])
    stand.trial.stop()
  }

  @Test("Enter alone is no code, as after the codes of readers that send CR and LF")
  func empty() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.keys.type("1")
    stand.keys.type("")
    stand.keys.type("")
    try stand.pass(5_000)
    #expect(stand.codes == ["0 1"] && stand.faults == [])
    stand.trial.stop()
  }

  @Test("keys that the kernel has dropped make no shorter code")
  func lostKeys() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.keys.type("12", endsWithEnter: false)
    try stand.pass(1)
    stand.keys.type("34", endsWithEnter: false)
    stand.keys.drop()
    stand.keys.type("56")
    try stand.pass(2_000)
    stand.keys.type("78")
    try stand.pass(5_000)
    #expect(stand.codes == ["2001 78"])
    #expect(stand.faults == ["the kernel's queue was full"])
    stand.trial.stop()
  }

  @Test("a reader that is unplugged within a code drops it, and reads codes after its return")
  func unplugged() throws {
    let stand = Stand()
    try stand.trial.start()
    stand.keys.type("12", endsWithEnter: false)
    try stand.pass(10)
    stand.keys.unplug()
    try stand.pass(10)
    #expect(stand.faults.first == "Enter is missing at its end" && stand.faults.count == 2)
    stand.keys.plug()
    try stand.pass(60_000)
    stand.keys.type("34")
    try stand.pass(10)
    #expect(stand.trial.events.map(\.event) == [.read("34")] && stand.trial.troubles.last == .restored)
    stand.trial.stop()
  }

  @Test("codes that no reader can type are refused")
  func refusal() {
    let driver = CodeReader(SimulatedKeys(Bench(), KeysPort(.named("Reader"))), settings: .init(longest: 4))
    #expect(driver.refusal(of: .read("1234")) == nil)
    #expect(driver.refusal(of: .read("")) == "a code of 0 characters is not one of 1 to 4")
    #expect(driver.refusal(of: .read("12345")) == "a code of 5 characters is not one of 1 to 4")
    #expect(driver.refusal(of: .read("é")) == "a code has only characters that a keyboard types")
  }

  @Test("a reader keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { bench in
        KeysLawHarness(SimulatedKeys(bench, KeysPort(.named("Reader")))) { keys throws(DriverError) in
          for code in ["0042", "17"] {
            for character in code {
              keys.type(String(character), endsWithEnter: false)
              try keys.bench.advance(by: .milliseconds(10))
            }
            keys.type("")
            try keys.bench.advance(by: .seconds(2))
          }
        }
      }, driver: { CodeReader($0.keys) })
    #expect(violations == [])
  }
}
