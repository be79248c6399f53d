import Testing

@testable import PanelLanguage

@Suite struct QuantityTests {
  @Test(
    "a duration is a number and a unit, and is written so again",
    arguments: [
      ("250ms", .milliseconds(250), "250ms"),
      ("3s", .seconds(3), "3s"),
      ("1.5s", .milliseconds(1500), "1500ms"),
      ("2m", .seconds(120), "2m"),
      ("8h", .seconds(28_800), "8h"),
      ("0.5h", .seconds(1800), "30m"),
      ("60m", .seconds(3600), "1h"),
      ("90s", .seconds(90), "90s"),
      ("0s", .zero, "0s"),
      ("0.25ms", .microseconds(250), "0.25ms"),
      ("0.000001ms", .nanoseconds(1), "0.000001ms"),
      ("999999999m", .seconds(59_999_999_940), "999999999m"),
      ("999999999h", .seconds(3_599_999_996_400), "999999999h"),
    ] as [(String, Duration, String)])
  func durations(text: String, duration: Duration, again: String) throws {
    #expect(try Quantity.duration(text) == duration)
    #expect(Quantity.text(duration) == again)
  }

  @Test(
    "what is not a duration is told",
    arguments: [
      "", "s", "ms", "3", "3 s", "-3s", "1e3s", "0x10s", ".5s", "5.s", "1.2.3s", "٣s", "3S", "1000000000s",
      "0.0000001ms", "infs", "nans",
    ])
  func wrongDurations(text: String) {
    #expect(throws: Quantity.Fault.self) { try Quantity.duration(text) }
  }

  @Test("a frequency is in hertz or kilohertz", arguments: [("440Hz", 440), ("1.5kHz", 1500), ("27.5Hz", 27.5)])
  func frequencies(text: String, hertz: Double) throws {
    #expect(try Quantity.frequency(text) == hertz)
  }

  @Test("a whole number has at most nine digits and no point")
  func whole() {
    #expect(Quantity.whole("+1") == 1)
    #expect(Quantity.whole("-3") == -3)
    #expect(Quantity.whole("007") == 7)
    #expect(Quantity.whole("999999999") == 999_999_999)
    for text in ["", "+", "-", "--1", "1.0", "1e3", "0x1", "1000000000", "1_000", " 1", "٣"] {
      #expect(Quantity.whole(text) == nil, "\(text)")
    }
  }

  @Test("a number may have a point")
  func number() {
    #expect(Quantity.number("0.3") == 0.3)
    #expect(Quantity.number("-1.5") == -1.5)
    for text in ["", ".", "nan", "inf", "1.", ".5", "1e3"] { #expect(Quantity.number(text) == nil, "\(text)") }
  }
}
