import CycleCore
import Terminal
import Testing

@Suite struct SecondsTextTests {
  @Test(
    "a span has three decimals and its sign, and nothing of a millisecond",
    arguments: [
      (0, "0.000s"), (1_005, "1.005s"), (61_200, "61.200s"), (-5, "-0.005s"), (-500, "-0.500s"), (-1_001, "-1.001s"),
    ])
  func text(milliseconds: Int, expected: String) {
    #expect(SecondsText.text(of: .milliseconds(milliseconds)) == expected)
    #expect(SecondsText.text(of: .microseconds(-999)) == "0.000s")
  }
}
