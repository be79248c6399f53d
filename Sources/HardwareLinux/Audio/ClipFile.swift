import CycleCore
import HardwareDrivers

extension Clip {
  /// Reads a WAV file: 8, 16, 24 and 32 bit PCM, 32 and 64 bit float, one or two channels, any rate from 1 to 768 kHz, at most 256 MB,
  /// and at most 256 MB as 16 bits at 48 kHz. Takes as long as the disk, so a driver does it at its start or on a worker.
  ///
  /// Samples of more than 16 bits are rounded to 16: what a device gets. A symbolic link is followed.
  ///
  /// - Throws: why the file can't be read, or what is wrong with it and at which byte.
  public convenience init(contentsOfWAV path: String) throws(DriverError) {
    try self.init(WAVReader(FileBytes(path), name: path))
  }

  /// Whether ``init(contentsOfWAV:)`` takes the file: judges its structure, without reading the samples.
  ///
  /// - Throws: what ``init(contentsOfWAV:)`` throws.
  public static func check(wav path: String) throws(DriverError) {
    _ = try WAVReader(FileBytes(path), name: path).readHeader()
  }
}
