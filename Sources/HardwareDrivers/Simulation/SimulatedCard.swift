import CycleCore

/// A sound card in memory: keeps every sample that is played, and fails as it is told to.
///
/// It goes by the clock of whoever plays on it, so in virtual time an hour of sound takes as long as its mixing.
public final class SimulatedCard: SoundCard {
  /// Every sample that was played, interleaved: `samples[sampleFrame * channelCount + channel]`.
  public private(set) var samples: [Int16] = []
  /// How many of the oldest samples ``samples`` has forgotten: it keeps ten minutes of stereo at 48 kHz.
  public private(set) var forgottenSamples = 0
  /// When the first of ``samples`` sounded; nil before the first.
  public private(set) var firstMoment: Moment?
  /// What the device is opened with; nil while it is closed.
  public private(set) var configuration: PCMConfiguration?
  /// How often it has been opened.
  public private(set) var openings = 0

  // MARK: The world's side

  /// Another program holds the device.
  public var holder: String?
  /// Whether this user may open the device.
  public var isPermitted = true
  /// The rate that the device has, whatever is asked for; nil for any.
  public var onlyRateHertz: Int?
  /// The channels that the device has, whatever is asked for; nil for any.
  public var onlyChannelCount: Int?
  /// Takes no more than so many sample frames at a time; nil for as many as fit.
  public var writeLimit: Int?
  /// Its position stands still although it claims to run.
  public var isStalled = false
  public private(set) var isPlugged = true
  private var mustUnderrun = false
  private var mustSuspend = false
  private var watches: [SimulatedCardWatch] = []

  private static let keptSamples = 2 * 48_000 * 600

  public init() {}

  /// Takes the card away.
  public func unplug() {
    isPlugged = false
    wake()
  }

  /// Brings it back.
  public func plug() {
    isPlugged = true
    wake()
  }

  /// The device runs out of samples, as when the machine was too busy to write any.
  public func underrun() { mustUnderrun = true }

  /// The machine sleeps and wakes again.
  public func suspend() { mustSuspend = true }

  private func wake() {
    for watch in watches { watch.wake() }
  }

  // MARK: - The program's side

  public var needsThread: Bool { false }

  public func makeSink() -> any PCMSink { SimulatedSink(card: self) }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    let watch = SimulatedCardWatch(card: self, waker: watcher.makeWaker())
    watches.append(watch)
    return watch
  }

  fileprivate func forget(_ watch: SimulatedCardWatch) {
    watches.removeAll { $0 === watch }
  }

  fileprivate func checkOpening() throws(DriverError) {
    guard isPlugged else {
      throw DriverError(
        .absent, cannot: "open the sound device \"simulated\"", reason: "there is no such device",
        remedy: "Plug it in, or name another device.")
    }
    guard isPermitted else {
      throw DriverError(
        .notPermitted, cannot: "open the sound device \"simulated\"", reason: "permission denied",
        remedy: "Add this user to the group \"audio\".")
    }
    if let holder {
      throw DriverError(
        .busy, cannot: "open the sound device \"simulated\"", reason: "busy",
        remedy: "\"\(holder)\" holds it. Stop that program or choose another device.")
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
          .lost, cannot: "play on the sound device \"simulated\"", reason: "it is gone",
          remedy: "Plug it in again; sound comes back by itself."))
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
    if firstMoment == nil { firstMoment = moment }
    samples.append(contentsOf: played)
    if samples.count > 2 * Self.keptSamples {
      forgottenSamples += samples.count - Self.keptSamples
      samples.removeFirst(samples.count - Self.keptSamples)
    }
  }
}

private final class SimulatedSink: PacedSink {
  private let card: SimulatedCard
  /// The position at which a stalled device stands.
  private var stalled: PCMStatus?

  init(card: SimulatedCard) {
    self.card = card
  }

  override func open(_ wish: PCMWish, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    var wish = wish
    wish.sampleRateHertz = card.onlyRateHertz ?? wish.sampleRateHertz
    wish.channelCount = card.onlyChannelCount ?? wish.channelCount
    stalled = nil
    return try super.open(wish, on: clock)
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

  override func consume(_ samples: UnsafeBufferPointer<Int16>, at moment: Moment) {
    card.keep(samples, at: moment)
  }
}

/// Waits for a simulated card to be plugged in again.
private final class SimulatedCardWatch: ReturnWatch {
  private unowned let card: SimulatedCard
  private let waker: Waker
  private var hasNews = false

  init(card: SimulatedCard, waker: Waker) {
    self.card = card
    self.waker = waker
  }

  func wake() {
    hasNews = true
    waker.wake()
  }

  func acknowledge() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  func release() { card.forget(self) }
}
