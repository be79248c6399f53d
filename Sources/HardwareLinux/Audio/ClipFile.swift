import CycleCore
import HardwareDrivers

extension Clip {
  /// Reads a WAV file: 8, 16, 24 and 32 bit PCM, 32 and 64 bit float, one or two channels, any rate from 1 to 768 kHz.
  /// The file has at most 256 MB, and at most 256 MB when converted to 16 bits at 48 kHz. Blocks while the disk reads,
  /// so a driver calls it at its start or on a worker.
  ///
  /// Samples of more than 16 bits are rounded to 16, the size that is written to devices. Symbolic links are followed.
  ///
  /// - Throws: an error if the file can't be read. For a fault in the file it names the fault and its byte.
  public convenience init(contentsOfWAV path: String) throws(DriverError) {
    try self.init(WAVReader(FileByteSource(path), name: path))
  }

  /// Checks that ``init(contentsOfWAV:)`` can read the file: reads its structure, not its samples.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isHeard: whether a file without samples, which would be silent, is refused, too.
  /// - Throws: the errors of ``init(contentsOfWAV:)``.
  public static func check(wav path: String, isHeard: Bool = false) throws(DriverError) {
    let reader = try WAVReader(FileByteSource(path), name: path)
    if isHeard { try reader.check() } else { _ = try reader.readHeader() }
  }
}
