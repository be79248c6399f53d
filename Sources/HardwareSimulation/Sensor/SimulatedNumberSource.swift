import CycleCore
import HardwareDrivers

/// A source of numbers in memory. The program uses it like any ``HardwareDrivers/NumberSource``; the world's side sets
/// its number, unplugs it and makes its readings slow or fail.
///
///     let source = SimulatedNumberSource("air", unit: "°C", value: 20)
///     source.set(21.5)
///     source.failOnce()
///
/// A reading returns immediately, but advances the caller's ``CycleCore/WorkClock`` by the time that it takes.
public final class SimulatedNumberSource: NumberSource, SimulatedHardware {
  public let name: String
  public let unit: String
  public let needsThread = false

  // MARK: - The world's side

  /// The current number, in ``unit``.
  public private(set) var value: Double
  public private(set) var isPlugged: Bool
  /// The time that a reading takes: 750 ms for a DS18B20, less than 1 ms for a file.
  public var readingDuration: Duration
  /// The extra time of the next reading; `.seconds(Int64.max)` if it never ends.
  public var hang = Duration.zero
  /// Whether it is unplugged at the end of the next reading, which throws kind `lost`.
  public var isPulledOutWhileRead = false
  /// The next reading fails with this error, once.
  public var nextError: DriverError?
  /// Every reading fails with this error until it is set to nil.
  public var lastingError: DriverError?
  /// The number of readings, including failed ones.
  public private(set) var readCount = 0
  /// One sentence for each reading that began before the previous one had ended; only the first 1 000.
  public private(set) var faults: [String] = []
  /// Whether it reports changes of its number, so that it is read immediately; false as for most hardware.
  public var tellsChanges = false
  /// Whether it has no number yet: a reading gives none, and does not count as a failure.
  private var isSilent = false
  private var changed: () -> Void = {}
  private var freeAt = Moment.zero

  /// - Parameters:
  ///   - name: the name in errors.
  ///   - unit: the unit of the numbers; empty for none.
  ///   - value: the initial number.
  ///   - readingDuration: the time that a reading takes.
  ///   - isPlugged: whether it is there initially.
  public init(
    _ name: String = "simulated", unit: String = "", value: Double = 0, readingDuration: Duration = .zero,
    isPlugged: Bool = true
  ) {
    self.name = name
    self.unit = unit
    self.value = value
    self.readingDuration = readingDuration
    self.isPlugged = isPlugged
  }

  /// Changes the number. A number that is not finite simulates hardware that returns nonsense.
  public func set(_ value: Double) {
    self.value = value
    tellChange()
  }

  /// Unplugs it: readings throw kind `absent`.
  public func unplug() {
    isSilent = false
    isPlugged = false
    tellChange()
  }

  /// Removes its number until it is set, unplugged or plugged in, like a slow sensor before its first reading.
  public func silence() { isSilent = true }

  /// Plugs it in again, with its previous number.
  public func plug() {
    isSilent = false
    isPlugged = true
    tellChange()
  }

  private func tellChange() { if tellsChanges { changed() } }

  /// Makes the next reading fail, with kind `failed`.
  public func failOnce() { nextError = failure }

  /// Makes every reading fail, with kind `failed`, until called with false.
  public func failForGood(_ fails: Bool = true) { lastingError = fails ? failure : nil }

  private var failure: DriverError {
    fault.failed("its reading failed", remedy: "This failure was asked for.")
  }

  // MARK: - The program's side

  private var fault: NumberErrorFactory { NumberErrorFactory(name) }

  public func onChange(_ changed: @escaping () -> Void) { self.changed = changed }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    readCount += 1
    if clock.now < freeAt, faults.count < 1000 { faults.append("\(clock.now): read while it was read") }
    defer { freeAt = clock.now }
    if isSilent { throw fault.unread() }
    guard isPlugged else { throw fault.unplugged() }
    clock.sleep(for: readingDuration)
    clock.sleep(for: hang)
    hang = .zero
    if isPulledOutWhileRead {
      isPulledOutWhileRead = false
      isPlugged = false
      throw fault.lost()
    }
    if let error = nextError ?? lastingError {
      nextError = nil
      throw error
    }
    return value
  }
}
