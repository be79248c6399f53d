import CycleCore

/// Reads a source, and decides which numbers are news.
struct NumberChangeFilter {
  private let source: any NumberSource
  private let resolution: Double
  /// The last reported number; nil before the first and after a failure.
  private var told: Double?

  /// - Parameter decimals: 0 to 9.
  init(_ source: any NumberSource, decimals: Int) {
    self.source = source
    var steps = 1.0
    for _ in 0..<decimals { steps *= 10 }
    resolution = 1 / steps
  }

  var name: String { source.name }
  var refusal: DriverError? { source.refusal }

  mutating func read(on clock: WorkClock) throws(DriverError) -> Double {
    let number = try source.readNumber(on: clock)
    guard number.isFinite else { throw NumberErrorFactory(source.name).notFinite() }
    return number
  }

  /// Whether the number differs from the last reported one by the resolution. In binary, 20.2 - 20.1 is less than 0.1,
  /// so the comparison allows for the rounding of both numbers and of their scales.
  func isNews(_ number: Double) -> Bool {
    guard let told else { return true }
    let rounding = 4 * max(number.magnitude, told.magnitude).ulp
    return number != told && (number - told).magnitude + rounding >= resolution
  }

  mutating func noteReport(of number: Double) { told = number }
  mutating func noteFailure() { told = nil }
}
