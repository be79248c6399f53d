import CycleCore

/// A place on the earth, for the times of sunrise and sunset.
public struct Place: Hashable, Sendable {
  /// The latitude in millionths of a degree, -90 to 90 degrees; north is positive.
  public let latitude: Int
  /// The longitude in millionths of a degree, -180 to 180 degrees; east is positive.
  public let longitude: Int

  /// - Parameters:
  ///   - latitude: in millionths of a degree; north is positive.
  ///   - longitude: in millionths of a degree; east is positive.
  public init(latitude: Int, longitude: Int) {
    precondition(
      latitude.magnitude <= 90_000_000 && longitude.magnitude <= 180_000_000,
      "a latitude has at most 90 degrees, and a longitude 180")
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

/// Sunrise and sunset of a date at a place, in whole minutes.
///
/// The times are those at which the upper edge of the sun is on a flat horizon, with ordinary refraction: the centre of
/// the sun is 0.833 degrees below the horizon.
///
/// **Source.** The equations of the NOAA Solar Calculator, after Meeus, *Astronomical Algorithms*; each time is computed
/// again with the position of the sun at that time.
public struct SunTimes: Equatable, Sendable {
  /// The number of seconds from 1 January 1970 UTC to sunrise; nil if the sun does not rise.
  public let sunrise: Int?
  /// The number of seconds from 1 January 1970 UTC to sunset, which may be after midnight; nil if the sun does not set.
  public let sunset: Int?
  /// Whether the sun is up at noon, also where it does not rise.
  public let isUpAtNoon: Bool

  /// - Parameters:
  ///   - place: the place.
  ///   - date: the local date. The times are those before and after the noon of this date.
  ///   - offset: local time minus UTC, in seconds.
  public init(at place: Place, on date: CalendarDate, offset: Int) {
    // Noon of a date of UTC is on another local date where the zone is far from its longitude.
    var noon = Self.noon(place, date)
    let local = CalendarDate.floor(noon + offset, TimeOfDay.secondsOfDay)
    if local != date.day { noon = Self.noon(place, CalendarDate(day: date.day + (date.day - local))) }
    let rise = Self.crossing(place, noon, isRise: true)
    let set = Self.crossing(place, noon, isRise: false)
    isUpAtNoon = SunPosition(at: noon).isUp(at: place)
    sunrise = rise.map(Self.minute)
    sunset = set.map(Self.minute)
  }

  private static func minute(_ seconds: Int) -> Int { CalendarDate.floor(seconds + 30, 60) * 60 }

  /// The moment at which the sun is highest.
  private static func noon(_ place: Place, _ date: CalendarDate) -> Int {
    let middle = date.day * TimeOfDay.secondsOfDay + 43_200
    let guess = middle - place.longitude * 240 / 1_000_000
    return guess - (SunPosition(at: guess).equationOfTime * FixedPoint(60)).rounded
  }

  private static func crossing(_ place: Place, _ noon: Int, isRise: Bool) -> Int? {
    let noonEquation = (SunPosition(at: noon).equationOfTime * FixedPoint(60)).rounded
    var time = noon
    for _ in 0..<5 {
      let sun = SunPosition(at: time)
      guard let angle = sun.hourAngle(at: place) else { return nil }
      let shift = (angle * FixedPoint(240)).rounded
      // The noon that belongs to the position at that time differs by seconds.
      let drift = (sun.equationOfTime * FixedPoint(60)).rounded - noonEquation
      time = noon - drift + (isRise ? -shift : shift)
    }
    return time
  }
}

/// The position of the sun at a time.
private struct SunPosition {
  /// The sine and the cosine of its declination.
  let sine: FixedPoint
  let cosine: FixedPoint
  /// The time of a sundial minus mean time, in minutes.
  let equationOfTime: FixedPoint

  init(at seconds: Int) {
    // Centuries since 1 January 2000, 12:00.
    let t = FixedPoint(seconds - 946_728_000, over: 3_155_760_000)
    func number(_ millionths: Int) -> FixedPoint { FixedPoint(millionths: millionths) }
    // The last coefficient of each is below the resolution of the result.
    let longitude = number(280_466_460) + t * (number(36_000_769_830) + t * number(303))
    let anomaly = number(357_529_110) + t * (number(35_999_050_290) - t * number(154))
    let eccentricity = number(16_709) - t * number(42)
    let (sine1, _) = FixedPoint.sineAndCosine(anomaly)
    let (sine2, _) = FixedPoint.sineAndCosine(anomaly + anomaly)
    let (sine3, _) = FixedPoint.sineAndCosine(anomaly + anomaly + anomaly)
    let centre =
      sine1 * (number(1_914_602) - t * number(4_817)) + sine2 * (number(19_993) - t * number(101))
      + sine3 * number(289)
    let (nodeSine, nodeCosine) = FixedPoint.sineAndCosine(number(125_040_000) - t * number(1_934_136_000))
    let apparent = longitude + centre - number(5_690) - number(4_780) * nodeSine
    let obliquity = number(23_439_291) - t * number(13_004) + number(2_560) * nodeCosine
    let (tilt, _) = FixedPoint.sineAndCosine(obliquity)
    sine = tilt * FixedPoint.sineAndCosine(apparent).sine
    cosine = (FixedPoint(1) - sine * sine).squareRoot

    let half = FixedPoint.sineAndCosine(FixedPoint(raw: obliquity.raw / 2))
    let tangent = half.sine / half.cosine
    let y = tangent * tangent
    let twice = FixedPoint.sineAndCosine(longitude + longitude)
    let fourTimes = FixedPoint.sineAndCosine(longitude + longitude + longitude + longitude).sine
    let two = FixedPoint(2)
    var radians = y * twice.sine - two * eccentricity * sine1
    radians = radians + FixedPoint(4) * eccentricity * y * sine1 * twice.cosine
    radians = radians - FixedPoint(raw: (y * y * fourTimes).raw / 2)
    radians = radians - FixedPoint(millionths: 1_250_000) * eccentricity * eccentricity * sine2
    // Four minutes for each degree.
    equationOfTime = radians * number(229_183_118)
  }

  /// The cosine of the angle between the zenith and the centre of the sun at sunrise: 90.833 degrees.
  private static let horizon = FixedPoint(millionths: -14_538)

  /// The angle from noon to sunrise or sunset; nil if there is none.
  func hourAngle(at place: Place) -> FixedPoint? {
    let (latitudeSine, latitudeCosine) = FixedPoint.sineAndCosine(FixedPoint(millionths: place.latitude))
    let upper = Self.horizon - latitudeSine * sine
    let lower = latitudeCosine * cosine
    guard lower > FixedPoint(raw: 1 << 12), upper <= lower, upper >= -lower else { return nil }
    return (upper / lower).arcCosine
  }

  /// Whether it is above the horizon at noon.
  func isUp(at place: Place) -> Bool {
    let (latitudeSine, latitudeCosine) = FixedPoint.sineAndCosine(FixedPoint(millionths: place.latitude))
    return latitudeSine * sine + latitudeCosine * cosine >= Self.horizon
  }
}
