import Glibc
import Testing

@testable import HardwareDrivers

@Suite("SunTimes")
struct SunTests {
  /// Sunrise and sunset as texts of UTC.
  private func times(
    _ latitude: Int, _ longitude: Int, _ date: CalendarDate, offset: Int = 0
  ) -> [String] {
    let sun = SunTimes(at: Place(latitude: latitude, longitude: longitude), on: date, offset: offset)
    return [sun.sunrise, sun.sunset].map { seconds in
      seconds.map { ZoneRules.utc.reading(at: $0 * 1_000_000).description } ?? "-"
    }
  }

  @Test("London's times are within a minute of the almanac")
  func almanac() {
    // timeanddate.com, London, 2015.
    let almanac = [
      (1, 1, "08:06", "16:02"), (12, 1, "07:43", "15:55"), (12, 2, "07:44", "15:55"), (12, 3, "07:46", "15:54"),
      (12, 12, "07:56", "15:52"), (12, 25, "08:05", "15:56"),
    ]
    for (month, day, rise, set) in almanac {
      let date = CalendarDate(2015, month, day)
      let sun = SunTimes(at: Place(latitude: 51_473_300, longitude: -800), on: date, offset: 0)
      for (found, expected) in [(sun.sunrise, rise), (sun.sunset, set)] {
        let seconds = date.day * 86_400 + TimeOfDay(expected)!.seconds
        #expect(((found ?? 0) - seconds).magnitude <= 60, "\(date): \(expected)")
      }
    }
  }

  @Test("places around the earth have their times on the local date")
  func places() {
    #expect(
      times(52_520_000, 13_400_000, CalendarDate(2026, 11, 25), offset: 3600)
        == ["2026-11-25 06:45", "2026-11-25 15:01"])
    #expect(
      times(52_520_000, 13_400_000, CalendarDate(2026, 6, 21), offset: 7200)
        == ["2026-06-21 02:43", "2026-06-21 19:33"])
    // Reykjavik's sun sets after midnight.
    #expect(times(64_146_600, -21_942_600, CalendarDate(2026, 6, 21)) == ["2026-06-21 02:55", "2026-06-22 00:04"])
    #expect(
      times(-180_700, -78_467_800, CalendarDate(2026, 3, 20), offset: -18_000)
        == ["2026-03-20 11:18", "2026-03-20 23:25"])
    #expect(
      times(-33_868_800, 151_209_300, CalendarDate(2026, 12, 21), offset: 39_600)
        == ["2026-12-20 18:41", "2026-12-21 09:05"])
    #expect(
      times(-36_848_500, 174_763_300, CalendarDate(2026, 6, 21), offset: 43_200)
        == ["2026-06-20 19:34", "2026-06-21 05:12"])
    // Kiribati is a day ahead of its longitude.
    #expect(
      times(1_872_100, -157_427_800, CalendarDate(2026, 1, 3), offset: 50_400)
        == ["2026-01-02 16:33", "2026-01-03 04:35"])
  }

  @Test("the sun stays up or down in the polar summer and winter, and at the poles")
  func poles() {
    for (latitude, month, isUp) in [
      (69_650_000, 12, false), (69_650_000, 6, true), (90_000_000, 6, true), (90_000_000, 12, false),
      (-90_000_000, 6, false), (-90_000_000, 12, true), (-80_000_000, 12, true),
    ] {
      let place = Place(latitude: latitude, longitude: 18_960_000)
      let sun = SunTimes(at: place, on: CalendarDate(2026, month, 21), offset: 0)
      #expect(sun.sunrise == nil && sun.sunset == nil && sun.isUpAtNoon == isUp, "\(latitude) in month \(month)")
    }
  }

  @Test("at all places and dates the sun rises before noon, sets after it, and moves by minutes from day to day")
  func everywhere() {
    for latitude in stride(from: -60_000_000, through: 60_000_000, by: 40_000_000) {
      for longitude in stride(from: -180_000_000, through: 180_000_000, by: 90_000_000) {
        let place = Place(latitude: latitude, longitude: longitude)
        var last: SunTimes?
        for day in stride(from: 20_000, to: 24_000, by: 1) where day % 50 < 2 {
          let sun = SunTimes(at: place, on: CalendarDate(day: day), offset: longitude / 1_000_000 * 240)
          guard let rise = sun.sunrise, let set = sun.sunset else {
            #expect(Bool(false), "no sun at \(place)")
            continue
          }
          #expect((4 * 3600..<21 * 3600).contains(set - rise))
          if day % 50 == 1, let rise0 = last?.sunrise { #expect((rise - rise0 - 86_400).magnitude <= 300) }
          last = sun
        }
      }
    }
  }

  /// The times of NOAA's spreadsheet in floating-point numbers: seconds from 1 January 1970 UTC.
  private func spreadsheet(
    _ latitude: Double, _ longitude: Double, _ date: CalendarDate
  ) -> (rise: Double, set: Double)? {
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    func arc(_ radians: Double) -> Double { radians * 180 / .pi }
    func crossing(_ sign: Double) -> Double? {
      var time = Double(date.day) * 86_400 + 43_200 - longitude * 240
      for _ in 0..<6 {
        let t = (time - 946_728_000) / 3_155_760_000
        let mean = 280.46646 + t * (36_000.76983 + t * 0.0003032)
        let anomaly = 357.52911 + t * (35_999.05029 - 0.0001537 * t)
        let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
        let centre1 = sine(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
        let centre = centre1 + sine(2 * anomaly) * (0.019993 - 0.000101 * t) + sine(3 * anomaly) * 0.000289
        let apparent = mean + centre - 0.00569 - 0.00478 * sine(125.04 - 1_934.136 * t)
        let seconds = 21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))
        let obliquity = 23 + (26 + seconds / 60) / 60 + 0.00256 * cosine(125.04 - 1_934.136 * t)
        let declination = arc(asin(sine(obliquity) * sine(apparent)))
        let tangent = sine(obliquity / 2) / cosine(obliquity / 2)
        let y = tangent * tangent
        var equation = y * sine(2 * mean) - 2 * eccentricity * sine(anomaly)
        equation += 4 * eccentricity * y * sine(anomaly) * cosine(2 * mean) - 0.5 * y * y * sine(4 * mean)
        equation -= 1.25 * eccentricity * eccentricity * sine(2 * anomaly)
        let upper = cosine(90.833) - sine(latitude) * sine(declination)
        let ratio = upper / (cosine(latitude) * cosine(declination))
        guard abs(ratio) <= 1 else { return nil }
        let noon = Double(date.day) * 86_400 + 43_200 - longitude * 240 - arc(equation) * 240
        time = noon + sign * arc(acos(ratio)) * 240
      }
      return time
    }
    guard let rise = crossing(-1), let set = crossing(1) else { return nil }
    return (rise, set)
  }

  @Test("ten years at five places are within a minute of NOAA's spreadsheet")
  func spreadsheet() {
    let places = [
      (52_520_000, 13_400_000), (0, -78_467_800), (-33_868_800, 151_209_300), (64_146_600, -21_942_600),
      (78_220_000, 15_650_000),
    ]
    let first = CalendarDate(2025, 1, 1).day
    for (latitude, longitude) in places {
      var compared = 0
      for day in first..<first + 3_652 {
        let date = CalendarDate(day: day)
        let zone = Int((Double(longitude) / 15_000_000).rounded()) * 3_600
        let sun = SunTimes(at: Place(latitude: latitude, longitude: longitude), on: date, offset: zone)
        let expected = spreadsheet(Double(latitude) / 1e6, Double(longitude) / 1e6, date)
        // At the edge of the polar night one of both may find a sun of a minute.
        guard let expected, let rise = sun.sunrise, let set = sun.sunset else {
          let length = expected.map { $0.set - $0.rise } ?? Double((sun.sunset ?? 0) - (sun.sunrise ?? 0))
          #expect(length < 3_600 || length > 82_800, "\(date) at \(latitude)")
          continue
        }
        compared += 1
        // The result is rounded to a minute, so that half a minute of the 60 s is taken already.
        #expect(abs(Double(rise) - expected.rise) <= 60, "sunrise of \(date) at \(latitude)")
        #expect(abs(Double(set) - expected.set) <= 60, "sunset of \(date) at \(latitude)")
      }
      #expect(compared > (latitude > 70_000_000 ? 1_000 : 3_600), "only \(compared) dates have a sun at \(latitude)")
    }
  }

  @Test("sines, cosines and their inverses are right to seven digits")
  func trigonometry() {
    let known: [(Int, Double, Double)] = [
      (0, 0, 1), (30, 0.5, 0.866_025_404), (45, 0.707_106_781, 0.707_106_781), (90, 1, 0), (120, 0.866_025_404, -0.5),
      (180, 0, -1), (-90, -1, 0), (-150, -0.5, -0.866_025_404), (270, -1, 0), (36_030, 0.5, 0.866_025_404),
      (-36_030, -0.5, 0.866_025_404),
    ]
    func number(_ value: FixedPoint) -> Double { Double(value.raw) / 4_294_967_296 }
    for (angle, sine, cosine) in known {
      let found = FixedPoint.sineAndCosine(FixedPoint(angle))
      #expect(abs(number(found.sine) - sine) < 1e-7 && abs(number(found.cosine) - cosine) < 1e-7, "\(angle)")
      if (0...180).contains(angle) { #expect(abs(number(found.cosine.arcCosine) - Double(angle)) < 2e-2) }
    }
    #expect(abs(number(FixedPoint(millionths: 500_000).arcCosine) - 60) < 1e-6)
    #expect(abs(number(FixedPoint(millionths: -500_000).arcCosine) - 120) < 1e-6)
    #expect(number(FixedPoint(1).squareRoot) == 1 && number(FixedPoint(0).squareRoot) == 0)
    #expect(number(FixedPoint(millionths: 250_000).squareRoot) == 0.5)
  }
}
