/// A number with 32 bits after the point, for results that are the same on all machines.
struct FixedPoint: Comparable, Sendable {
  var raw: Int64

  init(raw: Int64) { self.raw = raw }
  init(_ number: Int) { raw = Int64(number) << 32 }

  /// A number of millionths.
  init(millionths: Int) { raw = Int64((Int128(millionths) << 32) / 1_000_000) }

  /// A quotient of whole numbers.
  init(_ number: Int, over divisor: Int) { raw = Int64((Int128(number) << 32) / Int128(divisor)) }

  static func < (smaller: FixedPoint, greater: FixedPoint) -> Bool { smaller.raw < greater.raw }
  static func + (first: FixedPoint, second: FixedPoint) -> FixedPoint { FixedPoint(raw: first.raw + second.raw) }
  static func - (first: FixedPoint, second: FixedPoint) -> FixedPoint { FixedPoint(raw: first.raw - second.raw) }
  static prefix func - (number: FixedPoint) -> FixedPoint { FixedPoint(raw: -number.raw) }

  static func * (first: FixedPoint, second: FixedPoint) -> FixedPoint {
    FixedPoint(raw: Int64((Int128(first.raw) * Int128(second.raw)) >> 32))
  }

  static func / (number: FixedPoint, divisor: FixedPoint) -> FixedPoint {
    FixedPoint(raw: Int64((Int128(number.raw) << 32) / Int128(divisor.raw)))
  }

  /// The whole number next to it.
  var rounded: Int { Int((raw + (1 << 31)) >> 32) }

  /// The square root of a number from 0 to 1.
  var squareRoot: FixedPoint {
    guard raw > 0 else { return FixedPoint(0) }
    let square = UInt128(raw) << 32
    var root: UInt128 = 0
    for bit in (0...32).reversed() {
      let next = root | 1 << UInt128(bit)
      if next * next <= square { root = next }
    }
    return FixedPoint(raw: Int64(root))
  }

  // MARK: - Angles in degrees

  /// The angles with the tangents 1, 1/2, 1/4 …, in degrees.
  ///
  /// **Source.** Volder, *The CORDIC Trigonometric Computing Technique*, 1959.
  private static let angles: [Int64] = [
    193_273_528_320, 114_096_026_022, 60_285_206_653, 30_601_712_202, 15_360_239_180, 7_687_607_525, 3_844_741_810,
    1_922_488_225, 961_258_780, 480_631_223, 240_315_841, 120_157_949, 60_078_978, 30_039_490, 15_019_745, 7_509_872,
    3_754_936, 1_877_468, 938_734, 469_367, 234_684, 117_342, 58_671, 29_335, 14_668, 7_334, 3_667, 1_833, 917, 458,
    229, 115, 57, 29, 14, 7, 4, 2, 1,
  ]
  /// The product of the cosines of these angles.
  private static let gain: Int64 = 2_608_131_496

  /// The sine and the cosine of an angle in degrees.
  static func sineAndCosine(_ degrees: FixedPoint) -> (sine: FixedPoint, cosine: FixedPoint) {
    let turn: Int64 = 360 << 32
    var angle = degrees.raw % turn
    if angle > turn / 2 { angle -= turn }
    if angle < -turn / 2 { angle += turn }
    // The steps reach 99 degrees; other angles are turned by half a circle.
    let isFar = angle.magnitude > UInt64(turn / 4)
    if isFar { angle -= angle > 0 ? turn / 2 : -turn / 2 }
    var (x, y) = (gain, Int64(0))
    for (shift, step) in angles.enumerated() {
      let (dx, dy) = (x >> Int64(shift), y >> Int64(shift))
      if angle >= 0 {
        (x, y, angle) = (x - dy, y + dx, angle - step)
      } else {
        (x, y, angle) = (x + dy, y - dx, angle + step)
      }
    }
    return isFar ? (FixedPoint(raw: -y), FixedPoint(raw: -x)) : (FixedPoint(raw: y), FixedPoint(raw: x))
  }

  /// The angle from 0 to 180 degrees whose cosine this is; -1 to 1.
  var arcCosine: FixedPoint {
    let sine = (FixedPoint(1) - self * self).squareRoot
    var (x, y, angle) = (Int64(raw.magnitude), sine.raw, Int64(0))
    for (shift, step) in Self.angles.enumerated() {
      let (dx, dy) = (x >> Int64(shift), y >> Int64(shift))
      if y >= 0 {
        (x, y, angle) = (x + dy, y - dx, angle + step)
      } else {
        (x, y, angle) = (x - dy, y + dx, angle - step)
      }
    }
    return FixedPoint(raw: raw < 0 ? (180 << 32) - angle : angle)
  }
}
