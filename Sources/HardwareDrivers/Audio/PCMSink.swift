import CycleCore

/// The configuration that a player requests from a device; the device may choose a similar one.
public struct PCMPreferences: Equatable, Sendable {
  public var sampleRateHertz = 48_000
  public var channelCount = 2
  /// Sample frames rendered and written at a time: 10 ms. At most ``PCMConfiguration/largestPeriod``.
  public var periodSize = 480
  /// Periods in the device's buffer: they keep it playing while the thread is late.
  public var periodCount = 3

  public init() {}
}

/// The configuration that a device has chosen.
public struct PCMConfiguration: Equatable, Sendable, BitwiseCopyable {
  /// The maximum number of sample frames that a player renders at a time: 8192.
  public static let largestPeriod = 8192
  /// The maximum number of channels that a player renders: 8.
  public static let mostChannels = 8

  public var sampleRateHertz: Int
  /// 1 to ``mostChannels``. Sounds are played on the first two channels; the others are silent.
  public var channelCount: Int
  /// The number of sample frames in a period, 1 to ``largestPeriod``.
  public var periodSize: Int
  /// The number of sample frames in the buffer, at least one period.
  public var bufferSize: Int

  public init(sampleRateHertz: Int, channelCount: Int, periodSize: Int, bufferSize: Int) {
    self.sampleRateHertz = sampleRateHertz
    self.channelCount = channelCount
    self.periodSize = periodSize
    self.bufferSize = bufferSize
  }

  /// Whether a player can render for this configuration: its buffers hold the largest period of all channels.
  var isPlayable: Bool {
    sampleRateHertz > 0 && (1...Self.mostChannels).contains(channelCount)
      && (1...Self.largestPeriod).contains(periodSize)
      && bufferSize >= periodSize
  }

  /// The number of sample frames that are played in the span; 0 if it is negative.
  func sampleFrames(in span: Duration) -> Int {
    // Seconds and the rest separately: a single product would overflow 64 bits after two days of sound.
    let (seconds, rest) = max(0, span.wholeNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(seconds) * sampleRateHertz + Int(rest) * sampleRateHertz / 1_000_000_000
  }
}

/// The state of a device at a moment.
public enum PCMStatus: Equatable, Sendable {
  /// `available` sample frames can be written now; `delay` sample frames are written and not played yet.
  case ready(available: Int, delay: Int)
  /// The device ran out of samples and stopped: call ``PCMSink/prepare(at:)``, then write again. ALSA calls
  /// this an xrun.
  case underrun
  /// The machine was asleep: call ``PCMSink/prepare(at:)``, then write again.
  case suspended
  /// The device is gone.
  case lost(DriverError)
}

/// One playback device, used by one thread. Only ``open(_:on:)`` and ``close()`` wait for the hardware. Samples are
/// interleaved: `samples[sampleFrame * channelCount + channel]`. Full scale is 1; a player keeps all samples below
/// 0.991.
public protocol PCMSink: AnyObject {
  /// Opens the device. May take long.
  /// - Parameter clock: a device without hardware uses it as its time, and sleeps on it for the time of its calls.
  /// - Parameter wish: the preferred configuration.
  /// - Returns: the device's configuration, within the bounds of ``PCMConfiguration``. A player closes a device with
  ///   any other configuration and reports it as ``CycleCore/Trouble/lost(_:)`` of kind `unsupported`.
  func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration

  func status(at now: Moment) -> PCMStatus

  /// Writes without waiting. Returns the number of sample frames that the device accepted, 0 to `count`; negative if it
  /// accepts none in the state that ``status(at:)`` returns.
  func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int

  /// Makes a stopped device ready for samples. Returns false if that failed: then the device counts as lost.
  func prepare(at now: Moment) -> Bool

  /// Descriptors to poll until samples can be written; empty for a sink that uses the clock.
  var descriptors: [PolledDescriptor] { get }

  /// Starts playing the remaining samples, without waiting for their end.
  func drain(at now: Moment)

  /// Closes the device and drops samples that were not played. Does nothing when it is closed.
  func close()
}
