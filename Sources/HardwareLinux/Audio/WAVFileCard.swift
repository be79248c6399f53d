import CycleCore
import HardwareDrivers

/// A card that writes what would be heard into a WAV file: 16 bits, from the first sample of the first sound on.
///
/// While nothing sounds for so long that a real device would be closed, nothing is written either. The file's header is at most a
/// second behind, so the file can be played even if the program was killed. When the disk is full the card is lost, and restored when
/// there is room for a second of sound again; at 4 GiB, which is all that a WAV file holds, it stays lost.
public final class WAVFileCard: SoundCard {
  private let path: String

  /// Opens nothing yet; what is in a file that is there is replaced. Something other than a file (a FIFO, a device) is refused. A
  /// symbolic link is followed, as a shell's `>` follows it: whoever may choose the path may write where the program may.
  public init(path: String) {
    self.path = path
  }

  public var needsThread: Bool { false }

  public func makeSink() -> any PCMSink { WAVFileSink(path: path) }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
}

/// The one sink of a ``WAVFileCard``: every opening goes on in the same file.
final class WAVFileSink: PacedSink {
  private let makeWriter: (PCMConfiguration) throws(DriverError) -> WAVWriter
  private var writer: WAVWriter?
  /// Why the last write failed; nil when it is known that there is room again.
  private var failure: DriverError?

  init(_ makeWriter: @escaping (PCMConfiguration) throws(DriverError) -> WAVWriter) {
    self.makeWriter = makeWriter
  }

  convenience init(path: String) {
    self.init { (configuration) throws(DriverError) in
      try WAVWriter(
        path: path, channelCount: configuration.channelCount, sampleRateHertz: configuration.sampleRateHertz)
    }
  }

  override func willOpen(_ configuration: PCMConfiguration) throws(DriverError) {
    if writer == nil { writer = try makeWriter(configuration) }
    guard failure != nil else { return }
    try writer?.checkRoom()
    failure = nil
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
