/// Decides which numbers of a sensor are news: those that differ from the last reported one by the resolution.
struct NumberNews {
  private let resolution: Double
  /// The last reported number; nil before the first and after trouble.
  private var told: Double?

  /// - Parameters:
  ///   - decimals: 0 to 9.
  ///   - smoothing: the sensor's filter, whose dead band is the resolution if it is larger.
  init(decimals: Int, _ smoothing: Smoothing? = nil) {
    var steps = 1.0
    for _ in 0..<decimals { steps *= 10 }
    if case .deadband(let band) = smoothing { resolution = max(band, 1 / steps) } else { resolution = 1 / steps }
  }

  /// Whether the number differs from the last reported one by the resolution. In binary, 20.2 - 20.1 is less than 0.1,
  /// so the comparison allows for the rounding of both numbers and of their scales.
  func isNews(_ number: Double) -> Bool {
    guard let told else { return true }
    let rounding = 4 * max(number.magnitude, told.magnitude).ulp
    return number != told && (number - told).magnitude + rounding >= resolution
  }

  /// Notes that the number was reported.
  mutating func note(_ number: Double) { told = number }
  /// Makes the next number news.
  mutating func forget() { told = nil }
}
