import CycleCore
import HardwareDrivers

/// A sound card in memory: keeps the samples that were played last, and fails on request of a test.
///
/// It uses the clock of its caller, so in virtual time an hour of sound takes only as long as its mixing.
public final class SimulatedCard: SoundCard, SimulatedHardware {
  /// The newest samples, interleaved: `samples[sampleFrame * channelCount + channel]`. At least ``keptSamples`` are
  /// kept, and at most twice that number plus the samples of one write; with ``keepsEverySample`` all.
  public var samples: [Int16] { older.isEmpty ? newer : older + newer }
  /// The number of the oldest samples that ``samples`` has dropped.
  public private(set) var forgottenSamples = 0
  /// The moment at which the first sample ever written was played; nil before the first write.
  public private(set) var firstMoment: Moment?
  private var older: [Int16] = []
  private var newer: [Int16] = []
  /// The configuration of the opened device; nil while it is closed.
  public private(set) var configuration: PCMConfiguration?
  /// The number of openings, and of writes of samples.
  public private(set) var openings = 0
  public private(set) var writeCount = 0

  /// Whether any of the newest 960 samples (10 ms of stereo at 48 kHz) isn't 0.
  package var isSounding: Bool {
    guard configuration != nil else { return false }
    return newer.suffix(960).contains { $0 != 0 }
      || older.suffix(max(0, 960 - newer.count)).contains { $0 != 0 }
  }

  // MARK: The world's side

  /// Whether all samples that are played from now on are kept, 11 MB a minute, for a test that needs more than the last
  /// minute.
  public var keepsEverySample = false
  /// The least number of the newest samples that are kept; default: 5 760 000, the last minute of stereo at 48 kHz.
  public var keptSamples = 2 * 48_000 * 60
  /// The time that opening the device takes.
  public var openingDuration = Duration.zero
  /// Whether calls that open, write to or close the device hang for ever.
  public var isHanging = false
  /// The next attempt to open the device fails with this error, once.
  public var nextOpeningError: DriverError?
  /// The name of another program that holds the device; nil if none does.
  public var holder: String?
  /// Whether this user may open the device.
  public var isPermitted = true
  /// The only sample rate of the device, whatever is requested; nil if it accepts any.
  public var onlyRateHertz: Int?
  /// The only channel count of the device, whatever is requested; nil if it accepts any.
  public var onlyChannelCount: Int?
  /// The maximum number of sample frames that one write accepts; nil for as many as fit into the buffer.
  public var writeLimit: Int?
  /// The difference between the clock of the card and that of its caller, in millionths; a card with a positive one plays
  /// too fast.
  public var driftPPM = 0
  /// The number of sample frames that the card takes from its buffer at a time; at least 1.
  public var quantum = 1
  /// Whether the playback position stands still although the device reports that it is running.
  public var isStalled = false
  public private(set) var isPlugged = true
  private var mustUnderrun = false
  private var mustSuspend = false
  private let watches = ReturnWatchers()

  public init() {}

  /// Unplugs the card.
  public func unplug() {
    isPlugged = false
    wake()
  }

  /// Plugs the card in again.
  public func plug() {
    isPlugged = true
    wake()
  }

  /// Makes the device run out of samples, as when the machine was too busy to write any.
  public func underrun() { mustUnderrun = true }

  /// Makes the device report `PCMStatus.suspended` once, as after the machine was asleep.
  public func suspend() { mustSuspend = true }

  private func wake() {
    watches.wake()
  }

  // MARK: - The program's side

  public var needsThread: Bool { false }

  public func makeSink() -> any PCMSink { SimulatedSink(card: self) }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    watches.add(watcher)
  }

  fileprivate func checkOpening() throws(DriverError) {
    if let error = nextOpeningError {
      nextOpeningError = nil
      throw error
    }
    guard isPlugged else {
      throw DriverError(
        .absent, of: "simulated", cannot: "open the sound device \"simulated\"", reason: "there is no such device",
        remedy: "Plug it in, or name another device.")
    }
    guard isPermitted else {
      throw DriverError(
        .notPermitted, of: "simulated", cannot: "open the sound device \"simulated\"", reason: "permission denied",
        remedy: "Add this user to the group \"audio\".")
    }
    if let holder {
      throw DriverError(
        .busy, of: "simulated", cannot: "open the sound device \"simulated\"", reason: "busy",
        remedy: "\"\(holder)\" uses it. Stop that program or choose another device.")
    }
  }

  fileprivate func didOpen(_ configuration: PCMConfiguration) {
    self.configuration = configuration
    openings += 1
  }

  fileprivate func didClose() { configuration = nil }

  fileprivate func takeFault() -> PCMStatus? {
    if !isPlugged {
      return .lost(
        DriverError(
          .lost, of: "simulated", cannot: "play on the sound device \"simulated\"", reason: "it is gone",
          remedy: "Plug it in again; the sound then continues."))
    }
    if mustSuspend {
      mustSuspend = false
      return .suspended
    }
    if mustUnderrun {
      mustUnderrun = false
      return .underrun
    }
    return nil
  }

  fileprivate func keep(_ played: UnsafeBufferPointer<Int16>, at moment: Moment) {
    writeCount += 1
    if firstMoment == nil { firstMoment = moment }
    newer.append(contentsOf: played)
    guard newer.count >= keptSamples, !keepsEverySample else { return }
    // Samples are kept in two arrays, so that dropping old ones moves no samples.
    forgottenSamples += older.count
    swap(&older, &newer)
    newer.removeAll(keepingCapacity: true)
    // An array that grows on its own may reserve twice the memory.
    newer.reserveCapacity(older.count)
  }
}

private final class SimulatedSink: ClockedPCMSink {
  private let card: SimulatedCard
  /// The status that a stalled device reports repeatedly; nil while it isn't stalled.
  private var stalled: PCMStatus?
  /// The clock of the caller that opened the device.
  private var clock: WorkClock?

  init(card: SimulatedCard) {
    self.card = card
  }

  override func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    var wish = wish
    wish.sampleRateHertz = card.onlyRateHertz ?? wish.sampleRateHertz
    wish.channelCount = card.onlyChannelCount ?? wish.channelCount
    stalled = nil
    self.clock = clock
    clock.sleep(for: card.openingDuration)
    hang()
    return try super.open(wish, on: clock)
  }

  private func hang() {
    if card.isHanging { clock?.sleep(for: .seconds(Int64.max)) }
  }

  override func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    hang()
    return super.write(samples, count: count, at: now)
  }

  override func close() {
    hang()
    if !card.isHanging { super.close() }
  }

  override func willOpen(_ configuration: PCMConfiguration) throws(DriverError) {
    try card.checkOpening()
    card.didOpen(configuration)
  }

  override func didClose() { card.didClose() }

  override func fault(at now: Moment) -> PCMStatus? {
    let fault = card.takeFault()
    if fault == .underrun { standStill() }
    return fault
  }

  override func status(at now: Moment) -> PCMStatus {
    guard card.isStalled else {
      stalled = nil
      return super.status(at: now)
    }
    if !card.isPlugged { return super.status(at: now) }
    if stalled == nil, case .ready(_, let delay) = super.status(at: now) {
      stalled = .ready(available: 0, delay: delay)
    }
    return stalled ?? super.status(at: now)
  }

  override var writeLimit: Int { card.writeLimit ?? .max }
  override var driftPPM: Int { card.driftPPM }
  override var quantum: Int { card.quantum }

  override func consume(_ samples: UnsafeBufferPointer<Int16>, at moment: Moment) {
    card.keep(samples, at: moment)
  }
}
