import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A sensor in virtual time, with what it told as text: `21.5@750` is a number at 750 ms.
final class SensorStand {
  let bench = Bench()
  let source: SimulatedNumberSource
  let trial: DriverBench<Sensor>

  init(
    _ model: Sensor.Model = .every(.seconds(1)), decimals: Int = 1, value: Double = 20, duration: Duration = .zero,
    isPlugged: Bool = true, isRequired: Bool = false
  ) {
    source = SimulatedNumberSource("air", unit: "°C", value: value, readingDuration: duration, isPlugged: isPlugged)
    trial = DriverBench(
      Sensor(source, settings: .init(decimals: decimals)), showing: model, on: bench, isRequired: isRequired)
  }

  var told: [String] {
    trial.told { event in
      switch event {
      case .reading(let number): "\(number)"
      }
    }
  }

  func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// Stops it, after which nothing is left: no alarm and no reading.
  func stop(_ place: SourceLocation = #_sourceLocation) {
    trial.stop()
    #expect(trial.cycle.nextAlarm == nil, sourceLocation: place)
    #expect(source.faults == [], sourceLocation: place)
    let count = source.readCount
    try? advance(100_000)
    #expect(source.readCount == count, sourceLocation: place)
  }
}

/// A source as the laws see and trouble it: it is read and never written, and nothing of it is held.
final class SensorLawSetup: LawHarness {
  let bench: Bench
  let source = SimulatedNumberSource("air", value: 20, readingDuration: .milliseconds(100))

  init(_ bench: Bench) {
    self.bench = bench
  }

  let names = ["air"]
  let writeCount = 0
  let heldCount = 0
  let holdsAnything = false
  let stampsEvents = false
  let wakesAtRest = true
  let picture = ""
  let hasPicture = false
  var faults: [String] { source.faults }

  func failNextRequest() -> Bool {
    source.failOnce()
    return true
  }

  func unplug() -> Bool {
    source.unplug()
    return true
  }

  func plug() { source.plug() }

  func stimulate() throws(DriverError) {
    for _ in 0..<3 {
      source.set(source.value + 1)
      try bench.advance(by: .milliseconds(1250))
    }
  }
}
