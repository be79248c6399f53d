/// A temperature, in thousandths of a degree Celsius.
public struct Temperature: Equatable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public var millidegreesCelsius: Int

  public init(millidegreesCelsius: Int) {
    self.millidegreesCelsius = millidegreesCelsius
  }

  /// - Parameter celsius: in degrees; rounded to the nearest thousandth. NaN becomes 0.
  public init(celsius: Double) {
    millidegreesCelsius = celsius.isNaN ? 0 : Int((celsius * 1000).rounded().clamped(to: -1e15...1e15))
  }

  /// The temperature in degrees Celsius.
  public var celsius: Double { Double(millidegreesCelsius) / 1000 }

  public static func < (left: Temperature, right: Temperature) -> Bool {
    left.millidegreesCelsius < right.millidegreesCelsius
  }

  /// The text `21.5 °C`, with as many decimals as necessary.
  public var description: String {
    let magnitude = millidegreesCelsius.magnitude
    var places = String(1000 + magnitude % 1000).dropFirst()
    while places.count > 1, places.last == "0" { places.removeLast() }
    return "\(millidegreesCelsius < 0 ? "-" : "")\(magnitude / 1000).\(places) °C"
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
