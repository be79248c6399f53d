import CycleCore
import HardwareDrivers

/// A DS18B20 in memory: the program's side is a ``OneWireSensor`` like any, the world's side warms it, pulls it out and disturbs it.
///
///     let sensor = SimulatedOneWireSensor(bench)
///     sensor.temperature = Temperature(celsius: 21.5)
///     sensor.wrongChecksums = 1
///
/// A reading returns at once and lets as much time pass on the caller's ``CycleCore/WorkClock`` as the sensor takes. What it gives is
/// rounded as the resolution wants it.
///
/// Source: Maxim DS18B20, 19-7487 rev. 6, tables 1 and 2.
public final class SimulatedOneWireSensor: OneWireSensor, SimulatedHardware {
  private let bench: Bench
  public let name: String
  public let needsThread = false

  // MARK: - The world's side

  /// What there is to measure, −55 to 125 °C.
  public var temperature = Temperature(celsius: 20)
  /// Whether the sensor is there. One that comes back has forgotten its resolution.
  public var isPlugged: Bool {
    didSet { if isPlugged, !oldValue { resolution = 12 } }
  }
  /// How many of the next readings have a wrong checksum; `Int.max` until it is set back.
  public var wrongChecksums = 0
  /// How many of the next readings give 85 °C, because the supply fails while the sensor measures; `Int.max` until it is set back.
  public var powerFailures = 0
  /// Whether the sensor is pulled out in the middle of the next reading.
  public var isPulledOutWhileRead = false
  /// How much longer the next reading takes; `.seconds(Int64.max)` if it hangs for good.
  public var hang = Duration.zero
  /// Whether this user may set the resolution.
  public var allowsResolution = true
  /// Every reading fails with this error until it is taken back.
  public var lastingError: DriverError?
  /// How often programs have read, and set the resolution.
  public private(set) var readCount = 0
  public private(set) var setCount = 0
  /// How finely it measures now, 9 to 12 bits.
  public private(set) var resolution = 12
  /// What was done to it against its data sheet: it was used while it was used.
  public private(set) var faults: [String] = []
  private var freeAt = Moment.zero

  public init(_ bench: Bench, name: String = "28-000000000001", isPlugged: Bool = true) {
    self.bench = bench
    self.name = name
    self.isPlugged = isPlugged
  }

  /// Pulls it out: readings throw the kind `absent`.
  public func unplug() { isPlugged = false }

  /// Puts it back.
  public func plug() { isPlugged = true }

  // MARK: - The program's side

  private var fault: OneWireFault { OneWireFault(sensor: name) }

  public func read(on clock: WorkClock) throws(DriverError) -> Temperature {
    readCount += 1
    if let lastingError { throw lastingError }
    guard isPlugged else { throw fault.absent() }
    begin(clock)
    defer { freeAt = clock.now }
    clock.sleep(for: hang)
    hang = .zero
    // 750 ms at 12 bits, half of it for each bit less.
    let conversion = Duration.microseconds(750_000 >> (12 - resolution))
    if isPulledOutWhileRead {
      isPulledOutWhileRead = false
      isPlugged = false
      clock.sleep(for: conversion / 2)
      throw fault.lost()
    }
    clock.sleep(for: conversion)
    if wrongChecksums > 0 {
      if wrongChecksums < .max { wrongChecksums -= 1 }
      throw fault.checksum()
    }
    if powerFailures > 0 {
      if powerFailures < .max { powerFailures -= 1 }
      resolution = 12
      return Temperature(celsius: 85)
    }
    // In units of 1/16 °C at 12 bits, 1/2 at 9: the sensor cuts the rest off.
    let unit = 62.5 * Double(1 << (12 - resolution))
    return Temperature(
      millidegreesCelsius: Int((Double(temperature.millidegreesCelsius) / unit).rounded(.down) * unit))
  }

  public func setResolution(_ bits: Int, on clock: WorkClock) throws(DriverError) {
    setCount += 1
    guard isPlugged else { throw fault.absent() }
    begin(clock)
    clock.sleep(for: .milliseconds(10))
    freeAt = clock.now
    guard bits != resolution else { return }
    guard allowsResolution else { throw fault.notPermitted("set the resolution of") }
    resolution = bits
  }

  private func begin(_ clock: WorkClock) {
    if clock.now < freeAt, faults.count < 1000 { faults.append("\(clock.now): used while it was used") }
  }
}
