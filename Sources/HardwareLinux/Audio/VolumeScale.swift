import Glibc

/// Converts between a perceived volume, 0 to 1, and the values of a card's mixer.
///
/// Perceived loudness follows the cube root of the gain: with a volume linear in decibels, only the last third of a
/// slider would have an audible effect. A range of at most 24 dB is a trim and is mapped linearly in decibels.
///
/// **Source.** "Volume mapping" of alsa-utils; `amixer -M` prints the same numbers.
struct VolumeScale: Equatable {
  enum Unit: Equatable {
    /// Hardware steps of unknown size, mapped linearly.
    case steps
    /// Hundredths of a decibel; the lowest may be silence.
    case decibels(isSilentAtMinimum: Bool)
  }

  let unit: Unit
  let minimum: Int
  let maximum: Int

  private static let trim = 2400

  /// The volume of a mixer value; a value out of range is clamped.
  func volume(at value: Int) -> Double {
    guard maximum > minimum else { return 1 }
    let value = Double(min(maximum, max(minimum, value)))
    guard case .decibels = unit, maximum - minimum > Self.trim else {
      return (value - Double(minimum)) / Double(maximum - minimum)
    }
    let floor = self.floor
    return max(0, (pow(10, (value - Double(maximum)) / 6000) - floor) / (1 - floor))
  }

  /// The mixer value for a volume; a volume beyond 0 to 1 is clamped.
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

  /// The cube root of the gain at the lowest value, relative to the highest: 0 if the lowest is silence.
  private var floor: Double {
    unit == .decibels(isSilentAtMinimum: true) ? 0 : pow(10, Double(minimum - maximum) / 6000)
  }
}
