import CycleCore
import HardwareDrivers

/// A source of numbers in memory. The program uses it as any ``HardwareDrivers/NumberSource``; the world's side sets
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

  /// The number now, in ``unit``.
  public private(set) var value: Double
  public private(set) var isPlugged: Bool
  /// How long a reading takes: 750 ms for a DS18B20, less than 1 ms for a file.
  public var readingDuration: Duration
  /// The extra time of the next reading; `.seconds(Int64.max)` if it hangs forever.
  public var hang = Duration.zero
  /// Whether it is pulled out at the end of the next reading, which throws kind `lost`.
  public var isPulledOutWhileRead = false
  /// The next reading fails with this error, once.
  public var nextError: DriverError?
  /// Every reading fails with this error until it is taken back.
  public var lastingError: DriverError?
  /// How often it was read, failures included.
  public private(set) var readCount = 0
  /// Each reading that began before the previous one had ended, in a sentence; only the first 1 000.
  public private(set) var faults: [String] = []
  /// Whether it reports when its number changes, so that it is read immediately; false as for most hardware.
  public var tellsChanges = false
  /// Whether its first number is still to come: a reading gives none, and is no failure.
  private var isSilent = false
  private var changed: () -> Void = {}
  private var freeAt = Moment.zero

  /// - Parameters:
  ///   - name: the name in errors.
  ///   - unit: the unit of the numbers; empty for none.
  ///   - value: the number at first.
  ///   - readingDuration: how long a reading takes.
  ///   - isPlugged: whether it is there at first.
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

  /// Changes the number. One that is not finite stands for hardware that gives nonsense.
  public func set(_ value: Double) {
    self.value = value
    tellChange()
  }

  /// Takes it away: readings throw kind `absent`.
  public func unplug() {
    isSilent = false
    isPlugged = false
    tellChange()
  }

  /// Has its first number take until it is set, unplugged or plugged in, as that of a slow sensor does.
  public func silence() { isSilent = true }

  /// Puts it back, with the number that it had.
  public func plug() {
    isSilent = false
    isPlugged = true
    tellChange()
  }

  private func tellChange() { if tellsChanges { changed() } }

  /// Has the next reading fail, with kind `failed`.
  public func failOnce() { nextError = failure }

  /// Has every reading fail, with kind `failed`, until called with false.
  public func failForGood(_ fails: Bool = true) { lastingError = fails ? failure : nil }

  private var failure: DriverError {
    fault.failed("its reading failed", remedy: "This failure was asked for.")
  }

  // MARK: - The program's side

  private var fault: NumberFault { NumberFault(name) }

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
