import CycleCore
import HardwareDrivers
import HardwareSimulation
import Parts
import Testing

/// The sensor on the bench.
final class SimulatedLightSensor: SimulatedI2CDevice {
  var lux = 100.0
  private(set) var faults: [String] = []
  private var readyAt: Moment?
  private var isLowByte = false

  func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    if reading, readyAt.map({ $0 > moment }) ?? true { faults.append("it is read at \(moment), and is not ready") }
    isLowByte = false
    return .acknowledged
  }

  func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    guard byte == 0x20 else { return .refused }
    readyAt = moment + .milliseconds(180)
    return .acknowledged
  }

  func send(at moment: Moment) -> UInt8 {
    defer { isLowByte.toggle() }
    let count = Int((lux * 1.2).rounded())
    return UInt8(truncatingIfNeeded: isLowByte ? count : count >> 8)
  }
}

@Suite("A light sensor on a bus")
struct LightSensorTests {
  @Test("it is measured in each interval, told 180 ms later, and asleep while nobody wants to know")
  func interval() throws {
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let sensor = SimulatedLightSensor()
    bus.connect(sensor, at: 0x23)
    let trial = DriverBench(LightSensor(bus), showing: .every(.seconds(1)), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(500))
    sensor.lux = 5000
    try bench.advance(by: .milliseconds(1000))
    #expect(trial.events.map(\.event) == [.measured(lux: 100), .measured(lux: 5000)])
    try trial.show(.off)
    let count = bus.transferCount
    try bench.advance(by: .seconds(60))
    #expect(bus.transferCount == count)
    #expect(sensor.faults == [])
    trial.stop()
    #expect(bus.openCount == 0)
  }

  @Test("one that is pulled out is lost once, and restored when the next try is good")
  func loss() throws {
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let socket = bus.connect(SimulatedLightSensor(), at: 0x23)
    let trial = DriverBench(LightSensor(bus), showing: .every(.seconds(1)), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(500))
    socket.isPlugged = false
    try bench.advance(by: .seconds(5))
    socket.isPlugged = true
    try bench.advance(by: .seconds(4))
    #expect(trial.troubles.map(\.isLoss) == [true, false])
    #expect(trial.troubles.last == .restored)
    trial.stop()
  }

  @Test(
    "one that is pulled out amid a measurement is lost once, though first its reading fails and then the next order")
  func lossAmid() throws {
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let socket = bus.connect(SimulatedLightSensor(), at: 0x23)
    let trial = DriverBench(LightSensor(bus), showing: .every(.seconds(1)), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(1100))
    socket.isPlugged = false
    try bench.advance(by: .seconds(10))
    #expect(trial.troubles.map(\.isLoss) == [true])
    socket.isPlugged = true
    try bench.advance(by: .seconds(20))
    #expect(trial.troubles.map(\.isLoss) == [true, false])
    #expect(trial.troubles.last == .restored)
    trial.stop()
  }

  @Test("it keeps the laws of drivers", arguments: [false, true])
  func laws(pullsAdapter: Bool) {
    let violations = DriverLaws.violations(
      models: [.every(.seconds(10)), .every(.seconds(20))],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        let sensor = SimulatedLightSensor()
        let socket = bus.connect(sensor, at: 0x23)
        return BusLawHarness(
          bus, plug: pullsAdapter ? nil : { socket.isPlugged = $0 }, isPolled: true, faults: { sensor.faults },
          stimulate: { (bench: Bench) throws(DriverError) in try bench.advance(by: .milliseconds(10_500)) })
      },
      driver: { LightSensor($0.bus) })
    #expect(violations == [])
  }
}

extension Trouble {
  fileprivate var isLoss: Bool { if case .lost = self { true } else { false } }
}
