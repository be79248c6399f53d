import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// Reads two bytes once a second.
private struct SensorWork: Work {
  typealias Report = Int

  let sensor: I2CDevice
  var state: DriverError?

  init(_ bus: any I2CBus) {
    sensor = I2CDevice(bus, at: 0x48)
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    let begin = context.now
    do throws(DriverError) {
      let bytes = try sensor.read(2, after: [0], on: context.clock)
      context.report(Int(bytes[0]) << 8 | Int(bytes[1]))
      state = nil
    } catch {
      state = error
    }
    return .until(begin + .seconds(1))
  }

  mutating func close(in context: WorkContext<Self>) { sensor.close() }
}

private struct Sensor: Driver {
  enum Event: Sendable {
    case measured(Int)
    case trouble(Trouble)
  }

  let bus: any I2CBus
  private var worker: Worker<SensorWork>?
  private var context: DriverContext<Event>?
  private var known: DriverError?

  init(_ bus: any I2CBus) {
    self.bus = bus
  }

  static func event(for trouble: Trouble) -> Event? { .trouble(trouble) }

  mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    worker = try Worker(SensorWork(bus), for: "the sensor", onThread: bus.needsThread, in: context)
  }

  mutating func wake(_ wake: Wake) {
    guard let worker, let context else { return }
    worker.wake(wake) { context.emit(.measured($0), at: $1) }
    guard worker.state != known else { return }
    known = worker.state
    context.emit(.trouble(known.map { .failed($0) } ?? .restored))
  }

  mutating func stop() {
    worker?.stop()
  }
}

@Suite("A bus and a worker")
struct I2CWorkerTests {
  private struct Seen: Equatable, Sendable {
    var events: [String] = []
  }

  @Test("measurements are stamped when the transfer is over, a bus that goes and comes back is told")
  func sensor() throws {
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let registers = SimulatedRegisters()
    registers[1] = 42
    let socket = bus.connect(registers, at: 0x48)
    let cycle = Cycle(seed: Seen()) {
      Lens(
        Sensor(bus),
        on: { seen, event, past in
          switch event {
          case .measured(let value): seen.events.append("\(value) at \(past.moment)")
          case .trouble(.failed(let error)): seen.events.append("\(error.kind) at \(past.moment)")
          case .trouble: seen.events.append("restored at \(past.moment)")
          }
        })
    }
    try bench.run(cycle)
    try bench.advance(by: .milliseconds(500))
    bus.unplug()
    try bench.advance(by: .seconds(2))
    bus.plug()
    try bench.advance(by: .seconds(1))
    socket.stretch = .milliseconds(100)
    try bench.advance(by: .seconds(1))
    bench.stop()
    #expect(
      cycle.frame.events == [
        "42 at 0.000480000s", "lost at 1.000000000s", "absent at 2.000000000s", "42 at 3.000480000s",
        "restored at 3.000480000s", "42 at 4.200480000s",
      ])
    #expect(bus.openCount == 0)
  }
}
