/// The scale of a sensor's numbers. Each is multiplied by 10 ^ `decimals`, so that it is whole.
public struct SensorNumberRange: Equatable, Sendable {
  public var range: ClosedRange<Int>
  /// The number of decimals, 0 to 3.
  public var decimals: Int
  /// The number before the first reading, within the range; nil if it is unknown until then.
  public var initial: Int?
  /// The number while the sensor is lost, within the range; nil if it stays at the last number.
  public var lost: Int?
  /// The numbers that the sensor can ever read. The default is the whole range.
  package var readable: [ClosedRange<Int>]
  /// Whether the file defines what a lost sensor counts as. If not, a check finds outputs that depend on it.
  package var isLossDecided = true
  /// Whether the numbers are times of day, in minutes since midnight.
  package var isTime = false

  /// - Parameters:
  ///   - range: the range of the numbers; numbers beyond it count as its end.
  ///   - decimals: 0 to 3.
  ///   - initial: the number before the first reading, within the range; nil if it is unknown until then.
  ///   - lost: the number while the sensor is lost, within the range; nil if it stays at the last number.
  public init(range: ClosedRange<Int>, decimals: Int, initial: Int? = nil, lost: Int? = nil) {
    self.range = range
    self.decimals = decimals
    self.initial = initial
    self.lost = lost
    readable = [range]
  }
}

extension SensorNumberRange {
  /// A number in units of the scale, which counts as the end of the range if it is beyond it; nil for NaN.
  package func whole(_ number: Double) -> Int? {
    let scaled = (number * Double(Quantity.powerOfTen(decimals))).rounded()
    guard !scaled.isNaN else { return nil }
    return scaled >= Double(range.upperBound)
      ? range.upperBound : scaled <= Double(range.lowerBound) ? range.lowerBound : Int(scaled)
  }

  /// A reading for a message, with three decimals more than the panel uses: a rate of pulses is 62.4, and not
  /// 62.40000074880001.
  package func rounded(_ reading: Double) -> Double {
    let factor = Double(Quantity.powerOfTen(decimals + 3))
    let whole = (reading * factor).rounded()
    return abs(whole) < 1e15 ? whole / factor : reading
  }

  /// Formats a number in decimal notation: `28.1`.
  package func text(of number: Int) -> String {
    isTime ? ClockReader.text(ofMinutes: number) : Quantity.text(number, decimals: decimals)
  }
}
