import Testing

@testable import PanelNetwork

@Suite("A number as other programs write it")
struct WrittenNumberTests {
  @Test(
    "it is rounded half away from zero, from all of its digits",
    arguments: [
      ("9", 0, 9), ("-4", 0, -4), ("+3", 0, 3), ("5.0", 0, 5), ("6.4", 0, 6), ("6.9999995", 0, 7), ("0.3", 0, 0),
      ("0.5", 0, 1), ("-0.5", 0, -1), ("0.49999999999999999999", 0, 0), ("2.5", 0, 3), ("-2.5", 0, -3),
      ("6.44", 1, 64), ("6.45", 1, 65), ("-0.05", 1, -1), ("1e1", 0, 10), ("1.5E+2", 0, 150), ("1e-05", 0, 0),
      ("5e-1", 0, 1), ("123456e-3", 2, 12346), ("0e999", 0, 0), ("00007", 0, 7), ("-0.0", 0, 0),
      ("999999999999999", 0, 999_999_999_999_999), ("0.0000000000000000000000000000000000001", 0, 0),
    ])
  func rounds(_ text: String, _ decimals: Int, _ number: Int) {
    #expect(WrittenNumber(text)?.rounded(decimals: decimals) == number)
  }

  @Test("one that no range has is no number to set", arguments: ["1e15", "-9999999999999999", "1e999", "1.5e300"])
  func large(_ text: String) {
    #expect(WrittenNumber(text)?.rounded(decimals: 0) == nil && WrittenNumber(text) != nil)
  }

  @Test(
    "other texts are none",
    arguments: [
      "", "+", "-", "+-1", "--1", "1.", ".5", "1.2.3", "1,5", "1e", "1e+", "1e1000", "e5", "0x1F", "1_000", "inf",
      "nan",
      " 1", "1 ", "٣", "½", "9\u{0}", String(repeating: "9", count: 65),
    ])
  func refuses(_ text: String) { #expect(WrittenNumber(text) == nil) }

  @Test("zero is zero however it is written", arguments: ["0", "0.0", "-0", "+0.000", "0e5"])
  func zero(_ text: String) { #expect(WrittenNumber(text)?.isZero == true) }
}
