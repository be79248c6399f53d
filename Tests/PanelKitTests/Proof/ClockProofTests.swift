import TestSupport
import Testing

@Suite("Proofs with times of day")
struct ClockProofTests {
  @Test("a time of day occurs while the clock shows it")
  func timeOfAlarm() {
    let result = prove(
      """
      panel: Wake-up
      outputs: { lamp: { led: GPIO23 } }
      never: { odd: state == wrong }
      initial: dark
      states:
        dark: { at: { "07:00": [ { go: lit, if: clock >= 07:00 and clock < 07:01 }, wrong ] } }
        lit: { show: { lamp: on }, at: { "22:00": dark } }
        wrong: {}

      """)
    #expect(result.lines.contains { $0.contains("proved") && $0.contains("never odd") }, "\(result.lines)")
  }

  @Test("a clock that is set past a time of day is a counterexample, and its scenario reproduces it")
  func clockIsSet() {
    let text = """
      panel: Shop window
      outputs: { lamp: { led: GPIO23 } }
      never: { late: lamp == on and clock >= 22:00 }
      initial: dark
      states:
        dark: { at: { "07:00": lit } }
        lit: { show: { lamp: on }, at: { "22:00": dark } }

      """
    withFiles(["p.panel.yaml": text]) { folder in
      let proof = PanelProcess(["prove", "\(folder)/p.panel.yaml"]).finish()
      #expect(proof.output.contains("reproduces it"), "\(proof.output)")
      let test = PanelProcess(["test", "\(folder)/p.panel.yaml", "\(folder)/p.late.scenario.yaml"]).finish()
      #expect(test.status == 1 && test.output.contains("0 passed, 1 failed"), "\(test.output)")
    }
  }

  /// Proves a panel that is wrong, and expects that the scenario of the counterexample fails.
  private func expectReproduced(_ text: String, rule: String, as moves: [String]) {
    withFiles(["p.panel.yaml": text]) { folder in
      let proof = PanelProcess(["prove", "\(folder)/p.panel.yaml"]).finish()
      #expect(proof.output.contains("reproduces it"), "\(proof.output)")
      let rows = proof.output.split(separator: "\n").map(String.init)
      for move in moves { #expect(rows.contains { $0.contains(move) }, "\(move): \(proof.output)") }
      let test = PanelProcess(["test", "\(folder)/p.panel.yaml", "\(folder)/p.\(rule).scenario.yaml"]).finish()
      #expect(test.status == 1 && test.output.contains("0 passed, 1 failed"), "\(test.output)")
    }
  }

  @Test("the time can become unknown again: a lamp that waits for the end of a period stays lit")
  func clockIsLost() {
    expectReproduced(
      """
      panel: Evening
      inputs: { evening: { switch: { between: "18:00..22:00" } } }
      outputs: { lights: { led: GPIO23 } }
      never: { lit: lights == on and evening == unknown }
      initial: dark
      states:
        dark: { when: { evening == on: lit } }
        lit: { show: { lights: on }, when: { evening == off: dark } }

      """, rule: "lit", as: ["clock is unknown"])
  }

  @Test("a time that is known again after a loss is a time that the scenario sets")
  func clockReturns() {
    expectReproduced(
      """
      panel: Evening
      inputs: { evening: { switch: { between: "18:00..22:00" } } }
      outputs: { lights: { led: GPIO23 } }
      never: { back: state == again and evening == on }
      initial: dark
      states:
        dark: { when: { evening == on: lit } }
        lit: { show: { lights: on }, when: { evening == unknown: again, evening == off: dark } }
        again: {}

      """, rule: "back", as: ["clock is unknown"])
  }

  @Test(
    "no time of day occurs on a clock that is unknown",
    arguments: ["at: { \"08:00\": b }", "at: { lesson: b }"])
  func unknownAlarm(at: String) {
    let text = """
      panel: Bell
      outputs: { bell: { relay: GPIO23 } }
      values: { lesson: { initial: "08:00" } }
      never: { blind: bell == on and clock == unknown }
      initial: a
      states:
        a: { \(at) }
        b: { show: { bell: on }, when: { clock == unknown: a } }

      """
    let result = prove(text)
    #expect(result.lines.contains { $0.contains("proved") && $0.contains("never blind") }, "\(result.lines)")
  }

  @Test("a time in a value that nothing changes occurs at that time only")
  func timeOfValue() {
    let result = prove(
      """
      panel: Bell
      outputs: { bell: { relay: GPIO23 } }
      values: { lesson: { initial: "08:00" } }
      never: { early: bell == on and clock < 08:00 }
      initial: a
      states:
        a: { at: { lesson: b } }
        b: { show: { bell: on }, when: { clock < 08:00: a } }

      """)
    #expect(result.lines.contains { $0.contains("proved") && $0.contains("never early") }, "\(result.lines)")
  }

  private static func porch(_ times: String, ends: String = "dark == off or dark == unknown", never: String) -> String {
    """
    panel: Porch
    clock: { latitude: 52.5, longitude: 13.4 }
    inputs:
      dark: { switch: { between: \(times) } }
      motion: { switch: GPIO5 }
    outputs: { light: { relay: GPIO20 } }
    never: { wrong: \(never) }
    reach: [ lit ]
    initial: resting
    states:
      resting: { when: { dark == on and motion == on: lit } }
      lit: { show: { light: on }, when: { \(ends): resting }, after: { 5m: resting } }

    """
  }

  @Test(
    "a light that follows the sun is proved without limits",
    arguments: ["sunset..sunrise", "sunset..22:00, days: mon..fri", "sunset-30m..23:00"])
  func sun(times: String) {
    let result = prove(Self.porch(times, never: "light == on and dark == off"))
    #expect(result.status == 0, "\(result.lines)")
    #expect(result.lines.contains { $0.contains("proved") && $0.contains("never wrong") }, "\(result.lines)")
    #expect(result.lines.contains { $0.contains("reached") && $0.contains("lit") }, "\(result.lines)")
  }

  @Test("a light that ignores the end of the night, and one that ignores an unknown clock, are counterexamples")
  func sunIsIgnored() {
    expectReproduced(
      Self.porch("sunset..sunrise", ends: "motion == off", never: "light == on and dark == off"), rule: "wrong",
      as: ["dark", "motion"])
    expectReproduced(
      Self.porch("sunset..sunrise", ends: "dark == off", never: "light == on and dark == unknown"), rule: "wrong",
      as: ["clock is unknown"])
  }

  @Test("two periods that can't be current at the same time are not taken for a violation")
  func apart() {
    let text = """
      panel: Porch
      clock: { latitude: 52.5, longitude: 13.4 }
      inputs:
        dark: { switch: { between: sunset..sunrise } }
        bright: { switch: { between: sunrise..sunset } }
      outputs: { light: { relay: GPIO20 } }
      never: { both: state == wrong }
      initial: resting
      states:
        resting: { when: { dark == on and bright == on: wrong } }
        wrong: { show: { light: on } }

      """
    let result = prove(text, ["--limit", "clock.sunrise=300..500", "--limit", "clock.sunset=900..1100"])
    #expect(!result.lines.contains { $0.contains("violated") }, "\(result.lines)")
  }

  @Test("a switch of two times has no such gap: it is the position of the clock")
  func between() {
    let result = prove(
      """
      panel: Shop window
      inputs: { day: { switch: { between: "07:00..22:00" } } }
      outputs: { lamp: { led: GPIO23 } }
      never: { late: lamp == on and clock >= 22:00 }
      initial: dark
      states:
        dark: { when: { day == on: lit } }
        lit: { show: { lamp: on }, when: { day == off: dark } }

      """)
    #expect(result.lines.contains { $0.contains("proved") && $0.contains("never late") }, "\(result.lines)")
  }
}
