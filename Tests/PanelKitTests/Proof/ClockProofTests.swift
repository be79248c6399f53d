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
