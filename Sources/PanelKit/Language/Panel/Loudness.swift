import Glibc

/// How loud a sound, a track or the sound card is.
///
/// A number from 0 to 1 is a loudness as it is heard: its cube is the factor of the samples, so 0.5 is 18 dB below 1.
package enum Loudness: Equatable, Sendable {
  /// The factor of the samples, 0...1.
  case fixed(gain: Double)
  /// The index of a value. Its min...max is the loudness 0...1, or this range of decibels.
  case value(Int, decibels: ClosedRange<Double>?)

  package static let full = Loudness.fixed(gain: 1)
  /// The decibels that a file can contain.
  package static let decibels = -60.0...0.0

  package static func gain(ofLoudness loudness: Double) -> Double { loudness * loudness * loudness }

  package static func gain(ofDecibels decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The factor of the samples.
  ///
  /// - Parameter share: returns the share of its range that a value has, 0...1.
  package func gain(_ share: (_ value: Int) -> Double) -> Double {
    switch self {
    case .fixed(let gain): gain
    case .value(let value, nil): Self.gain(ofLoudness: share(value))
    case .value(let value, let range?):
      Self.gain(ofDecibels: range.lowerBound + share(value) * (range.upperBound - range.lowerBound))
    }
  }
}

/// The side on which a sound is heard: -1 is left, 0 the middle, and 1 right.
package enum Pan: Equatable, Sendable {
  case fixed(Double)
  /// The index of a value, whose min...max is -1...1.
  case value(Int)

  /// - Parameter share: returns the share of its range that a value has, 0...1.
  package func number(_ share: (_ value: Int) -> Double) -> Double {
    switch self {
    case .fixed(let pan): pan
    case .value(let value): 2 * share(value) - 1
    }
  }
}
