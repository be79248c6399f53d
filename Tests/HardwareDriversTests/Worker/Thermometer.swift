import CycleCore

/// What a stranger writes for a sensor that takes 750 ms to read: the port, the work, the driver.
protocol TemperatureSensor: AnyObject {
  /// In degrees Celsius. Takes long.
  func read(on clock: WorkClock) throws(DriverError) -> Double
}

struct ThermometerWork: Work {
  typealias Command = Duration
  typealias Report = Double

  let sensor: any TemperatureSensor
  var period = Duration.seconds(1)
  var state: DriverError?

  init(_ sensor: any TemperatureSensor) { self.sensor = sensor }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    while let period = context.receive() { self.period = period }
    do throws(DriverError) {
      context.report(try sensor.read(on: context.clock))
      state = nil
    } catch {
      state = error
    }
    return .until(context.now + period)
  }
}

/// Shows how often to read, in seconds.
struct Thermometer: Driver {
  enum Event: Equatable, Sendable {
    case measured(Double)
  }

  let sensor: any TemperatureSensor
  private var worker: Worker<ThermometerWork>!
  private var context: DriverContext<Event>!
  var safeModel: Int { 1 }

  init(_ sensor: any TemperatureSensor) { self.sensor = sensor }

  mutating func start(showing model: Int, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    worker = try Worker(ThermometerWork(sensor), for: "the thermometer", onThread: false, in: context)
    try worker.waitForRequiredStart()
  }

  mutating func render(_ seconds: Int, replacing previous: Int?) throws(DriverError) {
    if previous != nil { try worker.send(.seconds(seconds)) }
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { context.emit(.measured($0), at: $1) }
    worker.reportTrouble()
  }

  mutating func stop() { worker.stop() }
}
