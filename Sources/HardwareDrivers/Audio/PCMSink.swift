import CycleCore

/// The seam below the audio drivers: makes sinks for one playback device.
///
/// `ALSACard` is a real one through libasound, `SimulatedCard` keeps every sample in memory, ``WAVFileCard`` writes a file.
public protocol SoundCard: AnyObject {
  /// Whether its sinks wait for real hardware and so want a thread of their own; the others are served by alarms on the cycle's
  /// thread, which makes them deterministic.
  var needsThread: Bool { get }

  func makeSink() -> any PCMSink

  /// Has the watcher woken when a device that was lost may be back; nil if nobody tells, and it has to be tried from time to time.
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)?
}

/// What a player asks of a device; the device may give something near it.
public struct PCMWish: Equatable, Sendable {
  public var sampleRateHertz = 48_000
  public var channelCount = 2
  /// Sample frames rendered and written at a time: 10 ms. At most ``PCMConfiguration/largestPeriod``.
  public var periodSize = 480
  /// Periods in the device's buffer: what a late thread can live on.
  public var periodCount = 3

  public init() {}
}

/// What a device gave.
public struct PCMConfiguration: Equatable, Sendable, BitwiseCopyable {
  /// The most sample frames that a player renders at a time: 8192.
  public static let largestPeriod = 8192

  public var sampleRateHertz: Int
  /// 1 or 2.
  public var channelCount: Int
  /// In sample frames, 1 to ``largestPeriod``.
  public var periodSize: Int
  /// In sample frames, at least a period.
  public var bufferSize: Int

  public init(sampleRateHertz: Int, channelCount: Int, periodSize: Int, bufferSize: Int) {
    self.sampleRateHertz = sampleRateHertz
    self.channelCount = channelCount
    self.periodSize = periodSize
    self.bufferSize = bufferSize
  }

  /// Whether a player can render for it: its buffers have room for the largest period of two channels.
  var isPlayable: Bool {
    sampleRateHertz > 0 && (1...2).contains(channelCount) && (1...Self.largestPeriod).contains(periodSize)
      && bufferSize >= periodSize
  }

  /// How many sample frames sound in the span; 0 if it is negative.
  func sampleFrames(in span: Duration) -> Int {
    // Seconds and the rest apart: in one product 64 bits would do for a few years only.
    let (seconds, rest) = max(0, span.wholeNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(seconds) * sampleRateHertz + Int(rest) * sampleRateHertz / 1_000_000_000
  }
}

/// How a device is at a moment.
public enum PCMStatus: Equatable, Sendable {
  /// So many sample frames can be written, and so many have been written and not been heard.
  case ready(available: Int, delay: Int)
  /// It ran out of samples and stands still: prepare it and go on.
  case underrun
  /// The machine was asleep: prepare it and go on.
  case suspended
  /// It went away.
  case lost(DriverError)
}

/// One playback device, used by one thread: no call but ``open(_:on:)`` and ``close()`` waits for the hardware. Samples are interleaved: `samples[sampleFrame * channelCount + channel]`.
public protocol PCMSink: AnyObject {
  /// Opens the device. May take long.
  /// - Parameter clock: a device without hardware behind it goes by this clock, and sleeps on it for as long as its calls take.
  /// - Returns: what it gives, within the bounds of ``PCMConfiguration``. A player closes a device that gives anything else, and tells it as
  ///   ``CycleCore/Trouble/lost(_:)`` of the kind `unsupported`.
  func open(_ wish: PCMWish, on clock: WorkClock) throws(DriverError) -> PCMConfiguration

  func status(at now: Moment) -> PCMStatus

  /// Writes without waiting: how many sample frames were taken, from 0 to `count`; negative if ``status(at:)`` knows why none was.
  func write(_ samples: UnsafePointer<Int16>, count: Int, at now: Moment) -> Int

  /// Makes a device that stands still ready for samples. False if that failed: then it counts as lost.
  func prepare(at now: Moment) -> Bool

  /// Descriptors to poll until samples can be written; empty for a sink that goes by the clock.
  var descriptors: [PolledDescriptor] { get }

  /// Lets what was written be heard, without waiting for it.
  func drain(at now: Moment)

  /// Closes; what has not been heard is dropped. Does nothing when it is closed.
  func close()
}
