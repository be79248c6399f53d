import CycleCore

/// The interface between the audio drivers and a backend: makes sinks for one playback device.
///
/// `ALSACard` is a real one through libasound, `SimulatedCard` keeps every sample in memory, `WAVFileCard` writes a
/// file.
///
/// A *sample frame* is one sample of each channel at one moment. ALSA calls it a frame. In this code, a frame without
/// "sample" is always the state of an application.
public protocol SoundCard: AnyObject {
  /// Whether its sinks wait for real hardware and so need a separate thread. If not, they are used on the cycle's
  /// thread at alarms, which makes them deterministic.
  var needsThread: Bool { get }

  func makeSink() -> any PCMSink

  /// Wakes the watcher when a device that was lost may be back; nil if nothing announces that, so that it must be
  /// retried.
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)?

  /// The time between the announcement of a device and its opening; zero unless the card needs some.
  var settlingTime: Duration { get }
}

extension SoundCard {
  public var settlingTime: Duration { .zero }
}
