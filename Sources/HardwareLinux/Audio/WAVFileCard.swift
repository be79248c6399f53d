import CycleCore
import HardwareDrivers

/// A card that writes its sound to a WAV file: 16 bits, beginning with the first sample of the first sound.
///
/// A silence after which a real device would be closed is not written. The sizes in the file's header lag by at most
/// one second, so the file can be played even if the program was killed. When the disk is full the card is lost. It is
/// restored when there is room for one second of sound again. At 4 GiB, the limit of a WAV file, it stays lost.
public final class WAVFileCard: SoundCard {
  private let path: String

  /// Doesn't open the file. The first opening of the sink empties an existing file, and throws for a path that is not a
  /// regular file (a FIFO, a device). A symbolic link is followed, as by a shell's `>`. So a user who chooses the path
  /// can overwrite any file that this program can write.
  public init(path: String) {
    self.path = path
  }

  public var needsThread: Bool { false }

  public func makeSink() -> any PCMSink { WAVFileSink(path: path) }

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
}

/// The sink of a ``WAVFileCard``. Opened again, it appends to the same file.
final class WAVFileSink: ClockedPCMSink {
  private let makeWriter: (PCMConfiguration) throws(DriverError) -> WAVWriter
  private var writer: WAVWriter?
  /// Why the last write failed; nil if it succeeded, or if ``willOpen(_:)`` has found room again since.
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

  /// Updates the header, so that the file is complete whenever no sound is playing.
  override func didClose() {
    do throws(DriverError) {
      try writer?.finish()
    } catch {
      failure = error
    }
  }
}
