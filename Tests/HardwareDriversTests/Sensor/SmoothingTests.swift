import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Smoothing")
struct SmoothingTests {
  private func numbers(_ smoothing: Smoothing, _ readings: [Double], every milliseconds: Int = 1000) -> [Double] {
    var smoothed = SmoothedReadings(smoothing)
    return readings.enumerated().map { place, reading in
      smoothed.take(reading, at: .zero + .milliseconds(place * milliseconds))
    }
  }

  @Test("a median ignores a single wrong reading")
  func median() {
    #expect(numbers(.median(3), [20, 21, 99, 22, 22, -5, 23]) == [20, 20, 21, 22, 22, 22, 22])
    // Of an even number it is the lower one.
    #expect(numbers(.median(5), [4, 2, 8, 6, 1, 7]) == [4, 2, 4, 4, 4, 6])
  }

  @Test("a mean is that of the readings in its time, of many too")
  func mean() {
    #expect(numbers(.mean(.seconds(3)), [3, 6, 9, 12, 0]) == [3, 4.5, 6, 9, 7])
    // 10 000 readings in a time of 100 s, of which 64 sums are kept.
    let many = numbers(.mean(.seconds(100)), (0..<20_000).map { $0 < 10_000 ? 0 : 1 }, every: 10)
    #expect(many[9_999] == 0 && abs(many[15_000] - 0.5) < 0.02 && many[19_999] == 1)
  }

  @Test("a sensor emits its smoothed number, and begins again after a loss")
  func sensor() throws {
    let bench = Bench()
    let source = SimulatedNumberSource("air", unit: "°C", value: 20, readingDuration: .zero, isPlugged: true)
    let trial = DriverBench(
      Sensor(source, settings: .init(decimals: 1, smoothing: .median(3))), showing: .every(.seconds(1)), on: bench)
    try trial.start()
    for number in [20.0, 80, 20, 20, 30, 30] {
      source.set(number)
      try bench.advance(by: .seconds(1))
    }
    #expect(trial.events.map(\.event) == [.reading(20), .reading(30)])
    source.unplug()
    try bench.advance(by: .seconds(2))
    source.set(5)
    source.plug()
    try bench.advance(by: .seconds(2))
    #expect(trial.events.last?.event == .reading(5))
    trial.stop()
  }

  @Test("a dead band lets only greater changes through")
  func deadband() throws {
    let bench = Bench()
    let source = SimulatedNumberSource("air", unit: "°C", value: 20, readingDuration: .zero, isPlugged: true)
    let trial = DriverBench(
      Sensor(source, settings: .init(decimals: 1, smoothing: .deadband(0.5))), showing: .every(.seconds(1)), on: bench)
    try trial.start()
    for number in [20.0, 20.3, 20.4, 20.5, 20.2, 19.9] {
      source.set(number)
      try bench.advance(by: .seconds(1))
    }
    #expect(trial.events.map(\.event) == [.reading(20), .reading(20.5), .reading(19.9)])
    trial.stop()
  }
}
