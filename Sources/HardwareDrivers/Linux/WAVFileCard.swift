import CycleCore

/// A card that writes what would be heard into a WAV file: 16 bits, from the first sample of the first sound on.
///
/// While nothing sounds for so long that a real device would be closed, nothing is written either.
public final class WAVFileCard: SoundCard {
  private let path: String

  /// Opens nothing yet; a file that is there is replaced.
  public init(path: String) {
    self.path = path
  }

  public var needsThread: Bool { false }

  public func makeSink() -> any PCMSink { WAVFileSink(path: path) }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
}

/// The one sink of a ``WAVFileCard``: every opening goes on in the same file.
final class WAVFileSink: PacedSink {
  private let path: String
  private var writer: WAVWriter?
  private var failure: DriverError?

  init(path: String) {
    self.path = path
  }

  override func willOpen(_ configuration: PCMConfiguration) throws(DriverError) {
    guard writer == nil else { return }
    writer = try WAVWriter(
      path: path, channelCount: configuration.channelCount, sampleRateHertz: configuration.sampleRateHertz)
  }

  override func fault(at now: Moment) -> PCMStatus? { failure.map { .lost($0) } }

  override func consume(_ samples: UnsafeBufferPointer<Int16>, at moment: Moment) {
    do throws(DriverError) {
      try writer?.write(samples)
    } catch {
      failure = error
    }
  }

  /// The header is brought up to date, so that the file is whole at any time when nothing sounds.
  override func didClose() {
    do throws(DriverError) {
      try writer?.finish()
    } catch {
      failure = error
    }
  }
}
