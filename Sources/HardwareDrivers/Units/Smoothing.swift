import CycleCore

/// A filter for the readings of a sensor, in the units of its numbers.
public enum Smoothing: Hashable, Sendable, Codable {
  /// The middle one of the last readings, whose number is odd, 3 to 15: a single wrong reading has no effect. Of an even
  /// number of readings it is the lower one of the middle.
  case median(Int)
  /// The mean of the readings in this time, 10 ms to 1 h.
  case mean(Duration)
  /// A reading counts only if it differs from the last one that counted by this much, above 0.
  case deadband(Double)

  /// The numbers of readings of a median.
  public static let medians = 3...15
  /// The times of a mean.
  public static let means = Duration.milliseconds(10) ... .seconds(3600)
}

/// The last readings of a sensor, and the number that they give.
struct SmoothedReadings {
  /// The readings of a part of the mean's time.
  private struct Slot {
    var start: Moment
    var sum: Double
    var count: Double
  }

  /// The number of parts of the mean's time. It bounds the memory: a part keeps the sum of its readings.
  private static let slotCount: Int64 = 64

  private let smoothing: Smoothing?
  private var last: [Double] = []
  private var slots: [Slot] = []

  init(_ smoothing: Smoothing?) { self.smoothing = smoothing }

  /// Takes a reading, and returns the number that counts now.
  mutating func take(_ number: Double, at moment: Moment) -> Double {
    switch smoothing {
    case .median(let count):
      last.append(number)
      if last.count > count { last.removeFirst() }
      return last.sorted()[(last.count - 1) / 2]
    case .mean(let span):
      let length = max(1, span.wholeNanoseconds / Self.slotCount)
      if let slot = slots.last, (moment - slot.start).wholeNanoseconds < length {
        slots[slots.count - 1].sum += number
        slots[slots.count - 1].count += 1
      } else {
        slots.append(Slot(start: moment, sum: number, count: 1))
      }
      slots.removeAll { moment - $0.start >= span }
      let (sum, count) = slots.reduce((0.0, 0.0)) { ($0.0 + $1.sum, $0.1 + $1.count) }
      return sum / count
    case .deadband, nil: return number
    }
  }

  /// Forgets all readings: the sensor was lost.
  mutating func forget() { (last, slots) = ([], []) }
}
