import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A thermometer in virtual time, with what it told as text: `21.5@750` is a measurement at 750 ms.
private final class Stand {
  let bench = Bench()
  let sensor: SimulatedOneWireSensor
  let trial: DriverBench<Sensor>

  init(
    _ interval: Duration = .seconds(10), resolution: Int? = nil, isPlugged: Bool = true, isRequired: Bool = false
  ) {
    sensor = SimulatedOneWireSensor(bench, isPlugged: isPlugged)
    trial = DriverBench(
      Sensor(OneWireThermometer(sensor, resolution: resolution), settings: .init(decimals: 3)),
      showing: .every(interval), on: bench, isRequired: isRequired)
  }

  var told: [String] {
    trial.told { event in
      switch event {
      case .reading(let celsius): "\(celsius)"
      }
    }
  }

  func advance(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  func stop(_ place: SourceLocation = #_sourceLocation) {
    trial.stop()
    #expect(trial.cycle.nextAlarm == nil, sourceLocation: place)
    #expect(sensor.faults == [], sourceLocation: place)
    let count = sensor.readCount
    try? advance(100_000)
    #expect(sensor.readCount == count, sourceLocation: place)
  }
}

@Suite("OneWireThermometer")
struct OneWireThermometerTests {
  @Test("it measures at the interval, and what is new is stamped with the end of its measurement")
  func interval() throws {
    let stand = Stand()
    try stand.trial.start()
    try stand.advance(5000)
    stand.sensor.temperature = Temperature(celsius: -3.1)
    try stand.advance(16_000)
    #expect(stand.told == ["20.0@750", "-3.125@10750"] && stand.sensor.readCount == 3)
    stand.stop()
  }

  @Test("with an interval that is shorter than a measurement it measures all the time")
  func always() throws {
    let stand = Stand(.milliseconds(10))
    try stand.trial.start()
    try stand.advance(1000)
    stand.sensor.temperature = Temperature(celsius: 21)
    try stand.advance(2100)
    #expect(stand.told == ["20.0@750", "21.0@2250"] && stand.sensor.readCount == 5)
    stand.stop()
  }

  @Test("a resolution is set once, and anew when the sensor comes back")
  func resolution() throws {
    let stand = Stand(resolution: 9)
    stand.sensor.temperature = Temperature(celsius: 20.9)
    try stand.trial.start()
    try stand.advance(15_000)
    #expect(stand.told == ["20.5@103"] && stand.sensor.readCount == 2)
    #expect(stand.sensor.setCount == 1)
    stand.sensor.isPlugged = false
    try stand.advance(10_000)
    stand.sensor.isPlugged = true
    try stand.advance(10_000)
    #expect(stand.sensor.resolution == 9)
    #expect(stand.told.dropFirst().withoutMoments == ["lost", "20.5", "restored"])
    stand.stop()
  }

  @Test("a resolution that may not be set is told once, and it measures all the same")
  func refusal() throws {
    let stand = Stand(resolution: 10)
    stand.sensor.allowsResolution = false
    try stand.trial.start()
    try stand.advance(25_000)
    #expect(stand.told.withoutMoments == ["20.0", "failed"])
    #expect(
      stand.trial.troubles.first
        == .failed(OneWireErrorFactory(sensor: "28-000000000001").notPermitted("set the resolution of")))
    stand.stop()
  }

  @Test("a missing right says how to keep a resolution in the sensor, and how to read it")
  func rights() {
    let fault = OneWireErrorFactory(sensor: "28-000000000001")
    #expect(
      fault.notPermitted("set the resolution of").description
        == "cannot set the resolution of the thermometer 28-000000000001: permission denied. "
        + "Add a udev rule that lets this user do it, or set the resolution once as root and write `save` to "
        + "/sys/bus/w1/devices/28-000000000001/eeprom_cmd, which was named eeprom before Linux 5.10.")
    #expect(
      fault.notPermitted("read").description
        == "cannot read the thermometer 28-000000000001: permission denied. "
        + "Add a udev rule that lets this user read its files in /sys/bus/w1/devices.")
  }

  @Test("a sensor that is absent at the start is trouble, and looked for")
  func absent() throws {
    let stand = Stand(isPlugged: false)
    try stand.trial.start()
    try stand.advance(60_000)
    #expect(stand.told == ["lost@0"])
    #expect(stand.trial.troubles == [.lost(OneWireErrorFactory(sensor: "28-000000000001").absent())])
    // After 1, 2, 4 and 8 s, then with the interval.
    #expect(stand.sensor.readCount == 9)
    stand.sensor.isPlugged = true
    try stand.advance(11_000)
    #expect(stand.told.dropFirst().withoutMoments == ["20.0", "restored"])
    stand.stop()
  }

  @Test("a sensor that is required ends the start by its absence")
  func required() throws {
    let stand = Stand(isPlugged: false, isRequired: true)
    #expect(throws: OneWireErrorFactory(sensor: "28-000000000001").absent()) { try stand.trial.start() }
    let other = Stand(isRequired: true)
    try other.trial.start()
    try other.advance(1000)
    #expect(other.told == ["20.0@750"])
    other.stop()
  }

  @Test("a wrong checksum is told, and read again after a second")
  func checksum() throws {
    let stand = Stand()
    stand.sensor.wrongChecksums = 2
    try stand.trial.start()
    try stand.advance(20_000)
    // One error lasts as long as it is the same.
    #expect(stand.told.withoutMoments == ["failed", "20.0", "restored"])
    #expect(stand.trial.events[0].moment == .zero + .milliseconds(750 + 1000 + 750 + 2000 + 750))
    stand.stop()
  }

  @Test("85 °C is not a temperature after the power-up, and one if it was near that before")
  func powerUp() throws {
    let stand = Stand()
    stand.sensor.powerFailures = 1
    try stand.trial.start()
    try stand.advance(9000)
    #expect(stand.told.withoutMoments == ["failed", "20.0", "restored"])
    #expect(stand.trial.troubles[0] == .failed(OneWireErrorFactory(sensor: "28-000000000001").powerUpValue()))
    stand.sensor.temperature = Temperature(celsius: 84.5)
    try stand.advance(10_000)
    stand.sensor.temperature = Temperature(celsius: 85)
    try stand.advance(10_000)
    #expect(stand.told.dropFirst(3).withoutMoments == ["84.5", "85.0"])
    stand.stop()
  }

  /// Whether a temperature counts as measured, in thousandths of a degree.
  private func accepts(_ last: Int?, then next: Int) -> Bool {
    let source = FixedSensor()
    let thermometer = OneWireThermometer(source)
    let clock = WorkClock(at: .zero)
    if let last {
      source.millidegrees = last
      _ = try? thermometer.readNumber(on: clock)
    }
    source.millidegrees = next
    return (try? thermometer.readNumber(on: clock)) == Double(next) / 1000
  }

  @Test("85 °C is a measurement if the one before it was within 10 °C")
  func nearPowerUp() {
    #expect(!accepts(nil, then: 85_000))
    #expect(accepts(75_000, then: 85_000) && accepts(95_000, then: 85_000))
    #expect(!accepts(74_999, then: 85_000) && !accepts(95_001, then: 85_000))
    #expect(accepts(20_000, then: 84_999) && accepts(20_000, then: 85_001))
  }

  @Test("what is outside of the sensor's range is no measurement")
  func range() {
    #expect(accepts(nil, then: -55_000) && accepts(nil, then: 125_000))
    #expect(!accepts(nil, then: -55_001) && !accepts(nil, then: 125_001))
  }

  @Test("values that no sensor can measure are none")
  func impossible() throws {
    let stand = Stand()
    stand.sensor.temperature = Temperature(celsius: 127.9375)
    try stand.trial.start()
    try stand.advance(5000)
    #expect(stand.told == ["failed@750"])
    stand.stop()
  }

  @Test("a sensor that this user may not read is lost until it may be read")
  func forbidden() throws {
    let stand = Stand()
    stand.sensor.lastingError = OneWireErrorFactory(sensor: stand.sensor.name).notPermitted("read")
    try stand.trial.start()
    try stand.advance(5000)
    stand.sensor.lastingError = nil
    try stand.advance(3000)
    #expect(stand.told == ["lost@0", "20.0@7750", "restored@7750"])
    stand.stop()
  }

  @Test("a sensor that is pulled out while it is read")
  func pulledOut() throws {
    let stand = Stand()
    stand.sensor.isPulledOutWhileRead = true
    try stand.trial.start()
    try stand.advance(3000)
    stand.sensor.isPlugged = true
    try stand.advance(12_000)
    #expect(stand.told.withoutMoments == ["lost", "lost", "20.0", "restored"])
    stand.stop()
  }

  @Test("a reading that lasts too long is told until it ends, one that hangs for good for ever")
  func hang() throws {
    let stand = Stand()
    try stand.trial.start()
    try stand.advance(5000)
    stand.sensor.hang = .seconds(20)
    try stand.advance(30_000)
    #expect(stand.told == ["20.0@750", "failed@15000", "20.0@30750", "restored@30750"])
    stand.sensor.hang = .seconds(Int64.max)
    try stand.advance(3_600_000)
    #expect(stand.told.dropFirst(4) == ["failed@45750"])
    let before = stand.bench.now
    stand.stop()
    #expect(stand.bench.now - before < .seconds(102))
  }

  @Test(
    "a reading that lasts too long is told with the sensor's name, without a question to the sensor that is at work")
  func hangingName() throws {
    let bench = Bench()
    let sensor = FoundSensor(bench)
    let trial = DriverBench(Sensor(OneWireThermometer(sensor)), showing: .every(.seconds(10)), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(5))
    sensor.base.hang = .seconds(20)
    // The second reading begins at 10 s, and is overdue at 15 s.
    try bench.advance(by: .seconds(9))
    let count = sensor.nameCount
    try bench.advance(by: .seconds(2))
    #expect(trial.troubles == [.failed(NumberErrorFactory("28-0000000000a1").silent(for: .seconds(5)))])
    #expect(sensor.nameCount == count)
    trial.stop()
  }

  @Test("however late the cycle is, the moments are those of the sensor")
  func lateness() throws {
    let stand = Stand(.seconds(1))
    stand.bench.lateness = .milliseconds(30)
    try stand.trial.start()
    for degrees in 20..<30 {
      stand.sensor.temperature = Temperature(celsius: Double(degrees))
      try stand.advance(1000)
    }
    #expect(stand.trial.events.count >= 9)
    #expect(stand.trial.troubles == [])
    stand.bench.lateness = .zero
    stand.stop()
  }

  @Test("the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [Sensor.Model.every(.seconds(1))], setup: { OneWirePort($0) },
      driver: { Sensor(OneWireThermometer($0.sensor)) })
    #expect(violations == [])
  }
}

/// A sensor that returns what is set.
private final class FixedSensor: OneWireSensor {
  var millidegrees = 0
  let name = "w1"
  let needsThread = false
  func read(on clock: WorkClock) throws(DriverError) -> Temperature {
    Temperature(millidegreesCelsius: millidegrees)
  }
  func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError) {}
}

/// A sensor whose name is known when it has been read, as that of `LinuxOneWireSensor` without one. It counts who asks
/// for it.
private final class FoundSensor: OneWireSensor {
  let base: SimulatedOneWireSensor
  private(set) var nameCount = 0

  init(_ bench: Bench) {
    base = SimulatedOneWireSensor(bench, name: "28-0000000000a1")
  }

  var name: String {
    nameCount += 1
    return base.readCount > 0 ? base.name : "28-*"
  }

  var needsThread: Bool { false }
  func read(on clock: WorkClock) throws(DriverError) -> Temperature { try base.read(on: clock) }
  func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError) {
    try base.setResolution(bits, on: clock)
  }
}

/// A sensor as the laws see and trouble it.
private final class OneWirePort: LawHarness {
  let bench: Bench
  let sensor: SimulatedOneWireSensor

  init(_ bench: Bench) {
    self.bench = bench
    sensor = SimulatedOneWireSensor(bench)
  }

  var names: [String] { [sensor.name] }
  var writeCount: Int { 0 }
  var heldCount: Int { 0 }
  let holdsAnything = false
  let stampsEvents = false
  let wakesAtRest = true
  let hasPicture = false
  var picture: String { "" }
  var faults: [String] { sensor.faults }

  func failNextRequest() -> Bool {
    sensor.wrongChecksums = 1
    return true
  }

  func unplug() -> Bool {
    sensor.isPlugged = false
    return true
  }

  func plug() { sensor.isPlugged = true }

  func stimulate() throws(DriverError) {
    for _ in 0..<3 {
      sensor.temperature = Temperature(celsius: sensor.temperature.celsius + 1)
      try bench.advance(by: .milliseconds(2500))
    }
  }
}
