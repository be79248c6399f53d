import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("`elapsed` in `when`")
struct ElapsedWhenTests {
  private func stage(_ when: String, _ other: String = "") throws -> Stage {
    try Stage(
      """
      initial: a
      states:
        a: { when: { \(when): b }\(other) }
        b: { on: { key.pressed: a } }
      """)
  }

  @Test("it is checked at its age: from it on, or 1 ms later")
  func age() throws {
    #expect(try stage("elapsed >= 5s").take("wait 4999ms; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("elapsed > 5s").take("wait 5s; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("5s <= elapsed").take("wait 4999ms; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("5s < elapsed").take("wait 5s; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("elapsed == 5s").take("wait 4999ms; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("not elapsed < 5s").take("wait 4999ms; expect state=a; wait 1ms; expect state=b") == [])
    #expect(try stage("not elapsed <= 5s").take("wait 5s; expect state=a; wait 1ms; expect state=b") == [])
  }

  @Test("with another condition it holds as soon as both hold")
  func both() throws {
    let stage = try stage("elapsed >= 5s and mute == on")
    #expect(try stage.take("wait 6s; expect state=a; switch mute=on; wait 10ms; expect state=b") == [])
    #expect(try stage.take("click key; expect state=a; wait 4s; expect state=a; wait 1s; expect state=b") == [])
    #expect(try self.stage("elapsed >= 5s or mute == on").take("switch mute=on; wait 10ms; expect state=b") == [])
  }

  @Test("each entry of the state starts the time again")
  func again() throws {
    let stage = try stage("elapsed >= 5s", ", on: { bell.pressed: a }")
    #expect(try stage.take("wait 4s; click bell; wait 4s; expect state=a; wait 1s; expect state=b") == [])
  }

  @Test("a time of the state at the same moment fires in the order of the file", arguments: [true, false])
  func order(isWhenFirst: Bool) throws {
    let (when, after) = ("when: { elapsed >= 2s: b }", "after: { 2s: c }")
    let stage = try Stage(
      "initial: a\nstates: { a: { \(isWhenFirst ? "\(when), \(after)" : "\(after), \(when)") }, b: {}, c: {} }\n")
    #expect(try stage.take("wait 2s; expect state=\(isWhenFirst ? "b" : "c")") == [])
  }

  @Test(
    "a proof treats it like a time",
    arguments: [
      ("a: { when: { elapsed >= 5s and s == on: b }, after: { 6s: c } }, b: {}, c: {}", 1),
      ("a: { when: { elapsed >= 5s and s == on: b }, after: { 4s: c } }, b: {}, c: {}", 0),
      ("a: { when: { elapsed >= 5s: c }, after: { 6s: b } }, b: {}, c: {}", 0),
      ("a: { when: { elapsed > 6s: c }, after: { 6s: b } }, b: {}, c: {}", 1),
      ("a: { when: { elapsed > 6s: b }, after: { 6s: c } }, b: {}, c: {}", 0),
    ])
  func proved(states: String, violations: Int) throws {
    let text = """
      panel: P
      inputs: { s: { switch: GPIO5 } }
      never: { there: state == b }
      initial: a
      states: { \(states) }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let model = ProofModel(PropertySlice(whole: panel), sounds: [])
    let search = Search(model, within: Search.Bounds(), hasTimeLeft: { true })
    search.run()
    #expect(search.marks.violations.count == violations && (violations > 0 || search.isComplete))
  }
}
