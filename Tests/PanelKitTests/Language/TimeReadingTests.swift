import TestSupport
import Testing

@testable import PanelLanguage

/// How a file writes times of day and periods.
@Suite("Written times of day")
struct TimeReadingTests {
  private static let template = """
    panel: P
    clock: { latitude: 52.52, longitude: 13.40 }
    inputs: { s: { switch: { between: PERIOD } } }
    initial: x
    states:
      x: { at: { TIME: y } }
      y: { on: { s.on: x } }

    """

  private static func text(period: String = "22:00..06:00", time: String = "\"12:00\"") -> String {
    template.replacing(each: "PERIOD", by: period).replacing(each: "TIME", by: time)
  }

  private func clock(_ text: String) throws -> ClockDefinition? {
    try PanelFile.read(Array(text.utf8), file: "test").clock
  }

  @Test(
    "wrong periods are reported at their place",
    arguments: [
      ("07:00-22:00", "write two dots between the times: 07:00..22:00"),
      ("07:00 - 22:00", "write two dots between the times: 07:00..22:00"),
      ("sunset", "write two dots between the times: 22:00..06:00"),
      ("sunset-30m", "write two dots between the times: 22:00..06:00"),
      ("7:00..22:00", "\"7:00\" is not a time of day; write \"07:00\""),
      ("07:00..24:00", "\"24:00\" is not a time of day; write \"23:00\""),
      ("07:00..07:00", "07:00..07:00 ends when it begins; write two different times"),
      ("sunset-30s..sunrise", "\"-30s\" is not a number of minutes; write +30m or -30m, at most 12h"),
      ("sunset - 13h..sunrise", "\"-13h\" is not a number of minutes; write +30m or -30m, at most 12h"),
      ("dusk..sunrise", "\"dusk\" is not a time of day; write \"06:30\", sunset-30m, or a value"),
    ])
  func wrongPeriods(_ period: String, _ problem: String) {
    #expect(Fixture.problems(ofPanel: Self.text(period: "\"\(period)\"")) == ["3:35: \(problem)"])
  }

  @Test(
    "the sign of a time of the sun can have blanks around it",
    arguments: ["sunset-30m", "sunset - 30m", "sunset -30m", "sunset- 30m", " sunset  -  30m "])
  func blanks(_ written: String) throws {
    let alarm = try #require(try clock(Self.text(time: "\"\(written)\""))?.alarms.first)
    #expect(alarm.time == .sunset(-30) && alarm.days.isEmpty && alarm.word == "sunset-30m")
    let days = try #require(try clock(Self.text(time: "\"\(written) sat sun\""))?.alarms.first)
    #expect(days.time == .sunset(-30) && days.days == [6, 7])
    let later = try #require(try clock(Self.text(time: "\"12:00 mon | \(written)\""))?.alarms)
    #expect(later.map(\.time) == [.fixed(720), .sunset(-30)])
    let watched = try clock(Self.text(period: "\"\(written)..sunrise + 1h\""))?.watched
    #expect(watched == [.sunset(-30), .sunrise(60)])
  }

  @Test("a period can have blanks around its dots")
  func blanksAroundDots() throws {
    #expect(try clock(Self.text(period: "22:00 .. 06:00"))?.watched == [.fixed(1320), .fixed(360)])
  }

  @Test(
    "a sign belongs to no other time, and needs its minutes",
    arguments: [
      ("06:00 + 5m", "\"+\" names no days; write mon..fri, or sat sun"),
      ("sunset-30m - 5m", "\"-\" names no days; write mon..fri, or sat sun"),
      ("sunset -", "\"-\" is not a number of minutes; write +30m or -30m, at most 12h"),
      ("sunset - mon", "\"-mon\" is not a number of minutes; write +30m or -30m, at most 12h"),
      ("sunset 30m", "\"30m\" names no days; write mon..fri, or sat sun"),
    ])
  func wrongSigns(_ time: String, _ problem: String) {
    #expect(Fixture.problems(ofPanel: Self.text(time: "\"\(time)\"")).contains("6:14: \(problem)"))
  }

  @Test("a time with blanks and the same time without them are one time")
  func twice() {
    #expect(
      Fixture.problems(ofPanel: Self.text(time: "sunset - 30m | sunset-30m"))
        == ["6:29: time \"sunset-30m\" is written twice; write it once"])
  }
}
