import CycleCore

/// The newest measurement, as part of a frame. Each measurement changes it, even one that equals the one before.
///
/// A model that equals the one before is not rendered. A ``SignalDriver`` whose model is a plain number therefore never
/// receives a second measurement of the same value. This value differs after each measurement:
///
///     struct Frame: Equatable { var distance = CountedMeasurement<Int>(); var isNear = false }
///
///     Lens(DistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24"), show: { _ in .measuring },
///       on: { frame, event in if case .distance(let millimetres) = event { frame.distance.append(millimetres) } })
///     Lens(
///       SignalDriver(
///         measurements: { distance, _ in distance.median(of: 5).hysteresis(from: 300, to: 400).map { !$0 } }),
///       show: { $0.distance }, on: { frame, event in if case .value(let isNear) = event { frame.isNear = isNear } })
public struct CountedMeasurement<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The number of measurements so far.
  public private(set) var count = 0
  /// The newest one; nil before the first.
  public private(set) var last: Value?

  public init() {}

  public mutating func append(_ value: Value) {
    count += 1
    last = value
  }
}

extension SignalDriver {
  /// Makes a driver whose models are measurements. Each one is pushed, even one that equals the one before.
  ///
  /// - Parameter build: makes the signal of the events from that of the measurements. Called once, at the start.
  public convenience init<Value>(
    measurements build: @escaping (Signal<Value>, SignalClock) -> Signal<Output>
  ) where Input == CountedMeasurement<Value> {
    self.init { measurements, clock in build(measurements.compactMap(\.last), clock) }
  }
}
