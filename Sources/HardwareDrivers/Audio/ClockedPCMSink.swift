import CycleCore

/// A sink that plays by the clock: it behaves like the buffer of a real device, without the device.
///
/// Playing begins when two periods have been written; from then on the buffer empties at the sample rate, and a late
/// writer causes an underrun.
open class ClockedPCMSink: PCMSink {
  /// The configuration of the open device; nil while it is closed.
  public private(set) var configuration: PCMConfiguration?
  /// Sample frames written since playing last began.
  private var written = 0
  /// When playing last began; nil before that.
  private var began: Moment?
  private var isStanding = false

  /// The samples of one write as 16-bit numbers.
  private let converted = UnsafeMutablePointer<Int16>.allocate(
    capacity: PCMConfiguration.mostChannels * PCMConfiguration.largestPeriod)

  public init() {}

  deinit {
    converted.deallocate()
  }

  /// Called with samples that were written, and the moment at which the first of them is played.
  open func consume(_ samples: UnsafeBufferPointer<Int16>, at moment: Moment) {}

  /// Called before the device is opened, and when it is closed.
  open func willOpen(_ configuration: PCMConfiguration) throws(DriverError) {}
  open func didClose() {}

  /// Why the device can't work at this moment; nil if it can.
  open func fault(at now: Moment) -> PCMStatus? { nil }

  /// The maximum number of sample frames that one write accepts.
  open var writeLimit: Int { .max }

  /// The difference between the clock of the device and that of the caller, in millionths: a device with 300 plays
  /// 48 014.4 sample frames in one second at 48 kHz. Crystals differ by up to 100.
  open var driftPPM: Int { 0 }

  /// The number of sample frames that the device takes from its buffer at a time; at least 1. Sound servers take 1024.
  open var quantum: Int { 1 }

  open var descriptors: [PolledDescriptor] { [] }

  open func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    let periodSize = min(max(1, wish.periodSize), PCMConfiguration.largestPeriod)
    let configuration = PCMConfiguration(
      sampleRateHertz: wish.sampleRateHertz,
      channelCount: min(PCMConfiguration.mostChannels, max(1, wish.channelCount)),
      periodSize: periodSize, bufferSize: periodSize * max(1, wish.periodCount))
    try willOpen(configuration)
    self.configuration = configuration
    written = 0
    began = nil
    isStanding = false
    return configuration
  }

  private func played(at now: Moment) -> Int {
    guard let began, let configuration else { return 0 }
    let regular = configuration.sampleFrames(in: now - began)
    let drifted = regular + regular * driftPPM / 1_000_000
    return drifted / max(1, quantum) * max(1, quantum)
  }

  open func status(at now: Moment) -> PCMStatus {
    if let fault = fault(at: now) { return fault }
    guard let configuration else { return .ready(available: 0, delay: 0) }
    if isStanding { return .underrun }
    let played = played(at: now)
    if began != nil, played > written {
      isStanding = true
      return .underrun
    }
    let delay = written - played
    return .ready(available: configuration.bufferSize - delay, delay: delay)
  }

  open func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    guard case .ready(let available, let delay) = status(at: now), let configuration else { return -1 }
    let taken = min(count, available, writeLimit, PCMConfiguration.largestPeriod)
    guard taken > 0 else { return 0 }
    let rate = Int64(configuration.sampleRateHertz)
    let moment = now + .nanoseconds(Int64(delay) * 1_000_000_000 / rate)
    let sampleCount = taken * configuration.channelCount
    PCMSample.convert(samples, sampleCount, into: converted)
    consume(UnsafeBufferPointer(start: converted, count: sampleCount), at: moment)
    written += taken
    if began == nil, written >= min(2 * configuration.periodSize, configuration.bufferSize) { began = now }
    return taken
  }

  open func prepare(at now: Moment) -> Bool {
    if case .lost? = fault(at: now) { return false }
    written = 0
    began = nil
    isStanding = false
    return true
  }

  /// Stops the device as after an underrun: no samples were written in time.
  public func standStill() {
    isStanding = true
  }

  /// Plays what has been written, even if that is less than playing normally begins with.
  open func drain(at now: Moment) {
    if began == nil, written > 0 { began = now }
  }

  open func close() {
    guard configuration != nil else { return }
    configuration = nil
    didClose()
  }
}
