import CycleCore
import HardwareDrivers

/// An ambient light sensor BH1750 on an I²C bus.
///
/// **Wiring.** SDA, SCL, 3.3 V, ground. The address is 0x23, and 0x5c where ADDR is high.
///
/// **Timing.** A measurement takes 180 ms at most, in which the bus is free; then the sensor sleeps until the next. A
/// sensor that doesn't answer is ``CycleCore/Trouble/lost(_:)``, and is retried after 1 s, 2 s … 60 s.
///
/// **Source.** ROHM BH1750FVI, data sheet of November 2011: one time high resolution mode, 1.2 counts a lux.
///
///     Lens(LightSensor(bus), show: { _ in .every(.seconds(1)) },
///       on: { frame, event in if case .measured(let lux) = event { frame.isDark = lux < 10 } })
public struct LightSensor: Driver {
  public enum Model: Equatable, Sendable {
    case off
    /// Measured at once, and then once in each interval, which is at least 200 ms.
    case every(Duration)
  }

  public enum Event: Equatable, Sendable {
    /// 0 to 54 612.
    case measured(lux: Double)
  }

  private let bus: any I2CBus
  private let address: I2CAddress
  private var context: DriverContext<Event>!
  private var worker: Worker<LightWork>!

  public init(_ bus: any I2CBus, address: I2CAddress = 0x23) {
    self.bus = bus
    self.address = address
  }

  public var safeModel: Model { .off }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    worker = try Worker(
      LightWork(I2CDevice(bus, at: address), model: model), for: "the light sensor", onThread: bus.needsThread,
      in: context)
    try worker.waitForRequiredStart()
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    if previous != nil { try worker.send(model) }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { context.emit(.measured(lux: $0), at: $1) }
    worker.reportTrouble()
  }

  public mutating func stop() { worker.stop() }
}

/// Runs on a thread of its own where the bus is real, and may block there.
struct LightWork: Work {
  typealias Command = LightSensor.Model
  typealias Report = Double

  let sensor: I2CDevice
  var model: LightSensor.Model
  /// Why the sensor can't be read; nil if it can.
  var state: DriverError?
  /// When the next measurement is due to begin, and when the one that runs is over; nil if none runs.
  private var begin = Moment.zero
  private var end: Moment?
  private var recovery = Recovery(in: .opening)

  private static let oneTimeHighResolution: UInt8 = 0x20
  private static let longestMeasurement = Duration.milliseconds(180)
  private static let shortestInterval = Duration.milliseconds(200)

  init(_ sensor: I2CDevice, model: LightSensor.Model) {
    self.sensor = sensor
    self.model = model
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    while let model = context.receive() {
      self.model = model
      begin = .zero
    }
    guard case .every(let interval) = model else {
      end = nil
      return .forCommand
    }
    do throws(DriverError) {
      if let end {
        guard end <= context.now else { return .until(end) }
        self.end = nil
        let bytes = try sensor.read(2, on: context.clock)
        context.report(Double(Int(bytes[0]) << 8 | Int(bytes[1])) / 1.2)
        state = nil
        recovery.note(.succeed, at: context.now)
      } else if begin <= context.now {
        begin = context.now + max(interval, Self.shortestInterval)
        try sensor.write([Self.oneTimeHighResolution], on: context.clock)
        let end = context.now + Self.longestMeasurement
        self.end = end
        return .until(end)
      }
    } catch {
      state = error
      end = nil
      recovery.note(.lose, at: context.now)
      begin = recovery.due ?? begin
    }
    return .until(begin)
  }

  mutating func close(in context: WorkContext<Self>) { sensor.close() }
}
