import Glibc

/// Between what is heard, 0 to 1, and what a card's mixer counts in.
///
/// Loudness goes with the cube root of the gain: a slider over decibels alone would do everything in its last third. A range of no
/// more than 24 dB is a trim, and goes by decibels.
///
/// **Source.** The mapping that ALSA's own mixer program shows, "volume mapping" of alsa-utils: `amixer -M` prints the same
/// numbers.
struct VolumeScale: Equatable {
  enum Unit: Equatable {
    /// Steps of the hardware that nothing is known of.
    case steps
    /// Hundredths of a decibel; the lowest may be silence.
    case decibels(isSilentAtMinimum: Bool)
  }

  let unit: Unit
  let minimum: Int
  let maximum: Int

  private static let trim = 2400

  /// The volume at a value; the nearer end for one out of range.
  func volume(at value: Int) -> Double {
    guard maximum > minimum else { return 1 }
    let value = Double(min(maximum, max(minimum, value)))
    guard case .decibels = unit, maximum - minimum > Self.trim else {
      return (value - Double(minimum)) / Double(maximum - minimum)
    }
    let floor = self.floor
    return max(0, (pow(10, (value - Double(maximum)) / 6000) - floor) / (1 - floor))
  }

  /// The value for a volume; the nearer end for one beyond 0 to 1.
  func value(at volume: Double) -> Int {
    let volume = volume.isNaN ? 0 : min(1, max(0, volume))
    guard maximum > minimum else { return maximum }
    guard case .decibels = unit, maximum - minimum > Self.trim else {
      return minimum + Int((volume * Double(maximum - minimum)).rounded())
    }
    let gain = volume * (1 - floor) + floor
    guard gain > 0 else { return minimum }
    return max(minimum, Int((6000 * log10(gain)).rounded()) + maximum)
  }

  /// What the lowest value is heard as.
  private var floor: Double {
    unit == .decibels(isSilentAtMinimum: true) ? 0 : pow(10, Double(minimum - maximum) / 6000)
  }
}
