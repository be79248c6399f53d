import CycleCore
import HardwareDrivers

/// A DS18B20 in memory. The program uses it like any ``HardwareDrivers/OneWireSensor``; the world's side sets its
/// temperature, unplugs it and causes faults.
///
///     let sensor = SimulatedOneWireSensor(bench)
///     sensor.temperature = Temperature(celsius: 21.5)
///     sensor.wrongChecksums = 1
///
/// A reading advances the caller's ``CycleCore/WorkClock`` by the time that the sensor takes; outside a worker it takes
/// that time on the cycle's thread (``Bench/spend(_:on:)``).
/// The temperature is rounded down to the resolution.
///
/// Source: Maxim DS18B20, 19-7487 rev. 6, tables 1 and 2.
public final class SimulatedOneWireSensor: OneWireSensor, SimulatedHardware {
  private let bench: Bench
  public let name: String
  public let needsThread = false

  // MARK: - The world's side

  /// The temperature at the sensor, −55 to 125 °C.
  public var temperature = Temperature(celsius: 20)
  /// Whether the sensor is plugged in. When it is plugged in again, its resolution is 12 bits.
  public var isPlugged: Bool {
    didSet { if isPlugged, !oldValue { resolution = 12 } }
  }
  /// The number of the next readings with a wrong checksum; with `Int.max` all, until this is set again.
  public var wrongChecksums = 0
  /// The number of the next readings that return 85 °C, because the supply fails during the measurement; with `Int.max`
  /// all, until this is set again. Such a failure resets the resolution to 12 bits.
  public var powerFailures = 0
  /// Whether the sensor is unplugged in the middle of the next reading.
  public var isPulledOutWhileRead = false
  /// The extra time of the next reading; `.seconds(Int64.max)` if it never ends.
  public var hang = Duration.zero
  /// Whether this user may set the resolution.
  public var allowsResolution = true
  /// Every reading fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// The number of calls that read the temperature, and of those that set the resolution, including failed ones.
  public private(set) var readCount = 0
  public private(set) var setCount = 0
  /// The current resolution, 9 to 12 bits.
  public private(set) var resolution = 12
  /// One sentence for each violation of the data sheet, which is a call before the previous one had ended; only the
  /// first 1 000.
  public private(set) var faults: [String] = []
  private var freeAt = Moment.zero

  public init(_ bench: Bench, name: String = "28-000000000001", isPlugged: Bool = true) {
    self.bench = bench
    self.name = name
    self.isPlugged = isPlugged
  }

  /// Unplugs it: readings throw the kind `absent`.
  public func unplug() { isPlugged = false }

  /// Plugs it in again.
  public func plug() { isPlugged = true }

  // MARK: - The program's side

  private var fault: OneWireErrorFactory { OneWireErrorFactory(sensor: name) }

  public func read(on clock: WorkClock) throws(DriverError) -> Temperature {
    readCount += 1
    if let lastingError { throw lastingError }
    guard isPlugged else { throw fault.absent() }
    begin(clock)
    defer { freeAt = clock.now }
    bench.spend(hang, on: clock)
    hang = .zero
    // 750 ms at 12 bits; half the time for each bit less.
    let conversion = Duration.microseconds(750_000 >> (12 - resolution))
    if isPulledOutWhileRead {
      isPulledOutWhileRead = false
      isPlugged = false
      bench.spend(conversion / 2, on: clock)
      throw fault.lost()
    }
    bench.spend(conversion, on: clock)
    if wrongChecksums > 0 {
      if wrongChecksums < .max { wrongChecksums -= 1 }
      throw fault.checksum()
    }
    if powerFailures > 0 {
      if powerFailures < .max { powerFailures -= 1 }
      resolution = 12
      return Temperature(celsius: 85)
    }
    // In units of 1/16 °C at 12 bits, 1/2 °C at 9 bits; the sensor rounds down.
    let unit = 62.5 * Double(1 << (12 - resolution))
    return Temperature(
      millidegreesCelsius: Int((Double(temperature.millidegreesCelsius) / unit).rounded(.down) * unit))
  }

  public func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError) {
    setCount += 1
    guard isPlugged else { throw fault.absent() }
    begin(clock)
    bench.spend(.milliseconds(10), on: clock)
    freeAt = clock.now
    guard bits != resolution else { return }
    guard allowsResolution else { throw fault.notPermitted("set the resolution of") }
    resolution = bits
  }

  private func begin(_ clock: WorkClock) {
    if clock.now < freeAt, faults.count < 1000 { faults.append("\(clock.now): used while it was used") }
  }
}
